//go:build unix

package servers_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/servers"
	"callboard/crypto/secret"
	"callboard/storage"
	"callboard/storage/storagetest"
)

func command() servers.Server {
	return servers.Server{Name: "srv", Transport: servers.Stdio, Command: "npx", Args: []string{"-y", "pkg"}, Env: []string{"API_TOKEN"}}
}

func address() servers.Server {
	return servers.Server{Name: "srv", Transport: servers.HTTP, URL: "https://mcp.example.com/mcp", Headers: []string{"Authorization"}}
}

func TestCheckNamesTheField(t *testing.T) {
	for name, tc := range map[string]struct {
		from  servers.Server
		edit  func(*servers.Server)
		field servers.Field
	}{
		"no name":                 {command(), func(s *servers.Server) { s.Name = "" }, servers.FieldName},
		"a name with a slash":     {command(), func(s *servers.Server) { s.Name = "a/b" }, servers.FieldName},
		"a long name":             {command(), func(s *servers.Server) { s.Name = strings.Repeat("a", 65) }, servers.FieldName},
		"two underscores":         {command(), func(s *servers.Server) { s.Name = "a__b" }, servers.FieldName},
		"an underscore last":      {command(), func(s *servers.Server) { s.Name = "a_" }, servers.FieldName},
		"Callboard's own":         {command(), func(s *servers.Server) { s.Name = "CallBoard" }, servers.FieldName},
		"no transport":            {command(), func(s *servers.Server) { s.Transport = "sse" }, servers.FieldTransport},
		"no command":              {command(), func(s *servers.Server) { s.Command = " " }, servers.FieldCommand},
		"a relative command":      {command(), func(s *servers.Server) { s.Command = "./run" }, servers.FieldCommand},
		"hidden in the command":   {command(), func(s *servers.Server) { s.Command = "npx\u202e" }, servers.FieldCommand},
		"zero in an argument":     {command(), func(s *servers.Server) { s.Args = []string{"a\x00"} }, servers.FieldArgs},
		"too many arguments":      {command(), func(s *servers.Server) { s.Args = make([]string, 65) }, servers.FieldArgs},
		"too long arguments":      {command(), func(s *servers.Server) { s.Args = []string{strings.Repeat("a", 65<<10)} }, servers.FieldArgs},
		"no environment name":     {command(), func(s *servers.Server) { s.Env = []string{"A=B"} }, servers.FieldEnv},
		"a name twice":            {command(), func(s *servers.Server) { s.Env = []string{"A", "a"} }, servers.FieldEnv},
		"a relative folder":       {command(), func(s *servers.Server) { s.Dir = "x" }, servers.FieldDir},
		"an address too":          {command(), func(s *servers.Server) { s.URL = "https://x" }, servers.FieldURL},
		"too long a time":         {command(), func(s *servers.Server) { s.Seconds = 601 }, servers.FieldTimeout},
		"no address":              {address(), func(s *servers.Server) { s.URL = "" }, servers.FieldURL},
		"a password":              {address(), func(s *servers.Server) { s.URL = "https://me:pw@x/" }, servers.FieldURL},
		"plain to elsewhere":      {address(), func(s *servers.Server) { s.URL = "http://example.com/mcp" }, servers.FieldURL},
		"plain to a like name":    {address(), func(s *servers.Server) { s.URL = "http://localhost.example.com/" }, servers.FieldURL},
		"another scheme":          {address(), func(s *servers.Server) { s.URL = "file:///etc/passwd" }, servers.FieldURL},
		"a fragment":              {address(), func(s *servers.Server) { s.URL = "https://x/#a" }, servers.FieldURL},
		"a header of ours":        {address(), func(s *servers.Server) { s.Headers = []string{"Host"} }, servers.FieldHeaders},
		"a protocol header":       {address(), func(s *servers.Server) { s.Headers = []string{"Mcp-Session-Id"} }, servers.FieldHeaders},
		"no header name":          {address(), func(s *servers.Server) { s.Headers = []string{"A: b\r\nC"} }, servers.FieldHeaders},
		"a command too":           {address(), func(s *servers.Server) { s.Command = "npx" }, servers.FieldCommand},
		"a folder for an address": {address(), func(s *servers.Server) { s.Dir = "/tmp" }, servers.FieldCommand},
	} {
		t.Run(name, func(t *testing.T) {
			if p := servers.Check(tc.from); len(p) > 0 {
				t.Fatalf("before: %+v", p)
			}
			sv := tc.from.Clone()
			tc.edit(&sv)
			p := servers.Check(sv)
			if len(p) != 1 || p[0].Field != tc.field || !strings.HasSuffix(p[0].Text, ".") {
				t.Errorf("got %+v", p)
			}
			if err := servers.Validate(sv); rule(err) != "server_invalid_entry" || !strings.Contains(err.Error(), string(tc.field)) {
				t.Errorf("Validate = %v", err)
			}
		})
	}
	for _, url := range []string{"http://127.0.0.1:1/mcp", "http://[::1]:2/", "http://LOCALHOST/mcp?x=1", "https://127.0.0.1"} {
		sv := address()
		if sv.URL = url; len(servers.Check(sv)) > 0 {
			t.Errorf("%s is refused", url)
		}
	}
}

