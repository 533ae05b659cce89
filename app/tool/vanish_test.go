package tool_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"callboard/app/tool"
)

// TestMapLosesNothingSilently: every word of a list that grants something is
// covered by the copy, or a loss names it or its atom.
func TestMapLosesNothingSilently(t *testing.T) {
	words := []string{"Read", "Glob", "Grep", "LS", "Edit", "Write", "NotebookEdit", "Bash", "BashOutput", "Agent", "Monitor", "WebFetch", "WebSearch", "Skill", "TodoWrite"}
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfNDistinct(rapid.SampledFrom(words), 1, 8, rapid.ID[string]).Draw(t, "list")
		to := rapid.SampledFrom([]tool.Dialect{tool.Gemini, tool.VSCode, tool.CAO, tool.Goose}).Draw(t, "to")
		from := tool.Access{Dialect: tool.ClaudeCode, Tools: tool.Of(list...)}
		copied, losses := tool.Map(from, to)
		got := tool.Resolve(copied)
		for _, w := range list {
			alone := tool.Resolve(tool.Access{Dialect: tool.ClaudeCode, Tools: tool.Of(w)})
			named := slices.ContainsFunc(losses, func(l tool.Loss) bool {
				return l.Token == w || l.Token == "" || slices.ContainsFunc(alone.Atoms, func(g tool.Grant) bool {
					return g.Level != tool.Off && l.Token == string(g.Atom)
				})
			})
			covered := len(alone.Other) == 0
			for _, g := range alone.Atoms {
				if g.Level != tool.Off && got.Level(g.Atom) == tool.Off {
					covered = false
				}
			}
			delegates := w == "Agent" || w == "Monitor" || w == "BashOutput"
			if delegates && !slices.ContainsFunc(copied.Tools.Tokens, func(s string) bool {
				return strings.Contains(s, "agent") || s == "summon"
			}) {
				covered = false
			}
			if !covered && !named {
				t.Fatalf("%s of %v is neither in %v nor in %v", w, list, copied.Tools.Tokens, losses)
			}
		}
	})
}
