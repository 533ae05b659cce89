package app_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"callboard/app"
	"callboard/app/agent"
	"callboard/app/llm/llmtest"
	"callboard/app/model"
	"callboard/app/models"
	"callboard/app/roster"
	"callboard/app/servers"
	"callboard/app/vault"
	"callboard/crypto/secret"
)

// serverWord makes this binary a small tool server.
const serverWord = "tool-server-for-test"

func init() {
	if len(os.Args) > 1 && os.Args[1] == serverWord {
		serveTools()
		os.Exit(0)
	}
}

func serveTools() {
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
			result = `{"tools":[{"name":"look_up","description":"Looks it up","inputSchema":{"type":"object"}}]}`
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", req.ID, result)
	}
}

const (
	modelKey    = "sk-CANARY-model-4b1d"
	serverValue = "CANARY-server-9e77"
	privateText = "CANARY-instructions-c3f2"
)

// TestEverythingIsAsItWas is a new person's first day: 128 agents, who may call
// whom, a model and a tool server, a lock and an unlock, a backup; then the home
// is gone and comes back from it.
func TestEverythingIsAsItWas(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	a, err := open(dir)
	ok(t, err)
	pass := func() secret.Bytes { return secret.FromString("correct horse") }
	ok(t, a.Vault.Init(t.Context(), vault.InitRequest{Protection: vault.Passphrase, Passphrase: pass()}))
	settle(t, a)
	before := everything(t, a)
	ok(t, a.Vault.Lock(t.Context()))
	ok(t, a.Vault.Unlock(t.Context(), vault.UnlockRequest{Passphrase: pass()}))
	if diff := cmp.Diff(before, everything(t, a), asKept...); diff != "" {
		t.Errorf("after a lock:\n%s", diff)
	}
	backup := filepath.Join(t.TempDir(), "backup")
	_, err = a.Vault.Backup(t.Context(), vault.BackupRequest{Dir: backup, Passphrase: secret.FromString("battery staple")})
	ok(t, err)
	ok(t, a.Close(t.Context()))
	for _, root := range []string{dir, backup} {
		for _, private := range []string{modelKey, serverValue, privateText} {
			nowhere(t, root, private)
		}
	}
	ok(t, os.RemoveAll(dir))

	a, err = open(dir)
	ok(t, err)
	defer func() { ok(t, a.Close(t.Context())) }()
	_, err = a.Vault.Restore(t.Context(), vault.RestoreRequest{From: backup, Passphrase: secret.FromString("battery staple")})
	ok(t, err)
	ok(t, a.Vault.Unlock(t.Context(), vault.UnlockRequest{Passphrase: secret.FromString("battery staple")}))
	if bad, err := a.Vault.Verify(t.Context()); err != nil || len(bad) > 0 {
		t.Errorf("%v %v", bad, err)
	}
	if diff := cmp.Diff(before, everything(t, a), asKept...); diff != "" {
		t.Errorf("after the home was lost and restored:\n%s", diff)
	}
	got, err := a.Models.Test(t.Context(), before.Models[0].Model.ID, before.Models[0].Revision)
	if err != nil || !got.OK {
		t.Errorf("the model with its key: %+v %v", got.Code, err)
	}
	found, err := a.Servers.Discover(t.Context(), before.Servers[0].Server.ID)
	if err != nil || found.Code != "" || len(found.Changes.Added)+len(found.Changes.Removed) > 0 {
		t.Errorf("the server with its consent: %q %+v %v", found.Code, found.Changes, err)
	}
}

