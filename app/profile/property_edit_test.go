package profile_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/profile"
	"callboard/app/tool"
)

// drawnEdit is one change of one field.
type drawnEdit struct {
	field agent.Field
	next  agent.Agent
	how   string
}

// keyOf is the key that holds a field.
var keyOf = map[agent.Field]string{
	agent.Name: "name", agent.Description: "description", agent.Model: "model", agent.Effort: "effort",
	agent.Color: "color", agent.Tools: "tools", agent.Denied: "disallowedTools",
}

// drawEdit changes one field of a.
func drawEdit(t *rapid.T, field agent.Field, a agent.Agent) drawnEdit {
	p := &pen{t: t}
	e := drawnEdit{field: field, next: a.Clone()}
	n := &e.next
	switch field {
	case agent.Name:
		n.Identity.Name = choose(p, p.name(), "new name")
	case agent.Description:
		n.Identity.Description = choose(p, "Another description", p.text(true), p.text(false), "# x", "- a\n- b", " \n ", "tab\there", "a\n\n\n", "\n\nb", "key: v\nkey: w", "\u2028x\u0085", "---", "\r", "\x7f")
	case agent.Model:
		n.Run.Model = choose(p, "", "opus", "claude-x[1m]", "a: b", "#x", "null", "true", "1e3", "*")
	case agent.Effort:
		n.Run.Effort = choose(p, "", "low", "max", "007", "x #y")
	case agent.Color:
		n.Look.Color = choose(p, "", "green", "#00ff00", "~")
	case agent.Tools:
		n.Access.Tools, e.how = p.otherTools(a.Access.Tools)
	case agent.Denied:
		l, how := p.otherTokens(a.Access.Denied)
		n.Access.Denied, e.how = l, how
	case agent.Instructions:
		n.Identity.Instructions, e.how = p.otherBody(a.Identity.Instructions)
	case agent.ProviderName, agent.Enabled, agent.Bound, agent.Sees, agent.Calls:
		t.Fatalf("%s is in no file", field)
	}
	return e
}

func (p *pen) otherTools(l tool.List) (tool.List, string) {
	switch p.one(8) {
	case 7:
		return tool.List{Stated: tool.Empty}, "empty"
	case 6:
		return tool.List{Stated: tool.Omitted}, "omitted"
	case 5:
		return tool.Of(tool.Wildcard), "wildcard"
	case 4:
		return tool.Of(p.tokens()...), "replaced"
	}
	tokens, how := p.otherTokens(l.Tokens)
	return tool.Of(tokens...), how
}

// otherTokens adds, takes or replaces one token.
func (p *pen) otherTokens(l []string) ([]string, string) {
	l = slices.Clone(l)
	fresh := choose(p, toolTokens...)
	if len(l) == 0 || p.chance(3) {
		return slices.Insert(l, p.one(len(l)+1), fresh), "added"
	}
	at := p.one(len(l))
	if p.chance(2) {
		l[at] = fresh
		return l, "one replaced"
	}
	return slices.Delete(l, at, at+1), "taken"
}

func (p *pen) otherBody(s string) (string, string) {
	lines := strings.Split(s, "\n")
	at := p.one(len(lines))
	switch p.one(7) {
	case 1:
		return strings.Join(slices.Insert(lines, at, p.line()), "\n"), "inserted"
	case 2:
		return strings.Join(slices.Delete(lines, at, at+1), "\n"), "deleted"
	case 3:
		return s + "\n" + p.line(), "appended"
	case 4:
		return p.line() + "\n" + s, "prepended"
	case 5:
		return s + choose(p, "\n", "x", " "), "ended"
	case 6:
		return choose(p, "", "Another body", "\n\nAnother\n\n"), "all"
	}
	lines[at] = p.line()
	return strings.Join(lines, "\n"), "line"
}

// refusals counts why edits were refused, so that refusing all is no way to
// pass.
type refusals struct {
	edits int
	why   map[string]int
}

func (r *refusals) check(t *testing.T) {
	n := 0
	for _, why := range slices.SortedFunc(maps.Keys(r.why), func(a, b string) int { return cmp.Compare(r.why[b], r.why[a]) }) {
		n += r.why[why]
		t.Logf("%d refused: %s", r.why[why], why)
	}
	if n*50 > r.edits {
		t.Errorf("%d of %d ordinary edits were refused", n, r.edits)
	}
}

func TestPropertyOneEditIsOneSpan(t *testing.T) {
	fields := append(slices.SortedFunc(maps.Keys(keyOf), cmp.Compare[agent.Field]), agent.Instructions)
	for _, field := range fields {
		t.Run(string(field), func(t *testing.T) {
			r := &refusals{why: map[string]int{}}
			// often enough for a share to mean something
			checkOften(t, func(t *rapid.T) { oneEdit(t, drawFile(t), field, r) })
			r.check(t)
		})
	}
}

