package profile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/tool"
)

// quirk is what must hold of one fixture: a file that some version of Claude
// Code, or of another reader, got wrong.
type quirk struct {
	name, description, model, color, body string // "" is as usual, "-" is empty
	tools                                 tool.List
	granted                               string // of tool.Grants.Effective
	rules                                 string // of the problems that are no notes on tools
	noAgent                               bool
}

const allGranted = "fs_read fs_list fs_write execute_bash web_fetch @*"

var quirks = map[string]quirk{
	"bom":                  {tools: tool.Of("Read"), granted: "fs_read"},
	"colon_in_description": {description: "Use this agent when: the user asks for a review", model: "sonnet", tools: tool.Of("Read", "Grep"), granted: "fs_read ~fs_list", rules: "repaired_text"},
	"word_word":            {description: `Reviews code. Triggers: review: all, audit: "some"`, model: "opus", tools: tool.Of("Read"), granted: "fs_read", rules: "repaired_text"},
	"numeric_name":         {name: "0123", description: "1e3", tools: tool.Of("Read"), granted: "fs_read"},
	"boolean_name":         {name: "yes", description: "no", tools: tool.Of("Read"), granted: "fs_read"},
	"date_name":            {name: "2024-01-01", description: "12:30:45", tools: tool.Of("Read"), granted: "fs_read"},
	"full_model_id":        {model: "claude-opus-4-5-20251101", tools: omitted, granted: allGranted},
	"several_agents":       {name: "lead", description: "Delegates", tools: tool.Of("Agent(a, b)", "Read", "Agent(c)"), granted: "fs_read ~execute_bash"},
	"readme":               {name: "readme", description: "-", body: "# Our agents\n\nname: not one\n\n---\n\ntools: Bash", tools: unread, rules: "not_an_agent", noAgent: true},
	"inline_hash":          {description: "Fixes #12 # and C#", model: "a#b", tools: tool.Of("Read", "Grep"), granted: "fs_read ~fs_list", rules: "inline_comment"},
	"brace_bomb":           {tools: tool.Of("Bash(" + strings.Repeat("{a,b}", 400) + ")"), granted: "", rules: "limit"},
	"unindented_example": {
		name: "agent-creator", description: "*", model: "sonnet", color: "magenta", tools: tool.Of("Write", "Read"),
		granted: "fs_read ~fs_write", rules: "repaired_unindented",
	},
	"tools_blank":       {model: "sonnet", tools: empty, rules: "tools_empty"},
	"tools_empty":       {tools: empty, rules: "tools_empty"},
	"tools_omitted":     {tools: omitted, granted: allGranted},
	"tools_wildcard":    {tools: tool.Of("*"), granted: allGranted},
	"tools_string":      {tools: tool.Of("Read", "Grep", "Bash(git diff:*, git log:*)", "mcp__srv__tool"), granted: "fs_read ~fs_list ~execute_bash @srv/tool"},
	"tools_list":        {tools: tool.Of("Read", "Bash(git diff:*, git log:*)", "mcp__srv__*"), granted: "fs_read ~execute_bash @srv"},
	"model_list":        {model: "-", tools: tool.Of("Read"), granted: "fs_read", rules: "value_not_text"},
	"crlf":              {tools: tool.Of("Read", "Grep"), body: "You review code.\n\nAll of it.", granted: "fs_read ~fs_list"},
	"mixed_eol":         {tools: tool.Of("Read"), body: "You review code.\nAll of it.\nReally.", granted: "fs_read"},
	"no_final_newline":  {tools: tool.Of("Read"), granted: "fs_read"},
	"closed_at_the_end": {tools: tool.Of("Read"), body: "-", granted: "fs_read"},
	"twice":             {name: "two", tools: tool.Of("Read"), granted: "fs_read", rules: "key_twice"},
	"tools_twice":       {tools: unread, rules: "key_twice tools_unread"},
	"newer_fields":      {tools: tool.Of("Read"), granted: "fs_read"},
	"spaced_name":       {name: "Code  Reviewer", tools: tool.Of("Read"), granted: "fs_read"},
	"capital_name":      {name: "CodeReviewer", tools: tool.Of("Read"), granted: "fs_read"},
	"underscored_name":  {name: "code_reviewer", tools: tool.Of("Read"), granted: "fs_read"},
	"emoji_name":        {name: "🚀 数据库专家 مراجع cafe\u0301", tools: tool.Of("Read"), granted: "fs_read"},
}

func quirkFile(t *testing.T, name string) ([]byte, profile.File) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "quirks", name+".md"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := readClaude("/agents/"+name+".md", data)
	if err != nil {
		t.Fatal(err)
	}
	return data, f
}

