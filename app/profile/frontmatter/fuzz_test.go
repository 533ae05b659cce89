package frontmatter_test

import (
	"bytes"
	"slices"
	"testing"

	"callboard/app/profile/document"
	"callboard/app/profile/frontmatter"
)

// FuzzParse checks that the spans of any file are in order and that a removal
// or a replacement of any key leaves every other key alone.
func FuzzParse(f *testing.F) {
	for _, tc := range replaceCases {
		f.Add([]byte(tc.in), "a: b")
	}
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		d, err := frontmatter.Parse(data, known)
		if err != nil {
			return
		}
		at := d.Block.Start
		for _, e := range d.Entries {
			if e.Full.Start < at || e.Full.End > d.Block.End || e.Value.Start < e.Full.Start || e.Value.End < e.Value.Start || e.Value.End > e.Full.End {
				t.Fatalf("entry %q: %v %v in %v", e.Key, e.Full, e.Value, d.Block)
			}
			at = e.Full.End
		}
		if d.Body.End != len(data) || d.Body.Start < at {
			t.Fatalf("body %v", d.Body)
		}
		for i, e := range d.Entries {
			if i > 8 {
				break
			}
			if c, err := d.Replace(e.Key, document.Scalar(text)); err == nil {
				p := reparse(t, data, c)
				if got, ok := p.Entry(e.Key); !ok || got.Reading.Text != text || !kept(d, data, p, document.Apply(data, c), e.Key) {
					t.Fatalf("replace %q in %q", e.Key, data)
				}
			}
			if c, err := d.Remove(e.Key); err == nil {
				if p := reparse(t, data, c); len(p.All(e.Key)) > 0 || !kept(d, data, p, document.Apply(data, c), e.Key) {
					t.Fatalf("remove %q of %q", e.Key, data)
				}
			}
		}
		if c, err := d.ReplaceBody(text); err == nil {
			if p := reparse(t, data, c); p.Text() != frontmatter.Normal(text) || !slices.EqualFunc(d.Entries, p.Entries, func(a, b frontmatter.Entry) bool { return a.Full == b.Full }) {
				t.Fatalf("body of %q", data)
			}
		}
	})
}

func reparse(t *testing.T, data []byte, c document.Edit) *frontmatter.Document {
	t.Helper()
	before := bytes.Clone(data)
	after := document.Apply(data, c)
	if !bytes.Equal(before, data) {
		t.Fatal("Apply changed its argument")
	}
	p, err := frontmatter.Parse(after, known)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// kept reports whether every entry but those of key has the same bytes in both.
func kept(before *frontmatter.Document, was []byte, after *frontmatter.Document, is []byte, key string) bool {
	rest := func(d *frontmatter.Document, data []byte) (out []string) {
		for _, e := range d.Entries {
			if e.Key != key {
				out = append(out, string(data[e.Full.Start:e.Full.End]))
			}
		}
		return out
	}
	return slices.Equal(rest(before, was), rest(after, is))
}
