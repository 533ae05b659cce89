package profile_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/profile"
)

func ruleOf(err error) string {
	if err == nil {
		return ""
	}
	return fault.RuleOf(err)
}

// sample is one agent of the fixture tree. The diffs are what editing the
// description and the instructions shows, its lines after "-" and "+".
type sample struct {
	path, key    string
	format       profile.Format
	name         string
	granted      string
	enabled      bool
	rules        string
	description  []string
	instructions []string
}

const (
	oldText  = "Reads a diff and says what is wrong with it"
	newText  = `Says: "it" # new`
	newLines = "You write.\nTwo \"lines\"."
)

var samples = []sample{
	{
		".claude/agents/reviewer.md", "", profile.ClaudeCode, "reviewer", "fs_read fs_list", true, "",
		[]string{"-3 description: " + oldText, "+3 description: 'Says: \"it\" # new'"},
		[]string{"-8 You review changes.", "+8 You write.", `+9 Two "lines".`},
	},
	{
		".codex/agents/reviewer.toml", "", profile.Codex, "reviewer", "fs_read fs_list ~execute_bash", true, "",
		[]string{`-3 description = "` + oldText + `" # one line`, `+3 description = "Says: \"it\" # new" # one line`},
		[]string{"-8 You review changes.", "-9 Say the file and the line.", "-10 '''", "+8 You write.", `+9 Two "lines".'''`},
	},
	{
		".cursor/agents/reviewer.md", "", profile.Cursor, "reviewer", "", false, "5 tools_default",
		[]string{"-3 description: " + oldText, "+3 description: 'Says: \"it\" # new'"},
		[]string{"-8 You review changes.", "+8 You write.", `+9 Two "lines".`},
	},
	{
		".gemini/agents/reviewer.md", "", profile.Gemini, "reviewer", "fs_read ~fs_list", true, "",
		[]string{"-4 description: " + oldText, "+4 description: 'Says: \"it\" # new'"},
		[]string{"-13 You review changes.", "+13 You write.", `+14 Two "lines".`},
	},
	{
		".github/agents/reviewer.agent.md", "", profile.VSCode, "reviewer", "fs_read fs_list @github", true, "",
		[]string{"-2 description: " + oldText, "+2 description: 'Says: \"it\" # new'"},
		[]string{"-11 You review changes.", "+11 You write.", `+12 Two "lines".`},
	},
	{
		".goose/recipes/ask.json", "", profile.Goose, "Ask", "", false, "1 tools_default",
		[]string{`-4   "description": "Asks one question",`, `+4   "description": "Says: \"it\" # new",`},
		[]string{`-5   "prompt": "Ask me about {{ topic }}.",`, `+5   "prompt": "You write.\nTwo \"lines\".",`},
	},
	{
		".goose/recipes/review.yaml", "", profile.Goose, "Review a change", "@docs/find", true, "12 no_delegation",
		[]string{"-3 description: " + oldText, "+3 description: 'Says: \"it\" # new'"},
		[]string{"-4 instructions: |", "-5   You review changes in {{ language }}.", "-6   Say the file and the line.", "+4 instructions: |-", "+5   You write.", `+6   Two "lines".`},
	},
	{
		".opencode/agents/team/reviewer.md", "", profile.OpenCode, "team/reviewer", "", false, "1 tools_default",
		[]string{"-2 description: " + oldText, "+2 description: 'Says: \"it\" # new'"},
		[]string{"-7 You review changes.", "+7 You write.", `+8 Two "lines".`},
	},
	{
		".opencode/agents/writer.md", "", profile.OpenCode, "writer", "", false, "3 tools_not_known",
		[]string{"-2 description: Writes the changelog", "+2 description: 'Says: \"it\" # new'"},
		[]string{"+10 Two \"lines\"."},
	},
	{
		"cli-agent-orchestrator/agent-store/code_reviewer.md", "", profile.CAO, "code_reviewer", "fs_read fs_list ~execute_bash @cao-mcp-server", true, "",
		[]string{"-3 description: " + oldText, "+3 description: 'Says: \"it\" # new'"},
		[]string{"-13 You review changes.", "+13 You write.", `+14 Two "lines".`},
	},
	{
		"opencode.jsonc", "agent/planner", profile.OpenCode, "planner", "", false, "9 tools_not_known",
		[]string{`-6       "description": "Plans the work", // short`, `+6       "description": "Says: \"it\" # new", // short`},
		[]string{`-8       "prompt": "Plan first.\nThen ask.",`, `+8       "prompt": "You write.\nTwo \"lines\".",`},
	},
	{
		"opencode.jsonc", "agent/tester", profile.OpenCode, "tester", "", false, "11 tools_default",
		[]string{`-12       "description": "Runs the tests",`, `+12       "description": "Says: \"it\" # new",`},
		[]string{`+14       "prompt": "You write.\nTwo \"lines\".",`},
	},
}

func TestFormatFixtures(t *testing.T) {
	root := filepath.Join("testdata", "formats")
	l := scan(t, root)
	if len(l.Skipped) > 0 || l.Cut || len(l.Files) != len(samples) {
		t.Fatalf("%d files, skipped %v", len(l.Files), l.Skipped)
	}
	for i, s := range samples {
		t.Run(s.path+s.key, func(t *testing.T) {
			f := l.Files[i]
			rel, err := filepath.Rel(l.Folder, f.Path)
			if err != nil {
				t.Fatal(err)
			}
			got := sample{path: filepath.ToSlash(rel), key: f.Agent.Source.Key, format: f.Format, name: f.Agent.Identity.Name, enabled: f.Agent.Enabled, rules: rules(f)}
			got.granted = strings.Join(f.Agent.Grants().Effective(), " ")
			got.description = editedLines(t, f, func(a *agent.Agent) { a.Identity.Description = newText })
			got.instructions = editedLines(t, f, func(a *agent.Agent) { a.Identity.Instructions = newLines })
			if diff := cmp.Diff(s, got, cmp.AllowUnexported(sample{})); diff != "" {
				t.Errorf("want -, got +\n%s", diff)
			}
		})
	}
}

// editedLines is what a diff shows of one edit.
func editedLines(t *testing.T, f profile.File, change func(*agent.Agent)) []string {
	t.Helper()
	next := f.Agent.Clone()
	change(&next)
	c, err := profile.Patch(*f.Agent.Source, next)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range profile.DiffLines(c.Before, c.After) {
		switch d.Kind {
		case profile.LineAdded:
			out = append(out, "+"+itoa(d.Line)+" "+d.Text)
		case profile.LineRemoved:
			out = append(out, "-"+itoa(d.Line)+" "+d.Text)
		case profile.LineSame:
		}
	}
	return out
}
