package tomldoc

import (
	"bytes"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// many is a string over many lines: between three quotes, which a line break
// that is not part of it may follow.
type many struct {
	literal bool
	opening string // that line break, or empty
	eol     string
	units   []unit
}

// unit is whole lines of such a string as they are written and what they say;
// all but the last say something that ends with a line break.
type unit struct{ raw, text string }

// maxUnits bounds the units of one string: its last one is all that is left.
const maxUnits = 1 << 15

// cutMany cuts the string raw; ok is false if it stands on one line by its
// quotes. other is its line break if it has none.
func cutMany(raw []byte, other string) (m many, ok bool) {
	if len(raw) < 6 || !bytes.HasPrefix(raw, []byte{raw[0], raw[0], raw[0]}) {
		return many{}, false
	}
	m = many{literal: raw[0] == '\'', eol: firstEOL(raw, other)}
	inner := string(raw[3 : len(raw)-3])
	for _, eol := range []string{"\n", "\r\n"} {
		if strings.HasPrefix(inner, eol) {
			m.opening, inner = eol, inner[len(eol):]
			break
		}
	}
	p := &unstable.Parser{}
	for {
		n, more := m.lineEnd(inner)
		if len(m.units) == maxUnits {
			n, more = len(inner), false
		}
		m.units = append(m.units, unit{inner[:n], m.says(p, inner[:n])})
		if !more {
			return m, true
		}
		inner = inner[n:]
	}
}

// lineEnd is just after the first line break in inner that is part of the text,
// which ok says there is, else the end of inner.
func (m many) lineEnd(inner string) (n int, ok bool) {
	for i := 0; i < len(inner); i++ {
		switch c := inner[i]; {
		case c == '\n':
			return i + 1, true
		case c == '\\' && !m.literal:
			i += max(1, skipped(inner[i+1:]))
		}
	}
	return len(inner), false
}

// skipped is how many bytes a backslash before text takes away: white space
// with at least one line break, which comes first.
func skipped(text string) int {
	rest := strings.TrimLeft(text, " \t\r\n")
	n := len(text) - len(rest)
	if !strings.Contains(text[:n], "\n") {
		return 0
	}
	return n
}

// says is what the lines raw of the string say.
func (m many) says(p *unstable.Parser, raw string) string {
	raw = strings.ReplaceAll(raw, "\r\n", "\n")
	if m.literal || !strings.Contains(raw, `\`) {
		return raw
	}
	return decode(p, "\"\"\"\n"+raw+`"""`)
}

// escaped is the same string with double quotes; no line stays as it is
// written.
func (m many) escaped() many { return many{opening: m.opening, eol: m.eol} }

// write is the string with text in it. The lines that it says already stay as
// they are written.
func (m many) write(text string) string {
	from, to := 0, len(m.units)
	for from < to-1 && strings.HasPrefix(text, m.units[from].text) {
		text = text[len(m.units[from].text):]
		from++
	}
	head, tail := m.units[:from], ""
	for to > from {
		u := m.units[to-1]
		rest, ok := strings.CutSuffix(text, u.text)
		if !ok || rest != "" && !strings.HasSuffix(rest, "\n") {
			break
		}
		text, tail = rest, u.raw+tail
		to--
	}
	var b strings.Builder
	for _, u := range head {
		b.WriteString(u.raw)
	}
	b.WriteString(m.middle(m.units[from:to], text))
	b.WriteString(tail)
	body, opening, quotes := b.String(), m.opening, `"""`
	if opening == "" && (strings.HasPrefix(body, "\n") || strings.HasPrefix(body, "\r\n")) {
		opening = m.eol
	}
	if m.literal {
		quotes = "'''"
	}
	return quotes + opening + body + quotes
}

// middle writes text in the place of old.
func (m many) middle(old []unit, text string) string {
	was := make([]string, len(old))
	for i, u := range old {
		was[i] = u.text
	}
	lines := strings.SplitAfter(text, "\n")
	pairs := match(was, lines)
	var b strings.Builder
	for i, l := range lines {
		if pairs[i] >= 0 {
			b.WriteString(old[pairs[i]].raw)
		} else {
			b.WriteString(m.line(l))
		}
	}
	return b.String()
}

// line writes one line of text, with its line break if it has one.
func (m many) line(text string) string {
	text, ended := strings.CutSuffix(text, "\n")
	if !m.literal {
		quoted := strings.HasSuffix(text, `"`) && !ended
		text = escape(text, `\`, `\\`, `"""`, `""\"`)
		if quoted && !strings.HasSuffix(text, `\"`) {
			text = text[:len(text)-1] + `\"`
		}
	}
	if ended {
		return text + m.eol
	}
	return text
}

// maxMatch bounds the work of match: the product of both lengths.
const maxMatch = 1 << 20

// match pairs each text of next with an equal one of old, in order, as many as
// there can be; -1 is none.
func match(old, next []string) []int {
	pairs := make([]int, len(next))
	for i := range pairs {
		pairs[i] = -1
	}
	from := 0
	for from < len(old) && from < len(next) && old[from] == next[from] {
		pairs[from] = from
		from++
	}
	a, b := len(old), len(next)
	for a > from && b > from && old[a-1] == next[b-1] {
		a, b = a-1, b-1
		pairs[b] = a
	}
	if (a-from)*(b-from) <= maxMatch {
		longest(old[from:a], next[from:b], pairs[from:b], from)
	}
	return pairs
}

// longest fills pairs with a longest common sequence of both, whose first texts
// stand at offset.
func longest(old, next []string, pairs []int, offset int) {
	width := len(next) + 1
	best := make([]int32, (len(old)+1)*width)
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(next) - 1; j >= 0; j-- {
			if old[i] == next[j] {
				best[i*width+j] = best[(i+1)*width+j+1] + 1
			} else {
				best[i*width+j] = max(best[(i+1)*width+j], best[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(old) && j < len(next); {
		switch {
		case old[i] == next[j]:
			pairs[j] = i + offset
			i, j = i+1, j+1
		case best[(i+1)*width+j] >= best[i*width+j+1]:
			i++
		default:
			j++
		}
	}
}
