package frontmatter

import (
	"strconv"
	"strings"

	"callboard/app/profile/document"
)

// literalEdits keeps the lines of a literal block that do not change, with
// their own line breaks and blanks, and its header if it still fits.
func (d *Document) literalEdits(e Entry, text, eol string) []document.Edit {
	rows := d.rows(e)
	indent := d.blockIndent(e)
	mark := rows[0].text[:markEnd(rows[0].text)]
	old := make([]row, 0, len(rows))
	for _, r := range rows[1:] {
		cut := min(indent, indentOf(r.text))
		old = append(old, row{r.text[cut:], r.raw, r.eol})
	}
	fresh, lines := header('|', text)
	fresh = strings.ReplaceAll(fresh, "2", strconv.Itoa(indent))
	body := merge(old, lines, func(l string, was *row) string {
		return strings.Repeat(" ", indent*min(len(l), 1)) + l + eolOf(was, eol)
	})
	var out []document.Edit
	for _, h := range []string{mark, fresh} {
		if strings.Contains(h, "+") && !strings.Contains(mark, "+") {
			continue // a block that keeps blank lines would take those after it
		}
		head := h + strings.TrimPrefix(rows[0].raw, mark)
		out = append(out, document.Edit{Span: document.At(e.Value.Start, d.lines[e.last].next), New: []byte(head + body)})
	}
	return out
}

// unindentedEdit keeps the lines of text without indentation that do not
// change.
func (d *Document) unindentedEdit(e Entry, text string) document.Edit {
	rows := d.rows(e)
	head := ""
	if blockHeader(strings.TrimSpace(rows[0].text)) || blank(rows[0].text) {
		head, rows = rows[0].raw, rows[1:]
	}
	eol := eolAfter(d.data, e.Full.Start)
	body := merge(rows, strings.Split(text, "\n"), func(l string, was *row) string {
		return l + eolOf(was, eol)
	})
	return document.Edit{Span: document.At(e.Value.Start, d.lines[e.last].next), New: []byte(head + body)}
}
