package profile_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/profile"
	"callboard/app/profile/frontmatter"
	"callboard/app/tool"
)

func (pg *page) read(t *rapid.T, l *leaf, data []byte) profile.File {
	t.Helper()
	f, err := profile.Read(pg.source(l, data))
	if err != nil {
		t.Fatalf("Read: %v\n%s", err, data)
	}
	return f
}

func (pg *page) leaf(t *rapid.T) *leaf { return rapid.SampledFrom(pg.leaves).Draw(t, "agent") }

// TestPropertyFormatsReadAndIdentity: what is read is what was drawn, and
// untouched it is written back byte for byte.
func TestPropertyFormatsReadAndIdentity(t *testing.T) {
	eachFormat(t, func(t *testing.T, draw func(*rapid.T) *page) {
		rapid.Check(t, func(t *rapid.T) {
			pg := draw(t)
			for _, l := range pg.leaves {
				readAsDrawn(t, pg, l)
			}
			files, err := profile.ReadFile(pg.path, pg.data)
			if err != nil || len(files) != len(pg.leaves) {
				t.Fatalf("ReadFile: %d agents, %v\n%s", len(files), err, pg.data)
			}
			for _, f := range files {
				l := pg.leaves[max(0, slices.IndexFunc(pg.leaves, func(l *leaf) bool { return l.key == f.Agent.Source.Key }))]
				if diff := gocmp.Diff(l.want, f.Agent, sameMeaning); diff != "" || f.Format != pg.format || f.Agent.Source.Key != l.key {
					t.Fatalf("ReadFile: %s %q, want -, got +\n%s\n%s", f.Format, f.Agent.Source.Key, diff, pg.data)
				}
			}
		})
	})
}

func readAsDrawn(t *rapid.T, pg *page, l *leaf) {
	t.Helper()
	f := pg.read(t, l, pg.data)
	if diff := gocmp.Diff(l.want, f.Agent, sameMeaning); diff != "" {
		t.Fatalf("want -, got +\n%s\n%s", diff, pg.data)
	}
	certain := tool.Resolve(l.want.Access).Certain
	broken := len(agent.Check(f.Agent)) > 0 || profile.Reserved(l.want.Identity.Name)
	if f.Certain != certain || f.Agent.Enabled != (certain && !broken) || !f.IsAgent {
		t.Fatalf("certain %v, want %v; enabled %v, agent %v, problems %v\n%s", f.Certain, certain, f.Agent.Enabled, f.IsAgent, f.Problems, pg.data)
	}
	src := f.Agent.Source
	if src == nil || !bytes.Equal(src.Original, pg.data) || src.Format != string(pg.format) || src.Path != pg.path || src.Key != l.key || src.BOM != bytes.HasPrefix(pg.data, []byte("\ufeff")) {
		t.Fatalf("source %+v", src)
	}
	c, err := profile.Patch(pg.source(l, pg.data), f.Agent.Clone())
	if err != nil || len(c.Spans)+len(c.Fields) > 0 || !bytes.Equal(c.After, pg.data) || !bytes.Equal(c.Before, pg.data) {
		t.Fatalf("untouched: %v, spans %v, fields %v\n%s", err, c.Spans, c.Fields, pg.data)
	}
	if s, ok := strictly(pg, l, pg.data); !ok || s.doubt != "" || !s.access.Tools.Equal(l.want.Access.Tools) && pg.format != profile.OpenCode {
		t.Fatalf("a strict reader: %v %+v\n%s", ok, s, pg.data)
	}
}

// pageEdit is one change of one field. ordinary says that there is no reason
// to refuse it.
type pageEdit struct {
	field    agent.Field
	next     agent.Agent
	how      string
	ordinary bool
}

