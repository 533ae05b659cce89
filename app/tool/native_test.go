package tool_test

import (
	"errors"
	"slices"
	"testing"

	"callboard/app/tool"
)

func native(tools tool.List, denied ...string) tool.Access {
	return tool.Access{Dialect: tool.Native, Tools: tools, Denied: denied}
}

func TestResolveNative(t *testing.T) {
	for name, tc := range map[string]struct {
		acc  tool.Access
		want string
	}{
		"nothing said":            {native(omitted), ""},
		"an empty list":           {native(tool.Of()), ""},
		"atoms and servers":       {native(tool.Of("fs_read", "@github", "@db/query")), "fs_read @github @db/query"},
		"every server":            {native(tool.Of("@*")), "@*"},
		"no pattern":              {native(tool.Of("execute_bash(git *)", "@github/*", "@*/x", "Read")), ""},
		"denied wins":             {native(tool.Of("fs_read", "@github"), "fs_read", "@github"), ""},
		"a tool denied":           {native(tool.Of("@github"), "@github/delete"), "~@github"},
		"everything but":          {native(tool.Of("*"), "execute_bash", "@db"), "fs_read fs_list fs_write web_fetch ~@*"},
		"all denied":              {native(tool.Of("*"), "*"), ""},
		"a list nobody has read":  {native(tool.List{Stated: tool.Unread}), "not certain"},
		"a list nobody has meant": {native(tool.List{}), "not certain"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := summary(tool.Resolve(tc.acc)); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
	off := tool.Resolve(native(omitted)).Atoms[0].Why
	if off != "Off: no tools are named, which is none of them to Callboard." {
		t.Error(off)
	}
	note := tool.Resolve(native(tool.Of("nope"))).Notes[0].Text
	if note != "nope: there is no tool of this name in Callboard. It grants nothing." {
		t.Error(note)
	}
}

func TestSetNative(t *testing.T) {
	for name, tc := range map[string]struct {
		from tool.Access
		on   bool
		want tool.Access
	}{
		"tick what was left out": {native(omitted), true, native(tool.Of("fs_write"))},
		"tick a denied one":      {native(tool.Of("@a"), "fs_write", "fs_read"), true, native(tool.Of("@a", "fs_write"), "fs_read")},
		"untick the last":        {native(tool.Of("fs_write")), false, native(tool.Of())},
		"untick beside a server": {native(tool.Of("@a", "fs_write")), false, native(tool.Of("@a"))},
		"untick of all":          {native(tool.Of("*")), false, native(tool.Of("*"), "fs_write")},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := tool.Set(tc.from, tool.FSWrite, tc.on)
			if err != nil || !got.Equal(tc.want) {
				t.Errorf("got %+v %v", got, err)
			}
		})
	}
	if _, err := tool.Set(native(omitted, "*"), tool.FSRead, true); !errors.Is(err, tool.ErrDeniedByWildcard) {
		t.Error(err)
	}
}

func TestMapToAndFromNative(t *testing.T) {
	got, losses := tool.Map(claude(tool.Of("Read", "Bash", "mcp__github", "mcp__db__query", "mcp__*")), tool.Native)
	if want := native(tool.Of("fs_read", "execute_bash", "@*", "@github", "@db/query")); !got.Equal(want) || len(losses) > 0 {
		t.Errorf("got %+v %v", got, losses)
	}
	got, _ = tool.Map(got, tool.ClaudeCode)
	if want := []string{"Read", "Bash", "mcp__*", "mcp__github", "mcp__db__query"}; !slices.Equal(got.Tools.Tokens, want) {
		t.Errorf("got %q", got.Tools.Tokens)
	}
}

func TestAllows(t *testing.T) {
	for name, tc := range map[string]struct {
		acc      tool.Access
		yes, not []string
	}{
		"a server":        {claude(tool.Of("mcp__a")), []string{"@a", "@a/x"}, []string{"@b", "@b/x", "@ab/x", "@*"}},
		"one tool":        {native(tool.Of("@a/x")), []string{"@a/x"}, []string{"@a", "@a/y", "@a/xx"}},
		"all servers":     {claude(omitted), []string{"@a", "@b/x"}, nil},
		"a tool denied":   {claude(omitted, "mcp__a__x"), []string{"@a/y", "@b"}, []string{"@a", "@a/x"}},
		"a server denied": {native(tool.Of("@*", "@a/x"), "@a"), []string{"@b/x"}, []string{"@a", "@a/x"}},
		"all denied":      {native(tool.Of("@a"), "@*"), nil, []string{"@a", "@a/x"}},
		"not certain":     {words(tool.OpenCode, "@a"), nil, []string{"@a"}},
	} {
		t.Run(name, func(t *testing.T) {
			g := tool.Resolve(tc.acc)
			for _, id := range tc.yes {
				if !g.Allows(id) {
					t.Errorf("%s is refused", id)
				}
			}
			for _, id := range tc.not {
				if g.Allows(id) {
					t.Errorf("%s is allowed", id)
				}
			}
		})
	}
}
