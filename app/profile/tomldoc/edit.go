package tomldoc

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"callboard/app/profile/document"
)

// Replace gives key a new value in the style it has, else in the one with the
// least quoting that reads back the same. A comment behind the value, the lines
// of a text and the items of a list that stay the same keep their bytes.
func (d *Document) Replace(key string, v document.Value) (document.Edit, error) {
	at, err := d.editable(key)
	if err != nil {
		return document.Edit{}, err
	}
	e := d.entries[at]
	for _, c := range d.candidates(e, v) {
		c = d.narrow(c)
		if d.holds(c, change{key: key, at: at, want: &v}) {
			return c, nil
		}
	}
	return document.Edit{}, fmt.Errorf("%w: line %d", document.ErrCannotWrite, e.Line)
}

// Remove takes the whole lines of key away, the comment behind its value too.
func (d *Document) Remove(key string) (document.Edit, error) {
	at, err := d.editable(key)
	if err != nil {
		return document.Edit{}, err
	}
	c := document.Edit{Span: d.entries[at].Full}
	if !d.holds(c, change{key: key, at: at}) {
		return document.Edit{}, fmt.Errorf("%w: line %d", document.ErrCannotWrite, d.entries[at].Line)
	}
	return c, nil
}

// Insert adds key behind the last key that stands before the first table, and
// before anything that belongs to that table. key must be a bare key that is
// not there yet.
func (d *Document) Insert(key string, v document.Value) (document.Edit, error) {
	if d.index(key) >= 0 {
		return document.Edit{}, document.ErrTwice
	}
	if !bare(key) {
		return document.Edit{}, fmt.Errorf("%w: only keys of the letters A to Z, digits, - and _ are added", document.ErrForm)
	}
	eol := d.eol()
	at, before, after := d.place(eol)
	n := 0
	for n < len(d.entries) && d.entries[n].Full.Start < at {
		n++
	}
	for _, text := range render(v, eol) {
		c := document.Edit{Span: document.Span{Start: at, End: at}, New: []byte(before + key + " = " + text + after)}
		if d.holds(c, change{key: key, at: n, want: &v, added: true}) {
			return c, nil
		}
	}
	return document.Edit{}, document.ErrCannotWrite
}

// place is where a new key goes, and what must stand around its line.
func (d *Document) place(eol string) (at int, before, after string) {
	at = d.last
	if at < 0 {
		at = d.aboveHeader()
		if at < len(d.data) && !bytes.HasPrefix(d.data[at:], []byte(eol)) {
			after = eol // a blank line before the first table
		}
	}
	if at > d.start() && d.data[at-1] != '\n' {
		return at, eol, ""
	}
	return at, "", eol + after
}

// aboveHeader is where the first table begins with the comments right above it,
// the end of the file if there is no table.
func (d *Document) aboveHeader() int {
	at := d.header
	if at == len(d.data) {
		return at
	}
	for at > d.start() {
		from := d.start()
		if n := bytes.LastIndexByte(d.data[from:at-1], '\n'); n >= 0 {
			from += n + 1
		}
		if !bytes.HasPrefix(bytes.TrimLeft(d.data[from:at], " \t"), []byte("#")) {
			break
		}
		at = from
	}
	return at
}

// eol is the line break of the file.
func (d *Document) eol() string { return firstEOL(d.data, "\n") }

// firstEOL is the first line break in text, other if it has none.
func firstEOL(text []byte, other string) string {
	n := bytes.IndexByte(text, '\n')
	switch {
	case n < 0:
		return other
	case n > 0 && text[n-1] == '\r':
		return "\r\n"
	}
	return "\n"
}

func (d *Document) index(key string) int {
	return slices.IndexFunc(d.entries, func(e entry) bool { return e.Key == key })
}

// editable is where key stands in the entries, if its value may be edited.
func (d *Document) editable(key string) (int, error) {
	at := d.index(key)
	switch {
	case at < 0:
		return 0, document.ErrMissing
	case !d.entries[at].plain:
		return 0, fmt.Errorf("%w: line %d", document.ErrForm, d.entries[at].Line)
	}
	return at, nil
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
	inLine := c.Start > d.start() && d.data[c.Start-1] != '\n'
	same := 0
	for n = 1; n <= len(old) && n <= len(c.New) && old[len(old)-n] == c.New[len(c.New)-n]; n++ {
		if startsLine(old, len(old)-n, inLine) && startsLine(c.New, len(c.New)-n, inLine) {
			same = n
		}
	}
	c.End -= same
	c.New = c.New[:len(c.New)-same]
	return c
}

// startsLine reports whether a line starts at that byte of text.
func startsLine(text []byte, at int, inLine bool) bool {
	if at == 0 {
		return !inLine
	}
	return text[at-1] == '\n'
}

// change is what one edit is meant to do: want is nil for a removal.
type change struct {
	key   string
	at    int
	want  *document.Value
	added bool
}

// holds reads the file as c would leave it and reports whether exactly the
// wanted key changed: every other key of the root table keeps its bytes and
// value, and everything else says what it said.
func (d *Document) holds(c document.Edit, ch change) bool {
	p, err := Parse(document.Apply(d.data, c))
	if err != nil || p.BOM != d.BOM || len(d.data)-d.header != len(p.data)-p.header {
		return false
	}
	have, got := slices.Clone(d.entries), slices.Clone(p.entries)
	if !ch.added {
		full := have[ch.at].Full
		if c.Start < full.Start || c.End > full.End {
			return false
		}
		have = slices.Delete(have, ch.at, ch.at+1)
	}
	if ch.want != nil {
		if ch.at >= len(got) || got[ch.at].Key != ch.key || !says(got[ch.at], *ch.want) {
			return false
		}
		got = slices.Delete(got, ch.at, ch.at+1)
	}
	kept := slices.EqualFunc(have, got, func(a, b entry) bool { return d.same(a, p, b, ch.added) })
	return kept && sameBut(d.values, p.values, ch.key)
}

// same reports whether a of d and b of p are the same key with the same bytes.
// Where a line was added, the last line of the file may have got its end.
func (d *Document) same(a entry, p *Document, b entry, added bool) bool {
	was, is := d.bytes(a.Full), p.bytes(b.Full)
	if added && a.Full.End == len(d.data) && !bytes.HasSuffix(was, []byte("\n")) {
		is = bytes.TrimRight(is, "\r\n")
	}
	return a.Key == b.Key && a.plain == b.plain && bytes.Equal(was, is) && a.Reading.Equal(b.Reading)
}

func says(e entry, v document.Value) bool {
	r := e.Reading
	if v.List {
		return e.plain && r.Kind == document.List && slices.Equal(r.Items, v.Items)
	}
	return e.plain && r.Kind == document.Text && r.Tag == "!!str" && r.Text == v.Text
}

// sameBut reports whether two root tables say the same but for one key.
func sameBut(a, b map[string]any, key string) bool {
	rest := func(m map[string]any) int {
		if _, ok := m[key]; ok {
			return len(m) - 1
		}
		return len(m)
	}
	if rest(a) != rest(b) {
		return false
	}
	for k, v := range a {
		if k == key {
			continue
		}
		if w, ok := b[k]; !ok || !equal(v, w) {
			return false
		}
	}
	return true
}

// equal compares two decoded values; what is no number equals itself here.
func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			if w, ok := b[k]; !ok || !equal(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equal)
	case float64:
		b, ok := b.(float64)
		return ok && sameFloat(a, b)
	}
	return reflect.DeepEqual(a, b)
}
