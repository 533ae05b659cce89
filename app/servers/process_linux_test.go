package servers_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"callboard/app/servers"
	"callboard/storage"
)

func TestNoProcessIsLeftBehind(t *testing.T) {
	for mode, want := range map[string]servers.Code{"stubborn": servers.TimedOut, "strays": "", "stays": ""} {
		t.Run(mode, func(t *testing.T) {
			s := newScene(t)
			sv := s.stdio("srv", mode)
			if want != "" {
				sv.Seconds = 2
			}
			id := s.save(sv, 0).Server.ID
			s.agree(id)
			if d := s.discover(id); d.Code != want {
				t.Errorf("code %q, want %q", d.Code, want)
			}
			if mode != "stays" {
				s.appears("leaf") // there was one
			}
			s.nobodyLeft()
		})
	}
}

func TestQuiesceEndsWhatRunsAndLetsNothingBegin(t *testing.T) {
	s := newScene(t)
	id := s.added("srv", "stubborn")
	done := make(chan error)
	go func() {
		_, err := s.Discover(context.Background(), id)
		done <- err
	}()
	s.appears("leaf")
	ended := make(chan func())
	go func() { ended <- s.Quiesce(context.Background()) }()
	s.refused(<-done, storage.ErrLocked)
	resume := <-ended
	s.nobodyLeft()
	_, err := s.Discover(t.Context(), id)
	s.refused(err, storage.ErrLocked)
	resume()
	resume()
	s.must(os.Remove(s.folder + "/leaf"))
	go func() {
		_, err := s.Discover(context.Background(), id)
		done <- err
	}()
	s.appears("leaf")
	_, err = s.Withdraw(t.Context(), id)
	s.must(err)
	s.refused(<-done, servers.ErrChanged)
}

func TestWhatAServerIsGiven(t *testing.T) {
	s := newScene(t)
	s.env = append(os.Environ(), "LC_TIME=C", "LC_TOKEN=leak", "MY_API_KEY=leak", "SSH_AUTH_SOCK=leak", "DBUS_SESSION_BUS_ADDRESS=leak",
		"DISPLAY=leak", "CALLBOARD_TOKEN=leak", "XDG_RUNTIME_DIR=leak", "AWS_SECRET_ACCESS_KEY=leak", "RANDOM_NAME=leak", "XDG_DATA_HOME=/d")
	sv := s.stdio("srv", "echo")
	sv.Env = []string{"CANARY", "API_TOKEN"}
	id := s.save(sv, 0).Server.ID
	s.set(id, map[string]string{"CANARY": "a-canary-value-of-length", "API_TOKEN": "another-value"}, nil)
	s.agree(id)
	p, err := s.Plan(t.Context(), id)
	s.must(err)
	if !strings.Contains(strings.Join(p.Inherited, " "), "LC_TIME") || strings.Contains(strings.Join(p.Inherited, " "), "TOKEN") {
		t.Errorf("passed on: %v", p.Inherited)
	}
	d := s.discover(id)
	if strings.Contains(d.Said, "leak") || !strings.Contains(d.Said, "XDG_DATA_HOME=/d") || !strings.Contains(d.Said, "API_TOKEN=redacted") {
		t.Errorf("it was given %s", d.Said)
	}
}

// TestAServerDiesWithCallboard, however Callboard ends.
func TestAServerDiesWithCallboard(t *testing.T) {
	s := newScene(t)
	self, err := os.Executable()
	s.must(err)
	host := exec.Command(self, serveWord, "host", s.folder)
	s.must(host.Start())
	s.appears("pid")
	if n := len(s.procs()); n != 2 {
		t.Errorf("%d processes", n)
	}
	s.must(host.Process.Kill())
	_ = host.Wait()
	for end := time.Now().Add(time.Minute); len(s.procs()) > 0 && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
}
