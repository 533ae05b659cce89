package tool_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"callboard/app/tool"
)

func TestSetWritesOnlyWhatItMust(t *testing.T) {
	for name, tc := range map[string]struct {
		from tool.Access
		atom tool.Atom
		on   bool
		want tool.Access
	}{
		"tick adds its primary names":       {claude(tool.Of("Read")), tool.FSList, true, claude(tool.Of("Read", "Glob", "Grep"))},
		"tick keeps the pattern":            {claude(tool.Of("Bash(git *)")), tool.ExecuteBash, true, claude(tool.Of("Bash(git *)", "Bash"))},
		"tick takes the denial away":        {claude(omitted, "Bash", "Write"), tool.ExecuteBash, true, claude(omitted, "Write")},
		"tick from empty":                   {claude(tool.Of()), tool.FSRead, true, claude(tool.Of("Read"))},
		"tick what is on":                   {claude(tool.Of("Read")), tool.FSRead, true, claude(tool.Of("Read"))},
		"untick removes patterns too":       {claude(tool.Of("Read", "Bash(git *)", "Agent(a, b)")), tool.ExecuteBash, false, claude(tool.Of("Read"))},
		"untick of all writes denials":      {claude(omitted, "Read"), tool.WebFetch, false, claude(omitted, "Read", "WebFetch", "WebSearch")},
		"untick the last denies it instead": {claude(tool.Of("Read")), tool.FSRead, false, claude(tool.Of("Read"), "Read")},
		"vscode tick":                       {words(tool.VSCode, "read", "edit/createFile"), tool.FSWrite, true, words(tool.VSCode, "read", "edit/createFile", "edit")},
		"vscode untick the last":            {words(tool.VSCode, "read"), tool.FSRead, false, words(tool.VSCode)},
		"vscode untick the agents":          {words(tool.VSCode, "read", "agent", "github/*"), tool.ExecuteBash, false, words(tool.VSCode, "read", "github/*")},
		"gemini tick from left out":         {unsaid(tool.Gemini), tool.FSRead, true, words(tool.Gemini, "read_file")},
		"gemini tick from empty":            {words(tool.Gemini), tool.FSWrite, true, words(tool.Gemini, "replace", "write_file")},
		"gemini untick":                     {words(tool.Gemini, "glob", "read_file", "read_many_files"), tool.FSRead, false, words(tool.Gemini, "glob")},
		"cao untick splits fs_*":            {words(tool.CAO, "fs_*", "@srv"), tool.FSWrite, false, words(tool.CAO, "fs_read", "fs_list", "@srv")},
		"cao untick starts from the role":   {unsaid(tool.CAO), tool.FSWrite, false, words(tool.CAO, "@builtin", "fs_read", "fs_list", "execute_bash", "web_fetch", "@cao-mcp-server")},
		"cao tick starts from the role":     {bounded(tool.CAO, "supervisor"), tool.WebFetch, true, withBound(words(tool.CAO, "@cao-mcp-server", "fs_read", "fs_list", "web_fetch"), "supervisor")},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := tool.Set(tc.from, tc.atom, tc.on)
			if err != nil || !got.Equal(tc.want) {
				t.Errorf("got %+v %v", got, err)
			}
		})
	}
}

func TestSetRefuses(t *testing.T) {
	for name, tc := range map[string]struct {
		from tool.Access
		atom tool.Atom
		on   bool
		want error
	}{
		"everything denied":           {claude(omitted, "*"), tool.FSRead, true, tool.ErrDeniedByWildcard},
		"an unknown dialect":          {unsaid("somebody"), tool.FSRead, true, tool.ErrDialect},
		"codex write":                 {bounded(tool.Codex, "read-only"), tool.FSWrite, true, tool.ErrDialect},
		"codex shell":                 {bounded(tool.Codex, "read-only"), tool.ExecuteBash, false, tool.ErrDialect},
		"opencode":                    {unsaid(tool.OpenCode), tool.FSRead, true, tool.ErrDialect},
		"cursor":                      {unsaid(tool.Cursor), tool.FSRead, true, tool.ErrDialect},
		"goose":                       {words(tool.Goose, "developer"), tool.FSRead, false, tool.ErrDialect},
		"vscode of all":               {unsaid(tool.VSCode), tool.FSWrite, false, tool.ErrNoDenials},
		"gemini of all":               {words(tool.Gemini, "*"), tool.FSWrite, false, tool.ErrNoDenials},
		"cao empty, which is all":     {words(tool.CAO), tool.FSWrite, false, tool.ErrNoDenials},
		"cao unknown role":            {bounded(tool.CAO, "nope"), tool.FSWrite, false, tool.ErrNoDenials},
		"gemini the last":             {words(tool.Gemini, "read_file"), tool.FSRead, false, tool.ErrLastTool},
		"cao the last":                {words(tool.CAO, "fs_read"), tool.FSRead, false, tool.ErrLastTool},
		"cao shell beside the server": {unsaid(tool.CAO), tool.ExecuteBash, false, tool.ErrAlsoServer},
		"gemini refuses the file":     {words(tool.Gemini, "Read"), tool.FSRead, true, tool.ErrNotCertain},
		"vscode with a wildcard":      {words(tool.VSCode, "*"), tool.FSRead, true, tool.ErrNotCertain},
		"denials nobody can write":    {tool.Access{Dialect: tool.VSCode, Tools: tool.Of("read"), Denied: []string{"edit"}}, tool.FSRead, true, tool.ErrNotCertain},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := tool.Set(tc.from, tc.atom, tc.on)
			if !errors.Is(err, tc.want) || !got.Equal(tc.from) {
				t.Errorf("got %+v %v", got, err)
			}
		})
	}
}

// TestTickingOneNeverMovesAnother holds for every list, denial and bound anyone
// can write in a dialect that can be edited: the ticked atom reaches its level,
// no other atom, server or known tool moves.
func TestTickingOneNeverMovesAnother(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		acc := access(t, rapid.SampledFrom(editable()).Draw(t, "dialect"))
		atom := rapid.SampledFrom(tool.Atoms()).Draw(t, "atom")
		on := rapid.Bool().Draw(t, "on")
		before, kept := tool.Resolve(acc), acc.Clone()
		next, err := tool.Set(acc, atom, on)
		if !acc.Equal(kept) {
			t.Fatalf("Set changed what it was given: %v", acc)
		}
		if err != nil {
			if !next.Equal(acc) {
				t.Fatal("a refusal changed something")
			}
			return
		}
		after := tool.Resolve(next)
		want := tool.Off
		if on {
			want = tool.On
		}
		if after.Level(atom) != want {
			t.Fatalf("%s is %s after Set(%v): %v", atom, after.Level(atom), on, next)
		}
		for _, a := range tool.Atoms() {
			if a != atom && after.Level(a) != before.Level(a) {
				t.Fatalf("%s moved from %s to %s: %v", a, before.Level(a), after.Level(a), next)
			}
		}
		if before.Certain && (!slices.Equal(before.Servers, after.Servers) || !slices.Equal(before.Other, after.Other)) {
			t.Fatalf("servers or other tools moved: %v %v -> %v %v", before.Servers, before.Other, after.Servers, after.Other)
		}
	})
}

func editable() []tool.Dialect {
	return slices.DeleteFunc(tool.Dialects(), func(d tool.Dialect) bool {
		f, _ := tool.FactsOf(d)
		return !f.Edits
	})
}
