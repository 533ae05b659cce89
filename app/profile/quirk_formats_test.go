package profile_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/profile"
	"callboard/app/tool"
)

// oddity is one file with a quirk of its tool, and what it comes to.
type oddity struct {
	path, text string
	name       string // "" is not compared
	tools      tool.List
	granted    string
	off        bool   // not enabled
	rule       string // one that must be among the problems
	fails      string // the rule of a file that cannot be read
}

func md(lines string) string { return "---\n" + lines + "\n---\nYou review.\n" }

const (
	codexPath  = "/r/.codex/agents/a.toml"
	openPath   = "/r/.opencode/agents/a.md"
	vscodePath = "/r/.github/agents/a.agent.md"
	geminiPath = "/r/.gemini/agents/a.md"
	cursorPath = "/r/.cursor/agents/a.md"
	caoPath    = "/h/.aws/cli-agent-orchestrator/agent-store/a.md"
	goosePath  = "/r/.goose/recipes/a.yaml"
	everything = "fs_read fs_list fs_write execute_bash web_fetch @*"
)

var toml3 = "name = 'a'\ndescription = 'd'\ndeveloper_instructions = 'i'\n"

var oddities = map[string]oddity{
	"codex blank name":         {path: codexPath, text: "name = ' '\ndescription = 'd'\ndeveloper_instructions = 'i'\nsandbox_mode = 'read-only'\n", tools: omitted, rule: "name_missing", off: true, granted: "fs_read fs_list ~execute_bash"},
	"codex blank instructions": {path: codexPath, text: "name = 'a'\ndescription = 'd'\ndeveloper_instructions = \"\\n\"\nsandbox_mode = 'read-only'\n", tools: omitted, granted: "fs_read fs_list ~execute_bash", off: true, rule: "instructions_missing"},
	"codex no description":     {path: codexPath, text: "name = 'a'\ndeveloper_instructions = 'i'\nsandbox_mode = 'read-only'\n", tools: omitted, granted: "fs_read fs_list ~execute_bash", off: true, rule: "description_missing"},
	"codex no sandbox_mode":    {path: codexPath, text: toml3, name: "a", tools: omitted, off: true, rule: "tools_default"},
	"codex unknown mode":       {path: codexPath, text: toml3 + "sandbox_mode = 'sandbox'\n", tools: omitted, off: true, rule: "tools_uncertain"},
	"codex mode of a number":   {path: codexPath, text: toml3 + "sandbox_mode = 1\n", tools: unread, off: true, rule: "bound_unread"},
	"codex in a table":         {path: codexPath, text: toml3 + "[x]\nsandbox_mode = 'danger-full-access'\n", tools: omitted, off: true, rule: "tools_default"},
	"codex whole machine":      {path: codexPath, text: toml3 + "sandbox_mode = 'danger-full-access'\n", tools: omitted, granted: "fs_read fs_list fs_write execute_bash"},
	"codex key twice":          {path: codexPath, text: toml3 + "name = 'b'\n", fails: "not_toml"},

	"opencode tools as a list": {path: openPath, text: md("description: d\ntools: [read]"), tools: unread, off: true, rule: "opencode_tools"},
	"opencode bad YAML":        {path: openPath, text: md("description: d\n\ttools: {x"), off: true, tools: unread, rule: "tools_unread"},
	"opencode permission":      {path: openPath, text: md("description: d\npermission: {edit: deny}"), tools: unread, off: true, rule: "tools_not_known"},

	"vscode unknown tools":   {path: vscodePath, text: md("description: d\ntools: [nope, nada]"), tools: tool.Of("nope", "nada"), rule: "tool_unknown"},
	"vscode empty tools":     {path: vscodePath, text: md("description: d\ntools: []"), tools: empty},
	"vscode models in order": {path: vscodePath, text: md("description: d\nmodel: [a, b]\ntools: [read]"), tools: tool.Of("read"), granted: "fs_read", rule: "value_is_list"},
	"vscode no tools":        {path: vscodePath, text: md("description: d"), tools: omitted, granted: everything},
	"vscode wildcard":        {path: vscodePath, text: md("description: d\ntools: ['*']"), tools: tool.Of("*"), off: true, rule: "tools_uncertain"},
	"vscode CRLF":            {path: vscodePath, text: strings.ReplaceAll(md("description: d\ntools: [read]"), "\n", "\r\n"), tools: tool.Of("read"), granted: "fs_read", rule: "copilot_crlf"},
	"vscode mixed breaks":    {path: vscodePath, text: "---\r\ndescription: d\ntools: [read]\n---\n", tools: tool.Of("read"), granted: "fs_read", rule: "copilot_crlf"},
	"vscode long prompt":     {path: vscodePath, text: md("description: d\ntools: [read]") + strings.Repeat("é", 30_001), tools: tool.Of("read"), granted: "fs_read", rule: "copilot_too_long"},
	"vscode chat mode":       {path: "/r/.github/chatmodes/plan.chatmode.md", text: md("description: d\ntools: ['read', 'fetch']"), name: "plan", tools: tool.Of("read", "fetch"), granted: "fs_read ~web_fetch"},
	"vscode no name":         {path: "/r/.github/agents/Fix It.agent.md", text: md("description: d\ntools: [read]"), name: "Fix It", tools: tool.Of("read"), granted: "fs_read"},

	"gemini comma tools":         {path: geminiPath, text: md("name: a\ndescription: d\ntools: read_file, glob"), off: true, rule: "tools_unread"},
	"gemini color":               {path: geminiPath, text: md("name: a\ndescription: d\ncolor: red\ntools: [read_file]"), off: true, rule: "key_unknown"},
	"gemini disallowedTools":     {path: geminiPath, text: md("name: a\ndescription: d\ndisallowedTools: [glob]\ntools: [read_file]"), off: true, rule: "key_unknown"},
	"gemini Claude's tools":      {path: geminiPath, text: md("name: a\ndescription: d\ntools: [Read, Grep]"), off: true, rule: "tools_uncertain"},
	"gemini mcpServers":          {path: geminiPath, text: md("name: a\ndescription: d\ntools: [read_file]\nmcpServers: {x: {command: y}}"), off: true, rule: "key_unknown"},
	"gemini bad name":            {path: geminiPath, text: md("name: Code Reviewer\ndescription: d\ntools: [read_file]"), off: true, rule: "name_form"},
	"gemini no kind there is":    {path: geminiPath, text: md("kind: nonsense\nname: a\ndescription: d\ntools: ['*']"), tools: unread, off: true, rule: "kind_unknown"},
	"gemini remote with tools":   {path: geminiPath, text: md("kind: remote\nname: a\ndescription: d\ntools: ['*']"), tools: unread, off: true, rule: "remote_tools"},
	"gemini turns of words":      {path: geminiPath, text: md("name: a\ndescription: d\nmax_turns: many\ntools: ['*']"), tools: unread, off: true, rule: "value_form"},
	"gemini name twice":          {path: geminiPath, text: md("name: a\nname: b\ndescription: d\ntools: ['*']"), tools: unread, off: true, rule: "key_twice"},
	"claude file of another end": {path: "/r/.claude/agents/x.agent.md", text: md("name: x\ndescription: d\ndisallowedTools: Bash, Edit, Write, WebFetch, WebSearch"), granted: "fs_read fs_list ~fs_write ~execute_bash @*"},
	"cursor file of another end": {path: "/r/.cursor/agents/x.agent.md", text: md("name: x\ndescription: d\nreadonly: true"), tools: omitted, off: true, rule: "tools_default"},
	"cao in a loose folder":      {path: "/r/profiles/x.md", text: md("name: x\ndescription: d\nrole: reviewer"), granted: "fs_read fs_list ~execute_bash @cao-mcp-server"},
	"cao role of a number":       {path: "/r/profiles/x.md", text: md("name: x\ndescription: d\nrole: 1"), tools: unread, off: true, rule: "bound_unread"},
	"opencode in a loose folder": {path: "/r/agents/x.md", text: md("description: d\nmode: subagent\ntemperature: 0.1"), tools: omitted, off: true, rule: "tools_default"},
	"gemini no name":             {path: geminiPath, text: md("description: d\ntools: [read_file]"), name: "a", tools: tool.Of("read_file"), granted: "fs_read", off: true, rule: "name_missing"},
	"gemini no YAML":             {path: geminiPath, text: md("name: a\ndescription: d: e\ntools: [read_file]"), off: true},
	"gemini number as name":      {path: geminiPath, text: md("name: 007\ndescription: d\ntools: [read_file]"), off: true, rule: "value_form"},
	"gemini blank name":          {path: geminiPath, text: md("name:\ndescription: d\ntools: [read_file]"), off: true, rule: "value_form"},
	"gemini number in tools":     {path: geminiPath, text: md("name: a\ndescription: d\ntools: [read_file, 1]"), off: true, rule: "tools_unread"},
	"gemini all":                 {path: geminiPath, text: md("name: a\ndescription: d\ntools: ['*']"), tools: tool.Of("*"), granted: everything},
	"gemini servers":             {path: geminiPath, text: md("name: a\ndescription: d\ntools: ['mcp_*', mcp_docs_find]"), tools: tool.Of("mcp_*", "mcp_docs_find"), granted: "@* @docs/find"},

	"cao unknown role":       {path: caoPath, text: md("name: a\ndescription: d\nrole: wizard"), tools: omitted, granted: everything},
	"cao neither":            {path: caoPath, text: md("name: a\ndescription: d"), tools: omitted, granted: "fs_read fs_list fs_write execute_bash web_fetch @cao-mcp-server"},
	"cao reviewer":           {path: caoPath, text: md("name: a\ndescription: d\nrole: reviewer"), tools: omitted, granted: "fs_read fs_list ~execute_bash @cao-mcp-server"},
	"cao empty list":         {path: caoPath, text: md("name: a\ndescription: d\nrole: reviewer\nallowedTools: []"), tools: empty, granted: everything},
	"cao blank list":         {path: caoPath, text: md("name: a\ndescription: d\nrole: reviewer\nallowedTools:"), tools: unread, off: true, rule: "tools_unread"},
	"cao role of a list":     {path: caoPath, text: md("name: a\ndescription: d\nrole: [reviewer]"), off: true},
	"cao role twice":         {path: caoPath, text: md("name: a\ndescription: d\nrole: reviewer\nrole: developer"), off: true},
	"cao misspelt tools key": {path: caoPath, text: md("name: a\ndescription: d\nrole: reviewer\nallowedtools: [fs_read]"), tools: omitted, granted: "fs_read fs_list ~execute_bash @cao-mcp-server"},

	"cursor readonly of a text":   {path: cursorPath, text: md("name: a\ndescription: d\nreadonly: sometimes"), off: true},
	"cursor readonly of a number": {path: cursorPath, text: md("name: a\ndescription: d\nreadonly: 1"), off: true},
	"cursor readonly":             {path: cursorPath, text: md("name: a\ndescription: d\nreadonly: true"), tools: omitted, off: true, rule: "tools_default"},
	"cursor with a tool list":     {path: cursorPath, text: md("name: a\ndescription: d\ntools: [Read]"), off: true},

	"goose no extensions":       {path: goosePath, text: "title: t\ndescription: d\nprompt: p\n", tools: omitted, off: true, rule: "tools_default"},
	"goose empty extensions":    {path: goosePath, text: "title: t\ndescription: d\nprompt: p\nextensions: []\n", tools: empty, rule: "no_delegation"},
	"goose extensions":          {path: goosePath, text: "title: t\ndescription: d\nprompt: p\nextensions:\n- type: builtin\n  name: developer\n", tools: tool.Of("developer"), granted: "fs_read fs_list fs_write execute_bash", rule: "no_delegation"},
	"goose own developer":       {path: goosePath, text: "title: t\ndescription: d\nprompt: p\nextensions:\n- type: stdio\n  name: developer\n  cmd: x\n", tools: tool.Of("@developer"), granted: "@developer"},
	"goose part of a builtin":   {path: goosePath, text: "title: t\ndescription: d\nprompt: p\nextensions:\n- type: builtin\n  name: developer\n  available_tools: [text_editor]\n", off: true},
	"goose no type":             {path: goosePath, text: "title: t\ndescription: d\nprompt: p\nextensions:\n- name: developer\n", off: true},
	"goose unread tools":        {path: goosePath, text: "title: t\ndescription: d\nprompt: p\nextensions:\n- type: stdio\n  name: docs\n  available_tools: {a: b}\n", off: true},
	"goose name with a slash":   {path: goosePath, text: "title: t\ndescription: d\nprompt: p\nextensions:\n- type: stdio\n  name: a/b\n  cmd: x\n", off: true},
	"goose extension of a text": {path: goosePath, text: "title: t\ndescription: d\nprompt: p\nextensions: [developer]\n", off: true},
	"goose hidden characters":   {path: goosePath, text: "title: t\ndescription: d\nprompt: p\U000e0041\U000e0042\n", tools: omitted, off: true, rule: "hidden_characters"},
	"goose empty extension":     {path: goosePath, text: "title: t\ndescription: d\nprompt: p\nextensions:\n-\n", off: true},
	"goose null for tools":      {path: goosePath, text: "title: t\ndescription: d\nprompt: p\nextensions:\n- type: stdio\n  name: docs\n  available_tools:\n", off: true},
	"goose null in tools":       {path: goosePath, text: "title: t\ndescription: d\nprompt: p\nextensions:\n- type: builtin\n  name: developer\n  available_tools: [~]\n", off: true},
	"goose builtin with a mark": {path: goosePath, text: "title: t\ndescription: d\nprompt: p\nextensions:\n- type: builtin\n  name: '@docs'\n", off: true},
	"goose JSON with tabs":      {path: "/r/.goose/recipes/a.json", text: "{\n\t\"title\": \"t\",\n\t\"prompt\": \"p\",\n\t\"extensions\": [\n\t\t{\n\t\t\t\"type\":\"builtin\",\n\t\t\t\"name\":\"developer\"\n\t\t}\n\t]\n}\n", tools: tool.Of("developer"), granted: "fs_read fs_list fs_write execute_bash"},
}

