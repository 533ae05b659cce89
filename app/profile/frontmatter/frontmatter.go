// Package frontmatter reads and edits the YAML block at the top of a Markdown
// file without ever writing that file anew. It knows no format's fields.
//
// It promises: where each top-level key stands, byte for byte; what each value
// says, read with yaml.v3 from a copy that is repaired in memory where the file
// is no strict YAML, with a notice for every repair; and edits that are one
// span each and were read back before they are handed out: the edited key says
// what was wanted, and every other key and the body are the same bytes.
//
// It refuses: files over MaxFile bytes, NUL bytes, a block that is never
// closed, blocks over the limits below, and edits that it cannot read back.
// Aliases are never followed and nothing is ever executed.
//
// The block opens with a first line (after a byte order mark) that is "---" and
// closes with the next such line, white space at the end allowed. That is what
// gray-matter and Claude Code do. A line "..." closes nothing there, but ends
// the document for other YAML readers, so a file with one is not edited.
package frontmatter

import (
	"bytes"
	"errors"
	"fmt"

	"callboard/app/fault"
	"callboard/app/profile/document"
)

// The limits, in bytes except MaxKeys.
const (
	MaxBlock = 256 << 10
	MaxLine  = 64 << 10
	MaxKeys  = 256
)

// The refusals of Parse.
var (
	ErrOpen = fault.New(fault.Invalid, "front_matter_open", "the front matter is never closed").
		Then("Add a line --- after its last key.")
	ErrBlockSize = fault.New(fault.TooLarge, "front_matter_too_large", "the front matter is too large")
)

// lineError is an error about one line.
type lineError struct {
	error
	line int
}

func (e *lineError) Unwrap() error { return e.error }

func tooLong(line int) error {
	return &lineError{fmt.Errorf("%w: line %d is longer than %d bytes", ErrBlockSize, line, MaxLine), line}
}

// Line is the line that an error of Parse is about, 0 if it names none.
func Line(err error) int {
	if e, ok := errors.AsType[*lineError](err); ok {
		return e.line
	}
	return 0
}

var bom = []byte("\xef\xbb\xbf")

// Style is how a value is written.
type Style int

// The styles. Unindented is plain text that goes on in lines that are not
// indented, which strict YAML refuses; Other is what Callboard does not edit
// in place.
const (
	Empty Style = iota
	Plain
	Single
	Double
	Literal
	Folded
	FlowList
	BlockList
	Mapping
	Unindented
	Other
)

// Entry is one top-level key. Full covers its whole lines, Value what a new
// value replaces, Comment the comment that ends its key's line, or the last
// line of a plain value (empty if none). Cut is the line on which a comment
// ends a plain value, 0 if none does.
type Entry struct {
	Key     string
	Line    int
	Full    document.Span
	Value   document.Span
	Comment document.Span
	Style   Style
	Reading document.Reading
	Cut     int

	colon int // just after the colon
	last  int // index of its last line in the block
	first int // index of its key's line in the block
	sound bool
	own   *Entry // the value by itself, where it starts on a line after its key
}

// Notice is something a person should know about one line of the file. Rule is
// snake case; Text is one plain sentence that holds no value of the file.
type Notice struct {
	Line int
	Rule string
	Text string
	Keys []string // the keys it is about, none for the block as a whole
}

// Document is one parsed file. It shares the bytes it was parsed from, which
// the caller must not change; its methods may be called from any goroutine.
type Document struct {
	BOM     bool
	Present bool          // a front matter block exists
	Strict  bool          // it is strict YAML and every key was found
	Clear   bool          // nothing is left that the repairs do not explain
	Block   document.Span // between the fences
	Body    document.Span
	Entries []Entry
	Notices []Notice

	data   []byte
	known  []string
	bare   bool   // the whole file is the block
	lines  []line // of the block
	shaped bool   // every line of the block belongs somewhere
}

// Parse reads data. known lists the format's own keys: in a value that goes on
// without indentation only these end it, because prose such as "user: hello"
// looks like a key. A file without front matter is no error: Present is false
// and the whole file is body.
func Parse(data []byte, known []string) (*Document, error) {
	if len(data) > document.MaxFile {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", document.ErrTooLarge, len(data), document.MaxFile)
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, document.ErrBinary
	}
	d := &Document{data: data, known: known, Clear: true, shaped: true}
	at := 0
	if bytes.HasPrefix(data, bom) {
		d.BOM, at = true, len(bom)
	}
	open := lineAt(data, at, 1)
	if !isFence(data, open) || open.next == open.end {
		if isFence(data, open) {
			return nil, ErrOpen
		}
		d.Body = document.At(at, len(data))
		return d, nil
	}
	if err := d.close(open); err != nil {
		return nil, err
	}
	d.Present = true
	d.read()
	return d, nil
}

// ParseBare reads a file that is YAML as a whole, as Parse reads a block. A
// line --- at its very start is no part of it. The body is empty.
func ParseBare(data []byte, known []string) (*Document, error) {
	if len(data) > document.MaxFile {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", document.ErrTooLarge, len(data), document.MaxFile)
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return nil, document.ErrBinary
	}
	d := &Document{data: data, known: known, bare: true, Present: true, Clear: true, shaped: true}
	at := 0
	if bytes.HasPrefix(data, bom) {
		d.BOM, at = true, len(bom)
	}
	l := line{start: at, next: at}
	if first := lineAt(data, at, 1); isFence(data, first) {
		l = first
	}
	d.Block = document.At(l.next, len(data))
	d.Body = document.At(len(data), len(data))
	if d.Block.End-d.Block.Start > MaxBlock {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrBlockSize, MaxBlock)
	}
	for l.next < len(data) {
		l = lineAt(data, l.next, l.number+1)
		if l.end-l.start > MaxLine {
			return nil, tooLong(l.number)
		}
		d.lines = append(d.lines, l)
	}
	d.read()
	return d, nil
}

// parse reads data as d was read.
func (d *Document) parse(data []byte) (*Document, error) {
	if d.bare {
		return ParseBare(data, d.known)
	}
	return Parse(data, d.known)
}

// close finds the closing fence and cuts the block into lines.
func (d *Document) close(open line) error {
	l := open
	for l.next < len(d.data) {
		l = lineAt(d.data, l.next, l.number+1)
		if isFence(d.data, l) {
			d.Block = document.At(open.next, l.start)
			d.Body = document.At(l.next, len(d.data))
			return nil
		}
		if l.next-open.next > MaxBlock {
			break
		}
		if l.end-l.start > MaxLine {
			return tooLong(l.number)
		}
		d.lines = append(d.lines, l)
	}
	if l.next < len(d.data) {
		return fmt.Errorf("%w: more than %d bytes before its closing line", ErrBlockSize, MaxBlock)
	}
	return ErrOpen
}

// Entry is the one entry of that key; ok is false if there is none or the key
// stands there twice.
func (d *Document) Entry(key string) (e Entry, ok bool) {
	n := 0
	for _, x := range d.Entries {
		if x.Key == key {
			e = x
			n++
		}
	}
	return e, n == 1
}

// All are the entries of that key, in the order of the file.
func (d *Document) All(key string) []Entry {
	var out []Entry
	for _, e := range d.Entries {
		if e.Key == key {
			out = append(out, e)
		}
	}
	return out
}

// BodyLine is the number of the body's first line.
func (d *Document) BodyLine() int {
	return 1 + bytes.Count(d.data[:d.Body.Start], []byte("\n"))
}

func (d *Document) notice(n Notice) { d.Notices = append(d.Notices, n) }