func drawPageEdit(t *rapid.T, pg *page, field agent.Field, a agent.Agent) pageEdit {
	p := &pen{t: t}
	e := pageEdit{field: field, next: a.Clone(), ordinary: true}
	n := &e.next
	switch field {
	case agent.Name:
		names := anyNames
		if form, ok := markdownForms[pg.format]; ok {
			names = form.names
		}
		n.Identity.Name = choose(p, append([]string{"another"}, names...)...)
	case agent.Description:
		n.Identity.Description = choose(p, "Another", p.text(true), p.text(false), `a "b" \c: d # e`, "", "tab\there", "one\ntwo\n", "---", "'''", `"""`, "{{ x }}", "\u2028x", "true", "12", "null")
		e.ordinary = strings.TrimSpace(n.Identity.Description) != ""
	case agent.Model:
		n.Run.Model = choose(p, "", "opus", `a "b" \c: d # e`, "true", "1e3")
	case agent.Effort:
		n.Run.Effort = choose(p, "", "low", "minimal")
	case agent.Color:
		n.Look.Color = choose(p, "", "#00ff00", "primary")
	case agent.Bound:
		n.Access.Bound = choose(p, append([]string{""}, boundsOf(pg.format)...)...)
	case agent.Tools:
		n.Access.Tools, e.how = otherTokens(p, pg, a.Access.Tools)
		e.ordinary = e.how != "empty"
	case agent.Instructions:
		n.Identity.Instructions, e.how = p.otherBody(a.Identity.Instructions)
		if p.chance(4) {
			n.Identity.Instructions = choose(p, "", `C:\dir "x" '''y''' {{ z }}`+"\n# no comment\n", `"""`, "end\\", "  indented\nrest", "\n\nlead", "*/ // x")
		}
		e.ordinary = !blankLine(n.Identity.Instructions)
	case agent.ProviderName, agent.Enabled, agent.Denied, agent.Sees, agent.Calls:
		t.Fatalf("%s is in no file", field)
	}
	e.ordinary = e.ordinary && len(agent.Check(e.next)) == 0
	return e
}

func blankLine(s string) bool { return strings.TrimSpace(s) == "" }

func boundsOf(f profile.Format) []string {
	if f == profile.Codex {
		return []string{"read-only", "workspace-write", "danger-full-access"}
	}
	return markdownForms[f].bounds
}

func otherTokens(p *pen, pg *page, l tool.List) (tool.List, string) {
	from := markdownForms[pg.format].tokens
	switch p.one(6) {
	case 0:
		return tool.List{Stated: tool.Omitted}, "omitted"
	case 1:
		return tool.List{Stated: tool.Empty}, "empty"
	case 2:
		return tool.Of(p.tokensOf(from)...), "replaced"
	}
	tokens := slices.Clone(l.Tokens)
	if len(tokens) > 1 && p.chance(2) {
		at := p.one(len(tokens))
		return tool.Of(slices.Delete(tokens, at, at+1)...), "taken"
	}
	at := p.one(len(tokens) + 1)
	return tool.Of(slices.Insert(tokens, at, choose(p, from...))...), "added"
}

// TestPropertyFormatsOneEdit: one edited field is one span in its own entry
// that reads back, to a strict reader too, and patching back restores the
// meaning.
func TestPropertyFormatsOneEdit(t *testing.T) {
	eachFormat(t, func(t *testing.T, draw func(*rapid.T) *page) {
		r := &refusals{why: map[string]int{}}
		rapid.Check(t, func(t *rapid.T) {
			pg := draw(t)
			l := pg.leaf(t)
			f := pg.read(t, l, pg.data)
			field := rapid.SampledFrom(fieldsOf(pg.format)).Draw(t, "field")
			e := drawPageEdit(t, pg, field, f.Agent)
			if c, ok := laidOver(t, pg, l, f, e, r); ok {
				inItsEntry(t, pg, l, e, c)
				patchedBack(t, pg, l, f, e, c, r)
			}
		})
		fewRefused(t, r)
	})
}

// fewRefused fails where ordinary edits were refused more often than a comment
// happens to stand where it would become part of a block of text.
func fewRefused(t *testing.T, r *refusals) {
	t.Helper()
	n := 0
	for why, times := range r.why {
		n += times
		t.Logf("%d refused: %s", times, why)
	}
	if n > max(8, r.edits/20) {
		t.Errorf("%d of %d ordinary edits were refused", n, r.edits)
	}
}

// laidOver applies e and checks what holds of every change; false where nothing
// changed or it was refused.
func laidOver(t *rapid.T, pg *page, l *leaf, f profile.File, e pageEdit, r *refusals) (profile.Change, bool) {
	t.Helper()
	differ := differs(f.Agent, e.next)
	if e.ordinary && len(differ) > 0 {
		r.edits++
	}
	c, err := profile.Patch(pg.source(l, pg.data), e.next)
	if err != nil {
		mustBeFault(t, err)
		if e.ordinary {
			r.why[fmt.Sprintf("%s %s: %s", e.field, e.how, fault.RuleOf(err))]++
		}
		return c, false
	}
	if len(c.Spans) != len(differ) || !slices.Equal(c.Fields, differ) || !bytes.Equal(c.Before, pg.data) {
		t.Fatalf("%s: %d spans, fields %v, differ %v\n%s\n%s", e.field, len(c.Spans), c.Fields, differ, pg.data, c.After)
	}
	if overlay(string(pg.data), c.Spans) != string(c.After) {
		t.Fatalf("%s: After is not the file with its spans replaced\n%q\n%q", e.field, pg.data, c.After)
	}
	readsBack(t, pg, l, e.next, c)
	return c, len(differ) > 0
}

