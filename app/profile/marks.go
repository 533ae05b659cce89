package profile

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"callboard/app/agent"
)

// maxMarks bounds how many lines with hidden characters one file lists.
const maxMarks = 20

// text points out what a reader of the file cannot see: bytes that are no
// UTF-8, tag characters and marks that reorder text.
func (r *reader) text() {
	data := bytes.TrimPrefix(r.data, []byte("\xef\xbb\xbf"))
	found := 0
	broken := false
	for i, line := range bytes.Split(data, []byte("\n")) {
		if !broken && !utf8.Valid(line) {
			broken = true
			r.file.add(Error, i+1, "not_utf8", "The line holds bytes that are not UTF-8 text.")
		}
		c, ok := hidden(line)
		if !ok {
			continue
		}
		if found++; found > maxMarks {
			r.file.add(Warning, i+1, "hidden_characters", "This line and others after it hold hidden characters.")
			return
		}
		r.file.add(Warning, i+1, "hidden_characters", fmt.Sprintf("The line holds the hidden character U+%04X. Look at what it says before you trust it.", c))
	}
}

// hidden finds the first tag character or bidirectional control in line.
func hidden(line []byte) (rune, bool) {
	for len(line) > 0 {
		c, n := utf8.DecodeRune(line)
		if agent.Tag(c) || bidi(c) || invisible(c) {
			return c, true
		}
		line = line[n:]
	}
	return 0, false
}

// invisible reports whether r shows nothing and joins nothing.
func invisible(r rune) bool {
	return r == 0x200b || r >= 0x2060 && r <= 0x2064 || r == 0xfeff || r == 0x00ad || r == 0x180e
}

func bidi(r rune) bool {
	return r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// lineBreaks names the line breaks of a file: lf, crlf, mixed or none.
func lineBreaks(data []byte) string {
	all := bytes.Count(data, []byte("\n"))
	crlf := bytes.Count(data, []byte("\r\n"))
	switch {
	case all == 0:
		return "none"
	case crlf == 0:
		return "lf"
	case crlf == all:
		return "crlf"
	}
	return "mixed"
}
