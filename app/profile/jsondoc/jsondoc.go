// Package jsondoc reads JSON with comments and trailing commas, and edits the
// keys of one object in it without ever writing the file anew. It knows no
// format's fields.
//
// It promises: where each key of an object stands, byte for byte, and what its
// value says; and edits that are one span each and were read back before they
// are handed out: the edited key says what was wanted, every other key of the
// object keeps its bytes, and nothing outside the object changes. Plain JSON
// stays plain JSON, and only a removal takes comments away: those inside the
// member and on its own lines.
//
// It refuses: files over document.MaxFile bytes, NUL bytes, text that is no
// UTF-8, the limits below, and whatever readers would not agree on: a line
// comment that holds a carriage return or a Unicode line separator.
package jsondoc

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"callboard/app/fault"
	"callboard/app/profile/document"
)

// The limits: how deep objects and arrays may stand in each other, and how many
// members and elements a file may have in total.
const (
	MaxDepth   = 64
	MaxMembers = 65_536
)

// ErrNotJSON is what Parse says of a file that is no JSON with comments.
var ErrNotJSON = fault.New(fault.Invalid, "not_json", "the file is not valid JSON")

const bom = "\xef\xbb\xbf"

// Document is one parsed file. It shares the bytes it was parsed from, which
// the caller must not change; its methods may be called from any goroutine.
type Document struct {
	BOM    bool // the file starts with a byte order mark
	Strict bool // plain JSON: no comment and no trailing comma

	data  []byte
	text  string // the same as data
	shift int    // where the parser's offset 0 is
	root  hujson.Value
}

// lineError is an error about one line.
type lineError struct {
	error
	line int
}

func (e *lineError) Unwrap() error { return e.error }

// Line is the line that an error of Parse is about, 0 if it names none.
func Line(err error) int {
	if e, ok := errors.AsType[*lineError](err); ok {
		return e.line
	}
	return 0
}

// Parse reads data. It fails with document.ErrTooLarge (too many bytes, levels
// or members), document.ErrBinary or ErrNotJSON; the text names the line and
// holds no value of the file.
func Parse(data []byte) (*Document, error) {
	if len(data) > document.MaxFile {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", document.ErrTooLarge, len(data), document.MaxFile)
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, document.ErrBinary
	}
	d := &Document{data: data, text: string(data)}
	if bytes.HasPrefix(data, []byte(bom)) {
		d.BOM, d.shift = true, len(bom)
	}
	if at := invalidAt(data); at >= 0 {
		line := d.line(at)
		return nil, &lineError{fmt.Errorf("%w: line %d is not UTF-8", ErrNotJSON, line), line}
	}
	open, err := d.bounds()
	if err != nil {
		return nil, err
	}
	body := data[d.shift:]
	if open { // a comment may end with the file, but the parser wants a line break
		body = append(slices.Clip(body), '\n')
	}
	d.root, err = hujson.Parse(body)
	if err != nil {
		return nil, d.broken(err)
	}
	d.Strict = d.root.IsStandard()
	return d, nil
}

// broken is the parser's err without its text, which may hold values.
func (d *Document) broken(err error) error {
	var line int
	if _, scan := fmt.Sscanf(err.Error(), "hujson: line %d,", &line); scan != nil {
		return ErrNotJSON
	}
	line = min(line, d.line(len(d.data)))
	return &lineError{fmt.Errorf("%w: line %d", ErrNotJSON, line), line}
}

// invalidAt is the first offset that is no UTF-8, -1 if there is none.
func invalidAt(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	at := 0
	for {
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n <= 1 {
			return at
		}
		at += n
	}
}

// line is the number of the line at an offset, from 1.
func (d *Document) line(at int) int { return 1 + bytes.Count(d.data[:at], []byte("\n")) }

// span is where v stands in the file.
func (d *Document) span(v hujson.Value) document.Span {
	return document.Span{Start: v.StartOffset + d.shift, End: v.EndOffset + d.shift}
}

func (d *Document) textOf(s document.Span) string { return d.text[s.Start:s.End] }

// Object is one object of a file. It implements document.Keyed.
type Object struct {
	d       *Document
	path    []string
	node    *hujson.Object
	span    document.Span
	entries []document.Entry
}

var _ document.Keyed = (*Object)(nil)

// Object is the object at that path of keys, the whole file if there are none.
// It fails with document.ErrMissing if it is not there, document.ErrForm if
// something on the way, or at its end, is no object, and document.ErrTwice if a
// key on the way stands twice. Keys are compared as they read, case and all.
func (d *Document) Object(path ...string) (*Object, error) {
	v := d.root
	for i := range len(path) + 1 {
		node, ok := v.Value.(*hujson.Object)
		if !ok && i == 0 {
			return nil, fmt.Errorf("%w: the file is no object", document.ErrForm)
		}
		if !ok {
			return nil, fmt.Errorf("%w: %q is no object", document.ErrForm, path[i-1])
		}
		if i == len(path) {
			o := &Object{d: d, path: slices.Clone(path), node: node, span: d.span(v)}
			o.read()
			return o, nil
		}
		at, err := d.find(node, path[i])
		if err != nil {
			return nil, err
		}
		v = node.Members[at].Value
	}
	return nil, document.ErrMissing
}

// find is the index of the only member of that key.
func (d *Document) find(node *hujson.Object, key string) (int, error) {
	at := -1
	for i, m := range node.Members {
		name, clear := decode(m.Name.Value)
		switch {
		case name != key:
		case !clear:
			return 0, fmt.Errorf("%w: %q on line %d holds half a character", document.ErrForm, key, d.line(d.span(m.Name).Start))
		case at >= 0:
			return 0, fmt.Errorf("%w: %q on line %d", document.ErrTwice, key, d.line(d.span(m.Name).Start))
		default:
			at = i
		}
	}
	if at < 0 {
		return 0, fmt.Errorf("%w: %q", document.ErrMissing, key)
	}
	return at, nil
}

// Entries are all keys of the object, as document.Keyed has it. Full is the key
// with its value, without the comma.
func (o *Object) Entries() []document.Entry { return slices.Clone(o.entries) }

// Line is the line of the object's opening brace.
func (o *Object) Line() int { return o.d.line(o.span.Start) }

// Span is where the object stands, its braces included.
func (o *Object) Span() document.Span { return o.span }
