package instance_test

import (
	"bufio"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"callboard/app/home"
	"callboard/app/instance"
)

const holdEnv = "CALLBOARD_TEST_HOLD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(holdEnv); dir != "" {
		hold(dir)
	}
	goleak.VerifyTestMain(m)
}

// hold is another program at the home, until it is asked to stop or killed.
func hold(dir string) {
	end := make(chan struct{})
	c, err := instance.Take(instance.Config{
		Home: home.Home{Dir: dir}, Role: instance.Headless, Log: slog.New(slog.DiscardHandler),
		Stop: func() { close(end) },
	})
	if err != nil {
		fmt.Println("refused")
		os.Exit(1)
	}
	fmt.Println("held")
	<-end
	if err := c.Close(); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

func other(t *testing.T, h home.Home) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), holdEnv+"="+h.Dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "held\n" {
		t.Fatalf("%q %v", line, err)
	}
	return cmd
}

func take(t *testing.T, h home.Home, raise func()) (*instance.Claim, error) {
	t.Helper()
	return instance.Take(instance.Config{Home: h, Role: instance.Window, Log: slog.New(slog.DiscardHandler), Raise: raise})
}

func TestASecondStartRaisesTheFirst(t *testing.T) {
	h := home.Home{Dir: t.TempDir()}
	var raised atomic.Int32
	c, err := take(t, h, func() { raised.Add(1) })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := take(t, h, nil); !errors.Is(err, instance.ErrTaken) {
		t.Errorf("a second claim: %v", err)
	}
	who, err := instance.Raise(t.Context(), h)
	if err != nil || who.Role != instance.Window || who.PID != os.Getpid() || raised.Load() != 1 {
		t.Errorf("%+v %v, raised %d times", who, err, raised.Load())
	}
	for path, want := range map[string]os.FileMode{filepath.Join(h.Run(), "callboard.sock"): 0o600, h.Run(): 0o700} {
		if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != want {
			t.Errorf("%s has mode %v, %v", path, fi.Mode(), err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(h.Run(), "callboard.sock")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is still there: %v", err)
	}
	if _, err := instance.Who(t.Context(), h); !errors.Is(err, instance.ErrSilent) {
		t.Errorf("nobody is there: %v", err)
	}
}

func TestTakingOver(t *testing.T) {
	h := home.Home{Dir: t.TempDir()}
	cmd := other(t, h)
	if _, err := take(t, h, nil); !errors.Is(err, instance.ErrTaken) {
		t.Fatalf("two at one home: %v", err)
	}
	who, err := instance.Raise(t.Context(), h) // it has nothing to show
	if err == nil {
		t.Errorf("a program without a window was raised: %+v", who)
	}
	if who, err = instance.Who(t.Context(), h); err != nil || who.Role != instance.Headless || who.PID != cmd.Process.Pid {
		t.Errorf("%+v %v", who, err)
	}
	if err := instance.Stop(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	c, err := take(t, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func TestAKilledHolderHoldsNothing(t *testing.T) {
	h := home.Home{Dir: t.TempDir()}
	cmd := other(t, h)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if _, err := os.Lstat(filepath.Join(h.Run(), "callboard.sock")); err != nil {
		t.Fatalf("the test is about a socket that was left: %v", err)
	}
	c, err := take(t, h, func() {})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := instance.Raise(t.Context(), h); err != nil {
		t.Errorf("the new one does not answer: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func TestStrangersAreAnsweredWithNo(t *testing.T) {
	h := home.Home{Dir: t.TempDir()}
	c, err := take(t, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, word := range []string{"", "stop", "raise", "unlock", strings.Repeat("x", 10_000)} {
		conn, err := net.DialTimeout("unix", filepath.Join(h.Run(), "callboard.sock"), 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = fmt.Fprintln(conn, word)
		if line, _ := bufio.NewReader(conn).ReadString('\n'); line != "no\n" && line != "" {
			t.Errorf("%.10q was answered with %q", word, line)
		}
		_ = conn.Close()
	}
	if who, err := instance.Who(t.Context(), h); err != nil || who.Role != instance.Window {
		t.Errorf("%+v %v", who, err)
	}
}

func TestALongPathHoldsWithoutASocket(t *testing.T) {
	h := home.Home{Dir: filepath.Join(t.TempDir(), strings.Repeat("long", 40))}
	if err := h.Create(); err != nil {
		t.Fatal(err)
	}
	c, err := take(t, h, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := take(t, h, nil); !errors.Is(err, instance.ErrTaken) {
		t.Errorf("a second claim: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
