package frontmatter

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"callboard/app/fault"
)

// The refusals of the edits.
var (
	ErrMissing = fault.New(fault.NotFound, "key_missing", "the front matter has no such key")
	ErrTwice   = fault.New(fault.Conflict, "key_twice", "the front matter has this key twice").
			Then("Remove one of them in a text editor, then edit again.")
	ErrForm = fault.New(fault.Invalid, "front_matter_form", "the front matter is written in a form that is not edited here").
		Then("Edit the file in a text editor.")
	ErrCannotWrite = fault.New(fault.Invalid, "not_writable", "the new value cannot be written so that it reads back the same").
			Then("Nothing was changed. Edit the file in a text editor.")
)

// Value is what an edit writes: one scalar, or a list of strings.
type Value struct {
	Text  string
	Items []string
	List  bool
}

// Scalar is a value of one text.
func Scalar(text string) Value { return Value{Text: text} }

// Strings is a value that is a list.
func Strings(items ...string) Value { return Value{Items: items, List: true} }

// Edit is one span of the file and the bytes that take its place.
type Edit struct {
	Span
	New []byte
}

// Apply returns data with edits laid over it; data itself stays. The edits must
// not overlap; insertions at one offset are applied in their order, and before
// what replaces the bytes there.
func Apply(data []byte, edits ...Edit) []byte {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int { return Order(a.Span, b.Span) })
	var b bytes.Buffer
	at := 0
	for _, e := range sorted {
		b.Write(data[at:e.Start])
		b.Write(e.New)
		at = e.End
	}
	b.Write(data[at:])
	return b.Bytes()
}

// Order compares spans by where they stand, an empty one before one that starts
// at the same offset.
func Order(a, b Span) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(min(a.End, a.Start+1), min(b.End, b.Start+1)))
}

// Replace gives key a new value in the style it has, else in the one with the
// least quoting that reads back the same. A comment on the key's line, the
// line breaks around it and the unchanged items of a list stay.
func (d *Document) Replace(key string, v Value) (Edit, error) {
	e, err := d.editable(key)
	if err != nil {
		return Edit{}, err
	}
	for _, c := range d.candidates(e, v) {
		c = d.narrow(c)
		if d.holds(c, change{key: key, at: d.index(key), want: &v}) {
			return c, nil
		}
	}
	return Edit{}, fmt.Errorf("%w: line %d", ErrCannotWrite, e.Line)
}

// Remove takes the whole lines of key away, its comment too.
func (d *Document) Remove(key string) (Edit, error) {
	e, err := d.editable(key)
	if err != nil {
		return Edit{}, err
	}
	c := Edit{Span: e.Full}
	if !d.holds(c, change{key: key, at: d.index(key)}) {
		return Edit{}, fmt.Errorf("%w: line %d", ErrCannotWrite, e.Line)
	}
	return c, nil
}

// Insert adds key at the end of the front matter. A file without front matter
// gets one at its start. key must be a plain word that is not there yet.
func (d *Document) Insert(key string, v Value) (Edit, error) {
	if len(d.All(key)) > 0 {
		return Edit{}, ErrTwice
	}
	if !d.shaped {
		return Edit{}, ErrForm
	}
	at := d.Block.End
	eol := eolBefore(d.data, at)
	before, after := "", eol
	if !d.Present {
		at = d.Body.Start
		eol = firstEOL(d.data)
		before, after = "---"+eol, eol+"---"+eol
	}
	for _, text := range render(v, eol) {
		c := Edit{Span{at, at}, []byte(before + key + ":" + text + after)}
		if d.holds(c, change{key: key, at: len(d.Entries), want: &v, added: true}) {
			return c, nil
		}
	}
	return Edit{}, ErrCannotWrite
}

func (d *Document) editable(key string) (Entry, error) {
	if !d.shaped {
		return Entry{}, ErrForm
	}
	e, ok := d.Entry(key)
	switch {
	case ok:
		return e, nil
	case len(d.All(key)) > 1:
		return Entry{}, fmt.Errorf("%w: line %d", ErrTwice, d.All(key)[1].Line)
	}
	return Entry{}, ErrMissing
}

