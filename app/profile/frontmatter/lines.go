package frontmatter

import (
	"bytes"
	"slices"
	"strings"
)

// line is one line of the file: text is [start, end), its line break
// [end, next). Only LF and CRLF break lines.
type line struct{ start, end, next, number int }

func lineAt(data []byte, at, number int) line {
	l := line{start: at, number: number}
	i := bytes.IndexByte(data[at:], '\n')
	if i < 0 {
		l.end, l.next = len(data), len(data)
		return l
	}
	l.end, l.next = at+i, at+i+1
	if l.end > at && data[l.end-1] == '\r' {
		l.end--
	}
	return l
}

func isFence(data []byte, l line) bool {
	return string(bytes.TrimRight(data[l.start:l.end], " \t")) == "---"
}

func (d *Document) text(l line) string { return string(d.data[l.start:l.end]) }

func blank(s string) bool    { return strings.Trim(s, " \t") == "" }
func indented(s string) bool { return s != "" && (s[0] == ' ' || s[0] == '\t') }

func comment(s string) bool { return strings.HasPrefix(strings.TrimLeft(s, " \t"), "#") }

// dash reports whether s is an item of a list that is not indented.
func dash(s string) bool { return s == "-" || strings.HasPrefix(s, "- ") }

func indentOf(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// eolBefore is the line break that ends the line before offset at, else the
// file's first one, else LF.
func eolBefore(data []byte, at int) string {
	if at > 0 && data[at-1] == '\n' {
		if at > 1 && data[at-2] == '\r' {
			return "\r\n"
		}
		return "\n"
	}
	return firstEOL(data)
}

// eolAfter is the line break that ends the line offset at is in.
func eolAfter(data []byte, at int) string {
	l := lineAt(data, at, 0)
	if l.next > l.end {
		return string(data[l.end:l.next])
	}
	return eolBefore(data, at)
}

func firstEOL(data []byte) string {
	i := bytes.IndexByte(data, '\n')
	if i > 0 && data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// row is one line of a value: what it says, its bytes with the line break, and
// that line break.
type row struct{ text, raw, eol string }

// rows cuts the value of e into lines. The first starts where the value does;
// the last goes to the end of its line.
func (d *Document) rows(e Entry) []row {
	out := make([]row, 0, e.last-e.first+1)
	for _, l := range d.lines[e.first : e.last+1] {
		start, end := max(l.start, e.Value.Start), l.end
		if end > e.Value.End {
			end = max(e.Value.End, start)
		}
		out = append(out, row{string(d.data[start:end]), string(d.data[start:l.next]), string(d.data[l.end:l.next])})
	}
	return out
}

// eolOf is the line break of the row that is replaced, else fallback.
func eolOf(was *row, fallback string) string {
	if was == nil || was.eol == "" {
		return fallback
	}
	return was.eol
}

// merge lays the lines want over have and keeps the bytes of every line that
// says the same: those at the start and at the end, with the changed ones
// between. write makes the bytes of a changed line; old is the line it
// replaces, nil where it is new.
func merge(have []row, want []string, write func(text string, old *row) string) string {
	same := func(h row, w string) bool { return h.text == w }
	pre := 0
	for pre < len(have) && pre < len(want) && same(have[pre], want[pre]) {
		pre++
	}
	post := 0
	for post < len(have)-pre && post < len(want)-pre && same(have[len(have)-1-post], want[len(want)-1-post]) {
		post++
	}
	var b strings.Builder
	for _, r := range have[:pre] {
		b.WriteString(r.raw)
	}
	old := have[pre : len(have)-post]
	for i, w := range want[pre : len(want)-post] {
		if i < len(old) {
			b.WriteString(write(w, &old[i]))
		} else {
			b.WriteString(write(w, nil))
		}
	}
	for _, r := range slices.Clone(have[len(have)-post:]) {
		b.WriteString(r.raw)
	}
	return b.String()
}
