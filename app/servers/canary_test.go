//go:build unix

package servers_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"callboard/app/servers"
	"callboard/storage"
	"callboard/storage/storagetest"
)

const canary = "canary-7f3a9c2e41d8b6/+q?&"

// leaks are the forms a value must not be seen in.
func leaks(v string) []string {
	std := base64.StdEncoding.EncodeToString([]byte(v))
	return []string{v, v[:12], std[:len(std)-4], fmt.Sprintf("%x", v)[:24], "nYXJ5LTdmM2E5YzJlNDFkOG", "uYXJ5LTdmM2E5YzJlNDFkOG"}
}

func noCanary(t *testing.T, where, text string) {
	t.Helper()
	for _, l := range leaks(canary) {
		if strings.Contains(text, l) {
			t.Errorf("%s has %q: %s", where, l, text)
		}
	}
}

// TestNoValueComesOut runs a server that repeats its secret in every way, on a
// store on a real disk, and looks everywhere.
func TestNoValueComesOut(t *testing.T) {
	s := newScene(t)
	home := t.TempDir()
	db := storage.New(storage.Options{Dir: filepath.Join(home, "store")})
	s.must(db.Open(t.Context(), storagetest.Sealer(t)))
	s.db, s.Service = db, service(db, func() []string { return s.env })
	sv := s.stdio("echo", "echo")
	sv.Env = []string{"CANARY"}
	id := s.save(sv, 0).Server.ID
	s.set(id, map[string]string{"CANARY": canary}, nil)
	plan, err := s.Plan(t.Context(), id)
	s.must(err)
	s.agree(id)
	d := s.discover(id)
	if d.Code != "" || len(d.Known.Tools) != 7 || d.Known.Dropped != 1 || d.Said == "" {
		t.Fatalf("got %+v", d)
	}
	for i, tool := range d.Known.Tools {
		if !strings.Contains(tool.Description, "redacted") && i != 5 {
			t.Errorf("%s says %q", tool.Name, tool.Description)
		}
	}
	list, err := s.List(t.Context())
	s.must(err)
	for where, v := range map[string]any{"what was discovered": d, "the list": list, "the plan": plan, "the entry": s.get(id)} {
		plain, err := json.Marshal(v)
		s.must(err)
		noCanary(t, where, string(plain)+fmt.Sprintf("%+v", v))
	}
	for _, mode := range []string{"exits", "garbage", "refuses"} {
		next := s.stdio("echo", mode)
		next.ID, next.Env = id, sv.Env
		s.save(next, s.get(id).Revision)
		s.agree(id)
		d := s.discover(id)
		noCanary(t, mode, fmt.Sprintf("%+v %v", d, d.Code.Err()))
		if mode == "exits" && !strings.Contains(d.Said, "no config file; canary redacted") {
			t.Errorf("it said %q", d.Said)
		}
	}
	s.must(db.Close())
	s.must(filepath.WalkDir(home, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		noCanary(t, e.Name(), string(data))
		if bytes.Contains(data, []byte("serve-tools")) || bytes.Contains(data, []byte("It is")) {
			t.Errorf("%s is not sealed", e.Name())
		}
		return err
	}))
}

func TestNoValueIsInArguments(t *testing.T) {
	s := newScene(t)
	sv := s.stdio("srv", "mute")
	sv.Env = []string{"CANARY"}
	id := s.save(sv, 0).Server.ID
	s.set(id, map[string]string{"CANARY": canary}, nil)
	s.agree(id)
	done := make(chan error)
	go func() {
		_, err := s.Discover(t.Context(), id)
		done <- err
	}()
	s.appears("pid")
	if len(s.procs()) != 1 {
		t.Fatal("it does not run")
	}
	for _, pid := range s.procs() {
		args, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		s.must(err)
		noCanary(t, "its arguments", string(args))
	}
	_, err := s.Withdraw(t.Context(), id)
	s.must(err)
	s.refused(<-done, servers.ErrChanged)
}