func TestSaveRefusesTwinsAndOldRevisions(t *testing.T) {
	s := newScene(t)
	first := s.save(command(), 0)
	twin := command()
	twin.Name = "SRV"
	_, err := s.Save(t.Context(), servers.SaveRequest{Server: twin})
	s.refused(err, servers.ErrName)
	next := first.Server
	next.Args = []string{"-y", "other"}
	s.save(next, first.Revision)
	_, err = s.Save(t.Context(), servers.SaveRequest{Server: next, Revision: first.Revision})
	s.refused(err, servers.ErrConflict)
	_, err = s.Delete(t.Context(), next.ID, first.Revision)
	s.refused(err, servers.ErrConflict)
	next.ID = "gone"
	_, err = s.Save(t.Context(), servers.SaveRequest{Server: next, Revision: 1})
	s.refused(err, servers.ErrNotFound)
	l, err := s.List(t.Context())
	if err != nil || len(l.Servers) != 1 || l.Servers[0].Server.Args[1] != "other" {
		t.Errorf("got %+v %v", l, err)
	}
}

func TestDeleteAndUndo(t *testing.T) {
	s := newScene(t)
	sv := s.stdio("srv", "good")
	sv.Env = []string{"CANARY"}
	id := s.save(sv, 0).Server.ID
	s.set(id, map[string]string{"CANARY": "a-canary-value"}, nil)
	s.agree(id)
	s.discover(id)
	before := s.get(id)
	d, err := s.Delete(t.Context(), id, before.Revision)
	s.must(err)
	if out := fmt.Sprintf("%v %+v %#v %s %x", d, d, d, d, d); strings.Contains(out, "canary") || d.Name() != "srv" {
		t.Errorf("it prints %s", out)
	}
	_, err = s.Get(t.Context(), id)
	s.refused(err, servers.ErrNotFound)
	_, err = s.Plan(t.Context(), id)
	s.refused(err, servers.ErrNotFound)
	after, err := s.Undo(t.Context(), d)
	s.must(err)
	if after.Consented {
		t.Error("a consent came back with it")
	}
	before.Consented, before.Revision = false, after.Revision
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
	_, err = s.Undo(t.Context(), d)
	s.refused(err, servers.ErrConflict)
	s.agree(id)
	if d := s.discover(id); d.Code != "" || !d.Changes.None() {
		t.Errorf("got %+v", d)
	}
	_, err = s.Delete(t.Context(), id, s.get(id).Revision)
	s.must(err)
	s.save(s.stdio("SRV", "good"), 0)
	_, err = s.Undo(t.Context(), d)
	s.refused(err, servers.ErrName)
}

func TestValuesAreHeldToTheirNames(t *testing.T) {
	s := newScene(t)
	e := s.save(command(), 0)
	set := func(n, v string) error {
		_, err := s.SetValues(t.Context(), e.Server.ID, servers.Values{Env: map[string]secret.Bytes{n: secret.FromString(v)}})
		return err
	}
	s.refused(set("OTHER", "x"), servers.ErrValueName)
	for _, bad := range []string{"", "a\x00b", strings.Repeat("x", servers.MaxValue+1)} {
		if err := set("API_TOKEN", bad); rule(err) != "server_value_invalid" {
			t.Errorf("got %v", err)
		}
	}
	s.must(set("API_TOKEN", "line one\nline two"))
	if diff := cmp.Diff(servers.Names{Env: []string{"API_TOKEN"}}, s.get(e.Server.ID).Set); diff != "" {
		t.Error(diff)
	}
	h := address()
	h.Name = "web"
	web := s.save(h, 0)
	for _, bad := range []string{"a\r\nHost: x", " padded", "tab\tbed"} {
		_, err := s.SetValues(t.Context(), web.Server.ID, servers.Values{Headers: map[string]secret.Bytes{"Authorization": secret.FromString(bad)}})
		s.refused(err, servers.ErrValue)
		if strings.Contains(err.Error(), bad) {
			t.Error("the error has the value")
		}
	}
	next := e.Server.Clone()
	next.Env = nil
	got := s.save(next, e.Revision)
	next.Env = []string{"API_TOKEN"}
	got = s.save(next, got.Revision)
	if len(got.Set.Env) > 0 || got.Lacks != servers.ValueMissing {
		t.Errorf("a value outlived its name: %+v", got)
	}
	s.must(set("API_TOKEN", "again"))
	got, err := s.ClearValue(t.Context(), e.Server.ID, servers.FieldEnv, "API_TOKEN")
	if s.must(err); len(got.Set.Env) > 0 {
		t.Errorf("not cleared: %+v", got.Set)
	}
}

func TestEverythingIsLockedWithTheStore(t *testing.T) {
	db := storage.New(storage.Options{Dir: storagetest.Dir})
	s := service(db, func() []string { return nil })
	for name, call := range map[string]func(context.Context) error{
		"List":      func(c context.Context) error { _, err := s.List(c); return err },
		"Get":       func(c context.Context) error { _, err := s.Get(c, "x"); return err },
		"Save":      func(c context.Context) error { _, err := s.Save(c, servers.SaveRequest{Server: command()}); return err },
		"Enable":    func(c context.Context) error { _, err := s.Enable(c, "x", true); return err },
		"Delete":    func(c context.Context) error { _, err := s.Delete(c, "x", 1); return err },
		"SetValues": func(c context.Context) error { _, err := s.SetValues(c, "x", servers.Values{}); return err },
		"Plan":      func(c context.Context) error { _, err := s.Plan(c, "x"); return err },
		"Consent":   func(c context.Context) error { _, err := s.Consent(c, "x", ""); return err },
		"Withdraw":  func(c context.Context) error { _, err := s.Withdraw(c, "x"); return err },
		"Discover":  func(c context.Context) error { _, err := s.Discover(c, "x"); return err },
	} {
		if err := call(t.Context()); rule(err) != "locked" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
