package profile

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"callboard/app/profile/document"
)

// TestLayersTellTheWholeChange: whatever edits follow each other, their spans
// laid over the original give the file as it is now, in order and apart.
func TestLayersTellTheWholeChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		original := []byte("0123456789")[:rapid.IntRange(0, 10).Draw(t, "size")]
		now := bytes.Clone(original)
		l := over(len(original))
		for range rapid.IntRange(0, 6).Draw(t, "edits") {
			start := rapid.IntRange(0, len(now)).Draw(t, "start")
			end := rapid.IntRange(start, min(len(now), start+4)).Draw(t, "end")
			e := document.Edit{Span: document.At(start, end), New: []byte(rapid.SampledFrom([]string{"", "a", "bcd"}).Draw(t, "new"))}
			l.add(e)
			now = document.Apply(now, e)
		}
		spans := l.spans(now)
		var edits []document.Edit
		at := 0
		for _, s := range spans {
			if s.Start < at || s.End < s.Start {
				t.Fatalf("spans overlap: %v", spans)
			}
			at = s.End
			edits = append(edits, document.Edit{Span: document.At(s.Start, s.End), New: s.New})
		}
		var got []byte
		at = 0
		for _, e := range edits {
			got = append(append(got, original[at:e.Start]...), e.New...)
			at = e.End
		}
		if got = append(got, original[at:]...); !bytes.Equal(got, now) {
			t.Fatalf("got %q, want %q by %v", got, now, spans)
		}
	})
}
