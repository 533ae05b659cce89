package tool_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"callboard/app/tool"
)

var omitted = tool.List{Stated: tool.Omitted}

func words(d tool.Dialect, tokens ...string) tool.Access {
	return tool.Access{Dialect: d, Tools: tool.Of(tokens...)}
}

func bounded(d tool.Dialect, bound string) tool.Access {
	return tool.Access{Dialect: d, Tools: omitted, Bound: bound}
}

func unsaid(d tool.Dialect) tool.Access { return bounded(d, "") }

func withBound(a tool.Access, bound string) tool.Access {
	a.Bound = bound
	return a
}

// vocabulary is tokens of each dialect, known and unknown ones.
var vocabulary = map[tool.Dialect][]string{
	tool.ClaudeCode: {
		"*", "Read", "Glob", "Grep", "LS", "Edit", "Write", "NotebookEdit", "Bash", "Bash(git *)", "Write(src/*)", "Monitor", "Agent(a, b)", "Agent",
		"Task", "Workflow", "WebFetch", "WebFetch(domain:x)", "WebSearch", "TodoWrite", "bash", "mcp__*", "mcp__a", "mcp__a__x", "mcp__cao-mcp-server", "mcp__b_c", "mcp__edit", "Nope",
	},
	tool.CAO:      {"*", "fs_read", "fs_write", "fs_list", "fs_*", "execute_bash", "web_fetch", "@builtin", "@cao-mcp-server", "discovery", "@a", "@a/x", "@a/*", "Read", "nope"},
	tool.Codex:    {"*", "shell", "nope"},
	tool.OpenCode: {"*", "bash", "nope"},
	tool.VSCode: {
		"*", "read", "search", "edit", "execute", "web", "agent", "read/readFile", "search/textSearch", "search/fileSearch", "edit/createFile",
		"web/fetch", "fetch", "todo", "a/*", "a/x", "b_c/*", "org/a/*", "execute/nope", "edit/*", "Bash", "nope",
	},
	tool.Gemini: {
		"*", "read_file", "read_many_files", "glob", "grep_search", "list_directory", "replace", "write_file", "run_shell_command", "invoke_agent",
		"web_fetch", "google_web_search", "ask_user", "mcp_*", "mcp_a_*", "mcp_a_x", "discovered_tool_x", "mcp__x", "Read",
	},
	tool.Cursor: {"*", "nope"},
	tool.Goose:  {"*", "developer", "memory", "summon", "@a", "@a/x", "nope"},
	tool.Native: {"*", "fs_read", "fs_list", "fs_write", "execute_bash", "web_fetch", "@*", "@a", "@a/x", "@a/*", "@b_c/y", "fs_*", "Read", "nope"},
}

var boundWords = map[tool.Dialect][]string{
	tool.CAO:    {"", "supervisor", "developer", "reviewer", "nope"},
	tool.Codex:  {"", "read-only", "workspace-write", "danger-full-access", "nope"},
	tool.Cursor: {"", "true", "false", "nope"},
}

// access draws any access that a file of the dialect can state.
func access(t *rapid.T, d tool.Dialect) tool.Access {
	token := rapid.SampledFrom(vocabulary[d])
	acc := words(d, rapid.SliceOfNDistinct(token, 0, 6, rapid.ID).Draw(t, "tools")...)
	if len(acc.Tools.Tokens) == 0 {
		acc.Tools.Stated = rapid.SampledFrom([]tool.Statement{tool.Omitted, tool.Empty, tool.Unread}).Draw(t, "stated")
	}
	if f, _ := tool.FactsOf(d); f.Denies || rapid.IntRange(0, 9).Draw(t, "stray denials") == 0 {
		acc.Denied = rapid.SliceOfNDistinct(token, 0, 4, rapid.ID).Draw(t, "denied")
	}
	if boundWords[d] != nil {
		acc.Bound = rapid.SampledFrom(boundWords[d]).Draw(t, "bound")
	}
	return acc
}

