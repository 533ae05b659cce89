//go:build unix

package servers_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"callboard/app/fault"
	"callboard/app/ident"
	"callboard/app/servers"
	"callboard/crypto/secret"
	"callboard/storage"
	"callboard/storage/storagetest"
)

// scene is a service on a store in memory, and a folder that the servers it
// starts have in their arguments, by which they are found.
type scene struct {
	*servers.Service
	t      *testing.T
	db     *storage.DB
	folder string
	env    []string
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{t: t, db: storagetest.New(t), folder: t.TempDir(), env: os.Environ()}
	s.Service = service(s.db, func() []string { return s.env })
	t.Cleanup(s.nobodyLeft)
	return s
}

func service(db *storage.DB, env func() []string) *servers.Service {
	at := time.Unix(1e9, 0).UTC()
	return servers.NewService(servers.Config{
		DB: db, Now: func() time.Time { at = at.Add(time.Second); return at }, NewID: ident.New, Environ: env, Version: "0",
	})
}

func (s *scene) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// refused fails unless err is the rule.
func (s *scene) refused(err error, want error) {
	s.t.Helper()
	if !errors.Is(err, want) {
		s.t.Fatalf("got %v, want %v", err, want)
	}
}

// stdio is a server that this binary is, in one of its modes.
func (s *scene) stdio(name, mode string) servers.Server {
	self, err := os.Executable()
	s.must(err)
	return servers.Server{
		Name: name, Enabled: true, Transport: servers.Stdio, Command: self,
		Args: []string{serveWord, mode, s.folder}, Seconds: 60,
	}
}

func (s *scene) save(sv servers.Server, rev uint64) servers.Entry {
	s.t.Helper()
	e, err := s.Save(s.t.Context(), servers.SaveRequest{Server: sv, Revision: rev})
	s.must(err)
	return e
}

// agree consents to what would be run now.
func (s *scene) agree(id string) {
	s.t.Helper()
	p, err := s.Plan(s.t.Context(), id)
	s.must(err)
	_, err = s.Consent(s.t.Context(), id, p.Digest)
	s.must(err)
}

// added is a saved server of a mode that was agreed to.
func (s *scene) added(name, mode string) string {
	s.t.Helper()
	id := s.save(s.stdio(name, mode), 0).Server.ID
	s.agree(id)
	return id
}

func (s *scene) discover(id string) servers.Discovered {
	s.t.Helper()
	d, err := s.Discover(s.t.Context(), id)
	s.must(err)
	return d
}

func (s *scene) get(id string) servers.Entry {
	s.t.Helper()
	e, err := s.Get(s.t.Context(), id)
	s.must(err)
	return e
}

func (s *scene) set(id string, env, headers map[string]string) {
	s.t.Helper()
	hide := func(m map[string]string) map[string]secret.Bytes {
		out := map[string]secret.Bytes{}
		for k, v := range m {
			out[k] = secret.FromString(v)
		}
		return out
	}
	_, err := s.SetValues(s.t.Context(), id, servers.Values{Env: hide(env), Headers: hide(headers)})
	s.must(err)
}

// procs is the process ids that have the scene's folder in their arguments.
func (s *scene) procs() []int {
	var out []int
	lists, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, l := range lists {
		args, err := os.ReadFile(l)
		if err != nil || !bytes.Contains(args, []byte(s.folder)) {
			continue
		}
		pid, _ := strconv.Atoi(strings.Split(l, "/")[2])
		out = append(out, pid)
	}
	return out
}

// nobodyLeft fails if a process of the scene is still there.
func (s *scene) nobodyLeft() {
	if left := s.procs(); len(left) > 0 {
		s.t.Errorf("%d processes are left: %v", len(left), left)
	}
}

// appears waits for a file that a server makes.
func (s *scene) appears(name string) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(s.folder, name)); err == nil {
			return
		}
	}
	s.t.Fatalf("%s never came", name)
}

func rule(err error) string { return fault.RuleOf(err) }
