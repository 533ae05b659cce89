package tomldoc_test

import (
	"bytes"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"callboard/app/profile/document"
	"callboard/app/profile/tomldoc"
)

// FuzzParse checks that the spans of any file are in order and that an edit
// either fails or leaves valid TOML that says what was wanted.
func FuzzParse(f *testing.F) {
	f.Add([]byte(agentFile), "a 'b'\n")
	for _, tc := range replaceCases {
		f.Add([]byte(tc.in), "new value")
		f.Add([]byte(tc.want), tc.v.Text)
	}
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		d, err := tomldoc.Parse(data)
		if err != nil {
			return
		}
		at := 0
		for _, e := range d.Entries() {
			if e.Full.Start < at || e.Value.Start < e.Full.Start || e.Value.End < e.Value.Start || e.Value.End > e.Full.End || e.Full.End > len(data) {
				t.Fatalf("entry %q: %v %v", e.Key, e.Full, e.Value)
			}
			at = e.Full.End
		}
		for i, e := range d.Entries() {
			if i > 8 {
				break
			}
			for _, v := range []document.Value{document.Scalar("new value"), document.Scalar(text), document.Strings("x", text)} {
				if c, err := d.Replace(e.Key, v); err == nil {
					edited(t, data, c, e.Key, &v)
				} else if v.Text == "new value" && e.Reading.Kind == document.Text {
					t.Fatalf("%v: %q in %q", err, e.Key, data)
				}
			}
			if c, err := d.Remove(e.Key); err == nil {
				edited(t, data, c, e.Key, nil)
			} else if e.Reading.Kind == document.Text {
				t.Fatalf("%v: %q in %q", err, e.Key, data)
			}
		}
		if c, err := d.Insert("new-key", document.Scalar(text)); err == nil {
			v := document.Scalar(text)
			edited(t, data, c, "new-key", &v)
		}
	})
}

func edited(t *testing.T, data []byte, c document.Edit, key string, v *document.Value) {
	t.Helper()
	after := document.Apply(data, c)
	var m map[string]any
	if err := toml.Unmarshal(bytes.TrimPrefix(after, []byte("\ufeff")), &m); err != nil {
		t.Fatalf("%v: %q to %q", err, data, after)
	}
	p, err := tomldoc.Parse(after)
	if err != nil {
		t.Fatal(err)
	}
	var got *document.Reading
	for _, e := range p.Entries() {
		if e.Key == key {
			got = &e.Reading
		}
	}
	if (v == nil) != (got == nil) || v != nil && !v.List && got.Text != v.Text {
		t.Fatalf("%q to %q", data, after)
	}
}
