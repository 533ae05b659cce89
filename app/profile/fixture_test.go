package profile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/tool"
)

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".md"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func read(t testing.TB, name string) profile.File {
	t.Helper()
	f, err := readClaude("/agents/"+name+".md", fixture(t, name))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return f
}

// want is what one fixture reads as; empty fields are not compared except
// tools.
type want struct {
	name, description, model, effort, color string
	body                                    string
	tools                                   tool.List
	denied                                  []string
	off                                     bool
	rules                                   string // "line rule" of every problem that is no tool note
}

const body = "You review code.\n\n- first\n- second"

var (
	omitted = tool.List{Stated: tool.Omitted}
	empty   = tool.List{Stated: tool.Empty}
	unread  = tool.List{Stated: tool.Unread}
)

var fixtures = map[string]want{
	"plain":                  {name: "reviewer", description: "Reviews code", model: "sonnet", tools: tool.Of("Read", "Grep", "Bash(git log *)")},
	"bom":                    {name: "reviewer", description: "Reviews code", tools: tool.Of("Read")},
	"crlf":                   {name: "reviewer", description: "One\n\nTwo\n", tools: tool.Of("Read", "Grep")},
	"mixed_eol":              {name: "reviewer", description: "Reviews code", tools: tool.Of("Read"), body: "One\nTwo\nThree\nFour"},
	"no_final_newline":       {name: "reviewer", tools: omitted, body: "You review code."},
	"no_body":                {name: "reviewer", tools: omitted, body: "-"},
	"comments":               {name: "reviewer", description: "Uses # and 'quotes'", color: "blue", tools: tool.Of("Read", "Grep"), rules: "3 inline_comment"},
	"colon_in_description":   {name: "reviewer", description: "Use this when: the user asks", tools: tool.Of("Read"), rules: "3 repaired_text, 3 inline_comment"},
	"unindented_examples":    {name: "agent-creator", model: "sonnet", tools: tool.Of("Write", "Read"), rules: "3 repaired_unindented"},
	"unindented_block":       {name: "reviewer", description: "Use this agent: always.\nuser: \"hi\"\nAnd more.", model: "sonnet", tools: omitted, rules: "3 repaired_unindented"},
	"numeric_name":           {name: "007", tools: tool.Of("Read")},
	"boolean_name":           {name: "true", tools: tool.Of("Read")},
	"null_name":              {name: "null", tools: tool.Of("Read")},
	"full_model_id":          {model: "claude-opus-4-5-20251101", effort: "high", tools: omitted},
	"several_agents":         {tools: tool.Of("Agent(a, b)", "Agent(c)", "Read")},
	"inline_hash":            {name: "reviewer", description: "Fix #12 # not a comment", tools: tool.Of("Read"), rules: "2 inline_comment"},
	"brace_bomb":             {tools: tool.Of("Bash(" + strings.Repeat("{a,b}", 80) + ")"), rules: "5 repaired_text"},
	"folded":                 {description: "Reviews code and more.\nSecond paragraph.", tools: tool.Of("Read")},
	"literal":                {description: "Reviews code:\n  - deep\n\nDone.\n", tools: tool.Of("Read")},
	"unknown_keys":           {name: "reviewer", tools: omitted},
	"emoji_name":             {name: "🚀 数据库专家 مراجع", tools: tool.Of("Read")},
	"twice":                  {name: "two", model: "a", tools: omitted, rules: "4 key_twice"},
	"tools_twice":            {tools: unread, off: true, rules: "5 key_twice, 5 tools_unread"},
	"tools_blank":            {tools: empty, off: true, rules: "4 tools_empty"},
	"tools_null":             {tools: empty, off: true, rules: "4 tools_empty"},
	"tools_empty_list":       {tools: empty, off: true, rules: "4 tools_empty"},
	"tools_wildcard":         {tools: tool.Of("*")},
	"tools_bare_wildcard":    {tools: unread, off: true, rules: "4 repaired_text, 4 tools_unread"},
	"tools_block":            {tools: tool.Of("Read", "Grep", "Bash(git log *)")},
	"tools_block_unindented": {tools: tool.Of("Read", "Grep"), model: "sonnet"},
	"tools_flow_lines":       {tools: tool.Of("Read", "Grep")},
	"tools_mapping":          {tools: unread, off: true, rules: "4 tools_unread"},
	"tools_nested":           {tools: unread, off: true, rules: "4 tools_unread"},
	"tools_number":           {tools: unread, off: true, rules: "4 tools_unread"},
	"tools_number_in_list":   {tools: unread, off: true, rules: "4 tools_unread"},
	"tools_spaces":           {tools: unread, off: true, rules: "4 tools_unread"},
	"tools_open_bracket":     {tools: unread, off: true, rules: "4 tools_unread"},
	"denied_unread":          {tools: unread, off: true, rules: "5 denied_unread"},
	"denied":                 {tools: omitted, denied: []string{"Bash", "mcp__x__*", "Nope"}, rules: "4 tool_unknown"},
	"alias":                  {tools: unread, off: true, rules: "3 yaml_special, 3 value_not_text, 3 description_missing, 4 repaired_text, 5 repaired_text, 5 tools_unread"},
	"alias_tools":            {tools: unread, off: true, rules: "4 yaml_special, 5 yaml_special, 5 tools_unread"},
	"alias_bomb":             {tools: tool.Of("Read"), rules: "4 yaml_special, 5 yaml_special, 6 yaml_special, 7 yaml_special"},
	"tag":                    {name: "tag", tools: tool.Of("Read"), rules: "2 yaml_special, 2 value_not_text, 2 name_missing"},
	"merge":                  {name: "one", tools: unread, off: true, rules: "1 tools_unread, 2 yaml_special, 3 yaml_merge"},
	"document_end":           {name: "one", tools: unread, off: true, rules: "4 front_matter_form, 5 tools_unread"},
	"flow_root":              {name: "flow_root", tools: unread, off: true, rules: "1 name_missing, 1 description_missing, 2 front_matter_form, 2 tools_unread"},
	"escaped_key":            {name: "one", tools: unread, off: true, rules: "2 front_matter_form, 3 repaired_unindented, 4 tools_unread"},
	"quoted_keys":            {name: "one", description: "d", tools: tool.Of("Read")},
	"indented_keys":          {tools: unread, off: true, rules: "1 name_missing, 1 description_missing, 2 front_matter_form, 4 tools_unread"},
	"open_quote":             {description: `"never closed`, model: "sonnet", tools: tool.Of("Read"), rules: "3 repaired_text"},
	"quote_then_text":        {description: `"Fast" reviewer`, tools: tool.Of("Read"), rules: "3 repaired_text"},
	"two_line_plain":         {description: "first second\nthird", tools: tool.Of("Read")},
	"next_line":              {description: "first", tools: tool.Of("Read", "Grep"), rules: "4 inline_comment"},
	"carriage_return":        {tools: unread, off: true, rules: "1 carriage_return, 2 front_matter_form, 3 repaired_text, 3 tools_unread"},
	"line_separator":         {description: "a\u2028b", tools: tool.Of("Read"), rules: "3 repaired_text"},
	"hidden":                 {tools: omitted, body: "fine\nbad\U000e0041\U000e0042\nrev\u202eersed", rules: "6 hidden_characters, 7 hidden_characters"},
	"latin1":                 {tools: omitted, body: "caf\xe9", off: true, rules: "5 not_utf8, 5 limit"},
	"reserved_name":          {name: "Small-reviewer-0a1b", tools: tool.Of("Read"), off: true, rules: "2 name_reserved"},
	"no_name":                {name: "no_name", tools: omitted, rules: "1 name_missing"},
	"no_description":         {name: "one", tools: omitted, rules: "1 description_missing"},
	"too_long":               {tools: omitted, off: true, rules: "2 limit"},
	"no_front_matter":        {name: "no_front_matter", tools: unread, off: true, body: "# Read me\n\nThis is no agent.", rules: "1 not_an_agent"},
	"empty_front_matter":     {name: "empty_front_matter", tools: omitted, body: "body", rules: "1 name_missing, 1 description_missing"},
	"model_list":             {model: "", tools: omitted, rules: "4 value_not_text"},
}

