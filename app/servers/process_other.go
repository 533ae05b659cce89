//go:build !unix

package servers

import (
	"os"
	"os/exec"
	"syscall"
)

// grouped leaves a process as it is: there is no group to end here, so what a
// server starts and does not end itself stays.
func grouped() *syscall.SysProcAttr { return nil }

// awaitExit waits until the process has ended.
func awaitExit(cmd *exec.Cmd) { _, _ = cmd.Process.Wait() }

// family is a process alone.
type family struct{ p *os.Process }

func familyOf(p *os.Process) family { return family{p} }

// end kills the process if it is still there.
func (f family) end(exited <-chan struct{}) {
	select {
	case <-exited:
	default:
		_ = f.p.Kill()
		within(termTime, exited)
	}
}
