//go:build xvfb

// Package e2e starts the real program on a screen of its own and does with
// keys and clicks what a person would. It needs Xvfb, xdotool and import, and
// the program's path in CALLBOARD_BIN.
package e2e

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// person is somebody with a folder of their own and a screen.
type person struct {
	t       testing.TB
	dir     string
	display string
	stderr  *bytes.Buffer
	program *exec.Cmd
	shots   int
}

// newPerson starts a screen and lays everything a program may write to below
// one folder.
func newPerson(t *testing.T) *person {
	t.Helper()
	if os.Getenv("CALLBOARD_BIN") == "" {
		t.Fatal("CALLBOARD_BIN must name the program")
	}
	p := &person{t: t, dir: t.TempDir(), stderr: &bytes.Buffer{}}
	for _, d := range []string{"run", "tmp", "cache", "config", "data", "state"} {
		if err := os.MkdirAll(filepath.Join(p.dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p.display = ":" + p.screen()
	return p
}

// screen starts Xvfb on a free display, with more options, and returns its
// number.
func (p *person) screen(options ...string) string {
	p.t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.Command("Xvfb", append([]string{"-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten", "tcp"}, options...)...)
	cmd.ExtraFiles = []*os.File{w}
	apart(cmd)
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { stop(cmd) })
	if err := w.Close(); err != nil {
		p.t.Fatal(err)
	}
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		p.t.Fatal("Xvfb did not start: ", err)
	}
	return strings.TrimSpace(number)
}

// stop ends the command and everything it started.
func stop(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it may be gone
	_ = cmd.Wait()
}

// apart has a command lead its own group of processes.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// env is all the program sees of the world.
func (p *person) env() []string {
	in := func(d string) string { return filepath.Join(p.dir, d) }
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.dir, "LANG=en_US.UTF-8", "DISPLAY=" + p.display,
		"XDG_RUNTIME_DIR=" + in("run"), "TMPDIR=" + in("tmp"), "XDG_CACHE_HOME=" + in("cache"),
		"XDG_CONFIG_HOME=" + in("config"), "XDG_DATA_HOME=" + in("data"), "XDG_STATE_HOME=" + in("state"),
		"FYNE_THEME=light", "LIBGL_ALWAYS_SOFTWARE=1",
	}
}

// start runs the program in a working folder and waits for its window.
func (p *person) start(workDir string) {
	p.t.Helper()
	p.program = exec.Command("dbus-run-session", "--", os.Getenv("CALLBOARD_BIN"))
	apart(p.program)
	p.program.Env, p.program.Dir, p.program.Stderr = p.env(), workDir, io.MultiWriter(p.stderr, os.Stderr)
	if err := p.program.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { stop(p.program) })
	p.until("its window", func() bool {
		id, err := p.out("xdotool", "search", "--name", "^Callboard$")
		if err != nil {
			return false
		}
		_, err = p.out("xdotool", "windowfocus", "--sync", strings.Fields(id)[0])
		return err == nil
	})
}

// quit presses the key for it and waits for the program's end.
func (p *person) quit() {
	p.t.Helper()
	p.keys("ctrl+q")
	done := make(chan error, 1)
	go func() { done <- p.program.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			p.t.Errorf("the program ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		p.t.Fatal("the program did not end")
	}
}

func (p *person) out(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Dir = p.env(), p.dir
	out, err := cmd.Output()
	return string(out), err
}

func (p *person) must(name string, args ...string) string {
	p.t.Helper()
	out, err := p.out(name, args...)
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			p.t.Fatalf("%s %v: %v %s", name, args, err, exit.Stderr)
		}
		p.t.Fatalf("%s %v: %v", name, args, err)
	}
	return out
}

func (p *person) keys(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		p.must("xdotool", "key", k)
		time.Sleep(150 * time.Millisecond)
	}
}

func (p *person) types(text string) {
	p.t.Helper()
	p.must("xdotool", "type", "--delay", "15", text)
	time.Sleep(200 * time.Millisecond)
}

// until waits for something to come true.
func (p *person) until(what string, is func() bool) {
	p.t.Helper()
	for range 300 {
		if is() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	p.shot("waiting")
	p.t.Fatalf("waited in vain for %s\n%s", what, p.stderr)
}

// shot keeps a picture of the screen where CALLBOARD_SHOTS says.
func (p *person) shot(name string) {
	p.t.Helper()
	dir := os.Getenv("CALLBOARD_SHOTS")
	if dir == "" {
		return
	}
	p.shots++
	if err := os.MkdirAll(dir, 0o700); err != nil {
		p.t.Fatal(err)
	}
	time.Sleep(400 * time.Millisecond)
	p.must("import", "-window", "root", filepath.Join(dir, fmt.Sprintf("%02d-%s.png", p.shots, name)))
}