func TestFixtures(t *testing.T) {
	for name, w := range fixtures {
		t.Run(name, func(t *testing.T) {
			f := read(t, name)
			a := f.Agent
			for what, pair := range map[string][2]string{
				"name": {w.name, a.Identity.Name}, "description": {w.description, a.Identity.Description},
				"model": {w.model, a.Run.Model}, "effort": {w.effort, a.Run.Effort}, "color": {w.color, a.Look.Color},
			} {
				if pair[0] != "" && pair[0] != pair[1] {
					t.Errorf("%s = %q, want %q", what, pair[1], pair[0])
				}
			}
			b := w.body
			if b == "" {
				b = body
			}
			if a.Identity.Instructions != strings.TrimPrefix(b, "-") && a.Identity.Instructions != b {
				t.Errorf("instructions = %q", a.Identity.Instructions)
			}
			if !a.Access.Tools.Equal(w.tools) || !cmp.Equal(a.Access.Denied, w.denied) {
				t.Errorf("tools = %v, denied %v", a.Access.Tools, a.Access.Denied)
			}
			if a.Enabled == w.off || (w.tools.Stated == tool.Unread || w.tools.Stated == tool.Empty) == f.Certain {
				t.Errorf("enabled %v, certain %v", a.Enabled, f.Certain)
			}
			if !f.Certain && len(a.Grants().Effective()) > 0 {
				t.Errorf("grants %v without being certain", a.Grants().Effective())
			}
			if got := rules(f); got != w.rules {
				t.Errorf("problems = %s, want %s", got, w.rules)
			}
		})
	}
}

