package tool_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"callboard/app/tool"
)

func TestMap(t *testing.T) {
	unread := tool.List{Stated: tool.Unread}
	full := []string{"Read", "Glob", "Grep", "Edit", "Write", "Bash"}
	for name, tc := range map[string]struct {
		from   tool.Access
		to     tool.Dialect
		want   tool.Access
		losses []string // tokens; ! before one that widens
	}{
		"the same dialect":                  {claude(tool.Of("Nope")), tool.ClaudeCode, claude(tool.Of("Nope")), nil},
		"all to vscode":                     {claude(omitted), tool.VSCode, unsaid(tool.VSCode), nil},
		"all to gemini":                     {claude(tool.Of("*")), tool.Gemini, words(tool.Gemini, "*"), nil},
		"all to cao":                        {unsaid(tool.VSCode), tool.CAO, words(tool.CAO, "*"), nil},
		"all to claude":                     {words(tool.CAO), tool.ClaudeCode, claude(omitted), nil},
		"all to cursor":                     {claude(omitted), tool.Cursor, unsaid(tool.Cursor), []string{"readonly", "@*"}},
		"all to opencode":                   {claude(omitted), tool.OpenCode, unsaid(tool.OpenCode), []string{""}},
		"all to goose":                      {claude(omitted), tool.Goose, words(tool.Goose, "developer", "summon"), []string{"web_fetch", "@*", ""}},
		"all but one":                       {claude(omitted, "Write", "mcp__x"), tool.Gemini, words(tool.Gemini, "read_file", "glob", "grep_search", "list_directory", "replace", "run_shell_command", "invoke_agent", "web_fetch", "google_web_search"), []string{"fs_write", "@*", ""}},
		"more than the whole":               {claude(tool.Of("WebFetch", "WebSearch", "Bash", "Agent", "Monitor")), tool.Gemini, words(tool.Gemini, "run_shell_command", "invoke_agent", "web_fetch", "google_web_search"), []string{"Monitor"}},
		"delegation without a word for it":  {claude(tool.Of("Bash", "Agent")), tool.CAO, words(tool.CAO, "execute_bash"), []string{"Agent", "!"}},
		"whole atoms":                       {claude(tool.Of("Read", "Glob", "Grep")), tool.VSCode, words(tool.VSCode, "read", "search"), nil},
		"exact equals":                      {claude(tool.Of("Grep", "Write", "Agent")), tool.Gemini, words(tool.Gemini, "grep_search", "write_file", "invoke_agent"), nil},
		"a pattern":                         {claude(tool.Of("Read", "Bash(git *)")), tool.VSCode, words(tool.VSCode, "read"), []string{"execute_bash"}},
		"a pattern of a tool with an equal": {claude(tool.Of("Read", "Write(src/*)")), tool.Gemini, words(tool.Gemini, "read_file"), []string{"fs_write"}},
		"some writing to codex":             {claude(tool.Of("Read", "Glob", "Grep", "Edit")), tool.Codex, bounded(tool.Codex, "read-only"), []string{"!sandbox_mode", "!"}},
		"equals that would be whole":        {words(tool.VSCode, "read/readFile", "search/fileSearch", "search/textSearch"), tool.ClaudeCode, claude(tool.Of("Glob")), []string{"fs_read", "fs_list"}},
		"no equal in cao":                   {claude(tool.Of("Read", "Grep")), tool.CAO, words(tool.CAO, "fs_read"), []string{"fs_list", "!"}},
		"servers to vscode":                 {claude(tool.Of("mcp__a", "mcp__b__x", "mcp__*", "mcp__edit")), tool.VSCode, words(tool.VSCode, "a/*", "b/x"), []string{"@*", "@edit"}},
		"servers to gemini":                 {words(tool.CAO, "@a", "@b/x", "@c_d"), tool.Gemini, words(tool.Gemini, "mcp_a_*", "mcp_b_x"), []string{"@c_d"}},
		"servers to claude":                 {words(tool.Gemini, "mcp_*", "mcp_a_x"), tool.ClaudeCode, claude(tool.Of("mcp__*", "mcp__a__x")), nil},
		"a server that runs agents":         {claude(tool.Of("mcp__cao-mcp-server", "Read")), tool.CAO, words(tool.CAO, "fs_read"), []string{"@cao-mcp-server", "!"}},
		"a server with slashes":             {words(tool.VSCode, "org/a/*", "read"), tool.ClaudeCode, claude(tool.Of("Read")), []string{"@org/a/*"}},
		"a server denied in part":           {claude(tool.Of("Read", "mcp__a"), "mcp__a__x"), tool.CAO, words(tool.CAO, "fs_read"), []string{"@a", "!"}},
		"other and unknown tools":           {claude(tool.Of("Read", "TodoWrite", "Nope")), tool.Gemini, words(tool.Gemini, "read_file"), []string{"TodoWrite", "Nope"}},
		"a role":                            {bounded(tool.CAO, "supervisor"), tool.VSCode, words(tool.VSCode, "read", "search", "cao-mcp-server/*"), []string{"execute_bash"}},
		"nothing to vscode":                 {claude(omitted, "*"), tool.VSCode, words(tool.VSCode), nil},
		"nothing to goose":                  {words(tool.VSCode), tool.Goose, words(tool.Goose), nil},
		"nothing to claude":                 {words(tool.VSCode), tool.ClaudeCode, claude(tool.Of("Read"), "Read"), nil},
		"nothing to cao":                    {words(tool.VSCode), tool.CAO, tool.Access{Dialect: tool.CAO, Tools: unread}, []string{"!"}},
		"nothing to gemini":                 {words(tool.VSCode), tool.Gemini, tool.Access{Dialect: tool.Gemini, Tools: unread}, []string{"!"}},
		"not certain to vscode":             {unsaid(tool.Gemini), tool.VSCode, words(tool.VSCode), []string{""}},
		"not certain to codex":              {unsaid(tool.Gemini), tool.Codex, bounded(tool.Codex, "read-only"), []string{"!sandbox_mode", "!"}},
		"not certain to gemini":             {words(tool.OpenCode, "x"), tool.Gemini, tool.Access{Dialect: tool.Gemini, Tools: unread}, []string{"", "!"}},
		"reading to codex":                  {claude(tool.Of("Read")), tool.Codex, bounded(tool.Codex, "read-only"), []string{"!sandbox_mode", "!"}},
		"reading and a command to codex":    {claude(tool.Of("Read", "Glob", "Grep", "Bash(ls)")), tool.Codex, bounded(tool.Codex, "read-only"), []string{"!sandbox_mode", "!"}},
		"working to codex":                  {claude(tool.Of(append(full, "mcp__a")...)), tool.Codex, bounded(tool.Codex, "workspace-write"), []string{"sandbox_mode", "@a", "!"}},
		"codex to claude":                   {bounded(tool.Codex, "workspace-write"), tool.ClaudeCode, claude(tool.Of("Read", "Glob", "Grep")), []string{"fs_write", "execute_bash"}},
		"reading to cursor":                 {claude(tool.Of("Read")), tool.Cursor, bounded(tool.Cursor, "true"), []string{"!readonly"}},
		"working to cursor":                 {claude(tool.Of("Edit")), tool.Cursor, unsaid(tool.Cursor), []string{"!readonly"}},
		"reading to opencode":               {claude(tool.Of("Read")), tool.OpenCode, unsaid(tool.OpenCode), []string{"!"}},
		"working to goose":                  {claude(tool.Of(append(full, "mcp__a__x")...)), tool.Goose, words(tool.Goose, "developer", "@a/x"), []string{"!developer"}},
		"reading to goose":                  {claude(tool.Of("Read")), tool.Goose, words(tool.Goose), []string{"fs_read"}},
		"everything to codex":               {claude(omitted), tool.Codex, bounded(tool.Codex, "workspace-write"), []string{"sandbox_mode", "@*"}},
		"a denied server to codex":          {claude(omitted, "mcp__prod"), tool.Codex, bounded(tool.Codex, "workspace-write"), []string{"sandbox_mode", "@*", "!"}},
		"denied by its old name":            {claude(tool.Of("Read", "Agent"), "Task"), tool.Gemini, words(tool.Gemini, "read_file"), nil},
		"from an unknown dialect":           {words("somebody", "x"), tool.VSCode, words(tool.VSCode), []string{""}},
		"to an unknown dialect":             {claude(tool.Of("Read")), "somebody", tool.Access{Dialect: "somebody", Tools: unread}, []string{"!"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, losses := tool.Map(tc.from, tc.to)
			var tokens []string
			for _, l := range losses {
				if l.Text == "" || !strings.HasSuffix(l.Text, ".") || strings.Contains(l.Text, "%!") {
					t.Errorf("loss %+v", l)
				}
				tokens = append(tokens, strings.Repeat("!", map[bool]int{true: 1}[l.Widens])+l.Token)
			}
			if !got.Equal(tc.want) || !slices.Equal(tokens, tc.losses) {
				t.Errorf("got %+v\nlosses %q", got, tokens)
			}
		})
	}
}

