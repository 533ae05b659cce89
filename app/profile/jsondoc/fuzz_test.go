package jsondoc_test

import (
	"testing"

	"callboard/app/profile/document"
	"callboard/app/profile/jsondoc"
)

// FuzzParse checks that the spans of any file are in order, and that edits of
// its root either fail or leave a file that says what was wanted.
func FuzzParse(f *testing.F) {
	for _, cases := range [][]editCase{replaceCases, insertCases, removeCases} {
		for _, tc := range cases {
			f.Add([]byte(tc.in))
		}
	}
	for _, tc := range listCases {
		f.Add([]byte(`{"tools": ` + tc.in + `}`))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := jsondoc.Parse(data)
		if err != nil {
			return
		}
		o, err := d.Object()
		if err != nil {
			return
		}
		at := o.Span().Start + 1
		for i, e := range o.Entries() {
			if e.Full.Start < at || e.Value.Start <= e.Full.Start || e.Value.End <= e.Value.Start || e.Value.End != e.Full.End || e.Full.End >= o.Span().End {
				t.Fatalf("%q: %v %v in %v", data, e.Full, e.Value, o.Span())
			}
			at = e.Full.End
			if i > 8 {
				continue
			}
			if e.Reading.Kind == document.Text {
				edited(t, data, e.Key, document.Scalar("new value"), o.Replace)
			}
			edited(t, data, e.Key, document.Strings("new value", "a"), o.Replace)
			if c, err := o.Remove(e.Key); err == nil {
				if _, ok := only(t, document.Apply(data, c), e.Key); ok {
					t.Fatalf("%q still has %q", data, e.Key)
				}
			}
		}
		edited(t, data, "new key", document.Scalar("new value"), o.Insert)
	})
}

func edited(t *testing.T, data []byte, key string, v document.Value, edit func(string, document.Value) (document.Edit, error)) {
	t.Helper()
	c, err := edit(key, v)
	if err != nil {
		return
	}
	after := document.Apply(data, c)
	e, ok := only(t, after, key)
	if want := (document.Reading{Kind: document.Text, Text: v.Text, Tag: "!!str"}); !v.List && (!ok || !e.Reading.Equal(want)) {
		t.Fatalf("%q became %q", data, after)
	}
	if want := (document.Reading{Kind: document.List, Items: v.Items}); v.List && (!ok || !e.Reading.Equal(want)) {
		t.Fatalf("%q became %q", data, after)
	}
}

func only(t *testing.T, data []byte, key string) (document.Entry, bool) {
	t.Helper()
	for _, e := range object(t, string(data)).Entries() {
		if e.Key == key {
			return e, true
		}
	}
	return document.Entry{}, false
}