func TestQuirks(t *testing.T) {
	for name, q := range quirks {
		t.Run(name, func(t *testing.T) {
			_, f := quirkFile(t, name)
			a := f.Agent
			got := map[string]string{"name": a.Identity.Name, "description": a.Identity.Description, "model": a.Run.Model, "color": a.Look.Color, "body": a.Identity.Instructions}
			wanted := map[string]string{
				"name": usual(q.name, "reviewer"), "description": usual(q.description, "Reviews code"),
				"model": usual(q.model, ""), "color": usual(q.color, ""), "body": usual(q.body, "You review code."),
			}
			if q.description == "*" {
				wanted["description"] = got["description"]
			}
			if diff := cmp.Diff(wanted, got); diff != "" {
				t.Errorf("want -, got +\n%s", diff)
			}
			if !a.Access.Tools.Equal(q.tools) || len(a.Access.Denied) > 0 {
				t.Errorf("access = %+v, want %v", a.Access, q.tools)
			}
			certain := q.tools.Stated == tool.Omitted || q.tools.Stated == tool.Listed
			if f.Certain != certain || f.IsAgent == q.noAgent {
				t.Errorf("certain %v, agent %v", f.Certain, f.IsAgent)
			}
			granted := strings.Join(a.Grants().Effective(), " ")
			if name == "brace_bomb" {
				granted = "" // Bash with a pattern beyond a limit: only that it is not enabled matters
			}
			if granted != q.granted || a.Enabled != (certain && name != "brace_bomb") {
				t.Errorf("grants %q, enabled %v", granted, a.Enabled)
			}
			if rules := quirkRules(f); rules != q.rules {
				t.Errorf("problems %q, want %q", rules, q.rules)
			}
		})
	}
}

func usual(s, otherwise string) string {
	switch s {
	case "":
		return otherwise
	case "-":
		return ""
	}
	return s
}

func quirkRules(f profile.File) string {
	var out []string
	for _, p := range f.Problems {
		if p.Rule != "tool_note" && !slices.Contains(out, p.Rule) {
			out = append(out, p.Rule)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// TestQuirksAreWrittenBack: each fixture is identical when untouched, and an
// edit of what it says in an odd way is one span that leaves the rest alone.
func TestQuirksAreWrittenBack(t *testing.T) {
	for name, q := range quirks {
		t.Run(name, func(t *testing.T) {
			data, f := quirkFile(t, name)
			c, err := patchClaude(data, f.Path, f.Agent)
			if err != nil || len(c.Spans)+len(c.Fields) > 0 || !bytes.Equal(c.After, data) {
				t.Fatalf("untouched: %v, %v", err, c.Spans)
			}
			if q.noAgent {
				return
			}
			for field, change := range map[agent.Field]func(*agent.Agent){
				agent.Description:  func(a *agent.Agent) { a.Identity.Description = "Says: 'another' # thing" },
				agent.Model:        func(a *agent.Agent) { a.Run.Model = "haiku" },
				agent.Effort:       func(a *agent.Agent) { a.Run.Effort = "low" },
				agent.Instructions: func(a *agent.Agent) { a.Identity.Instructions += "\nAnd more." },
				agent.Tools:        func(a *agent.Agent) { a.Access.Tools = tool.Of("Glob", "Bash(git log:*)") },
			} {
				if field == agent.Tools && name == "tools_twice" || name == "brace_bomb" {
					continue
				}
				quirkEdit(t, data, f, field, change)
			}
		})
	}
}

func quirkEdit(t *testing.T, data []byte, f profile.File, field agent.Field, change func(*agent.Agent)) {
	t.Helper()
	next := f.Agent.Clone()
	change(&next)
	c, err := patchClaude(data, f.Path, next)
	if err != nil {
		t.Errorf("%s: %v", field, err)
		return
	}
	if len(c.Spans) != 1 || !slices.Equal(c.Fields, []agent.Field{field}) {
		t.Fatalf("%s: %d spans, fields %v", field, len(c.Spans), c.Fields)
	}
	got, err := readClaude(f.Path, c.After)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(next, got.Agent, sameMeaning); diff != "" {
		t.Errorf("%s: want -, read back +\n%s\n%q", field, diff, c.After)
	}
	if field != agent.Tools && got.Certain != f.Certain {
		t.Errorf("%s: certain is %v now", field, got.Certain)
	}
	for line := range bytes.SplitAfterSeq(data[:c.Spans[0].Start], []byte("\n")) {
		if !bytes.Contains(c.After, line) {
			t.Errorf("%s: %q is gone", field, line)
		}
	}
}

// TestUnindentedExampleIsReadWhole: no line of the description is lost.
func TestUnindentedExampleIsReadWhole(t *testing.T) {
	data, f := quirkFile(t, "unindented_example")
	_, text, _ := strings.Cut(string(data), "description: ")
	text, _, _ = strings.Cut(text, "\n\nmodel:")
	if f.Agent.Identity.Description != text {
		t.Errorf("want -, got +\n%s", cmp.Diff(text, f.Agent.Identity.Description))
	}
}

func TestQuirkFixturesAreAllTested(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join("testdata", "quirks"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, ok := quirks[strings.TrimSuffix(e.Name(), ".md")]; !ok {
			t.Errorf("%s is no test", e.Name())
		}
	}
}