// TestMapNeverWidens holds between all dialects: what the copy grants for
// certain is granted by its source, unless a loss says that it widens.
func TestMapNeverWidens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := access(t, rapid.SampledFrom(tool.Dialects()).Draw(t, "from"))
		to := rapid.SampledFrom(tool.Dialects()).Draw(t, "to")
		kept := from.Clone()
		copied, losses := tool.Map(from, to)
		if !from.Equal(kept) || copied.Dialect != to {
			t.Fatalf("got %v from %v", copied, from)
		}
		if slices.ContainsFunc(losses, func(l tool.Loss) bool { return l.Widens }) {
			return
		}
		source, got := tool.Resolve(from), tool.Resolve(copied)
		if !got.Certain {
			if from.Dialect != to && len(beyond(tool.Resolve(claude(omitted)), source)) > 0 {
				t.Fatalf("%v became %v, which is not certain, without a word", from, copied)
			}
			return
		}
		if extra := beyond(got, source); len(extra) > 0 {
			t.Fatalf("%v became %v, which also grants %v", from, copied, extra)
		}
		if to != from.Dialect && (len(got.Unknown) > 0 || len(got.Other) > 0) {
			t.Fatalf("the copy names %v %v", got.Unknown, got.Other)
		}
	})
}

// beyond lists what a grants and b does not.
func beyond(a, b tool.Grants) []string {
	var out []string
	for _, g := range a.Atoms {
		if have := b.Level(g.Atom); have != tool.On && g.Level != have && g.Level != tool.Off {
			out = append(out, string(g.Atom))
		}
	}
	for _, s := range a.Servers {
		name, _, _ := strings.Cut(s, "/")
		if !slices.Contains(b.Servers, s) && !slices.Contains(b.Servers, name) && !slices.Contains(b.Servers, "@*") {
			out = append(out, s)
		}
	}
	return out
}