// sameButBreaks compares what files say, whatever line breaks instructions have:
// those of an edited text are LF.
var sameButBreaks = gocmp.Options{sameMeaning, gocmp.Comparer(func(a, b agent.Identity) bool {
	a.Instructions, b.Instructions = frontmatter.Normal(a.Instructions), frontmatter.Normal(b.Instructions)
	return a == b
})}

// differs is the fields in which two agents differ by more than their line
// breaks.
func differs(a, b agent.Agent) []agent.Field {
	a.Identity.Instructions, b.Identity.Instructions = frontmatter.Normal(a.Identity.Instructions), frontmatter.Normal(b.Identity.Instructions)
	return agent.Diff(a, b)
}

// readsBack checks that the changed file means what was wanted, and that its
// other agents mean what they did.
func readsBack(t *rapid.T, pg *page, l *leaf, next agent.Agent, c profile.Change) {
	t.Helper()
	got := pg.read(t, l, c.After)
	if diff := gocmp.Diff(next, got.Agent, sameButBreaks); diff != "" {
		t.Fatalf("%v: want -, read back +\n%s\n%s\n%s", c.Fields, diff, pg.data, c.After)
	}
	for _, o := range pg.leaves {
		if o == l {
			continue
		}
		if diff := gocmp.Diff(o.want, pg.read(t, o, c.After).Agent, sameMeaning); diff != "" {
			t.Fatalf("%s was edited and %s changed\n%s\n%s", l.key, o.key, diff, c.After)
		}
	}
	s, ok := strictly(pg, l, c.After)
	if !ok {
		t.Fatalf("%v: no strict reader reads it now\n%s\n%s", c.Fields, pg.data, c.After)
	}
	for field, want := range map[agent.Field]string{
		agent.Description: next.Identity.Description, agent.Model: next.Run.Model, agent.Instructions: next.Identity.Instructions,
	} {
		if field == agent.Instructions && l.body > 0 {
			continue
		}
		want = strings.ReplaceAll(want, "\r\n", "\n") // which a strict reader of TOML cannot tell from a line break of the file
		if got, has := s.texts[field]; slices.Contains(c.Fields, field) && (has || want != "") && got != want {
			t.Fatalf("%s is %q to a strict reader, want %q\n%s", field, got, want, c.After)
		}
	}
	again, err := profile.Patch(pg.source(l, c.After), next)
	if err != nil || len(again.Spans) > 0 || !bytes.Equal(again.After, c.After) {
		t.Fatalf("a second time: %v, spans %v\n%s", err, again.Spans, c.After)
	}
}

// inItsEntry checks that the span touches no other entry and no comment.
func inItsEntry(t *rapid.T, pg *page, l *leaf, e pageEdit, c profile.Change) {
	t.Helper()
	s, own := extent{c.Spans[0].Start, c.Spans[0].End}, l.keys[e.field]
	for key, x := range pg.spots {
		stays := pg.json && bytes.Contains(c.After, pg.data[x.start:x.end])
		if key != own && !x.apart(s) && !stays {
			t.Fatalf("%s: the span %v is in the entry %s %v\n%s\n%s", e.field, s, key, x, pg.data, c.After)
		}
	}
	for _, n := range pg.notes {
		if !bytes.Contains(c.After, []byte(n)) && !beside(pg, pg.spots[own], n) {
			t.Fatalf("%s: the comment %q is gone\n%s\n%s", e.field, n, pg.data, c.After)
		}
	}
	x, there := pg.spots[own]
	switch {
	case e.field == agent.Instructions && l.body > 0:
		if s.start < l.body {
			t.Fatalf("the body's span %v begins before %d\n%s", s, l.body, pg.data)
		}
	case there && !pg.json && !x.holds(s):
		t.Fatalf("%s: span %v, its entry is %v\n%s\n%s", e.field, s, x, pg.data, c.After)
	case !there && !pg.json && s.start != s.end:
		t.Fatalf("%s: a new key replaces %v\n%s\n%s", e.field, s, pg.data, c.After)
	}
	if lone := bytes.Count(pg.data, []byte("\n")) - bytes.Count(pg.data, []byte("\r\n")); lone == 0 && bytes.Contains(pg.data, []byte("\r\n")) &&
		bytes.Count(c.After, []byte("\n")) != bytes.Count(c.After, []byte("\r\n")) {
		t.Fatalf("%s: line breaks are mixed now\n%q\n%q", e.field, pg.data, c.After)
	}
}

