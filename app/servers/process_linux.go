package servers

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// grouped puts a process into a group of its own and ends it with this program.
func grouped() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// awaitExit waits until the process has ended and leaves it to be reaped, so
// that its id names no other process meanwhile.
func awaitExit(cmd *exec.Cmd) {
	for {
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// process is one line of the system's table.
type process struct {
	pid, parent, group int
	started            string
	gone               bool // it has ended and nobody has asked how
}

// family is a process, its group, and what it had started when it was looked
// at, also what has left the group.
type family struct {
	leader  int
	strayed []process
}

func familyOf(p *os.Process) family {
	f := family{leader: p.Pid}
	all := processes()
	ours := map[int]bool{f.leader: true}
	for grew := true; grew; {
		grew = false
		for _, q := range all {
			if ours[q.parent] && !ours[q.pid] {
				ours[q.pid], grew = true, true
				if q.group != f.leader {
					f.strayed = append(f.strayed, q)
				}
			}
		}
	}
	return f
}

// end ends the family: told to first, killed after termTime.
func (f family) end(exited <-chan struct{}) {
	for _, step := range []struct {
		signal syscall.Signal
		time   time.Duration
	}{{syscall.SIGTERM, termTime}, {syscall.SIGKILL, termTime}} {
		if f.gone(exited) {
			return
		}
		f.tell(step.signal)
		for left := step.time; left > 0 && !f.gone(exited); left -= pollTime {
			time.Sleep(pollTime)
		}
	}
}

// pollTime is how often the table is looked at while a family ends.
const pollTime = 20 * time.Millisecond

func (f family) tell(sig syscall.Signal) {
	_ = syscall.Kill(-f.leader, sig) // the leader is not reaped yet, so the group is still this one
	for _, p := range f.left() {
		_ = syscall.Kill(p.pid, sig)
	}
}

// left is who of the strayed is still there.
func (f family) left() []process {
	var out []process
	for _, p := range f.strayed {
		if now, ok := look(strconv.Itoa(p.pid)); ok && !now.gone && now.started == p.started {
			out = append(out, p)
		}
	}
	return out
}

func (f family) gone(exited <-chan struct{}) bool {
	select {
	case <-exited:
	default:
		return false
	}
	for _, p := range processes() {
		if p.group == f.leader && p.pid != f.leader && !p.gone {
			return false
		}
	}
	return len(f.left()) == 0
}

func processes() []process {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1) // what could be read
	var out []process
	for _, n := range names {
		if n[0] < '0' || n[0] > '9' {
			continue
		}
		if p, ok := look(n); ok {
			out = append(out, p)
		}
	}
	return out
}

// look reads one line of the table. The name in it may hold anything, so the
// fields are counted from its last bracket.
func look(pid string) (process, bool) {
	data, err := os.ReadFile("/proc/" + pid + "/stat") //nolint:gosec // pid is a number
	end := bytes.LastIndexByte(data, ')')
	if err != nil || end < 0 {
		return process{}, false
	}
	f := bytes.Fields(data[end+1:]) // state, parent, group, … started is the 20th
	if len(f) < 20 {
		return process{}, false
	}
	var p process
	var bad [3]error
	p.pid, bad[0] = strconv.Atoi(pid)
	p.parent, bad[1] = strconv.Atoi(string(f[1]))
	p.group, bad[2] = strconv.Atoi(string(f[2]))
	p.started, p.gone = string(f[19]), f[0][0] == 'Z' || f[0][0] == 'X'
	return p, errors.Join(bad[:]...) == nil
}
