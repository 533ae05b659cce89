package frontmatter

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"callboard/app/profile/document"
)

// candidates are the edits that may give e the value v, best first. None is
// promised to read back: the caller tries.
func (d *Document) candidates(e Entry, v document.Value) []document.Edit {
	eol := eolAfter(d.data, e.Full.Start)
	var out []document.Edit
	switch {
	case v.Bare:
	case e.own != nil && d.beside(e):
		out = d.candidates(*e.own, v)
	case v.List && e.Style == FlowList && e.Reading.Kind == document.List:
		out = append(out, d.flowEdit(e, v.Items))
	case v.List && e.Style == BlockList && e.Reading.Kind == document.List && len(v.Items) > 0:
		out = append(out, d.blockEdit(e, v.Items))
	case v.List:
	case e.Style == Literal && v.Text != "":
		out = d.literalEdits(e, v.Text, eol)
	case e.Style == Folded:
		out = append(out, d.whole(e, " "+foldedBlock(v.Text, d.blockIndent(e), eol)))
	case e.Style == Unindented && strings.Contains(v.Text, "\n"):
		out = append(out, d.unindentedEdit(e, v.Text))
	case (e.Style == Single || e.Style == Double || e.Style == Plain) && !strings.Contains(v.Text, "\n"):
		out = append(out, d.whole(e, " "+quote(v.Text, e.Style)))
	case e.Style == Double:
		out = append(out, d.whole(e, " "+quote(v.Text, Double)))
	}
	for _, text := range render(v, eol) {
		out = append(out, d.whole(e, text))
	}
	return out
}

// beside reports whether anything that must stay stands between the key and
// its value, or behind that.
func (d *Document) beside(e Entry) bool {
	return e.Comment != document.Span{} || e.own.Comment != document.Span{} || e.own.first > e.first+1 || e.own.Style == FlowList
}

// whole replaces the value of e by text, which starts with a space that is
// dropped where one stands there already. A comment that the value's span
// holds, or that must stand before the lines of a block, moves to where the
// first line of text ends.
func (d *Document) whole(e Entry, text string) document.Edit {
	span := e.Value
	if span.Start > e.colon {
		text = text[1:]
	}
	first, rest, more := strings.Cut(text, "\n")
	eol := ""
	if more {
		eol = "\n"
		if cut, ok := strings.CutSuffix(first, "\r"); ok {
			first, eol = cut, "\r\n"
		}
	}
	note := string(d.bytes(e.Comment))
	outside := note != "" && e.Comment.Start >= span.End
	switch {
	case outside && more:
		first += string(d.data[span.End:e.Comment.End])
		span.End = e.Comment.End
	case note != "" && !outside && (span.Start == e.colon || e.Style == Literal || e.Style == Folded):
		first += " " + note
	}
	rest += d.innerNotes(e)
	if span.Start == span.End && !more {
		span.End = d.skipSpaces(span.End)
		if outside {
			first += " "
		}
	}
	return document.Edit{Span: span, New: []byte(first + eol + rest)}
}

// innerNotes are the lines of comments inside a list whose items all go, each
// with the line break before it.
func (d *Document) innerNotes(e Entry) string {
	if e.Style != BlockList || e.own != nil {
		return ""
	}
	var b strings.Builder
	for _, l := range d.lines[e.first+1 : e.last+1] {
		if text := d.text(l); comment(text) {
			b.WriteString(eolBefore(d.data, l.start) + text)
		}
	}
	return b.String()
}

func (d *Document) skipSpaces(at int) int {
	for at < len(d.data) && (d.data[at] == ' ' || d.data[at] == '\t') {
		at++
	}
	return at
}

// render writes v in every style it may have, the least quoting first. Each
// text starts with the space after the colon.
func render(v document.Value, eol string) []string {
	if v.List {
		items := make([]string, len(v.Items))
		for i, item := range v.Items {
			items[i] = flowItem(item, Plain)
		}
		return []string{" [" + strings.Join(items, ", ") + "]"}
	}
	if v.Bare {
		return []string{" " + v.Text}
	}
	if strings.HasSuffix(v.Text, "\n\n") { // a block would keep any blank line that comes after it
		return []string{" " + quote(v.Text, Double)}
	}
	if strings.Contains(v.Text, "\n") {
		return []string{" " + literalBlock(v.Text, 2, eol), " " + quote(v.Text, Double)}
	}
	return []string{" " + quote(v.Text, Plain), " " + quote(v.Text, Single), " " + quote(v.Text, Double)}
}

// quote writes one line of text as a scalar.
func quote(text string, s Style) string {
	if s == Single {
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	if s == Double {
		return doubleQuoted(text)
	}
	return text
}

func doubleQuoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case unicode.IsControl(r) || r == 0x2028 || r == 0x2029 || r == 0xfeff || r >= 0xfffe && r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// ambiguous reports whether readers differ on a plain scalar: words that YAML
// 1.1 reads as booleans.
func ambiguous(text string) bool {
	return slices.Contains([]string{"y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", ""}, strings.ToLower(text))
}

// header is the mark of a block that holds text, and the lines in it.
func header(mark byte, text string) (string, []string) {
	h := string(mark)
	first := strings.TrimLeft(text, "\n")
	if indented(first) || first == "" || first != text {
		h += "2"
	}
	body, chomped := strings.CutSuffix(text, "\n")
	switch {
	case !chomped:
		h += "-"
	case strings.HasSuffix(body, "\n") || body == "":
		h += "+"
	}
	return h, strings.Split(body, "\n")
}

func literalBlock(text string, indent int, eol string) string {
	h, lines := header('|', text)
	return block(h, lines, indent, eol)
}

func foldedBlock(text string, indent int, eol string) string {
	h, lines := header('>', text)
	var out []string
	for i, l := range lines {
		if i > 0 {
			out = append(out, "")
		}
		out = append(out, l)
	}
	return block(h, out, indent, eol)
}

func block(h string, lines []string, indent int, eol string) string {
	if strings.Contains(h, "2") {
		indent = 2
	}
	var b strings.Builder
	b.WriteString(h)
	for _, l := range lines {
		b.WriteString(eol)
		if l != "" {
			b.WriteString(strings.Repeat(" ", indent) + l)
		}
	}
	return b.String()
}

func (d *Document) blockIndent(e Entry) int {
	for _, l := range d.lines[e.first+1 : e.last+1] {
		if text := d.text(l); !blank(text) {
			return max(indentOf(text), 1)
		}
	}
	return 2
}