// beside reports whether the comment n stands on the line of a member of JSON,
// with which it goes, or nowhere.
func beside(pg *page, x extent, n string) bool {
	at := bytes.Index(pg.data, []byte(n))
	if at < 0 || !pg.json {
		return at < 0
	}
	between := pg.data[min(at, x.start):x.start]
	between = between[max(0, bytes.LastIndex(between, []byte("*/"))):]
	behind := pg.data[x.end:max(at, x.end)]
	return !bytes.Contains(between, []byte("\n")) && !bytes.Contains(behind, []byte("\n"))
}

func patchedBack(t *rapid.T, pg *page, l *leaf, f profile.File, e pageEdit, c profile.Change, r *refusals) {
	t.Helper()
	back, err := profile.Patch(pg.source(l, c.After), f.Agent)
	if err != nil {
		mustBeFault(t, err)
		if e.ordinary {
			r.why[fmt.Sprintf("%s back: %s", e.field, fault.RuleOf(err))]++
		}
		return
	}
	got := pg.read(t, l, back.After)
	if diff := gocmp.Diff(f.Agent, got.Agent, sameButBreaks); diff != "" || got.Certain != f.Certain || got.Agent.Enabled != f.Agent.Enabled {
		t.Fatalf("back: want -, got +\n%s\n%s\n%s\n%s", diff, pg.data, c.After, back.After)
	}
}

// TestPropertyFormatsManyEdits: several fields at once read back, and every
// entry of an untouched key stays byte for byte.
func TestPropertyFormatsManyEdits(t *testing.T) {
	eachFormat(t, func(t *testing.T, draw func(*rapid.T) *page) {
		r := &refusals{why: map[string]int{}}
		rapid.Check(t, func(t *rapid.T) {
			pg := draw(t)
			l := pg.leaf(t)
			f := pg.read(t, l, pg.data)
			e := pageEdit{next: f.Agent, ordinary: true, how: "several"}
			for range rapid.IntRange(2, 4).Draw(t, "edits") {
				field := rapid.SampledFrom(fieldsOf(pg.format)).Draw(t, "field")
				step := drawPageEdit(t, pg, field, e.next)
				e.next, e.ordinary = step.next, e.ordinary && step.ordinary
			}
			c, ok := severalLaidOver(t, pg, l, f, e, r)
			if !ok {
				return
			}
			for key, x := range pg.spots {
				if !touches(l, key, c.Fields) && !bytes.Contains(c.After, pg.data[x.start:x.end]) {
					t.Fatalf("%v: the entry %s is gone\n%s\n%s", c.Fields, key, pg.data, c.After)
				}
			}
		})
		fewRefused(t, r)
	})
}

func touches(l *leaf, key string, fields []agent.Field) bool {
	return slices.ContainsFunc(fields, func(f agent.Field) bool { return l.keys[f] == key })
}

func severalLaidOver(t *rapid.T, pg *page, l *leaf, f profile.File, e pageEdit, r *refusals) (profile.Change, bool) {
	t.Helper()
	differ := differs(f.Agent, e.next)
	if e.ordinary && len(differ) > 0 {
		r.edits++
	}
	c, err := profile.Patch(pg.source(l, pg.data), e.next)
	if err != nil {
		mustBeFault(t, err)
		if e.ordinary {
			r.why[fmt.Sprintf("%v: %s", differ, fault.RuleOf(err))]++
		}
		return c, false
	}
	slices.Sort(differ)
	if len(c.Spans) > len(differ) || !slices.Equal(slices.Sorted(slices.Values(c.Fields)), differ) || overlay(string(pg.data), c.Spans) != string(c.After) {
		t.Fatalf("%d spans, fields %v, differ %v\n%s\n%s", len(c.Spans), c.Fields, differ, pg.data, c.After)
	}
	for i, s := range c.Spans {
		if s.Start > s.End || i > 0 && s.Start < c.Spans[i-1].End {
			t.Fatalf("spans %v\n%s", c.Spans, pg.data)
		}
	}
	readsBack(t, pg, l, e.next, c)
	return c, true
}
