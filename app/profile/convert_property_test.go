package profile_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/profile/frontmatter"
	"callboard/app/tool"
)

// anyTokens are tokens of several dialects, patterns, servers and nonsense.
var anyTokens = []string{
	"*", "Read", "Grep", "Glob", "Edit", "Write", "Bash", "Bash(git *)", "WebFetch", "WebSearch", "Agent", "LS", "Task", "Nope",
	"mcp__docs", "mcp__docs__find", "@docs", "@docs/find", "@builtin", "@cao-mcp-server", "fs_read", "fs_*", "execute_bash",
	"read", "search", "edit", "execute", "web", "agent", "docs/*", "docs/find", "read/readFile", "runCommands",
	"read_file", "glob", "grep_search", "list_directory", "replace", "run_shell_command", "mcp_*", "mcp_docs_*", "mcp_docs_find",
	"developer", "summon", "memory",
}

// drawAgent is any agent of any format, valid or not.
func drawAgent(t *rapid.T) agent.Agent {
	text := rapid.OneOf(rapid.String(), rapid.StringN(0, 40, -1), rapid.SampledFrom([]string{"", "a", "a: b", "---", "'''", "\"\"\"\n", "x\r\ny", "\n\n", "# c", "- a"}))
	word := rapid.SampledFrom([]string{"", "sonnet", "inherit", "gpt-5.4", "gemini-3-pro", "openai/gpt-5.4", "claude-opus-4", "o3", "a: b"})
	tokens := rapid.SliceOfN(rapid.SampledFrom(anyTokens), 0, 5)
	a := agent.Agent{
		Identity: agent.Identity{
			Name:         rapid.OneOf(rapid.SampledFrom(nastyNames), rapid.String()).Draw(t, "name"),
			Description:  text.Draw(t, "description"),
			Instructions: text.Draw(t, "instructions"),
		},
		Run:  agent.Run{Model: word.Draw(t, "model"), Effort: rapid.SampledFrom([]string{"", "low", "high", "max"}).Draw(t, "effort")},
		Look: agent.Look{Color: rapid.SampledFrom([]string{"", "red"}).Draw(t, "color")},
	}
	a.Access.Dialect = tool.Dialect(rapid.SampledFrom(profile.Formats()).Draw(t, "from"))
	a.Access.Tools = tool.Of(tokens.Draw(t, "tools")...)
	if len(a.Access.Tools.Tokens) == 0 {
		a.Access.Tools.Stated = rapid.SampledFrom([]tool.Statement{tool.Omitted, tool.Empty, tool.Unread}).Draw(t, "stated")
	}
	a.Access.Denied = tokens.Draw(t, "denied")
	a.Access.Bound = rapid.SampledFrom([]string{"", "read-only", "workspace-write", "danger-full-access", "true", "false", "reviewer", "nope"}).Draw(t, "bound")
	return a
}

// TestPropertyConvert: any agent converts so that the new file says the same
// and grants no more without a word, or is refused.
func TestPropertyConvert(t *testing.T) {
	converted, refused := 0, 0
	checkOften(t, func(t *rapid.T) {
		a := drawAgent(t)
		to := rapid.SampledFrom(profile.Formats()).Draw(t, "to")
		c, err := profile.Convert(a, to)
		if err != nil {
			mustBeFault(t, err)
			refused++
			return
		}
		converted++
		got, err := readConverted(c)
		if err != nil {
			t.Fatal(err)
		}
		is, want := got.Agent.Identity, a.Identity
		want.Instructions = frontmatter.Normal(want.Instructions)
		if want.Name = is.Name; fateOf(c, "name", profile.Mapped) == "" {
			want.Name = a.Identity.Name
		}
		if is != want {
			t.Fatalf("%+v became %+v\n%s", want, is, c.Data)
		}
		got.Agent.Source = nil
		if len(agent.Diff(got.Agent, c.Agent)) > 0 {
			t.Fatalf("%+v reads back as %+v", c.Agent, got.Agent)
		}
		if strings.ContainsAny(c.Name, `/\`) || strings.HasPrefix(c.Name, ".") {
			t.Fatalf("the file is called %q", c.Name)
		}
		notWiderThan(func(f string, args ...any) { t.Fatalf(f, args...) }, a, c)
	})
	if converted < 2*refused {
		t.Errorf("%d converted, %d refused", converted, refused)
	}
}