// settle makes 128 agents that may call each other in a ring, a model and a tool
// server that were both asked.
func settle(t *testing.T, a *app.App) {
	t.Helper()
	all := make([]agent.Agent, 128)
	for i := range all {
		all[i] = state(i)
		all[i].Identity.Instructions = privateText + all[i].Identity.Instructions
	}
	got, err := a.Roster.Import(t.Context(), roster.Newcomers(all...))
	ok(t, err)
	var grants []roster.Grant
	for i, id := range got.IDs {
		grants = append(grants, roster.Grant{Caller: id, Target: got.IDs[(i+1)%len(got.IDs)], Do: agent.Call, On: true})
	}
	_, err = a.Roster.Allow(t.Context(), grants...)
	ok(t, err)
	ok(t, a.Roster.KeepDraft(t.Context(), roster.Draft{Base: all[0], Agent: agent.Agent{ID: got.IDs[0], Identity: agent.Identity{Name: "half an edit"}}}))
	ok(t, a.Roster.Delete(t.Context(), got.IDs[127:]))

	script := make([]llmtest.Reply, 8)
	for i := range script {
		script[i] = llmtest.Answer(`{"ok": true}`)
	}
	endpoint := llmtest.New(t, script...)
	local := model.Presets()[len(model.Presets())-1].New()
	local.Name, local.BaseURL, local.Model, local.Context, local.MaxOutput, local.Enabled = "local", endpoint.URL, "qwen3-8b", 8192, 1024, true
	local.Price = model.Price{State: model.Zero}
	m, err := a.Models.Save(t.Context(), models.SaveRequest{Model: local})
	ok(t, err)
	m, err = a.Models.SetKey(t.Context(), m.Model.ID, m.Revision, secret.FromString(modelKey))
	ok(t, err)
	result, err := a.Models.Test(t.Context(), m.Model.ID, m.Revision)
	if err != nil || !result.OK {
		t.Fatalf("the scripted model: %v %v", result.Code, err)
	}

	self, err := os.Executable()
	ok(t, err)
	s, err := a.Servers.Save(t.Context(), servers.SaveRequest{Server: servers.Server{
		Name: "small", Enabled: true, Transport: servers.Stdio, Command: self, Args: []string{serverWord}, Env: []string{"SMALL_VALUE"},
	}})
	ok(t, err)
	_, err = a.Servers.SetValues(t.Context(), s.Server.ID, servers.Values{Env: map[string]secret.Bytes{"SMALL_VALUE": secret.FromString(serverValue)}})
	ok(t, err)
	plan, err := a.Servers.Plan(t.Context(), s.Server.ID)
	ok(t, err)
	_, err = a.Servers.Consent(t.Context(), s.Server.ID, plan.Digest)
	ok(t, err)
	found, err := a.Servers.Discover(t.Context(), s.Server.ID)
	if err != nil || found.Code != "" || len(found.Known.Tools) != 1 {
		t.Fatalf("the tool server: %q %+v %v", found.Code, found.Known, err)
	}
}

// kept is all that a person can see of a home.
type kept struct {
	List    []roster.Summary
	Agents  []roster.Entry
	History map[string][]roster.Version
	Drafts  []roster.Draft
	Gone    []roster.Gone
	Models  []models.Entry
	Servers []servers.Entry
}

var asKept = []cmp.Option{cmpopts.IgnoreUnexported(roster.Summary{}), cmpopts.EquateApproxTime(0), cmpopts.EquateEmpty()}

func everything(t *testing.T, a *app.App) kept {
	t.Helper()
	k := kept{History: map[string][]roster.Version{}}
	l, err := a.Roster.List(t.Context())
	ok(t, err)
	k.List = l.Agents
	for _, s := range l.Agents {
		e, err := a.Roster.Get(t.Context(), s.ID)
		ok(t, err)
		h, err := a.Roster.History(t.Context(), s.ID)
		ok(t, err)
		k.Agents, k.History[s.ID] = append(k.Agents, e), h
	}
	k.Drafts, err = a.Roster.Drafts(t.Context())
	ok(t, err)
	k.Gone, err = a.Roster.Deleted(t.Context())
	ok(t, err)
	ms, err := a.Models.List(t.Context())
	ok(t, err)
	ss, err := a.Servers.List(t.Context())
	ok(t, err)
	k.Models, k.Servers = ms.Models, ss.Servers
	if len(k.Agents) != 127 || len(k.Gone) != 1 || len(k.Drafts) != 1 || len(k.Models) != 1 || len(k.Servers) != 1 {
		t.Fatalf("%d agents, %d deleted, %d drafts, %d models, %d servers", len(k.Agents), len(k.Gone), len(k.Drafts), len(k.Models), len(k.Servers))
	}
	return k
}

// nowhere looks for a text in every byte and every name below root, as it is,
// in UTF-16 and in base64.
func nowhere(t *testing.T, root, private string) {
	t.Helper()
	wide := make([]byte, 0, 2*len(private))
	for _, b := range []byte(private) {
		wide = append(wide, b, 0)
	}
	encoded := base64.StdEncoding.EncodeToString([]byte(private))
	ok(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		for _, form := range [][]byte{[]byte(private), wide, []byte(encoded[:len(encoded)-4])} {
			if bytes.Contains(data, form) || strings.Contains(path, private) {
				t.Errorf("%s holds a private text", path)
			}
		}
		return err
	}))
}