func oneEdit(t *rapid.T, d drawn, field agent.Field, r *refusals) {
	f := readDrawn(t, d.data)
	e := drawEdit(t, field, f.Agent)
	c, ok := patched(t, d, f, e, r)
	if !ok {
		return
	}
	s := c.Spans[0]
	within(t, d, e, s)
	commentsStay(t, d, e, c)
	if key, found := keyOf[field]; !found {
		tightBody(t, d, e, c)
	} else if _, found := d.entries[key]; found {
		tightEntry(t, d.entries[key], e, c)
	}
	if d.eol == "\n" && bytes.Contains(c.After, []byte("\r")) || d.eol == "\r\n" && bytes.Count(c.After, []byte("\n")) != bytes.Count(c.After, []byte("\r\n")) {
		t.Fatalf("%s: line breaks are mixed now\n%q\n%q", e.field, d.data, c.After)
	}
}

// patched applies e and checks what holds of every change; false where nothing
// changed or it was refused.
func patched(t *rapid.T, d drawn, f profile.File, e drawnEdit, r *refusals) (profile.Change, bool) {
	t.Helper()
	problems := agent.Check(e.next)
	differ := len(agent.Diff(f.Agent, e.next)) > 0
	c, err := patchClaude(d.data, drawnPath, e.next)
	ordinary := len(problems) == 0 && !strings.ContainsAny(e.next.Identity.Instructions+e.next.Identity.Description, "\r")
	if differ && ordinary && r != nil {
		r.edits++
	}
	if err != nil {
		mustBeFault(t, err)
		if ordinary && r != nil {
			r.why[fmt.Sprintf("%s %s: %s", e.field, e.how, fault.RuleOf(err))]++
		}
		return c, false
	}
	if !differ {
		if len(c.Spans)+len(c.Fields) > 0 || !bytes.Equal(c.After, d.data) {
			t.Fatalf("nothing was changed, spans %v", c.Spans)
		}
		return c, false
	}
	if len(c.Spans) != 1 || !slices.Equal(c.Fields, []agent.Field{e.field}) {
		t.Fatalf("%s: %d spans, fields %v\n%q\n%q", e.field, len(c.Spans), c.Fields, d.data, c.After)
	}
	s := c.Spans[0]
	if s.Start < 0 || s.End < s.Start || s.End > len(d.data) || !bytes.Equal(c.After, slices.Concat(d.data[:s.Start], s.New, d.data[s.End:])) {
		t.Fatalf("%s: After is not the file with its span replaced\n%q\n%q", e.field, d.data, c.After)
	}
	if !bytes.Equal(c.Before, d.data) {
		t.Fatal("Before is not the file")
	}
	got := readDrawn(t, c.After)
	if diff := gocmp.Diff(e.next, got.Agent, sameMeaning); diff != "" {
		t.Fatalf("%s %s: want -, read back +\n%s\n%q\n%q", e.field, e.how, diff, d.data, c.After)
	}
	again, err := patchClaude(c.After, drawnPath, e.next)
	if err != nil || len(again.Spans) > 0 || !bytes.Equal(again.After, c.After) {
		t.Fatalf("%s: a second time: %v, spans %v\n%q", e.field, err, again.Spans, c.After)
	}
	return c, true
}

// within checks that the span is in the entry of the field, or adds a line.
func within(t *rapid.T, d drawn, e drawnEdit, s profile.Span) {
	t.Helper()
	key, ok := keyOf[e.field]
	if !ok {
		if s.Start < d.front.end {
			t.Fatalf("the body's span %v begins in the front matter, which ends at %d\n%q", s, d.front.end, d.data)
		}
		return
	}
	x, ok := d.entries[key]
	if !ok {
		if s.Start != s.End || s.Start < d.front.start || s.End > d.front.end {
			t.Fatalf("%s: a new key as span %d-%d %q, front matter %v\n%q", key, s.Start, s.End, s.New, d.front, d.data)
		}
		return
	}
	if s.Start < x.start || s.End > x.end {
		t.Fatalf("%s: span %d-%d, the entry is %v\n%q\n%q", key, s.Start, s.End, x, d.data, s.New)
	}
}

// commentsStay checks that every comment inside the entry is still there,
// except those that stood beside what was taken out.
func commentsStay(t *rapid.T, d drawn, e drawnEdit, c profile.Change) {
	t.Helper()
	key := keyOf[e.field]
	if key == "" || e.how == "omitted" || e.how == "taken" || e.how == "replaced" || e.how == "one replaced" || e.how == "wildcard" || e.how == "empty" || removed(e) {
		return
	}
	for _, n := range d.inner[key] {
		if !bytes.Contains(c.After, []byte(n)) {
			t.Fatalf("%s %s: the comment %q is gone\n%q\n%q", key, e.how, n, d.data, c.After)
		}
	}
}

// removed reports whether the drawnEdit takes the key itself away.
func removed(e drawnEdit) bool {
	return e.field == agent.Model && e.next.Run.Model == "" || e.field == agent.Effort && e.next.Run.Effort == "" ||
		e.field == agent.Color && e.next.Look.Color == "" || e.field == agent.Denied && len(e.next.Access.Denied) == 0
}
