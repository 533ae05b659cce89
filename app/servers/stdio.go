package servers

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// How long a process has to go: on its own once its input is closed, and after
// it was told to.
const (
	leaveTime = time.Second
	termTime  = 3 * time.Second
)

// tailSize is how many bytes of standard error are held, and tailRunes how many
// characters of it a person is shown.
const (
	tailSize  = 64 << 10
	tailRunes = 2000
)

// child is a server's process and everything it starts in its process group.
// One goroutine starts it and waits for it, on a thread of its own, because on
// Linux the kernel ends a process when the thread that started it goes: so it
// does not outlive this program, however that ends.
type child struct {
	cmd    *exec.Cmd
	in     *os.File
	out    *lines
	err    *os.File
	exited chan struct{} // closed when it has ended, and may not be reaped yet
	reap   chan struct{} // closed when it may be
	silent chan struct{} // closed when nobody can write to standard error any more
	owner  sync.WaitGroup

	hangs  sync.Once
	family family // since hangs
	ended  sync.Once

	mu   sync.Mutex
	last []byte
	cut  bool
}

// startChild starts what the plan says. The code is empty when that worked.
func startChild(p Plan, env []string) (channel, Code) {
	c := &child{exited: make(chan struct{}), reap: make(chan struct{}), silent: make(chan struct{})}
	var theirs [3]*os.File
	var ours [3]*os.File
	for i := range theirs {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(theirs[:], ours[:])
			return nil, Unreachable
		}
		theirs[i], ours[i] = w, r
		if i == 0 {
			theirs[i], ours[i] = r, w
		}
	}
	c.in, c.out, c.err = ours[0], &lines{r: ours[1], start: true}, ours[2]
	c.cmd = &exec.Cmd{
		Path: p.Path, Args: append([]string{p.Command}, p.Args...), Env: env, Dir: p.Dir,
		Stdin: theirs[0], Stdout: theirs[1], Stderr: theirs[2], SysProcAttr: grouped(),
	}
	started := make(chan error)
	c.owner.Go(func() { c.own(started) })
	err := <-started
	closeAll(theirs[:])
	if err != nil {
		closeAll(ours[:])
		c.owner.Wait()
		return nil, Unreachable
	}
	c.owner.Go(c.listen)
	return c, ""
}

func closeAll(files ...[]*os.File) {
	for _, list := range files {
		for _, f := range list {
			if f != nil {
				_ = f.Close()
			}
		}
	}
}

// own starts the process and stays with it to the end.
func (c *child) own(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := c.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	awaitExit(c.cmd)
	close(c.exited)
	<-c.reap
	_ = c.cmd.Wait() // how it ended does not matter
}

// listen holds the end of standard error, so that the process never waits for a
// reader.
func (c *child) listen() {
	defer close(c.silent)
	buf := make([]byte, 4096)
	for {
		n, err := c.err.Read(buf)
		c.mu.Lock()
		c.last = append(c.last, buf[:n]...)
		if over := len(c.last) - tailSize; over > 0 {
			c.last, c.cut = append([]byte(nil), c.last[over:]...), true
		}
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (c *child) transport() mcp.Transport {
	return &mcp.IOTransport{Reader: input{c.out, c}, Writer: output{c.in, c}, MaxLineLength: 2 * maxMessage}
}

// input and output are the pipes as the protocol has them: closing either hangs
// up.
type (
	input struct {
		io.Reader
		c *child
	}
	output struct {
		io.Writer
		c *child
	}
)

// Close hangs up.
func (i input) Close() error { i.c.hangUp(); return nil }

// Close hangs up.
func (o output) Close() error { o.c.hangUp(); return nil }

// hangUp closes the pipes of the protocol, so that nothing waits on them. Who is
// to end is looked up before, while everyone's parent is still there.
func (c *child) hangUp() {
	c.hangs.Do(func() {
		c.family = familyOf(c.cmd.Process)
		c.out.left.Store(true)
		_ = c.in.Close()
		_ = c.out.Close()
	})
}

// close ends the process and its group: its input closes, then it is told to
// end, then it is killed.
func (c *child) close() {
	c.ended.Do(func() {
		c.hangUp()
		within(leaveTime, c.exited)
		c.family.end(c.exited)
		close(c.reap)
		within(leaveTime, c.silent)
		_ = c.err.Close()
		c.owner.Wait()
	})
}

// within waits for done, at most d.
func within(d time.Duration, done <-chan struct{}) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	}
}

func (c *child) verdict() Code {
	switch {
	case c.out.over.Load():
		return TooLarge
	case c.out.noise.Load():
		return Invalid
	case c.out.ended.Load():
		return Exited
	}
	return ""
}

func (c *child) said(r redactor) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return r.tail(c.last, c.cut, tailRunes)
}
