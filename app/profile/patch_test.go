package profile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/profile"
	"callboard/app/tool"
)

// edit reads in, lets change change the agent, and returns the patched file.
func edit(t *testing.T, in string, change func(*agent.Agent)) (profile.Change, error) {
	t.Helper()
	f, err := readClaude("/agents/file.md", []byte(in))
	if err != nil {
		t.Fatal(err)
	}
	a := f.Agent.Clone()
	change(&a)
	return patchClaude([]byte(in), f.Path, a)
}

func TestPatch(t *testing.T) {
	tools := func(tokens ...string) func(*agent.Agent) {
		return func(a *agent.Agent) { a.Access.Tools = tool.Of(tokens...) }
	}
	for name, tc := range map[string]struct {
		in     string
		change func(*agent.Agent)
		want   string
	}{
		"comma list keeps its form":  {"---\nname: a\ntools: Read,Bash # t\n---\n", tools("Read", "Grep"), "---\nname: a\ntools: Read,Grep # t\n---\n"},
		"comma list with spaces":     {"---\nname: a\ntools: Read, Bash\n---\n", tools("Agent(a, b)", "Grep"), "---\nname: a\ntools: Agent(a, b), Grep\n---\n"},
		"new list is a comma list":   {"---\nname: a\n---\n", tools("Read", "Grep"), "---\nname: a\ntools: Read, Grep\n---\n"},
		"blank list is filled":       {"---\ntools: # t\nname: a\n---\n", tools("Read"), "---\ntools: Read # t\nname: a\n---\n"},
		"wildcard is quoted":         {"---\nname: a\ntools: Read\n---\n", tools("*"), "---\nname: a\ntools: '*'\n---\n"},
		"list emptied":               {"---\nname: a\ntools: Read\n---\n", tools(), "---\nname: a\ntools: []\n---\n"},
		"list omitted":               {"---\nname: a\ntools:\n  - Read\nmodel: m\n---\n", func(a *agent.Agent) { a.Access.Tools = omitted }, "---\nname: a\nmodel: m\n---\n"},
		"denials gone":               {"---\nname: a\ndisallowedTools: Bash\n---\n", func(a *agent.Agent) { a.Access.Denied = nil }, "---\nname: a\n---\n"},
		"unread denials replaced":    {"---\nname: a\ntools: Read\ndisallowedTools: {Bash: 1}\n---\n", func(a *agent.Agent) { a.Access = tool.Access{Tools: tool.Of("Read"), Denied: []string{"Bash"}} }, "---\nname: a\ntools: Read\ndisallowedTools: Bash\n---\n"},
		"unread tools replaced":      {"---\nname: a\ntools: Read Bash\n---\n", tools("Read"), "---\nname: a\ntools: Read\n---\n"},
		"model removed":              {"---\nname: a\nmodel: m # c\ncolor: red\n---\n", func(a *agent.Agent) { a.Run.Model = "" }, "---\nname: a\ncolor: red\n---\n"},
		"description emptied":        {"---\nname: a\ndescription: d\n---\n", func(a *agent.Agent) { a.Identity.Description = "" }, "---\nname: a\ndescription: ''\n---\n"},
		"name from the file name":    {"---\ndescription: d\n---\n", func(a *agent.Agent) { a.Identity.Name = "b" }, "---\ndescription: d\nname: b\n---\n"},
		"gains none for its body":    {"hello\r\n", func(a *agent.Agent) { a.Identity.Instructions = "bye" }, "bye\r\n"},
		"grown list and a new key":   {"---\nname: a\ndisallowedTools:\n- A\n---\n", func(a *agent.Agent) { a.Access.Tools = tool.Of("Read"); a.Access.Denied = []string{"A", "B"} }, "---\nname: a\ndisallowedTools:\n- A\n- B\ntools: Read\n---\n"},
		"grown list and a lost key":  {"---\nname: a\ndisallowedTools:\n- A\neffort: low\n---\n", func(a *agent.Agent) { a.Run.Effort = ""; a.Access.Denied = []string{"A", "B"} }, "---\nname: a\ndisallowedTools:\n- A\n- B\n---\n"},
		"blank lines and a lost key": {"---\nname: a\ndescription: d\nmodel: m\n\n---\n", func(a *agent.Agent) { a.Identity.Description = "x\n\n"; a.Run.Model = "" }, "---\nname: a\ndescription: \"x\\n\\n\"\n\n---\n"},
		"every field at once": {"---\nname: a\r\ndescription: d # c\nz: 1\n---\n\nold\r\nkept\n", func(a *agent.Agent) {
			a.Identity = agent.Identity{Name: "b", Description: "e", Instructions: "new\nkept"}
			a.Run.Effort = "low"
		}, "---\nname: b\r\ndescription: e # c\nz: 1\neffort: low\n---\n\nnew\r\nkept\n"},
		"what the file has no key for": {"---\nname: a\n---\n", func(a *agent.Agent) { a.ID, a.Enabled, a.Run.Provider = "x", false, agent.Native }, "---\nname: a\n---\n"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := edit(t, tc.in, tc.change)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tc.want, string(c.After)); d != "" {
				t.Error(d)
			}
			if string(c.Before) != tc.in {
				t.Errorf("before %q", c.Before)
			}
			if got := overlay(tc.in, c.Spans); got != tc.want {
				t.Errorf("the spans give %q", got)
			}
		})
	}
}

