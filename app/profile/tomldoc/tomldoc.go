// Package tomldoc reads a TOML file and edits the keys of its root table
// without ever writing the file anew. It knows no format's fields.
//
// It promises: where each key of the root table stands, byte for byte; what
// each value says, read twice, by a parser of bytes and by a decoder of values,
// that must agree; and edits that are one span each and were read back before
// they are handed out: the edited key says what was wanted, every other value
// of the file is the same, and so is every byte outside the span.
//
// It refuses: files over document.MaxFile bytes, NUL bytes, what is not TOML
// 1.0 (the additions of 1.1 too, which many readers do not know), files over
// the limits below, and edits that it cannot read back.
//
// Line breaks inside a multi-line string are LF in what is read, whatever the
// file has; they are written as that string, else the file, has them.
package tomldoc

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"callboard/app/fault"
	"callboard/app/profile/document"
)

// The limits: MaxKeys is of keys in the root table, MaxDepth of arrays and
// inline tables in each other and of the parts of one key, MaxMarks of the
// brackets, commas, dots and equal signs outside text in the whole file.
const (
	MaxKeys  = 4096
	MaxDepth = 64
	MaxMarks = 1 << 14
)

// The refusals of Parse, beside those of package document.
var (
	ErrNotTOML = fault.New(fault.Invalid, "not_toml", "the file is not valid TOML")
	ErrTooDeep = fault.New(fault.TooLarge, "toml_too_deep", "the file nests its values too deeply")
	ErrTooMany = fault.New(fault.TooLarge, "toml_too_many", "the file has too many keys or values")
)

var bom = []byte("\xef\xbb\xbf")

// Document is one parsed file. It shares the bytes it was parsed from, which
// the caller must not change; its methods may be called from any goroutine.
type Document struct {
	BOM bool

	data    []byte
	entries []entry
	header  int // where the line of the first table header starts, else the end
	last    int // just after the last line of a key before that, else -1
	values  map[string]any
}

var _ document.Keyed = (*Document)(nil)

// Parse reads data. An error about one line of the file names it, and Line
// tells it.
func Parse(data []byte) (*Document, error) {
	if len(data) > document.MaxFile {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", document.ErrTooLarge, len(data), document.MaxFile)
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, document.ErrBinary
	}
	d := &Document{data: data[:len(data):len(data)], BOM: bytes.HasPrefix(data, bom), last: -1}
	text := d.data[d.start():]
	if at := invalidAt(text); at >= 0 {
		return nil, wrong(ErrNotTOML, 1+bytes.Count(text[:at], []byte("\n")), "a byte that is not UTF-8")
	}
	if err := check(text); err != nil {
		return nil, err
	}
	if err := d.collect(text); err != nil {
		return nil, err
	}
	if err := toml.Unmarshal(text, &d.values); err != nil {
		return nil, undecoded(err)
	}
	if err := d.agree(); err != nil {
		return nil, err
	}
	return d, nil
}

// Entries are the keys of the root table in the order of the file. A key that
// table headers or dotted keys give is there once, by its first part, as a Map
// that stands where it appears first; such a key is not edited.
func (d *Document) Entries() []document.Entry {
	out := make([]document.Entry, len(d.entries))
	for i, e := range d.entries {
		out[i] = e.Entry
	}
	return out
}

// Line is the line of the file that an error of Parse is about, 0 if it is
// about none.
func Line(err error) int {
	if e, ok := errors.AsType[*lineError](err); ok {
		return e.line
	}
	return 0
}

// lineError is an error about one line.
type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return e.err.Error() }
func (e *lineError) Unwrap() error { return e.err }

// wrong is the refusal rule for one line; why is empty or a plain clause.
func wrong(rule error, line int, why string) error {
	if why == "" {
		return &lineError{line, fmt.Errorf("%w: line %d", rule, line)}
	}
	return &lineError{line, fmt.Errorf("%w: line %d: %s", rule, line, why)}
}

// start is where the text begins, after a byte order mark.
func (d *Document) start() int {
	if d.BOM {
		return len(bom)
	}
	return 0
}

func (d *Document) bytes(s document.Span) []byte { return d.data[s.Start:s.End] }

// invalidAt is where the first byte stands that is not UTF-8, -1 for none.
func invalidAt(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}
