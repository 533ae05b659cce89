package frontmatter

import (
	"bytes"
	"fmt"
	"slices"

	"callboard/app/profile/document"
)

// Replace gives key a new value in the style it has, else in the one with the
// least quoting that reads back the same. A comment on the key's line, the
// line breaks around it and the unchanged items of a list stay.
func (d *Document) Replace(key string, v document.Value) (document.Edit, error) {
	e, err := d.editable(key)
	if err != nil {
		return document.Edit{}, err
	}
	for _, c := range d.candidates(e, v) {
		c = d.narrow(c)
		if d.holds(c, change{key: key, at: d.index(key), want: &v}) {
			return c, nil
		}
	}
	return document.Edit{}, fmt.Errorf("%w: line %d", document.ErrCannotWrite, e.Line)
}

// Remove takes the whole lines of key away, its comment too.
func (d *Document) Remove(key string) (document.Edit, error) {
	e, err := d.editable(key)
	if err != nil {
		return document.Edit{}, err
	}
	c := document.Edit{Span: e.Full}
	if !d.holds(c, change{key: key, at: d.index(key)}) {
		return document.Edit{}, fmt.Errorf("%w: line %d", document.ErrCannotWrite, e.Line)
	}
	return c, nil
}

// Insert adds key at the end of the front matter. A file without front matter
// gets one at its start. key must be a plain word that is not there yet.
func (d *Document) Insert(key string, v document.Value) (document.Edit, error) {
	if len(d.All(key)) > 0 {
		return document.Edit{}, document.ErrTwice
	}
	if !d.shaped {
		return document.Edit{}, document.ErrForm
	}
	at := d.Block.End
	eol := eolBefore(d.data, at)
	before, after := "", eol
	if d.bare && at > d.Block.Start && d.data[at-1] != '\n' {
		before = eol // the last line has no line break of its own
		after = ""
	}
	if !d.Present {
		at = d.Body.Start
		eol = firstEOL(d.data)
		before, after = "---"+eol, eol+"---"+eol
	}
	for _, text := range render(v, eol) {
		c := document.Edit{Span: document.At(at, at), New: []byte(before + key + ":" + text + after)}
		if d.holds(c, change{key: key, at: len(d.Entries), want: &v, added: true}) {
			return c, nil
		}
	}
	return document.Edit{}, document.ErrCannotWrite
}

func (d *Document) editable(key string) (Entry, error) {
	if !d.shaped {
		return Entry{}, document.ErrForm
	}
	e, ok := d.Entry(key)
	switch {
	case ok:
		return e, nil
	case len(d.All(key)) > 1:
		return Entry{}, fmt.Errorf("%w: line %d", document.ErrTwice, d.All(key)[1].Line)
	}
	return Entry{}, document.ErrMissing
}

func (d *Document) index(key string) int {
	return slices.IndexFunc(d.Entries, func(e Entry) bool { return e.Key == key })
}

// narrow leaves the whole lines out of c that it would not change.
func (d *Document) narrow(c document.Edit) document.Edit {
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
	want  *document.Value
	added bool
}

// holds reads the file as c would leave it and reports whether exactly the
// wanted key changed: every other key keeps its bytes and value, the body its
// bytes, and the block is no harder to read than before.
func (d *Document) holds(c document.Edit, ch change) bool {
	p, err := d.parse(document.Apply(d.data, c))
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
		return bytes.Equal(d.own(a), p.own(b)) && a.Style == b.Style && a.Reading.Equal(b.Reading)
	})
}

// own are the bytes of an entry that nothing else may change. The last line of
// a bare file gets a line break when a line is put after it.
func (d *Document) own(e Entry) []byte {
	b := d.bytes(e.Full)
	if d.bare {
		b = bytes.TrimRight(b, "\r\n")
	}
	return b
}

func (d *Document) bytes(s document.Span) []byte { return d.data[s.Start:s.End] }

// says reports whether e reads as v for every reader: as text or as a list, and
// without repair unless it is text that goes on without indentation.
func says(e Entry, v document.Value) bool {
	r, style := e.Reading, e.Style
	if e.own != nil {
		style = e.own.Style
	}
	switch {
	case r.Repaired && e.Style != Unindented:
		return false
	case v.List:
		return r.Kind == document.List && slices.Equal(r.Items, v.Items)
	case v.Bare:
		return r.Kind == document.Text && r.Tag == "!!bool" && r.Text == v.Text
	}
	return r.Kind == document.Text && r.Tag == "!!str" && r.Text == v.Text && (style != Plain || !ambiguous(v.Text))
}
