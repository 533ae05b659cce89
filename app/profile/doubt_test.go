package profile_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/tool"
)

// front reads a file of these front matter lines.
func front(t *testing.T, lines string) profile.File {
	t.Helper()
	f, err := readClaude("/a/x.md", []byte("---\n"+lines+"---\nbody\n"))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestLinesThatStateTools: each of these is named in a warning and grants
// nothing, wherever it stands in a file that had to be repaired.
func TestLinesThatStateTools(t *testing.T) {
	for name, line := range map[string]string{
		"capitals":             "TOOLS: Read",
		"wide colon":           "tools：Read",
		"dashed denial":        "disallowed-tools:Bash",
		"tagged":               "!!str tools: Read",
		"anchored":             "&t tools: Read",
		"colon on next line":   "tools\n: Read",
		"long key":             "? \"to\\\n  ols\"\n: Read",
		"merge":                "<<:{tools: Read}",
		"later in a mapping":   "{color: red, \"tools\": [Read]}",
		"in a mapping of many": "{\n  color: red,\n  tools: Read }",
		"behind a return":      "x\rtools: Read",
		"behind a separator":   "x\u2028tools: Read",
		"longer escape":        "\"\\U00000074ools\": Read",
		"in a text block":      "x: |\n  tools: Read",
		"below another":        "x:\n  tools: Read",
	} {
		for _, before := range []string{"name: a\ndescription: d: e\n", "description: d\nand: so: on\n<b>\nname: a\n"} {
			f := front(t, before+line+"\n")
			first := 2 + strings.Count(before, "\n")
			named := false
			for _, p := range f.Problems {
				named = named || p.Level == profile.Warning && p.Rule == "tools_unread" && p.Line >= first
			}
			if f.Certain || f.Agent.Enabled || len(f.Agent.Grants().Effective()) > 0 || !named {
				t.Errorf("%s: certain %v, %v", name, f.Certain, f.Problems)
			}
		}
	}
}

// TestProseAboutTools: text that only speaks of tools states none.
func TestProseAboutTools(t *testing.T) {
	for _, line := range []string{
		"Use the tools to: review", "tools are good: use them", "Use it for tools: none", "user: \"Which tools: all?\"", "# tools: Read",
		"tools", "Toolsmith: x", "Use a, b, tools: none", "my-tools: x",
	} {
		f := front(t, "name: a\ndescription: Use it. Examples:\n\n<example>\n"+line+"\n</example>\n\nmodel: m\n")
		if !f.Certain || !f.Agent.Enabled || f.Agent.Run.Model != "m" || !strings.Contains(f.Agent.Identity.Description, line) {
			t.Errorf("%q: certain %v, description %q, %v", line, f.Certain, f.Agent.Identity.Description, f.Problems)
		}
	}
}

// TestOddKeysInStrictYAML: what YAML takes for another key or value may still
// be meant to state tools.
func TestOddKeysInStrictYAML(t *testing.T) {
	for lines, certain := range map[string]bool{
		"disallowedTools:Bash(a: b)\n":             false,
		"\"tools:\": Read\n":                       false,
		"model: m\n  tools:Read\n":                 false,
		"skills:\n- a\n- disallowedTools: Bash\n":  false,
		"disallowedTools:\nBash: x\n":              false,
		"disallowedTools:\nmodel: m\n":             true,
		"disallowedTools: Bash\nRead(a: b)\n":      false,
		"disallowedTools: Bash\nx: y\n":            true,
		"description: |\n  Examples\n  tools: x\n": true,
		"hooks:\n  x:\n    tools: Read\n":          true,
		"my-tools: x\nTools2: y\n":                 true,
	} {
		if f := front(t, "name: a\n"+lines); f.Certain != certain {
			t.Errorf("%q: certain %v, %v", lines, f.Certain, f.Problems)
		}
	}
}

// TestALineThatStatesToolsStays: an edit of another field that would take the
// line away is refused, even where something else stays doubtful.
func TestALineThatStatesToolsStays(t *testing.T) {
	in := "---\nname: a\ndescription: d\ntools:Read\nmodel: m\n tools: Bash\n---\n"
	for name, change := range map[string]func(*agent.Agent){
		"its value":   func(a *agent.Agent) { a.Identity.Description = "e" },
		"other value": func(a *agent.Agent) { a.Run.Model = "n" },
		"removal":     func(a *agent.Agent) { a.Run.Model = "" },
		"the tools":   func(a *agent.Agent) { a.Access.Tools = tool.Of("Read") },
	} {
		if c, err := edit(t, in, change); !errors.Is(err, profile.ErrReadBack) {
			t.Errorf("%s: %v, %q", name, err, c.After)
		}
	}
	c, err := edit(t, in, func(a *agent.Agent) { a.Identity.Name = "b" })
	if err != nil || !strings.Contains(string(c.After), "\ntools:Read\nmodel: m\n tools: Bash\n") {
		t.Errorf("%v, %q", err, c.After)
	}
}

func TestCutTextsAreNoticed(t *testing.T) {
	for lines, line := range map[string]int{
		"name: a\ndescription: d # c\n":      3,
		"name: a\ndescription: d\n  e # c\n": 4,
		"name: a\ndescription:\n  d # c\n":   4,
		"name: a # c\ndescription: d\n":      2,
		"name: a\ndescription: 'd' # c\n":    0,
		"name: a\ndescription: d#c\n":        0,
		"name: a\ndescription: d\n# c\n":     0,
		"name: a\ndescription: # c\n  d\n":   0,
		"name: a\ndescription: | # c\n  d\n": 0,
	} {
		got := 0
		for _, p := range front(t, lines).Problems {
			if p.Rule == "inline_comment" {
				got = p.Line
			}
		}
		if got != line {
			t.Errorf("%q: line %d, want %d", lines, got, line)
		}
	}
}

// TestScanOfALinkedProject: a chosen folder that is a link is read, a link
// inside that stays inside too, one that leads out is refused.
func TestScanOfALinkedProject(t *testing.T) {
	dir := realDir(t)
	put(t, filepath.Join(dir, "project", "agents", "a.md"), "---\nname: a\ndescription: d\n---\n")
	link := func(to, at string) string {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, at); err != nil {
			t.Fatal(err)
		}
		return at
	}
	link(filepath.Join("..", "agents"), filepath.Join(dir, "project", ".claude", "agents"))
	inside := filepath.Join(dir, "project", "agents")
	for _, path := range []string{filepath.Join(dir, "project"), link("project", filepath.Join(dir, "linked")), link(inside, filepath.Join(dir, "other", "agents"))} {
		l, err := profile.Scan(t.Context(), path)
		if err != nil || len(l.Files) != 1 || l.Folder != inside {
			t.Errorf("%s: %v, %v", path, l.Files, err)
		}
	}
	// What was chosen here is the .claude folder, and its agents are elsewhere.
	if l, err := profile.Scan(t.Context(), filepath.Join(dir, "project", ".claude")); !errors.Is(err, profile.ErrLinkOutside) {
		t.Errorf("%v, %v", l.Files, err)
	}
}