func (d *Document) index(key string) int {
	return slices.IndexFunc(d.Entries, func(e Entry) bool { return e.Key == key })
}

// narrow leaves the whole lines out of c that it would not change.
func (d *Document) narrow(c Edit) Edit {
	old := d.data[c.Start:c.End]
	n := 0
	for n < len(old) && n < len(c.New) && old[n] == c.New[n] {
		n++
	}
	n = bytes.LastIndexByte(old[:n], '\n') + 1
	c.Start += n
	old, c.New = old[n:], c.New[n:]
	n = 0
	for n < len(old) && n < len(c.New) && old[len(old)-1-n] == c.New[len(c.New)-1-n] {
		n++
	}
	starts := func(b []byte, at int) bool {
		if at > 0 {
			return b[at-1] == '\n'
		}
		return c.Start == 0 || d.data[c.Start-1] == '\n'
	}
	for n > 0 && (!starts(old, len(old)-n) || !starts(c.New, len(c.New)-n)) {
		n--
	}
	c.End -= n
	c.New = c.New[:len(c.New)-n]
	return c
}

// change is what one edit is meant to do: want is nil for a removal.
type change struct {
	key   string
	at    int
	want  *Value
	added bool
}

// holds reads the file as c would leave it and reports whether exactly the
// wanted key changed: every other key keeps its bytes and value, the body its
// bytes, and the block is no harder to read than before.
func (d *Document) holds(c Edit, ch change) bool {
	p, err := Parse(Apply(d.data, c), d.known)
	if err != nil || !p.Present || p.BOM != d.BOM || p.Strict != d.Strict && d.Strict && d.Present {
		return false
	}
	if p.shaped != d.shaped || (d.Clear && !p.Clear) || !bytes.Equal(d.bytes(d.Body), p.bytes(p.Body)) {
		return false
	}
	have, got := slices.Clone(d.Entries), slices.Clone(p.Entries)
	if !ch.added {
		have = slices.Delete(have, ch.at, ch.at+1)
	}
	if ch.want != nil {
		if ch.at >= len(got) || got[ch.at].Key != ch.key || !says(got[ch.at], *ch.want) {
			return false
		}
		got = slices.Delete(got, ch.at, ch.at+1)
	}
	return slices.EqualFunc(have, got, func(a, b Entry) bool {
		return bytes.Equal(d.bytes(a.Full), p.bytes(b.Full)) && a.Style == b.Style && sameReading(a.Reading, b.Reading)
	})
}

// Kept reports whether every entry of before but those of the keys in except
// stands in after with the same bytes, in the same order, and nothing new.
func Kept(before, after *Document, except ...string) bool {
	rest := func(d *Document) []Entry {
		return slices.DeleteFunc(slices.Clone(d.Entries), func(e Entry) bool { return slices.Contains(except, e.Key) })
	}
	return slices.EqualFunc(rest(before), rest(after), func(a, b Entry) bool {
		return bytes.Equal(before.bytes(a.Full), after.bytes(b.Full))
	})
}

func (d *Document) bytes(s Span) []byte { return d.data[s.Start:s.End] }

func sameReading(a, b Reading) bool {
	return a.Kind == b.Kind && a.Text == b.Text && a.Tag == b.Tag && a.Repaired == b.Repaired && slices.Equal(a.Items, b.Items)
}

// says reports whether e reads as v for every reader: as text or as a list, and
// without repair unless it is text that goes on without indentation.
func says(e Entry, v Value) bool {
	r, style := e.Reading, e.Style
	if e.own != nil {
		style = e.own.Style
	}
	switch {
	case r.Repaired && e.Style != Unindented:
		return false
	case v.List:
		return r.Kind == List && slices.Equal(r.Items, v.Items)
	}
	return r.Kind == Text && r.Tag == "!!str" && r.Text == v.Text && (style != Plain || !ambiguous(v.Text))
}
