package profile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"callboard/app/profile"
)

func readAt(t *testing.T, path, text string) profile.File {
	t.Helper()
	files, err := profile.ReadFile(path, []byte(text))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	return files[0]
}

// TestConversionsThatWidenSaySo: what holds an agent back in its own file and
// is not in the copy is reported as wider, whatever key it is.
func TestConversionsThatWidenSaySo(t *testing.T) {
	for name, tc := range map[string]struct {
		path, text string
		to         profile.Format
	}{
		"subagents of a list":   {vscodePath, md("description: d\ntools: [agent, read]\nagents: [x]"), profile.Gemini},
		"no subagents":          {vscodePath, md("description: d\nagents: []"), profile.ClaudeCode},
		"no subagents, a copy":  {vscodePath, md("description: d\nagents: []"), profile.VSCode},
		"a denied server":       {"/r/.claude/agents/a.md", md("name: a\ndescription: d\ndisallowedTools: mcp__prod"), profile.Codex},
		"no servers":            {"/r/.claude/agents/a.md", md("name: a\ndescription: d\ntools: Read, Glob, Grep, Edit, Write, Bash"), profile.Codex},
		"approvals":             {codexPath, toml3 + "sandbox_mode = 'danger-full-access'\napproval_policy = 'untrusted'\n", profile.ClaudeCode},
		"approvals, a copy":     {codexPath, toml3 + "sandbox_mode = 'danger-full-access'\napproval_policy = 'untrusted'\n", profile.Codex},
		"switched off":          {openPath, md("description: d\ndisable: true"), profile.OpenCode},
		"planning only":         {"/r/.claude/agents/a.md", md("name: a\ndescription: d\npermissionMode: plan"), profile.VSCode},
		"a list to CAO":         {"/r/.claude/agents/a.md", md("name: a\ndescription: d\ntools: Read"), profile.CAO},
		"tools nobody can read": {"/r/.claude/agents/a.md", md("name: a\ndescription: d\ntools: {a: b}"), profile.Cursor},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := profile.Convert(readAt(t, tc.path, tc.text).Agent, tc.to)
			if err != nil || !c.Widens() {
				t.Errorf("wider without a word: %v %+v", err, c.Report)
			}
		})
	}
	for name, tc := range map[string]struct {
		path, text string
		to         profile.Format
	}{
		"any subagent": {vscodePath, md("description: d\nagents: '*'"), profile.ClaudeCode},
		"no approvals": {codexPath, toml3 + "sandbox_mode = 'read-only'\napproval_policy = 'never'\n", profile.ClaudeCode},
		"accept edits": {"/r/.claude/agents/a.md", md("name: a\ndescription: d\npermissionMode: acceptEdits"), profile.VSCode},
	} {
		if c, err := profile.Convert(readAt(t, tc.path, tc.text).Agent, tc.to); err != nil || c.Widens() {
			t.Errorf("%s: said to be wider: %v %+v", name, err, c.Report)
		}
	}
}

// TestTheOutermostToolsFolderDecides: its tool reads every folder below.
func TestTheOutermostToolsFolderDecides(t *testing.T) {
	for path, want := range map[string]profile.Format{
		"/r/.claude/agents/.github/agents/x.md":                      profile.ClaudeCode,
		"/r/.claude/agents/cli-agent-orchestrator/agent-store/x.md":  profile.ClaudeCode,
		"/r/.claude/agents/x.agent.md":                               profile.ClaudeCode,
		"/h/.claude/plugins/cache/m/p/1/agents/x.md":                 profile.ClaudeCode,
		"/h/.gemini/extensions/e/agents/x.md":                        profile.Gemini,
		"/r/.github/agents/x.md":                                     profile.VSCode,
		"/h/.config/opencode/agents/x.md":                            profile.OpenCode,
		"/h/.aws/cli-agent-orchestrator/agent-store/sub/x.md":        profile.CAO,
		"/src/cli_agent_orchestrator/agent_store/code_supervisor.md": profile.CAO,
		"/anywhere/x.chatmode.md":                                    profile.VSCode,
		"/anywhere/x.md":                                             profile.ClaudeCode,
	} {
		if f := readAt(t, path, md("name: x\ndescription: d")); f.Format != want {
			t.Errorf("%s is %s, want %s", path, f.Format, want)
		}
	}
	loose := readAt(t, "/p/agents/x.md", md("name: x\ndescription: d\ndisallowedTools: Bash\ninfer: true"))
	if loose.Format != profile.ClaudeCode {
		t.Errorf("a denial is read as %s", loose.Format)
	}
}

// TestManyAgentsOfOneFile: each costs its own part of the file, and one that
// keeps too many for its size is refused whole.
func TestManyAgentsOfOneFile(t *testing.T) {
	file := func(n int, prompt string) []byte {
		var b strings.Builder
		b.WriteString(`{"agent": {`)
		for i := range n {
			fmt.Fprintf(&b, "\n%s\"a%d\": {\"description\": \"d\", \"prompt\": %q}", map[bool]string{true: ","}[i > 0], i, prompt)
		}
		b.WriteString("}}")
		return []byte(b.String())
	}
	files, err := profile.ReadFile("/r/opencode.json", file(900, "x"))
	if err != nil || len(files) != 900 || files[899].Agent.Identity.Name != "a899" || files[899].Agent.Source.Key != "agent/a899" {
		t.Fatalf("%d agents: %v", len(files), err)
	}
	if _, err := profile.ReadFile("/r/opencode.json", file(2000, strings.Repeat("x", 100))); err == nil || !strings.Contains(err.Error(), "too many agents") {
		t.Errorf("got %v", err)
	}
}

func TestVeryManyProblemsAreCut(t *testing.T) {
	names := make([]string, 450)
	for i := range names {
		names[i] = fmt.Sprintf("Nope%d", i)
	}
	f := readAt(t, "/r/.claude/agents/a.md", md("name: a\ndescription: d\ntools: "+strings.Join(names, ", ")))
	if len(f.Problems) > 210 || !slices.ContainsFunc(f.Problems, func(p profile.Problem) bool { return p.Rule == "problems_many" }) {
		t.Errorf("%d problems", len(f.Problems))
	}
}

func TestHeldBackByNamesTheKeys(t *testing.T) {
	f := readAt(t, "/r/.claude/agents/a.md", md("name: a\ndescription: d\npermissionMode: plan\nhooks:\n  x: y\nmaxTurns: 3"))
	if got := profile.HeldBackBy(f.Agent); !slices.Equal(got, []string{"permissionMode", "hooks"}) {
		t.Errorf("got %v", got)
	}
}

// TestMemoryIsPointedOut: it gives an agent tools that its list does not name.
func TestMemoryIsPointedOut(t *testing.T) {
	for text, want := range map[string]bool{"tools: Grep\nmemory: user": true, "memory: user": false, "tools: Grep\nmemory:": false} {
		f := readAt(t, "/r/.claude/agents/a.md", md("name: a\ndescription: d\n"+text))
		if got := slices.ContainsFunc(f.Problems, func(p profile.Problem) bool { return p.Rule == "memory_tools" }); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
