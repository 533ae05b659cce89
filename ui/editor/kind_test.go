package editor

import (
	"strings"
	"testing"

	"callboard/app/tool"
)

// The values named beside the boxes are those their programs know.
func TestBoundsNameWhatThereIs(t *testing.T) {
	for _, d := range tool.Dialects() {
		facts, _ := tool.FactsOf(d)
		if _, ok := bounds[facts.Bound]; !ok && facts.Bound != "" {
			t.Errorf("%s: no words for %s", d, facts.Bound)
		}
	}
	for d, known := range map[tool.Dialect][]string{
		tool.Codex:  {"read-only", "workspace-write", "danger-full-access"},
		tool.CAO:    {"supervisor", "developer", "reviewer"},
		tool.Cursor: {"true", "false"},
	} {
		facts, _ := tool.FactsOf(d)
		for _, word := range known {
			g := tool.Resolve(tool.Access{Dialect: d, Tools: tool.List{Stated: tool.Omitted}, Bound: word})
			if !g.Certain && !g.OwnDefault || g.Level(tool.FSRead) == tool.Off && d != tool.Cursor {
				t.Errorf("%s: %s is %+v", d, word, g)
			}
			if !strings.Contains(bounds[facts.Bound].values, word) {
				t.Errorf("%s: %s is not named", d, word)
			}
			for _, n := range g.Notes {
				if n.Token == word {
					t.Errorf("%s: %s", d, n.Text)
				}
			}
		}
	}
}
