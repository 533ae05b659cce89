package jsondoc_test

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
	"pgregory.net/rapid"

	"callboard/app/profile/document"
	"callboard/app/profile/jsondoc"
)

func TestProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDocument(t)
		p, err := jsondoc.Parse([]byte(d.text))
		if err != nil {
			t.Fatalf("%q: %v", d.text, err)
		}
		o, err := p.Object(d.path...)
		if err != nil {
			t.Fatalf("%q: %v", d.text, err)
		}
		if o.Span() != (document.Span{Start: d.start, End: d.end}) {
			t.Fatalf("%q: %v", d.text, o.Span())
		}
		key, v := drawKey(t, d), drawValue(t, d)
		_, there := d.inside[key]
		remove := there && rapid.Bool().Draw(t, "remove")
		e, err := edit(o, key, v, there, remove)
		if errors.Is(err, document.ErrForm) && there && holdsNotes(o, d, key) {
			return
		}
		if err != nil {
			t.Fatalf("%q: %q %+v: %v", d.text, key, v, err)
		}
		after := apply(d.text, e)
		tail := d.text[d.end:]
		if !strings.HasPrefix(after, d.text[:d.start]) || !strings.HasSuffix(after, tail) || after[len(after)-len(tail)-1] != '}' {
			t.Fatalf("%q became %q", d.text, after)
		}
		for _, n := range d.notes {
			if !remove && strings.Count(after, n) != 1 {
				t.Fatalf("%q became %q without %s", d.text, after, n)
			}
		}
		if d.plain && !json.Valid([]byte(strings.TrimPrefix(after, "\ufeff"))) {
			t.Fatalf("%q became %q", d.text, after)
		}
		if remove {
			delete(d.inside, key)
		} else {
			d.inside[key] = plain(v)
		}
		if diff := cmp.Diff(d.value, standard(t, after)); diff != "" {
			t.Fatalf("%q became %q: %s", d.text, after, diff)
		}
	})
}

// drawKey draws a key of the object, or a new one.
func drawKey(t *rapid.T, d drawn) string {
	names := slices.Sorted(maps.Keys(d.inside))
	return rapid.SampledFrom(append(names, "new", "né\"\n")).Draw(t, "key")
}

// drawValue draws a text or a list that may have items of a list that is there.
func drawValue(t *rapid.T, d drawn) document.Value {
	switch rapid.IntRange(0, 4).Draw(t, "value") {
	case 0:
		return document.Truth(rapid.Bool().Draw(t, "truth"))
	case 1:
		return document.Scalar(drawText(t))
	}
	pool := []string{"a", "b", "<&>", "\x00é", ""}
	for _, key := range slices.Sorted(maps.Keys(d.inside)) {
		list, _ := d.inside[key].([]any)
		for _, v := range list {
			if s, ok := v.(string); ok {
				pool = append(pool, s, s)
			}
		}
	}
	return document.Strings(rapid.SliceOfN(rapid.SampledFrom(pool), 0, 6).Draw(t, "items")...)
}

func edit(o *jsondoc.Object, key string, v document.Value, there, remove bool) (document.Edit, error) {
	switch {
	case remove:
		return o.Remove(key)
	case there:
		return o.Replace(key, v)
	}
	return o.Insert(key, v)
}

// holdsNotes reports whether a comment stands in the value of key.
func holdsNotes(o *jsondoc.Object, d drawn, key string) bool {
	for _, e := range o.Entries() {
		if e.Key == key {
			value := d.text[e.Value.Start:e.Value.End]
			return slices.ContainsFunc(d.notes, func(n string) bool { return strings.Contains(value, n) })
		}
	}
	return false
}

func plain(v document.Value) any {
	if v.Bare {
		return v.Text == "true"
	}
	if !v.List {
		return v.Text
	}
	out := []any{}
	for _, item := range v.Items {
		out = append(out, item)
	}
	return out
}

// standard is what text says to another reader.
func standard(t rapid.TB, text string) any {
	t.Helper()
	b, err := hujson.Standardize([]byte(strings.TrimPrefix(text, "\ufeff") + "\n"))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	dec := json.NewDecoder(strings.NewReader(string(b)))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}
