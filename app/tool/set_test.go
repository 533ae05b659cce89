package tool_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"callboard/app/tool"
)

func TestSetWritesOnlyWhatItMust(t *testing.T) {
	omitted := tool.List{Stated: tool.Omitted}
	for name, tc := range map[string]struct {
		tools  tool.List
		denied []string
		atom   tool.Atom
		on     bool
		want   tool.List
		deny   []string
	}{
		"tick adds its primary names":       {tool.Of("Read"), nil, tool.FSList, true, tool.Of("Read", "Glob", "Grep"), nil},
		"tick keeps the pattern":            {tool.Of("Bash(git *)"), nil, tool.ExecuteBash, true, tool.Of("Bash(git *)", "Bash"), nil},
		"tick takes the denial away":        {omitted, []string{"Bash", "Write"}, tool.ExecuteBash, true, omitted, []string{"Write"}},
		"tick from empty":                   {tool.Of(), nil, tool.FSRead, true, tool.Of("Read"), nil},
		"tick what is on":                   {tool.Of("Read"), nil, tool.FSRead, true, tool.Of("Read"), nil},
		"untick removes patterns too":       {tool.Of("Read", "Bash(git *)", "Agent(a, b)"), nil, tool.ExecuteBash, false, tool.Of("Read"), nil},
		"untick of all writes denials":      {omitted, []string{"Read"}, tool.WebFetch, false, omitted, []string{"Read", "WebFetch", "WebSearch"}},
		"untick the last denies it instead": {tool.Of("Read"), nil, tool.FSRead, false, tool.Of("Read"), []string{"Read"}},
	} {
		t.Run(name, func(t *testing.T) {
			l, d, err := tool.Set(tool.ClaudeCode, tc.tools, tc.denied, tc.atom, tc.on)
			if err != nil || !l.Equal(tc.want) || !slices.Equal(d, tc.deny) {
				t.Errorf("got %+v %q %v", l, d, err)
			}
		})
	}
	if _, _, err := tool.Set(tool.ClaudeCode, omitted, []string{"*"}, tool.FSRead, true); !errors.Is(err, tool.ErrDeniedByWildcard) {
		t.Errorf("got %v", err)
	}
	if _, _, err := tool.Set("somebody", omitted, nil, tool.FSRead, true); !errors.Is(err, tool.ErrDialect) {
		t.Errorf("got %v", err)
	}
}

// TestTickingOneNeverMovesAnother holds for every list and denial anyone can
// write: the ticked atom reaches its level, no other atom, server or known
// tool moves.
func TestTickingOneNeverMovesAnother(t *testing.T) {
	token := rapid.SampledFrom([]string{
		"*", "Read", "Glob", "Grep", "LS", "Edit", "Write", "NotebookEdit", "Bash", "Bash(git *)", "Monitor", "Agent(a, b)",
		"Task", "Workflow", "WebFetch", "WebFetch(domain:x)", "WebSearch", "TodoWrite", "bash", "mcp__*", "mcp__a", "mcp__a__x", "Nope",
	})
	rapid.Check(t, func(t *rapid.T) {
		list := tool.Of(rapid.SliceOfNDistinct(token, 0, 6, rapid.ID).Draw(t, "tools")...)
		if len(list.Tokens) == 0 {
			list.Stated = rapid.SampledFrom([]tool.Statement{tool.Omitted, tool.Empty, tool.Unread}).Draw(t, "stated")
		}
		denied := rapid.SliceOfNDistinct(token, 0, 4, rapid.ID).Draw(t, "denied")
		atom := rapid.SampledFrom(tool.Atoms()).Draw(t, "atom")
		on := rapid.Bool().Draw(t, "on")
		before := tool.Resolve(tool.ClaudeCode, list, denied)
		l, d, err := tool.Set(tool.ClaudeCode, list, denied, atom, on)
		if err != nil {
			if !l.Equal(list) || !slices.Equal(d, denied) {
				t.Fatal("a refusal changed something")
			}
			return
		}
		after := tool.Resolve(tool.ClaudeCode, l, d)
		want := tool.Off
		if on {
			want = tool.On
		}
		if after.Level(atom) != want {
			t.Fatalf("%s is %s after Set(%v): %v denied %v", atom, after.Level(atom), on, l, d)
		}
		for _, a := range tool.Atoms() {
			if a != atom && after.Level(a) != before.Level(a) {
				t.Fatalf("%s moved from %s to %s: %v denied %v", a, before.Level(a), after.Level(a), l, d)
			}
		}
		if before.Certain && (!slices.Equal(before.Servers, after.Servers) || !slices.Equal(before.Other, after.Other)) {
			t.Fatalf("servers or other tools moved: %v %v -> %v %v", before.Servers, before.Other, after.Servers, after.Other)
		}
	})
}
