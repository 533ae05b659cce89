package jsondoc

import (
	"fmt"
	"strings"

	"callboard/app/profile/document"
)

// token is what stands at one place of a file.
type token int

const (
	other token = iota
	space
	newline // \n or \r\n
	quoted
	lineNote // without its line break
	blockNote
)

// tokenAt is the token of s at an offset before its end, and where it ends. What
// is never closed ends with s.
func tokenAt(s string, at int) (token, int) {
	rest := s[at:]
	switch {
	case rest[0] == '"':
		return quoted, at + quotedLen(rest)
	case rest[0] == '\n':
		return newline, at + 1
	case strings.HasPrefix(rest, "\r\n"):
		return newline, at + 2
	case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r':
		return space, at + 1
	case strings.HasPrefix(rest, "//"):
		n := strings.IndexByte(rest, '\n')
		if n < 0 {
			return lineNote, len(s)
		}
		return lineNote, at + len(strings.TrimSuffix(rest[:n], "\r"))
	case strings.HasPrefix(rest, "/*"):
		n := strings.Index(rest[2:], "*/")
		if n < 0 {
			return blockNote, len(s)
		}
		return blockNote, at + n + 4
	}
	return other, at + 1
}

// quotedLen is the length of the string that s starts with.
func quotedLen(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// bounds refuses what the parser should not be asked to read. It is quick and
// needs no memory. open reports that the file ends in a line comment.
func (d *Document) bounds() (open bool, err error) {
	depth, members, prev := 0, 0, byte(0)
	for at := d.shift; at < len(d.text); {
		kind, end := tokenAt(d.text, at)
		open = kind == lineNote
		if open && strings.Contains(d.text[at:end], "\r") {
			line := d.line(at)
			return false, &lineError{fmt.Errorf("%w: the comment of line %d holds a carriage return", ErrNotJSON, line), line}
		}
		c := d.text[at]
		if kind == other {
			depth += step(c)
			members += ended(prev, c)
		}
		if depth > MaxDepth {
			return false, d.tooMuch(at, "more than %d levels", MaxDepth)
		}
		if members > MaxMembers {
			return false, d.tooMuch(at, "more than %d members", MaxMembers)
		}
		if kind == other || kind == quoted {
			prev = c
		}
		at = end
	}
	return open, nil
}

func (d *Document) tooMuch(at int, what string, limit int) error {
	line := d.line(at)
	return &lineError{fmt.Errorf("%w: line %d: "+what, document.ErrTooLarge, line, limit), line}
}

// step is by how much c changes the depth.
func step(c byte) int {
	switch c {
	case '{', '[':
		return 1
	case '}', ']':
		return -1
	}
	return 0
}

// ended is 1 if c ends a member or an element, prev being what stands before.
func ended(prev, c byte) int {
	if c == ',' || (c == '}' || c == ']') && !strings.ContainsRune("{[,", rune(prev)) {
		return 1
	}
	return 0
}

// notes are the comments in s, in their order.
func notes(s string) []string {
	var out []string
	for at := 0; at < len(s); {
		kind, end := tokenAt(s, at)
		if kind == lineNote || kind == blockNote {
			out = append(out, s[at:end])
		}
		at = end
	}
	return out
}

func hasNote(s string) bool { return len(notes(s)) > 0 }

// endsInLineNote reports whether what comes after s would be comment.
func endsInLineNote(s string) bool {
	last := other
	for at := 0; at < len(s); {
		last, at = tokenAt(s, at)
	}
	return last == lineNote
}

// lastNewline is where the last line break of s outside its comments starts and
// ends; start is -1 if there is none.
func lastNewline(s string) (start, end int) {
	start = -1
	for at := 0; at < len(s); {
		kind, next := tokenAt(s, at)
		if kind == newline {
			start, end = at, next
		}
		at = next
	}
	return start, end
}

func hasNewline(s string) bool {
	start, _ := lastNewline(s)
	return start >= 0
}
