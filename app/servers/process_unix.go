//go:build unix && !linux

package servers

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// grouped puts a process into a group of its own. Nothing here ends it when
// this program is killed: its input then closes, which servers take as the end.
func grouped() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// awaitExit waits until the process has ended.
func awaitExit(cmd *exec.Cmd) { _, _ = cmd.Process.Wait() }

// family is a process and its group.
type family struct{ leader int }

func familyOf(p *os.Process) family { return family{p.Pid} }

// end ends the family: told to first, killed after termTime.
func (f family) end(exited <-chan struct{}) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		if errors.Is(syscall.Kill(-f.leader, sig), syscall.ESRCH) {
			break
		}
		for left := termTime; left > 0 && !errors.Is(syscall.Kill(-f.leader, 0), syscall.ESRCH); left -= pollTime {
			time.Sleep(pollTime)
		}
	}
	within(termTime, exited)
}

// pollTime is how often the group is looked for while it ends.
const pollTime = 20 * time.Millisecond
