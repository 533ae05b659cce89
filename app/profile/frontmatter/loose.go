package frontmatter

import (
	"fmt"
	"slices"
	"strings"

	"callboard/app/profile/document"
)

// speakers are words before a colon in the examples that people write into a
// description. They are no keys where the text is not indented.
var speakers = []string{"Context", "User", "user", "Assistant", "assistant"}

func speaker(key string) bool { return slices.Contains(speakers, key) }

// takeStray gives line i, which is neither key nor indented value, to the entry
// before it and returns the last line taken. Everything up to the last such
// line before the next known key goes along, lines that look like unknown keys
// too, because prose has them in its middle ("foo: bar"). Unknown keys after
// that line stay keys, so that an edit of the text cannot take them away.
// Between a line that is a tag, such as <example>, and the one that closes it
// all is text, lines that look like known keys too.
func (s *scanner) takeStray(i int) int {
	for n := len(s.out); n > 1 && speaker(s.out[n-1].Key) && !slices.Contains(s.d.known, s.out[n-1].Key); n-- {
		s.out = s.out[:n-1]
	}
	e := &s.out[len(s.out)-1]
	last, prose, list := i, true, false
	closes := s.tagEnd(i)
	for j := i + 1; j < len(s.d.lines) && s.text(j) != "..." && (j <= closes || !s.knownKey(j)); j++ {
		text := s.text(j)
		key, _, ok := s.key(text)
		if j > closes {
			closes = s.tagEnd(j)
		}
		switch {
		case j <= closes:
			last, prose, list = j, true, false
		case blank(text) || comment(text):
		case ok && !speaker(key):
			prose, list = false, strings.HasSuffix(strings.TrimRight(text, " \t"), ":")
		case list && dash(text), indented(text) && !prose:
		default:
			last, prose, list = j, true, false
		}
	}
	s.widen(e, last)
	return last
}

// tagEnd is the line that closes the tag that line i is, -1 if it is none or is
// never closed.
func (s *scanner) tagEnd(i int) int {
	name, closing := tag(s.text(i))
	if name == "" || closing {
		return -1
	}
	if s.closes == nil {
		s.closes = map[string]int{}
		for j := range s.d.lines {
			if n, closing := tag(s.text(j)); closing {
				s.closes[n] = j
			}
		}
	}
	for j := i + 1; j <= s.closes[name]; j++ {
		if n, closing := tag(s.text(j)); closing && n == name {
			return j
		}
	}
	return -1
}

// tag reads a line that is one tag and nothing else.
func tag(text string) (name string, closing bool) {
	inside, ok := strings.CutPrefix(strings.TrimSpace(text), "<")
	if !ok {
		return "", false
	}
	inside, ok = strings.CutSuffix(inside, ">")
	if !ok || strings.ContainsAny(inside, "<>") || strings.HasSuffix(inside, "/") {
		return "", false
	}
	inside, closing = strings.CutPrefix(inside, "/")
	name, _, _ = strings.Cut(inside, " ")
	return name, closing && name != ""
}

// widen makes e end with line last as text that is not indented.
func (s *scanner) widen(e *Entry, last int) {
	switch e.Style {
	case Empty, Plain, Single, Double, Literal, Folded, Unindented:
		e.Style = Unindented
	case FlowList, BlockList, Mapping, Other:
		e.Style = Other
	}
	l := s.d.lines[last]
	e.last = last
	e.Full.End = l.next
	e.Value.End = l.start + len(strings.TrimRight(s.text(last), " \t"))
	e.Comment, e.Cut = document.Span{}, 0
}

// blockHeader reports whether the value starts with the mark of a block, whose text
// then starts on the next line.
func blockHeader(first string) bool {
	if c := commentStart(first); c >= 0 {
		first = first[:c]
	}
	return first != "" && (first[0] == '|' || first[0] == '>') && strings.Trim(first[1:], "+-123456789 \t") == ""
}

// unindentedText is the value of an unindented entry: its lines as they stand.
func (d *Document) unindentedText(e Entry) string {
	rows := d.rows(e)
	if blockHeader(strings.TrimSpace(rows[0].text)) || blank(rows[0].text) {
		rows = rows[1:]
	}
	texts := make([]string, len(rows))
	for i, r := range rows {
		texts[i] = r.text
	}
	return strings.Join(texts, "\n")
}

// repair reads an entry that yaml.v3 refuses as plain text.
func (d *Document) repair(e *Entry) document.Reading {
	r := document.Reading{Kind: document.Text, Tag: "!!str", Repaired: true}
	switch e.Style {
	case Unindented:
		r.Text = d.unindentedText(*e)
		d.notice(Notice{e.Line, "repaired_unindented", fmt.Sprintf(
			"Not strict YAML: the text of %s goes on without indentation. All of it up to line %d was taken as its text.",
			d.label(e.Key), d.lines[e.last].number), []string{e.Key}})
		return r
	case Plain, Single, Double:
		r.Text = fold(d.rows(*e))
	case Literal, Folded:
		r.Text = dedent(d.rows(*e)[1:])
	case Empty, FlowList, BlockList, Mapping, Other:
		r = document.Reading{Kind: document.Unclear, Repaired: true}
		d.notice(Notice{e.Line, "value_unreadable", fmt.Sprintf(
			"The value of %s is not YAML. It is kept as it is.", d.label(e.Key)), []string{e.Key}})
		return r
	}
	d.notice(Notice{e.Line, "repaired_text", fmt.Sprintf(
		"Not strict YAML: everything after the colon of %s was taken as its text.", d.label(e.Key)), []string{e.Key}})
	return r
}

// label names a key in a notice. Only a format's own keys are named: anything
// else is text of the file.
func (d *Document) label(key string) string {
	if slices.Contains(d.known, key) {
		return key
	}
	return "a key Callboard does not use"
}

// fold joins lines the way YAML folds plain text.
func fold(rows []row) string {
	var b strings.Builder
	breaks := 0
	for i, r := range rows {
		text := strings.Trim(r.text, " \t")
		switch {
		case i == 0:
		case text == "":
			breaks++
			continue
		case breaks > 0:
			b.WriteString(strings.Repeat("\n", breaks))
		default:
			b.WriteByte(' ')
		}
		breaks = 0
		b.WriteString(text)
	}
	return b.String()
}

// dedent takes the first line's indentation off every line.
func dedent(rows []row) string {
	texts := make([]string, len(rows))
	for i, r := range rows {
		indent := min(indentOf(rows[0].text), indentOf(r.text))
		texts[i] = r.text[indent:]
	}
	return strings.Join(texts, "\n")
}