func TestOddities(t *testing.T) {
	for name, o := range oddities {
		t.Run(name, func(t *testing.T) {
			files, err := profile.ReadFile(o.path, []byte(o.text))
			if o.fails != "" {
				if got := ruleOf(err); got != o.fails {
					t.Errorf("fails with %q: %v", got, err)
				}
				return
			}
			if err != nil || len(files) != 1 {
				t.Fatalf("%d files, %v", len(files), err)
			}
			f := files[0]
			a := f.Agent
			if o.name != "" && a.Identity.Name != o.name {
				t.Errorf("name %q", a.Identity.Name)
			}
			if o.tools.Stated != "" && !a.Access.Tools.Equal(o.tools) {
				t.Errorf("tools %v, want %v", a.Access.Tools, o.tools)
			}
			if got := strings.Join(a.Grants().Effective(), " "); got != o.granted || a.Enabled == o.off || o.off == f.Certain && len(f.Problems) == 0 {
				t.Errorf("grants %q, enabled %v, certain %v", got, a.Enabled, f.Certain)
			}
			if got := quirkRules(f); o.rule != "" && !slices.Contains(strings.Fields(got), o.rule) {
				t.Errorf("problems %q, want %q: %v", got, o.rule, f.Problems)
			}
		})
	}
}

