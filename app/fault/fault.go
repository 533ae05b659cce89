// Package fault is how Callboard says no: an error with a kind, a rule name
// and words for a person. Every rule of the product is one exported sentinel
// made by New; callers test with errors.Is and wrap it first:
//
//	fmt.Errorf("%w: %d bytes, at most %d", ErrTooLong, size, limit)
//
// Texts never hold user data, secrets or provider text. Paths are allowed:
// the person who reads the sentence chose them.
package fault

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind groups errors by what the caller can do about them.
type Kind string

// The kinds, in the order of the API's error table.
const (
	Invalid         Kind = "invalid"
	Denied          Kind = "denied"
	Unauthenticated Kind = "unauthenticated"
	NotFound        Kind = "not_found"
	Conflict        Kind = "conflict"
	TooLarge        Kind = "too_large"
	Rate            Kind = "rate"
	Locked          Kind = "locked"
	Unavailable     Kind = "unavailable"
	Internal        Kind = "internal"
)

// Error is one rule that refused something. Compare sentinels with errors.Is;
// an Error is never changed after New or Then made it.
type Error struct {
	kind Kind
	rule string
	text string
	next string
}

// New makes a sentinel. rule is the snake-case name that machines match on;
// text is one plain clause without a final stop ("the passphrase is wrong").
func New(kind Kind, rule, text string) *Error {
	return &Error{kind: kind, rule: rule, text: text}
}

// Then returns a copy of e that also tells the person what to do next, as one
// plain sentence. Use it where the sentinel is declared: the copy, not e, is
// then the identity that errors.Is finds.
func (e *Error) Then(next string) *Error {
	c := *e
	c.next = next
	return &c
}

// Error is the plain clause.
func (e *Error) Error() string { return e.text }

// Kind is the group the error belongs to.
func (e *Error) Kind() Kind { return e.kind }

// Rule is the snake-case name of the rule.
func (e *Error) Rule() string { return e.rule }

// KindOf is the kind of the outermost fault in err's chain, Internal when
// there is none.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.kind
	}
	return Internal
}

// RuleOf is the rule name of the outermost fault in err's chain, "internal"
// when there is none.
func RuleOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.rule
	}
	return "internal"
}

// Sentence is what a person reads: the error's words as one sentence, then the
// next step if the rule names one. An error without a fault in it is reported
// as unexpected, with its text, because hiding it would help nobody.
func Sentence(err error) string {
	if err == nil {
		return ""
	}
	text := stop(capital(err.Error()))
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return "Unexpected: " + stop(err.Error())
	}
	if e.next == "" {
		return text
	}
	return text + " " + e.next
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

func stop(s string) string {
	if s == "" || strings.ContainsRune(".!?", rune(s[len(s)-1])) {
		return s
	}
	return s + "."
}