// overlay applies spans the plain way.
func overlay(in string, spans []profile.Span) string {
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(in[at:s.Start] + string(s.New))
		at = s.End
	}
	return b.String() + in[at:]
}

func TestOneChangedLineIsOneShortSpan(t *testing.T) {
	in := string(fixture(t, "unindented_examples"))
	c, err := edit(t, in, func(a *agent.Agent) {
		a.Identity.Description = strings.Replace(a.Identity.Description, "Another: one", "Another: two", 1)
	})
	if err != nil || len(c.Spans) != 1 {
		t.Fatalf("%v, %v", c.Spans, err)
	}
	s := c.Spans[0]
	if in[s.Start:s.End] != "user: \"Another: one\"\n" || string(s.New) != "user: \"Another: two\"\n" {
		t.Errorf("%q became %q", in[s.Start:s.End], s.New)
	}
	if !cmp.Equal(c.Fields, []agent.Field{agent.Description}) {
		t.Errorf("fields %v", c.Fields)
	}
}

func TestPatchRefuses(t *testing.T) {
	name := func(s string) func(*agent.Agent) { return func(a *agent.Agent) { a.Identity.Name = s } }
	for what, tc := range map[string]struct {
		in     string
		change func(*agent.Agent)
		rule   string
	}{
		"reserved name":             {"---\nname: a\n---\n", name("Small-reviewer-0a1b"), "name_reserved"},
		"blank name":                {"---\nname: a\n---\n", name(""), "not_read_back"},
		"name that is no UTF-8":     {"---\nname: a\n---\n", name("\xff"), "not_writable"},
		"unread tools":              {"---\nname: a\n---\n", func(a *agent.Agent) { a.Access.Tools = unread }, "tools_unread"},
		"key twice":                 {"---\nname: a\nname: b\n---\n", name("c"), "key_twice"},
		"other form":                {"---\n  name: a\n---\n", name("c"), "form_not_edited"},
		"tools with unread denials": {"---\nname: a\ntools: Read\ndisallowedTools: {Bash: 1}\n---\n", func(a *agent.Agent) { a.Access.Tools = tool.Of("Grep") }, "not_read_back"},
		"denials with unread tools": {"---\nname: a\ntools: Read\ndisallowedTools: {Bash: 1}\n---\n", func(a *agent.Agent) { a.Access.Denied = []string{"Bash"} }, "not_read_back"},
		"a line that states tools":  {"---\nname: a\ndescription: d\ntools:Read\nmodel: m\n tools: Bash\n---\n", func(a *agent.Agent) { a.Identity.Description = "e" }, "not_read_back"},
		"no front matter":           {"\xef\xbb\xbfhello\r\n", func(a *agent.Agent) { a.Identity.Name = "b"; a.Access.Tools = tool.Of("Read") }, "not_an_agent"},
		"NUL in the body":           {"---\nname: a\n---\n", func(a *agent.Agent) { a.Identity.Instructions = "a\x00" }, "not_writable"},
		"a fence in the body":       {"hello\n", func(a *agent.Agent) { a.Identity.Instructions = "---\nname: x\n---\n" }, "not_writable"},
		"tokens that are none":      {"---\nname: a\n---\n", func(a *agent.Agent) { a.Access.Tools = tool.Of("Read Bash") }, "not_read_back"},
	} {
		t.Run(what, func(t *testing.T) {
			c, err := edit(t, tc.in, tc.change)
			if fault.RuleOf(err) != tc.rule || c.After != nil {
				t.Errorf("%v, %q", err, c.After)
			}
			if strings.Contains(fault.Sentence(err), "Unexpected") {
				t.Errorf("sentence %q", fault.Sentence(err))
			}
		})
	}
}

func TestAReservedNameStaysAsItIs(t *testing.T) {
	c, err := edit(t, string(fixture(t, "reserved_name")), func(a *agent.Agent) { a.Run.Model = "opus" })
	if err != nil || len(c.Spans) != 1 {
		t.Errorf("%v, %v", c.Spans, err)
	}
}

func TestToolNotesNameTheirLine(t *testing.T) {
	f, err := readClaude("/a/x.md", []byte("---\nname: a\ndescription: d\ntools: Agent, Nope\ndisallowedTools: Missing, mcp__x\n---\nx\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range f.Problems {
		token, _, _ := strings.Cut(p.Text, ":")
		got = append(got, itoa(p.Line)+" "+p.Rule+" "+token+" "+string(p.Level))
	}
	want := []string{"4 tool_note Agent starts subagents, which can run commands. Callboard counts it as execute_bash. notice", "4 tool_unknown Nope notice", "5 tool_unknown Missing notice"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