// TestGooseTemplatesStay: an edit beside them leaves templates as they are.
func TestGooseTemplatesStay(t *testing.T) {
	text := "title: t\ndescription: \"{{ what }} # x\"\ninstructions: |\n  Use {{ language | upper }} {% if a %}b{% endif %}\n  {{- trim -}}\n"
	f := readOne(t, goosePath, text)
	next := f.Agent.Clone()
	next.Identity.Name = "{{ new }}: title"
	next.Identity.Instructions += "And {{ more }}\n"
	c, err := profile.Patch(*f.Agent.Source, next)
	want := strings.Replace(text, "title: t", "title: '{{ new }}: title'", 1) + "  And {{ more }}\n"
	if got := strings.ReplaceAll(string(c.After), `"{{ new }}: title"`, "'{{ new }}: title'"); err != nil || got != want {
		t.Errorf("%v\n%s", err, cmp.Diff(want, got))
	}
}

func readOne(t *testing.T, path, text string) profile.File {
	t.Helper()
	files, err := profile.ReadFile(path, []byte(text))
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %d files, %v", path, len(files), err)
	}
	return files[0]
}

// TestEscapedLineBreaks: a text that holds Windows line breaks as escapes is
// not one that was edited.
func TestEscapedLineBreaks(t *testing.T) {
	for path, text := range map[string]string{
		"/r/opencode.json": `{"agent": {"a": {"description": "d", "prompt": "One\r\nTwo\rThree"}}}`,
		codexPath:          "name = 'a'\ndescription = 'd'\ndeveloper_instructions = \"One\\r\\nTwo\\rThree\"\n",
		goosePath:          "title: a\ndescription: d\nprompt: \"One\\r\\nTwo\\rThree\"\n",
	} {
		f := readOne(t, path, text)
		if got := f.Agent.Identity.Instructions; got != "One\r\nTwo\rThree" {
			t.Errorf("%s: reads %q", path, got)
		}
		if c, err := profile.Patch(*f.Agent.Source, f.Agent); err != nil || len(c.Spans) > 0 || string(c.After) != text {
			t.Errorf("%s: %v, %q", path, err, c.After)
		}
		next := f.Agent.Clone()
		next.Identity.Description = "new"
		if c, err := profile.Patch(*f.Agent.Source, next); err != nil || len(c.Spans) != 1 || len(c.Fields) != 1 {
			t.Errorf("%s: %v, %q", path, err, c.After)
		}
	}
}

