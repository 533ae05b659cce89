package profile_test

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/tool"
)

func drawField(t *rapid.T) agent.Field {
	fields := append(slices.SortedFunc(maps.Keys(keyOf), cmp.Compare[agent.Field]), agent.Instructions)
	return rapid.SampledFrom(fields).Draw(t, "field")
}

// TestPropertyPatchingBack: what was edited and edited back means what it
// meant, whatever the file looks like by then.
func TestPropertyPatchingBack(t *testing.T) {
	r := &refusals{why: map[string]int{}}
	checkOften(t, func(t *rapid.T) {
		d := drawFile(t)
		f := readDrawn(t, d.data)
		c, ok := patched(t, d, f, drawEdit(t, drawField(t), f.Agent), nil)
		if !ok {
			return
		}
		r.edits++
		back, err := patchClaude(c.After, drawnPath, f.Agent)
		if err != nil {
			mustBeFault(t, err)
			r.why[string(c.Fields[0])+": "+err.Error()]++
			return
		}
		got := readDrawn(t, back.After)
		if diff := gocmp.Diff(f.Agent, got.Agent, sameMeaning); diff != "" || got.Certain != f.Certain || got.Agent.Enabled != f.Agent.Enabled {
			t.Fatalf("back: want -, got +\n%s\n%q\n%q\n%q", diff, d.data, c.After, back.After)
		}
	})
	r.check(t)
}

// TestPropertyManyEdits: several fields at once are written too, one span a
// field at most.
func TestPropertyManyEdits(t *testing.T) {
	checkOften(t, func(t *rapid.T) {
		d := drawFile(t)
		f := readDrawn(t, d.data)
		next := f.Agent
		for range 4 {
			next = drawEdit(t, drawField(t), next).next
		}
		differ := agent.Diff(f.Agent, next)
		c, err := patchClaude(d.data, drawnPath, next)
		if err != nil {
			mustBeFault(t, err)
			return
		}
		if len(c.Spans) > len(differ) || !slices.Equal(slices.Sorted(slices.Values(c.Fields)), slices.Sorted(slices.Values(differ))) {
			t.Fatalf("%d spans for %v, fields %v\n%q", len(c.Spans), differ, c.Fields, d.data)
		}
		if diff := gocmp.Diff(next, readDrawn(t, c.After).Agent, sameMeaning); diff != "" {
			t.Fatalf("want -, read back +\n%s\n%q\n%q", diff, d.data, c.After)
		}
	})
}

// TestPropertyEditsOfOddFiles: in a bent, repaired or broken file an edit is
// one span that reads back, or a refusal; it never makes the tools wider.
func TestPropertyEditsOfOddFiles(t *testing.T) {
	refused, edits := 0, 0
	checkOften(t, func(t *rapid.T) {
		d := drawAny(t)
		f, err := readClaude(drawnPath, d.data)
		if err != nil || strings.ContainsRune(f.Agent.Identity.Instructions, '\r') {
			return
		}
		e := drawEdit(t, drawField(t), f.Agent)
		edits++
		c, ok := patched(t, d, f, e, nil)
		if !ok {
			refused++
			return
		}
		got := readDrawn(t, c.After)
		uncertainGrantsNothing(t, got)
		if e.field != agent.Tools && e.field != agent.Denied {
			if got.Certain && !f.Certain {
				t.Fatalf("editing %s made the tools certain\n%q\n%q", e.field, d.data, c.After)
			}
			notWider(t, got.Agent, f.Agent.Grants(), c.After)
		}
	})
	t.Logf("%d of %d refused or without a change", refused, edits)
}

// TestReadIsBounded: no file makes reading or writing it slow.
func TestReadIsBounded(t *testing.T) {
	front := func(s string) string { return "---\nname: a\ndescription: d\n" + s + "\n---\nBody\n" }
	lol := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 12; i++ {
		lol += "a" + itoa(i) + ": &a" + itoa(i) + " [" + strings.Repeat("*a"+itoa(i-1)+", ", 9) + "]\n"
	}
	many := func(s string, size int) string { return strings.Repeat(s, size/len(s)) }
	for name, s := range map[string]string{
		"aliases":        front(lol + "tools: [*a11]"),
		"alias in tools": front(lol + "tools: *a11"),
		"braces":         front("tools: Bash(" + many("{a,b}", 60_000) + ")"),
		"open braces":    front("tools: " + many("{", 60_000)),
		"open brackets":  front("x: " + many("[", 60_000)),
		"brackets":       front("tools: Bash" + many("(", 60_000)),
		"nesting": front("x:\n" + func() (s string) {
			for i := range 300 {
				s += strings.Repeat(" ", i) + "- \n"
			}
			return s
		}()),
		"dashes":           front("x: \n" + many("- ", 60_000)),
		"questions":        front(many("? ", 60_000)),
		"quotes":           front("x: " + many("'\"", 60_000)),
		"backslashes":      front("x: \"" + many("\\", 60_000)),
		"unindented":       front(many("<example>\nuser: \"a: b\n\n", 200_000)),
		"keys":             front(many("a: b: c\n", 200_000)),
		"keys without end": front(many("tools: Read\n", 200_000)),
		"comments":         front(many("#\n", 200_000)),
		"blank lines":      front("x: |+\n" + many("\n", 200_000)),
		"a long line":      front("x: " + many("x", 1<<20)),
		"a long body line": front("") + many("x", 1<<20),
		"a long bad line":  front("x: 'y" + many(" : ", 60_000)),
		"dashed body":      front("") + many("---\n", 1<<20),
		"many breaks":      front("") + many("\r\n\n", 1<<20),
		"tabs":             front(many("\t", 60_000)),
		"tools":            front("tools: " + many("Read, ", 60_000)),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			f, err := readClaude(drawnPath, []byte(s))
			if err == nil {
				next := f.Agent.Clone()
				next.Identity.Description, next.Access.Tools = "new", tool.Of("Read")
				_, _ = patchClaude([]byte(s), drawnPath, next)
				profile.DiffLines([]byte(s), []byte(s+"x"))
				if !f.Certain && len(f.Agent.Grants().Effective()) > 0 {
					t.Error("grants without being certain")
				}
			}
			if took := time.Since(start); tooLong(took, 3*time.Second) {
				t.Errorf("took %v", took)
			}
		})
	}
}