func rules(f profile.File) string {
	var out []string
	for _, p := range f.Problems {
		if p.Rule != "tool_note" {
			out = append(out, itoa(p.Line)+" "+p.Rule)
		}
	}
	return strings.Join(out, ", ")
}

func TestUntouchedIsIdentical(t *testing.T) {
	for name := range fixtures {
		t.Run(name, func(t *testing.T) {
			f := read(t, name)
			c, err := patchClaude(f.Agent.Source.Original, f.Path, f.Agent)
			if err != nil {
				t.Fatal(err)
			}
			if len(c.Spans) > 0 || len(c.Fields) > 0 || !bytes.Equal(c.After, fixture(t, name)) {
				t.Errorf("changed: %v", c)
			}
		})
	}
}

// TestEveryFieldOfEveryFixture edits one field at a time: the result is one
// span that reads back, or a refusal.
func TestEveryFieldOfEveryFixture(t *testing.T) {
	texts := []string{"x", "a: b # c", "it's \"so\"", "true", "- dash", "🚀 مراجع", " lead", "trail ", "*", "[a]", "#1", "a\\b", "x:", "\ttab", "one\ntwo", "one\n\n  two\n", "a\n<b>\nuser: c", "\n\n", "", "a\u2028b\u0085", "a\r\nb"}
	lists := []tool.List{omitted, tool.Of("Read"), tool.Of("*"), tool.Of("Bash(git *)", "Agent(a, b)", "mcp__x__*"), tool.Of("Read", "Glob", "Grep", "Bash(git log *)"), tool.Of("Grep"), empty}
	edits := map[agent.Field]func(a *agent.Agent, i int) bool{
		agent.Name:         func(a *agent.Agent, i int) bool { a.Identity.Name = texts[i]; return true },
		agent.Description:  func(a *agent.Agent, i int) bool { a.Identity.Description = texts[i]; return true },
		agent.Model:        func(a *agent.Agent, i int) bool { a.Run.Model = texts[i]; return true },
		agent.Instructions: func(a *agent.Agent, i int) bool { a.Identity.Instructions = texts[i]; return true },
		agent.Tools: func(a *agent.Agent, i int) bool {
			if i < len(lists) {
				a.Access.Tools = lists[i]
			}
			return i < len(lists)
		},
		agent.Denied: func(a *agent.Agent, i int) bool {
			if i < len(lists) {
				a.Access.Denied = lists[i].Tokens
			}
			return i < len(lists)
		},
	}
	for name := range fixtures {
		for field, edit := range edits {
			for i := range texts {
				f := read(t, name)
				a := f.Agent.Clone()
				if !edit(&a, i) {
					continue
				}
				oneField(t, name, field, i, f, a)
			}
		}
	}
}

func oneField(t *testing.T, name string, field agent.Field, i int, f profile.File, a agent.Agent) {
	t.Helper()
	c, err := patchClaude(f.Agent.Source.Original, f.Path, a)
	if err != nil {
		if !refusable(name, field, i) {
			t.Errorf("%s %s %d: %v", name, field, i, err)
		}
		return
	}
	if len(c.Spans) > 1 || len(c.Fields) > 1 || (len(c.Fields) == 1 && c.Fields[0] != field) {
		t.Errorf("%s %s %d: %d spans, fields %v", name, field, i, len(c.Spans), c.Fields)
	}
	got, err := readClaude(f.Path, c.After)
	if err != nil {
		t.Errorf("%s %s %d: %v", name, field, i, err)
		return
	}
	want := a
	want.Identity.Instructions = strings.ReplaceAll(want.Identity.Instructions, "\r\n", "\n")
	if got.Agent.Identity != want.Identity || got.Agent.Run != want.Run {
		t.Errorf("%s %s %d: reads back as %+v", name, field, i, got.Agent.Identity)
	}
}

// refusable names the edits that may be refused: files whose form is not
// edited, and values a file cannot hold.
func refusable(name string, field agent.Field, i int) bool {
	if field == agent.Name && (i == 17 || i == 18) {
		return true // a blank name
	}
	switch name {
	case "document_end", "flow_root", "indented_keys":
		return field != agent.Instructions
	case "twice":
		return field == agent.Name
	case "tools_twice":
		return field == agent.Tools
	case "denied_unread", "merge", "escaped_key", "carriage_return":
		if field == agent.Tools || field == agent.Denied {
			return true
		}
	case "alias": // without its last repair the block is strict YAML, and the alias counts
		return field == agent.Tools
	case "no_front_matter": // is no agent
		return field != agent.Instructions
	}
	// Nothing would be left that makes the tools doubtful.
	return field == agent.Description && (name == "escaped_key" || name == "carriage_return")
}
