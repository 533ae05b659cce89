package widget

import (
	"strings"
	"unicode/utf8"
)

// tabWidth is how many columns a tab of a Code goes on to at most.
const tabWidth = 4

// codeRow is one drawn row: the bytes from up to to of a line.
type codeRow struct{ line, from, to int }

// codeRows cuts the lines into rows of at most columns runes, at a space where
// there is one; 0 columns keeps lines whole. It also returns how many runes
// the longest row has.
func codeRows(lines []CodeLine, columns int) ([]codeRow, int) {
	rows, longest := make([]codeRow, 0, len(lines)), 0
	for i, l := range lines {
		from := 0
		for {
			n, runes := rowLength(l.Text[from:], columns)
			rows = append(rows, codeRow{i, from, from + n})
			longest = max(longest, runes)
			from += n
			if from >= len(l.Text) {
				break
			}
		}
	}
	return rows, longest
}

// rowLength is how many bytes of text make one row, and how many runes.
func rowLength(text string, columns int) (int, int) {
	if columns == 0 || len(text) <= columns {
		return len(text), utf8.RuneCountInString(text)
	}
	runes, space, spaceRunes := 0, 0, 0
	for i, r := range text {
		if runes >= columns && r != ' ' { // spaces may hang over the end
			if space > 0 {
				return space, spaceRunes
			}
			return i, runes
		}
		runes++
		if r == ' ' {
			space, spaceRunes = i+1, runes
		}
	}
	return len(text), runes
}

// columnsOf is the runes of text from that column on, at most so many.
func columnsOf(text string, column, columns int) string {
	start, n := len(text), 0
	for i := range text {
		if n == column {
			start = i
		}
		if n == column+columns {
			return text[start:i]
		}
		n++
	}
	return text[start:]
}

func splitLines(text string) []CodeLine {
	text = strings.TrimSuffix(text, "\n")
	parts := strings.Split(text, "\n")
	lines := make([]CodeLine, len(parts))
	for i, p := range parts {
		lines[i].Text = strings.TrimSuffix(p, "\r")
	}
	return lines
}

func joinLines(lines []CodeLine) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l.Text)
	}
	return b.String()
}

// expandTabs writes tabs as spaces, so that every rune is one column.
func expandTabs(lines []CodeLine) []CodeLine {
	for i, l := range lines {
		if strings.IndexByte(l.Text, '\t') >= 0 {
			lines[i].Text = expandTab(l.Text)
		}
	}
	return lines
}

func expandTab(text string) string {
	var b strings.Builder
	column := 0
	for _, r := range text {
		if r != '\t' {
			b.WriteRune(r)
			column++
			continue
		}
		n := tabWidth - column%tabWidth
		b.WriteString("    "[:n])
		column += n
	}
	return b.String()
}