func TestEveryDialectHasALabelAndFacts(t *testing.T) {
	var labels []string
	for _, d := range tool.Dialects() {
		f, ok := tool.FactsOf(d)
		if !ok || f.Tested == "" || f.Omitted == "" || f.Empty == "" || f.Wildcard == "" || f.Unknown == "" {
			t.Errorf("%s: %+v %v", d, f, ok)
		}
		labels = append(labels, d.Label())
	}
	want := []string{"Claude Code", "CAO", "Codex", "opencode", "VS Code", "Gemini CLI", "Cursor", "goose", "Callboard"}
	if diff := cmp.Diff(want, labels); diff != "" {
		t.Error(diff)
	}
	if _, ok := tool.FactsOf("somebody"); ok || tool.Dialect("somebody").Label() != "somebody" {
		t.Error("an unknown dialect has facts")
	}
}

// TestWhatAToolListMeans is the table of facts, cell by cell: what it says and
// what Resolve makes of it.
func TestWhatAToolListMeans(t *testing.T) {
	const (
		all    = "fs_read fs_list fs_write execute_bash web_fetch @*"
		own    = "own default"
		unsure = "not certain"
		none   = ""
	)
	meaning := func(f tool.Facts) [4]tool.Meaning { return [4]tool.Meaning{f.Omitted, f.Empty, f.Wildcard, f.Unknown} }
	for d, tc := range map[tool.Dialect]struct {
		facts    [4]tool.Meaning
		resolved [4]string
	}{
		tool.ClaudeCode: {[4]tool.Meaning{tool.All, tool.NotKnown, tool.All, tool.Ignored}, [4]string{all, unsure, all, none}},
		tool.CAO: {
			[4]tool.Meaning{tool.RoleDefault, tool.All, tool.All, tool.Ignored},
			[4]string{"fs_read fs_list fs_write execute_bash web_fetch @cao-mcp-server", all, all, none},
		},
		tool.Codex:    {[4]tool.Meaning{tool.NoList, tool.NoList, tool.NoList, tool.NoList}, [4]string{own, unsure, unsure, unsure}},
		tool.OpenCode: {[4]tool.Meaning{tool.OwnDefault, tool.NotKnown, tool.Patterns, tool.NotKnown}, [4]string{own, unsure, unsure, unsure}},
		tool.VSCode:   {[4]tool.Meaning{tool.All, tool.Nothing, tool.Patterns, tool.Ignored}, [4]string{all, none, unsure, none}},
		tool.Gemini:   {[4]tool.Meaning{tool.OwnDefault, tool.NotKnown, tool.All, tool.Refused}, [4]string{own, unsure, all, unsure}},
		tool.Cursor:   {[4]tool.Meaning{tool.NoList, tool.NoList, tool.NoList, tool.NoList}, [4]string{own, unsure, unsure, unsure}},
		tool.Goose:    {[4]tool.Meaning{tool.OwnDefault, tool.Nothing, tool.NoWord, tool.NotKnown}, [4]string{own, none, unsure, unsure}},
		tool.Native:   {[4]tool.Meaning{tool.Nothing, tool.Nothing, tool.All, tool.Ignored}, [4]string{none, none, all, none}},
	} {
		f, _ := tool.FactsOf(d)
		if diff := cmp.Diff(tc.facts, meaning(f)); diff != "" {
			t.Error(d, diff)
		}
		for i, acc := range []tool.Access{unsaid(d), words(d), words(d, "*"), words(d, "no_such_tool")} {
			if got := summary(tool.Resolve(acc)); got != tc.resolved[i] {
				t.Errorf("%s %v: got %q, want %q", d, acc.Tools, got, tc.resolved[i])
			}
		}
	}
}

func summary(g tool.Grants) string {
	switch {
	case g.OwnDefault:
		return "own default"
	case !g.Certain:
		return "not certain"
	}
	return strings.Join(g.Effective(), " ")
}

