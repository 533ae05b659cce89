//go:build unix

package servers_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/servers"
	"callboard/app/tool"
)

func TestGrantedMergesAListWithTheServersThereAre(t *testing.T) {
	s := newScene(t)
	s.discover(s.added("good", "good"))
	s.added("new", "good")
	off := s.added("off", "pages")
	s.discover(off)
	_, err := s.Enable(t.Context(), off, false)
	s.must(err)
	type line struct {
		ID     string
		Code   servers.Code
		Whole  bool
		Tools  int
		Absent string
	}
	native := func(denied []string, tokens ...string) tool.Access {
		return tool.Access{Dialect: tool.Native, Tools: tool.Of(tokens...), Denied: denied}
	}
	for name, tc := range map[string]struct {
		acc  tool.Access
		want []line
	}{
		"nothing":         {native(nil, "fs_read"), nil},
		"a whole server":  {native(nil, "@good"), []line{{ID: "@good", Whole: true, Tools: 3}}},
		"one tool":        {native(nil, "@good/add"), []line{{ID: "@good", Tools: 1}}},
		"one not there":   {native(nil, "@good/add", "@good/gone"), []line{{ID: "@good", Tools: 1, Absent: "@good/gone"}}},
		"one denied":      {native([]string{"@good/add"}, "@good"), []line{{ID: "@good", Tools: 2}}},
		"denied whole":    {native([]string{"@good"}, "@good", "@good/add"), nil},
		"not asked yet":   {native(nil, "@new"), []line{{ID: "@new", Whole: true, Code: servers.NotAsked}}},
		"switched off":    {native(nil, "@off/t1"), []line{{ID: "@off", Tools: 1, Code: servers.Disabled}}},
		"nobody knows it": {native(nil, "@what", "@what/x"), []line{{ID: "@what", Whole: true, Code: servers.Unknown, Absent: "@what/x"}}},
		"Callboard's own": {native(nil, "@callboard"), []line{{ID: "@callboard", Whole: true}}},
		"in Claude Code's words": {
			tool.Access{Dialect: tool.ClaudeCode, Tools: tool.Of("mcp__good__add", "mcp__off__*")},
			[]line{{ID: "@good", Tools: 1}, {ID: "@off", Whole: true, Tools: 3, Code: servers.Disabled}},
		},
		"everything but": {native([]string{"@off", "@new"}, "*"), []line{{ID: "@callboard", Whole: true}, {ID: "@good", Whole: true, Tools: 3}}},
	} {
		t.Run(name, func(t *testing.T) {
			all, err := s.Granted(t.Context(), tool.Resolve(tc.acc))
			s.must(err)
			var got []line
			for _, g := range all {
				l := line{ID: g.ID, Code: g.Code, Whole: g.Whole, Tools: len(g.Tools)}
				for _, a := range g.Absent {
					l.Absent += a
				}
				if got = append(got, l); g.Ready() != (g.Code == "") || g.Own != (g.ID == "@callboard") {
					t.Errorf("%+v", g)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