// TestGooseDelegation: with sub_recipes an explicit list keeps delegation.
func TestGooseDelegation(t *testing.T) {
	const head = "title: t\ndescription: d\nprompt: p\nextensions: []\n"
	if got := rules(readOne(t, goosePath, head+"sub_recipes:\n- name: s\n  path: s.yaml\n")); strings.Contains(got, "no_delegation") {
		t.Errorf("problems %s", got)
	}
	if got := rules(readOne(t, goosePath, head)); !strings.Contains(got, "4 no_delegation") {
		t.Errorf("problems %s", got)
	}
}

// TestCodexNameTwiceInAFolder: Codex refuses the whole folder then.
func TestCodexNameTwiceInAFolder(t *testing.T) {
	dir, outside := realDir(t), realDir(t)
	agents := filepath.Join(dir, ".codex", "agents")
	put(t, filepath.Join(agents, "a.toml"), toml3)
	put(t, filepath.Join(agents, "deep", "b.toml"), toml3)
	put(t, filepath.Join(agents, "c.toml"), strings.Replace(toml3, "'a'", "'c'", 1))
	secret := put(t, filepath.Join(outside, "secret.toml"), strings.Replace(toml3, "'a'", "'secret'", 1))
	if err := os.Symlink(secret, filepath.Join(agents, "out.toml")); err != nil {
		t.Fatal(err)
	}
	l := scan(t, dir)
	if !cmp.Equal(names(l), []string{"a", "c", "a"}) || !cmp.Equal(skips(l), []string{"out.toml link_outside"}) && !cmp.Equal(skips(l), []string{".codex/agents/out.toml link_outside"}) {
		t.Fatalf("files %v, skipped %v", names(l), skips(l))
	}
	for _, f := range l.Files {
		if got := strings.Contains(rules(f), "same_name"); got != (f.Agent.Identity.Name == "a") {
			t.Errorf("%s: %s", f.Path, rules(f))
		}
	}
}

