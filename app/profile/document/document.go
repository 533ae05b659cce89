// Package document is what agent files of every syntax have in common: keys
// whose values stand at known bytes, what a value says, and edits that are one
// span each. It knows no syntax and no format's fields.
package document

import (
	"bytes"
	"cmp"
	"slices"

	"callboard/app/fault"
)

// MaxFile is how large an agent file may be, in bytes.
const MaxFile = 4 << 20

// The refusals that every syntax shares.
var (
	ErrTooLarge = fault.New(fault.TooLarge, "file_too_large", "the file is too large to be an agent file")
	ErrBinary   = fault.New(fault.Invalid, "file_is_binary", "the file holds NUL bytes, so it is not text")
	ErrMissing  = fault.New(fault.NotFound, "key_missing", "the file has no such key")
	ErrTwice    = fault.New(fault.Conflict, "key_twice", "the file has this key twice").
			Then("Remove one of them in a text editor, then edit again.")
	ErrForm = fault.New(fault.Invalid, "form_not_edited", "the file is written in a form that is not edited here").
		Then("Edit the file in a text editor.")
	ErrCannotWrite = fault.New(fault.Invalid, "not_writable", "the new value cannot be written so that it reads back the same").
			Then("Nothing was changed. Edit the file in a text editor.")
)

// Span is a byte range of the file, End excluded.
type Span struct{ Start, End int }

// At is the span from start to end.
func At(start, end int) Span { return Span{Start: start, End: end} }

// Kind is what a value turned out to be.
type Kind int

// The kinds. Null is blank, null or ~; Text is any scalar; List is a list of
// scalars that are all strings; Unclear has no value Callboard will vouch for,
// such as an alias, a tag or a list of more than strings.
const (
	Null Kind = iota
	Text
	List
	Map
	Unclear
)

// Reading is the value of one key. Text is a scalar as written, or what its
// quotes and escapes stand for: true, 007 and null stay these letters. Tag is
// YAML's short type name for it, whatever the syntax ("!!str" for text, else
// "!!bool", "!!int", "!!float", ...), and Repaired says that the value breaks
// the rules of its syntax.
type Reading struct {
	Kind     Kind
	Text     string
	Items    []string
	Tag      string
	Repaired bool
}

// Equal reports whether both say the same.
func (r Reading) Equal(o Reading) bool {
	return r.Kind == o.Kind && r.Text == o.Text && r.Tag == o.Tag && r.Repaired == o.Repaired && slices.Equal(r.Items, o.Items)
}

// Entry is one key of a file. Full covers the key, its value and what belongs
// to them alone; Value is what a new value replaces. Line counts from 1.
type Entry struct {
	Key     string
	Line    int
	Full    Span
	Value   Span
	Reading Reading
}

// Keyed is a part of a file in which keys stand beside each other: a front
// matter, the root table of TOML, one object of JSON. Its edits were read back:
// the edited key says what was wanted and every other byte of meaning stays.
// They fail with ErrMissing, ErrTwice, ErrForm or ErrCannotWrite, possibly
// wrapped.
type Keyed interface {
	// Entries are all keys in the order of the file; a key that stands twice is
	// there twice.
	Entries() []Entry
	// Replace gives a key a new value, Insert adds one that is not there, Remove
	// takes one away with its value.
	Replace(key string, v Value) (Edit, error)
	Insert(key string, v Value) (Edit, error)
	Remove(key string) (Edit, error)
}

// Value is what an edit writes: one text, a list of strings, or (Bare) a word
// such as true that is no text.
type Value struct {
	Text  string
	Items []string
	List  bool
	Bare  bool
}

// Truth is the value true or false.
func Truth(is bool) Value {
	if is {
		return Value{Text: "true", Bare: true}
	}
	return Value{Text: "false", Bare: true}
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
