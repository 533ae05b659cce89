package tomldoc_test

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"

	"callboard/app/profile/document"
	"callboard/app/profile/tomldoc"
)

// normal has LF in every text of v.
func normal(v any) any {
	switch v := v.(type) {
	case string:
		return unix(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = normal(v[i])
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k := range v {
			out[k] = normal(v[k])
		}
		return out
	}
	return v
}

func TestEditsMeanWhatTheySay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &pen{t: t, eol: pick(&pen{t: t}, "\n", "\n", "\r\n")}
		f := p.file()
		d, err := tomldoc.Parse(f.data)
		if err != nil {
			t.Fatalf("%v\n%q", err, f.data)
		}
		checkEntries(t, f, d)
		v, meaning := document.Value{Text: p.text(false)}, any(nil)
		meaning = v.Text
		if p.one(3) == 0 {
			v, meaning = document.Value{List: true}, []any{}
		}
		var c document.Edit
		key := "new"
		want := maps.Clone(f.all)
		var r *root
		if n := p.one(len(f.roots) + 1); n < len(f.roots) {
			r = &f.roots[n]
			key = r.key
		}
		if v.List {
			v.Items = p.items(r)
			for _, item := range v.Items {
				meaning = append(meaning.([]any), item)
			}
		}
		want[key] = meaning
		switch {
		case r == nil:
			c, err = d.Insert(key, v)
		case p.one(5) == 0:
			delete(want, key)
			c, err = d.Remove(key)
		default:
			c, err = d.Replace(key, v)
		}
		if r != nil && !r.plain {
			if err == nil {
				t.Fatalf("edited %q of %q", key, f.data)
			}
			return
		}
		if err != nil {
			t.Fatalf("%v: %q to %+v in %q", err, key, v, f.data)
		}
		checkEdit(t, f, r, c, want)
	})
}

// items is a list near the one of r.
func (p *pen) items(r *root) []string {
	var out []string
	if r != nil {
		if old, ok := r.value.([]any); ok {
			for _, item := range old {
				if s, ok := item.(string); ok && p.one(4) > 0 {
					out = append(out, s)
				}
				if p.one(4) == 0 {
					out = append(out, p.text(p.one(3) > 0))
				}
			}
		}
	}
	for range p.one(3) {
		out = append(out, p.text(true))
	}
	return out
}

func checkEntries(t *rapid.T, f drawn, d *tomldoc.Document) {
	entries := d.Entries()
	for i, r := range f.roots {
		e := entries[i]
		end := min(r.end, len(f.data))
		line := 1 + bytes.Count(f.data[:r.start], []byte("\n"))
		if e.Key != r.key || r.start != e.Full.Start || end != e.Full.End || e.Line != line {
			t.Fatalf("%+v is %+v in %q", r, e, f.data)
		}
		if s, ok := r.value.(string); ok && r.plain && e.Reading.Text != s {
			t.Fatalf("%q reads as %q in %q", s, e.Reading.Text, f.data)
		}
	}
}

func checkEdit(t *rapid.T, f drawn, r *root, c document.Edit, want map[string]any) {
	after := document.Apply(f.data, c)
	var got map[string]any
	if err := toml.Unmarshal(bytes.TrimPrefix(after, []byte("\ufeff")), &got); err != nil {
		t.Fatalf("%v\n%q\n%q", err, f.data, after)
	}
	if got == nil {
		got = map[string]any{}
	}
	if diff := cmp.Diff(normal(want), normal(got)); diff != "" {
		t.Fatalf("%q\n%q\n%s", f.data, after, diff)
	}
	if bytes.Contains(f.data, []byte("\r\n")) && bytes.Contains(bytes.ReplaceAll(after, []byte("\r\n"), nil), []byte("\n")) {
		t.Fatalf("mixed line breaks in %q", after)
	}
	if r == nil {
		if c.Start != c.End || f.end >= 0 && c.Start != min(f.end, len(f.data)) {
			t.Fatalf("added at %v in %q", c.Span, f.data)
		}
		return
	}
	if c.Start < r.start || c.End > r.end {
		t.Fatalf("%v is outside of %+v in %q", c.Span, r, f.data)
	}
	if _, there := want[r.key]; there && !strings.HasSuffix(strings.TrimRight(string(after[:min(r.end, len(f.data))+len(after)-len(f.data)]), "\r\n"), strings.TrimRight(r.note, "\r\n")) {
		t.Fatalf("the comment %q is gone in %q", r.note, after)
	}
	if was, ok := r.value.([]any); ok && holdsAll(want[r.key], was) {
		for _, note := range r.notes {
			if !bytes.Contains(append(after, '\n'), []byte(note+"\n")) && !bytes.Contains(after, []byte(note+"\r\n")) {
				t.Fatalf("the comment %q is gone in %q, was %q", note, after, f.data)
			}
		}
	}
}

// holdsAll reports whether all items of a list of strings are in now, in order.
func holdsAll(now any, was []any) bool {
	list, ok := now.([]any)
	if !ok {
		return false
	}
	for _, item := range was {
		if _, ok := item.(string); !ok {
			return false
		}
		for len(list) > 0 && list[0] != item {
			list = list[1:]
		}
		if len(list) == 0 {
			return false
		}
		list = list[1:]
	}
	return true
}