// TestFormatByContent: in a place of no tool its name or its keys say whose a
// file is, and Markdown without a sign is Claude Code's.
func TestFormatByContent(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want profile.Format
	}{
		"a.toml":        {toml3, profile.Codex},
		"a.yaml":        {"title: t\ndescription: d\nprompt: p\n", profile.Goose},
		"a.json":        {places["goose json"].good, profile.Goose},
		"opencode.json": {places["opencode json"].good, profile.OpenCode},
		"a.agent.md":    {md("description: d"), profile.VSCode},
		"a.chatmode.md": {md("description: d"), profile.VSCode},
		"cao.md":        {md("name: a\ndescription: d\nallowedTools: [fs_read]"), profile.CAO},
		"opencode.md":   {md("description: d\npermission: {edit: deny}"), profile.OpenCode},
		"cursor.md":     {md("name: a\ndescription: d\nreadonly: true"), profile.Cursor},
		"gemini.md":     {md("name: a\ndescription: d\nkind: local\nmax_turns: 3"), profile.Gemini},
		"claude.md":     {md("name: a\ndescription: d\ntools: Read"), profile.ClaudeCode},
		"plain.md":      {md("name: a\ndescription: d"), profile.ClaudeCode},
	} {
		if f := readOne(t, "/some/"+name, tc.text); f.Format != tc.want || f.Agent.Source.Format != string(tc.want) {
			t.Errorf("%s is %s", name, f.Format)
		}
	}
}