func TestResolveDialects(t *testing.T) {
	const all = "fs_read fs_list fs_write execute_bash web_fetch @*"
	for name, tc := range map[string]struct {
		acc     tool.Access
		want    string
		unknown []string
	}{
		"cao words":             {words(tool.CAO, "fs_*", "@srv", "@srv/tool", "nope"), "fs_read fs_list fs_write @srv @srv/tool", []string{"nope"}},
		"cao delegation":        {words(tool.CAO, "@cao-mcp-server"), "~execute_bash @cao-mcp-server", nil},
		"cao builtin":           {words(tool.CAO, "@builtin"), "", nil},
		"cao list beats role":   {withBound(words(tool.CAO, "fs_read"), "nope"), "fs_read", nil},
		"cao supervisor":        {bounded(tool.CAO, "supervisor"), "fs_read fs_list ~execute_bash @cao-mcp-server", nil},
		"cao reviewer":          {bounded(tool.CAO, "reviewer"), "fs_read fs_list ~execute_bash @cao-mcp-server", nil},
		"cao unknown role":      {bounded(tool.CAO, "nope"), all, nil},
		"codex read-only":       {bounded(tool.Codex, "read-only"), "fs_read fs_list ~execute_bash", nil},
		"codex workspace":       {bounded(tool.Codex, "workspace-write"), "fs_read fs_list ~fs_write ~execute_bash", nil},
		"codex danger":          {bounded(tool.Codex, "danger-full-access"), "fs_read fs_list fs_write execute_bash", nil},
		"codex other":           {bounded(tool.Codex, "nope"), "not certain", nil},
		"codex with a list":     {withBound(words(tool.Codex, "shell"), "read-only"), "not certain", nil},
		"codex unread":          {tool.Access{Dialect: tool.Codex, Tools: tool.List{Stated: tool.Unread}}, "not certain", nil},
		"codex zero":            {tool.Access{Dialect: tool.Codex}, "not certain", nil},
		"vscode sets":           {words(tool.VSCode, "read", "search", "edit", "execute", "web"), "fs_read fs_list fs_write execute_bash web_fetch", nil},
		"vscode single tools":   {words(tool.VSCode, "read/readFile", "edit/createFile", "runTests"), "~fs_read ~fs_write ~execute_bash", nil},
		"vscode agents":         {words(tool.VSCode, "agent"), "~execute_bash", nil},
		"vscode servers":        {words(tool.VSCode, "github/*", "github/get", "org/x/*"), "@github @github/get @org/x/*", nil},
		"vscode all unknown":    {words(tool.VSCode, "foo", "execute/foo", "edit/*", "*/x"), "", []string{"foo", "execute/foo", "edit/*", "*/x"}},
		"gemini names":          {words(tool.Gemini, "read_file", "glob", "ask_user"), "fs_read ~fs_list", nil},
		"gemini servers":        {words(tool.Gemini, "mcp_*", "mcp_a_*", "mcp_b_do_it"), "@* @a @b/do_it", nil},
		"gemini agents":         {words(tool.Gemini, "invoke_agent", "discovered_tool_x"), "~execute_bash", nil},
		"gemini broken server":  {words(tool.Gemini, "mcp__x"), "not certain", nil},
		"cursor read-only":      {bounded(tool.Cursor, "true"), "own default", nil},
		"cursor not read-only":  {bounded(tool.Cursor, "false"), "own default", nil},
		"cursor other":          {bounded(tool.Cursor, "nope"), "not certain", nil},
		"goose developer":       {words(tool.Goose, "developer", "@a", "@b/x"), "fs_read fs_list fs_write execute_bash @a @b/x", nil},
		"goose agents":          {words(tool.Goose, "summon", "memory"), "~execute_bash", nil},
		"goose unknown builtin": {words(tool.Goose, "developer", "nope"), "not certain", nil},
		"denials nobody knows":  {tool.Access{Dialect: tool.CAO, Tools: tool.Of("fs_read"), Denied: []string{"fs_read"}}, "not certain", nil},
	} {
		t.Run(name, func(t *testing.T) {
			g := tool.Resolve(tc.acc)
			if got := summary(g); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			if !slices.Equal(g.Unknown, tc.unknown) {
				t.Errorf("unknown %q, want %q", g.Unknown, tc.unknown)
			}
			for _, a := range g.Atoms {
				if !strings.HasSuffix(a.Why, ".") || strings.Contains(a.Why, "..") {
					t.Errorf("%s: %q", a.Atom, a.Why)
				}
			}
		})
	}
}

