package ui

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"callboard/app/servers"
	"callboard/app/settings"
	"callboard/crypto/secret"
)

// serveWord makes this binary a tool server, with a mode and its tools after it.
const serveWord = "serve-tools-for-test"

func init() {
	if len(os.Args) > 2 && os.Args[1] == serveWord {
		serveTools(os.Args[2], os.Args[3:])
		os.Exit(0)
	}
}

// serveTools is a tool server that says what it runs as. A mute one answers
// nothing and leaves a file where it was told to.
func serveTools(mode string, names []string) {
	switch mode {
	case "mute":
		_ = os.WriteFile(names[0], nil, 0o600)
		time.Sleep(time.Minute)
	case "exits":
		fmt.Fprintln(os.Stderr, "no config file, and "+os.Getenv("CANARY"))
		os.Exit(3)
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var req struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(in.Bytes(), &req) != nil || req.ID == nil {
			continue
		}
		result := `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"small","version":"1"}}`
		if req.Method == "tools/list" {
			var list []string
			for _, n := range names {
				list = append(list, fmt.Sprintf(`{"name":%q,"title":"The %s","description":"Works on what is there. %s","inputSchema":{"type":"object"}}`, n, n, os.Getenv("CANARY")))
			}
			result = `{"tools":[` + strings.Join(list, ",") + `]}`
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", req.ID, result)
	}
}

// atServers is a stage on the page of the tool servers.
func atServers(t *testing.T, look settings.Theme) *stage {
	t.Helper()
	s := newStage(t, look)
	s.enter()
	s.w.showSettings("Tool servers")
	s.settle()
	return s
}

// hit presses the button of that text, by Tab and Enter alone.
func (s *stage) hit(text string) {
	s.t.Helper()
	s.tabTo(text)
	s.press(fyne.KeyReturn)
}

// addServer adds a program that is this binary.
func (s *stage) addServer(name string) {
	s.t.Helper()
	s.hit("Add a server…")
	s.edit("Name", name)
	s.edit("Command", os.Args[0])
	s.press(fyne.KeyReturn)
	s.wants(name, "consent needed", "Save", "Discard")
}

// lines types lines into the box under a label.
func (s *stage) lines(label string, all ...string) {
	s.t.Helper()
	s.edit(label, "")
	for i, line := range all {
		if i > 0 {
			s.Press(fyne.KeyReturn)
		}
		s.Type(line)
	}
	s.settle()
}

// stored is the one server there is.
func (s *stage) stored() servers.Entry {
	s.t.Helper()
	l, err := s.app.Servers.List(s.t.Context())
	if err != nil || len(l.Servers) != 1 {
		s.t.Fatalf("%d servers, %v", len(l.Servers), err)
	}
	return l.Servers[0]
}

// servers has two servers: one by an address, ready with two tools, and one
// whose command is not there. What is ready was listed by another program, so
// that nothing of this computer is in a picture.
func (s *stage) servers() {
	s.t.Helper()
	sv, ctx := s.app.Servers, s.t.Context()
	keep := func(e servers.Entry, change func(*servers.Server)) servers.Entry {
		s.t.Helper()
		change(&e.Server)
		e, err := sv.Save(ctx, servers.SaveRequest{Server: e.Server, Revision: e.Revision})
		if err != nil {
			s.t.Fatal(err)
		}
		return e
	}
	agree := func(id string) {
		s.t.Helper()
		plan, err := sv.Plan(ctx, id)
		if err == nil {
			_, err = sv.Consent(ctx, id, plan.Digest)
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
	keep(servers.Entry{}, func(x *servers.Server) {
		*x = servers.Server{Name: "local-files", Enabled: true, Transport: servers.Stdio, Command: "/opt/tools/files-mcp"}
	})
	e := keep(servers.Entry{}, func(x *servers.Server) {
		*x = servers.Server{Name: "issues", Enabled: true, Transport: servers.Stdio, Command: os.Args[0], Args: []string{serveWord, "good", "close_issue", "list_issues"}}
	})
	agree(e.Server.ID)
	if d, err := sv.Discover(ctx, e.Server.ID); err != nil || d.Code != "" {
		s.t.Fatal(d.Code, err)
	}
	e = keep(e, func(x *servers.Server) {
		*x = servers.Server{
			ID: x.ID, Name: x.Name, Enabled: true, Transport: servers.HTTP, URL: "https://tools.example.test/mcp", Headers: []string{"Authorization"},
		}
	})
	set := map[string]secret.Bytes{"Authorization": secret.FromString(serversCanary)}
	if _, err := sv.SetValues(ctx, e.Server.ID, servers.Values{Headers: set}); err != nil {
		s.t.Fatal(err)
	}
	agree(e.Server.ID)
	s.w.showSettings("Tool servers")
	s.settle()
}

// runsMute adds a server that never answers, presses the consent, and returns
// when its process runs.
func (s *stage) runsMute() {
	s.t.Helper()
	mark := filepath.Join(s.t.TempDir(), "runs")
	s.addServer("mute")
	s.lines("Arguments, one a line", serveWord, "mute", mark)
	s.hit("Save")
	s.hit("List tools…")
	s.tabTo("I have read this. Run it")
	s.Press(fyne.KeyReturn) // not settled: it would wait for the answer
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(mark); err == nil {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatal("the server was not started")
		}
	}
}
