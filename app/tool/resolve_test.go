package tool_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/tool"
)

func claude(tools tool.List, denied ...string) tool.Access {
	return tool.Access{Dialect: tool.ClaudeCode, Tools: tools, Denied: denied}
}

func TestResolveClaude(t *testing.T) {
	all := []string{"fs_read", "fs_list", "fs_write", "execute_bash", "web_fetch", "@*"}
	for name, tc := range map[string]struct {
		tools   tool.List
		denied  []string
		certain bool
		want    []string
		unknown []string
	}{
		"omitted is all":          {tool.List{Stated: tool.Omitted}, nil, true, all, nil},
		"wildcard is all":         {tool.Of("*"), nil, true, all, nil},
		"empty is doubtful":       {tool.Of(), nil, false, []string{}, nil},
		"unread is doubtful":      {tool.List{Stated: tool.Unread}, nil, false, []string{}, nil},
		"the zero list too":       {tool.List{}, nil, false, []string{}, nil},
		"one name":                {tool.Of("Read"), nil, true, []string{"fs_read"}, nil},
		"half of an atom":         {tool.Of("Glob", "Edit"), nil, true, []string{"~fs_list", "~fs_write"}, nil},
		"whole atoms":             {tool.Of("Glob", "Grep", "Edit", "Write"), nil, true, []string{"fs_list", "fs_write"}, nil},
		"a pattern is partly":     {tool.Of("Bash(git *)"), nil, true, []string{"~execute_bash"}, nil},
		"subagents run code":      {tool.Of("Agent(a, b)"), nil, true, []string{"~execute_bash"}, nil},
		"the old name of Agent":   {tool.Of("Task"), nil, true, []string{"~execute_bash"}, nil},
		"case matters":            {tool.Of("bash", "READ"), nil, true, []string{}, []string{"bash", "READ"}},
		"atoms are not its words": {tool.Of("fs_read"), nil, true, []string{}, []string{"fs_read"}},
		"denied wins":             {tool.Of("Bash", "Read"), []string{"Bash"}, true, []string{"fs_read"}, nil},
		"denied pattern":          {tool.Of("Bash"), []string{"Bash(rm *)"}, true, []string{"~execute_bash"}, nil},
		"denied all":              {tool.List{Stated: tool.Omitted}, []string{"*"}, true, []string{}, nil},
		"denied one of all":       {tool.List{Stated: tool.Omitted}, []string{"WebFetch", "WebSearch"}, true, []string{"fs_read", "fs_list", "fs_write", "execute_bash", "@*"}, nil},
		"servers":                 {tool.Of("mcp__a", "mcp__b__*", "mcp__c__do", "mcp__*"), nil, true, []string{"@*", "@a", "@b", "@c/do"}, nil},
		"denied by another name":  {tool.Of("Task"), []string{"Agent"}, true, []string{}, nil},
		"and the other way round": {tool.Of("Agent(a)"), []string{"Task"}, true, []string{}, nil},
		"a server denied of all":  {tool.List{Stated: tool.Omitted}, []string{"mcp__prod"}, true, []string{"fs_read", "fs_list", "fs_write", "execute_bash", "web_fetch", "~@*"}, nil},
		"a tool denied of one":    {tool.Of("mcp__gh"), []string{"mcp__gh__delete"}, true, []string{"~@gh"}, nil},
		"denied servers":          {tool.Of("mcp__a__x", "mcp__a__y", "mcp__b"), []string{"mcp__a__x", "mcp__b"}, true, []string{"@a/y"}, nil},
		"broken server names":     {tool.Of("mcp__", "mcp__*__x"), nil, true, []string{}, []string{"mcp__", "mcp__*__x"}},
	} {
		t.Run(name, func(t *testing.T) {
			g := tool.Resolve(claude(tc.tools, tc.denied...))
			if g.Certain != tc.certain || (g.Doubt == "") != tc.certain {
				t.Errorf("certain %v, doubt %q", g.Certain, g.Doubt)
			}
			if diff := cmp.Diff(tc.want, g.Effective()); diff != "" {
				t.Error(diff)
			}
			if !slices.Equal(g.Unknown, tc.unknown) {
				t.Errorf("unknown %q, want %q", g.Unknown, tc.unknown)
			}
			for _, a := range g.Atoms {
				if a.Why == "" {
					t.Errorf("%s has no reason", a.Atom)
				}
			}
		})
	}
}

func TestTheNoteOnAnUnknownToolNamesTheVersion(t *testing.T) {
	g := tool.Resolve(claude(tool.Of("Nope")))
	want := []tool.Note{{Token: "Nope", Text: "Nope: there is no tool of this name in Claude Code " + tool.ClaudeTested + ", the version Callboard knows. It grants nothing."}}
	if diff := cmp.Diff(want, g.Notes); diff != "" {
		t.Error(diff)
	}
}

func TestAnUnknownDialectGrantsNothing(t *testing.T) {
	g := tool.Resolve(tool.Access{Dialect: "somebody", Tools: tool.Of("*", "Bash", "execute_bash")})
	if g.Certain || len(g.Effective()) != 0 || len(g.Atoms) != len(tool.Atoms()) {
		t.Errorf("got %+v", g)
	}
}

func TestSplit(t *testing.T) {
	for in, want := range map[string][]string{
		"":                           nil,
		"  ":                         nil,
		"Read":                       {"Read"},
		"Read, Grep ,Bash":           {"Read", "Grep", "Bash"},
		"Bash(git diff, git log), A": {"Bash(git diff, git log)", "A"},
		"Agent(a,b)":                 {"Agent(a,b)"},
		"*":                          {"*"},
	} {
		got, err := tool.Split(in)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("Split(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
	for _, bad := range []string{"Read Grep", "Read,,Grep", ",Read", "Read,", "Bash(git", "Bash)", "Bash(a(b))", "Bash(a)b", "(x)", "Bash(a\nb)"} {
		if got, err := tool.Split(bad); err == nil {
			t.Errorf("Split(%q) = %q, want a refusal", bad, got)
		}
	}
}
