//go:build unix

package servers_test

import (
	"os"
	"path/filepath"
	"testing"

	"callboard/app/servers"
)

// started reports whether the scene's server was ever run, by the file it makes
// first of all.
func (s *scene) started() bool {
	_, err := os.Stat(filepath.Join(s.folder, "pid"))
	return err == nil
}

func TestNothingRunsWithoutAConsentToExactlyThat(t *testing.T) {
	s := newScene(t)
	sv := s.stdio("srv", "good")
	sv.Env = []string{"A"}
	sv.Command = filepath.Join(s.folder, "link")
	self, err := os.Executable()
	s.must(err)
	other := filepath.Join(s.folder, "copy")
	s.must(os.Symlink(self, sv.Command))
	s.must(os.Link(self, other))
	e := s.save(sv, 0)
	id := e.Server.ID
	ask := func(want string) {
		t.Helper()
		if _, err := s.Discover(t.Context(), id); rule(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if s.started() || s.get(id).Consented {
			t.Error("it was run, or counts as agreed to")
		}
	}
	ask("server_value_missing")
	p, err := s.Plan(t.Context(), id)
	s.must(err)
	_, err = s.Consent(t.Context(), id, p.Digest)
	s.refused(err, servers.ErrValueMissing)
	s.set(id, map[string]string{"A": "one-value"}, nil)
	ask("consent_missing")
	_, err = s.Consent(t.Context(), id, p.Digest)
	s.refused(err, servers.ErrPlanMoved)
	edit := func(change func(*servers.Server)) {
		next := s.get(id)
		change(&next.Server)
		s.save(next.Server, next.Revision)
	}
	for name, change := range map[string]func(){
		"another argument": func() { edit(func(sv *servers.Server) { sv.Args = append(sv.Args, "more") }) },
		"arguments joined": func() { edit(func(sv *servers.Server) { sv.Args[1] += " " + sv.Args[2]; sv.Args = sv.Args[:2] }) },
		"another command":  func() { edit(func(sv *servers.Server) { sv.Command = other }) },
		"another folder":   func() { edit(func(sv *servers.Server) { sv.Dir = "/" }) },
		"a name more": func() {
			edit(func(sv *servers.Server) { sv.Env = append(sv.Env, "B") })
			s.set(id, map[string]string{"B": "x"}, nil)
		},
		"another value": func() { s.set(id, map[string]string{"A": "two-value"}, nil) },
		"another target": func() {
			s.must(os.Remove(filepath.Join(s.folder, "link")))
			s.must(os.Symlink(other, filepath.Join(s.folder, "link")))
		},
		"withdrawn": func() { _, err := s.Withdraw(t.Context(), id); s.must(err) },
		"another way": func() {
			edit(func(sv *servers.Server) {
				*sv = servers.Server{ID: sv.ID, Name: sv.Name, Enabled: true, Transport: servers.HTTP, URL: "http://127.0.0.1:1/"}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			back := s.get(id)
			sv.ID = id
			s.save(sv, back.Revision)
			s.must(os.Remove(filepath.Join(s.folder, "link")))
			s.must(os.Symlink(self, filepath.Join(s.folder, "link")))
			s.set(id, map[string]string{"A": "one-value"}, nil)
			s.agree(id)
			change()
			ask("consent_missing")
		})
	}
}

func TestAConsentHoldsWhereNothingOfItChanged(t *testing.T) {
	s := newScene(t)
	sv := s.stdio("srv", "good")
	sv.Env = []string{"A", "B"}
	e := s.save(sv, 0)
	id := e.Server.ID
	s.set(id, map[string]string{"A": "one", "B": "two"}, nil)
	s.agree(id)
	s.set(id, map[string]string{"A": "one"}, nil)
	next := s.get(id)
	next.Server.Name, next.Server.Seconds, next.Server.Env = "other", 5, []string{"B", "A"}
	s.save(next.Server, next.Revision)
	_, err := s.Enable(t.Context(), id, false)
	s.must(err)
	_, err = s.Discover(t.Context(), id)
	s.refused(err, servers.ErrDisabled)
	_, err = s.Enable(t.Context(), id, true)
	s.must(err)
	s.env = append(s.env, "LC_ALL=C")
	if p, err := s.Plan(t.Context(), id); err != nil || !p.Consented || p.At.IsZero() || s.started() {
		t.Errorf("plan %+v %v", p, err)
	}
}

func TestThePlanSaysWhatIsRun(t *testing.T) {
	s := newScene(t)
	bin := filepath.Join(s.folder, "bin")
	s.must(os.Mkdir(bin, 0o700))
	tool := filepath.Join(bin, "my-tool")
	s.must(os.WriteFile(filepath.Join(bin, "plain"), nil, 0o600))
	s.env = []string{"PATH=.:relative:" + bin, "HOME=" + s.folder}
	sv := command()
	sv.Command, sv.Env = "my-tool", []string{"Z", "A"}
	e := s.save(sv, 0)
	plan := func() servers.Plan {
		p, err := s.Plan(t.Context(), e.Server.ID)
		s.must(err)
		return p
	}
	if p := plan(); p.Path != "" {
		t.Errorf("found %s", p.Path)
	}
	s.set(e.Server.ID, map[string]string{"A": "x", "Z": "y"}, nil)
	if e := s.get(e.Server.ID); e.Lacks != servers.CommandMissing || e.Why() != servers.Disabled {
		t.Errorf("entry %+v", e)
	}
	_, err := s.Consent(t.Context(), e.Server.ID, plan().Digest)
	s.refused(err, servers.ErrCommand)
	_, err = s.Enable(t.Context(), e.Server.ID, true)
	s.must(err)
	if d := s.discover(e.Server.ID); d.Code != servers.CommandMissing {
		t.Errorf("got %+v", d)
	}
	s.must(os.WriteFile(tool, []byte("#!/bin/sh\n"), 0o700))
	if p := plan(); p.Path != tool || p.Target != "" || p.Dir != s.folder || p.Env[0] != "A" || len(p.Inherited) != 2 {
		t.Errorf("plan %+v", p)
	}
}