func TestReasonsNameWhatDecided(t *testing.T) {
	for want, acc := range map[string]tool.Access{
		"Off: the file says readonly, so nothing is written.":                                          bounded(tool.Cursor, "true"),
		"On: the list is empty, and CAO then denies nothing.":                                          words(tool.CAO),
		"On: CAO does not know the role nope and gives it all tools.":                                  bounded(tool.CAO, "nope"),
		"On: fs_write, by the role developer.":                                                         unsaid(tool.CAO),
		"Off: the role reviewer has no tool for it.":                                                   bounded(tool.CAO, "reviewer"),
		"Off: the list is empty, which is no tools to VS Code.":                                        words(tool.VSCode),
		"Partly: edit/createFile; not edit.":                                                           words(tool.VSCode, "edit/createFile"),
		"Off: Gemini CLI refuses the whole file, because it has no tool of the name Read.":             words(tool.Gemini, "Read"),
		"Off: Gemini CLI's own default holds, which is not known here.":                                unsaid(tool.Gemini),
		"Off: GitHub's Copilot reads * as all tools, and VS Code does not say what it makes of it.":    words(tool.VSCode, "*"),
		"Off: Codex has no tool lists, so what it makes of this one cannot be read for certain.":       words(tool.Codex, "shell"),
		"Off: what goose makes of nope is not known here.":                                             words(tool.Goose, "nope"),
		"Off: what Gemini CLI makes of an empty tool list is not known here.":                          words(tool.Gemini),
		"Partly: sandbox_mode workspace-write lets files be written in the workspace only.":            bounded(tool.Codex, "workspace-write"),
		"Off: VS Code has no way to deny tools, and tools are denied here.":                            {Dialect: tool.VSCode, Tools: tool.Of("edit"), Denied: []string{"edit"}},
		"Off: goose's default extensions hold, which the file does not state.":                         unsaid(tool.Goose),
		"Off: the file names no sandbox_mode, so what Codex's config or whoever starts it says holds.": unsaid(tool.Codex),
	} {
		if got := tool.Resolve(acc).Atoms[2]; got.Atom != tool.FSWrite || got.Why != want {
			t.Errorf("%v: got %q, want %q", acc, got.Why, want)
		}
	}
}

func TestNotesSayWhatPeopleDoNotExpect(t *testing.T) {
	for want, acc := range map[string]tool.Access{
		"nope: CAO has no role":                     bounded(tool.CAO, "nope"),
		"role: the profile names neither tools nor": unsaid(tool.CAO),
		"@builtin is whatever the program":          words(tool.CAO, "@builtin"),
		"@cao-mcp-server lets the agent start":      bounded(tool.CAO, "supervisor"),
		"allowedTools: CAO holds an agent to it":    words(tool.CAO, "fs_read"),
		"agent starts subagents":                    words(tool.VSCode, "agent"),
		"foo: there is no tool of this name in what Callboard knows of VS Code. It grants nothing.": words(tool.VSCode, "foo"),
		"developer reads and edits": words(tool.Goose, "developer"),
		"sandbox_mode bounds":       bounded(tool.Codex, "read-only"),
	} {
		if !slices.ContainsFunc(tool.Resolve(acc).Notes, func(n tool.Note) bool { return strings.HasPrefix(n.Text, want) }) {
			t.Errorf("no note %q in %v", want, tool.Resolve(acc).Notes)
		}
	}
}

// TestUnknownWordsNeverGrant: a word that no program has adds no grant to any
// list, and every doubt grants nothing.
func TestUnknownWordsNeverGrant(t *testing.T) {
	strange := rapid.StringMatching(`x[a-zA-Z_.-]{0,12}`)
	rapid.Check(t, func(t *rapid.T) {
		acc := access(t, rapid.SampledFrom(tool.Dialects()).Draw(t, "dialect"))
		before := tool.Resolve(acc)
		if acc.Tools.Stated == tool.Listed {
			acc.Tools.Tokens = append(acc.Tools.Tokens, strange.Draw(t, "strange"))
		}
		after := tool.Resolve(acc)
		if !before.Certain && len(before.Effective()) > 0 || before.Certain == (before.Doubt != "") {
			t.Fatalf("%+v", before)
		}
		if after.Certain && !slices.Equal(before.Effective(), after.Effective()) {
			t.Fatalf("%v: %v became %v", acc, before.Effective(), after.Effective())
		}
		if !after.Certain && len(after.Effective()) > 0 {
			t.Fatalf("%v grants %v though not certain", acc, after.Effective())
		}
	})
}
