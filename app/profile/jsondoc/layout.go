package jsondoc

import (
	"strings"

	"github.com/tailscale/hujson"
)

const blanks = " \t\r\n"

// item is one member or element: what stands before it from the end of the line
// of the one before, itself, what stands between it and its comma, and the
// comments that end its line.
type item struct{ lead, text, post, trail string }

// sequence is an object or an array cut into pieces that can be taken out and
// put back. Put together, the pieces of an unchanged one are its bytes.
type sequence struct {
	brackets string
	head     string // the comments that end the line of the opening bracket
	items    []item
	tail     string // before the closing bracket
	comma    bool   // after the last item too
	tight    bool   // no space is wanted after a comma
	lines    bool   // an empty one gets lines of its own
	eol      string
	indent   string // of the line of the opening bracket
	unit     string // one more level of indentation
}

// object cuts an object, array an array.
func (d *Document) object(v hujson.Value, node *hujson.Object) sequence {
	s := d.sequence(v, "{}")
	for i, m := range node.Members {
		text := d.text[d.span(m.Name).Start:d.span(m.Value).End]
		s.items = append(s.items, item{lead: string(m.Name.BeforeExtra), text: text, post: string(m.Value.AfterExtra)})
		s.comma = i == len(node.Members)-1 && m.Value.AfterExtra != nil
	}
	s.cut(string(node.AfterExtra))
	return s
}

func (d *Document) array(v hujson.Value, node *hujson.Array) sequence {
	s := d.sequence(v, "[]")
	for i, e := range node.Elements {
		s.items = append(s.items, item{lead: string(e.BeforeExtra), text: d.textOf(d.span(e)), post: string(e.AfterExtra)})
		s.comma = i == len(node.Elements)-1 && e.AfterExtra != nil
	}
	s.cut(string(node.AfterExtra))
	return s
}

func (d *Document) sequence(v hujson.Value, brackets string) sequence {
	s := sequence{brackets: brackets, eol: "\n", unit: "  "}
	if at := strings.IndexByte(d.text, '\n'); at > 0 && d.text[at-1] == '\r' {
		s.eol = "\r\n"
	}
	start := d.span(v).Start
	line := d.text[max(d.shift, strings.LastIndexByte(d.text[:start], '\n')+1):start]
	s.indent = line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if root, ok := d.root.Value.(*hujson.Object); ok && len(root.Members) > 0 {
		if first := string(root.Members[0].Name.BeforeExtra); hasNewline(first) && indentOf(first) != "" {
			s.unit = indentOf(first)
		}
	}
	return s
}

// cut shares out the leads, which still hold everything between two commas.
func (s *sequence) cut(end string) {
	n := len(s.items)
	if n == 0 {
		at := lastNoteEnd(end)
		s.head, s.tail = end[:at], end[at:]
		return
	}
	s.head, s.items[0].lead = split(s.items[0].lead, false)
	for i := range n - 1 {
		s.items[i].trail, s.items[i+1].lead = split(s.items[i+1].lead, false)
	}
	s.items[n-1].trail, s.tail = split(end, true)
}

// split cuts a gap after the comments that end its first line. Comments on the
// line of the next item belong to that; closing says there is none.
func split(gap string, closing bool) (trail, lead string) {
	note := 0
	for at := 0; at < len(gap); {
		kind, end := tokenAt(gap, at)
		switch {
		case kind == newline:
			return gap[:note], gap[note:]
		case kind != space:
			note = end
		}
		at = end
	}
	if closing {
		return gap[:note], gap[note:]
	}
	return "", gap
}

func lastNoteEnd(gap string) int {
	note := 0
	for at := 0; at < len(gap); {
		kind, end := tokenAt(gap, at)
		if kind == lineNote || kind == blockNote {
			note = end
		}
		at = end
	}
	return note
}

// String puts the pieces together.
func (s *sequence) String() string {
	if len(s.items) == 0 && !hasNote(s.head+s.tail) {
		return s.brackets
	}
	w := s.joiner()
	w.put(s.brackets[:1])
	w.gap(s.head)
	for i, it := range s.items {
		w.gap(it.lead)
		w.put(it.text)
		if i < len(s.items)-1 || s.comma {
			w.gap(it.post)
			w.put(",")
		} else {
			w.gap(strings.TrimRight(it.post, blanks))
		}
		w.gap(it.trail)
	}
	w.gap(s.tail)
	w.put(s.brackets[1:])
	return w.b.String()
}

// joiner writes pieces one after the other and breaks the line where a comment
// would swallow what comes next.
type joiner struct {
	b    strings.Builder
	brk  string
	note bool // the text so far ends in a line comment
}

func (s *sequence) joiner() joiner { return joiner{brk: s.eol + s.indent} }

func (w *joiner) put(text string) {
	if w.note {
		w.b.WriteString(w.brk)
	}
	w.note = false
	w.b.WriteString(text)
}

func (w *joiner) gap(text string) {
	if text == "" {
		return
	}
	if w.note {
		text = strings.TrimLeft(text, " \t")
		if !strings.HasPrefix(text, "\n") && !strings.HasPrefix(text, "\r\n") {
			w.put("")
		}
	}
	w.note = endsInLineNote(text)
	w.b.WriteString(text)
}

// join puts two gaps together.
func (s *sequence) join(a, b string) string {
	w := s.joiner()
	w.gap(a)
	w.gap(b)
	return w.b.String()
}

// indentOf is the white space at the start of the last line of a lead.
func indentOf(lead string) string {
	_, at := lastNewline(lead)
	rest := lead[at:]
	return rest[:len(rest)-len(strings.TrimLeft(rest, " \t"))]
}

// front is a lead without the comments on the line of its item.
func front(lead string) string {
	_, at := lastNewline(lead)
	return lead[:at] + indentOf(lead)
}

// above are the lines of a lead before that of its item, without the line
// break after them.
func above(lead string) string {
	at, _ := lastNewline(lead)
	return lead[:max(at, 0)]
}

// bare is a lead without any comment.
func (s *sequence) bare(lead string) string {
	if hasNewline(lead) {
		return s.eol + indentOf(lead)
	}
	return indentOf(lead)
}

// between is the lead of a new item after another one.
func (s *sequence) between() string {
	last := len(s.items) - 1
	for i := last; i >= 0; i-- {
		if hasNewline(s.items[i].lead) {
			return s.bare(s.items[i].lead)
		}
	}
	switch {
	case last > 0 && !hasNote(s.items[last].lead):
		return s.items[last].lead
	case s.tight:
		return ""
	}
	return " "
}

// opening is the lead of the first item of an empty sequence, whose tail it
// makes fit.
func (s *sequence) opening() string {
	switch {
	case hasNewline(s.head):
		return s.eol + indentOf(s.head)
	case hasNewline(s.tail):
		return s.eol + s.indent + s.unit
	case s.lines:
		s.tail = s.eol + s.indent
		return s.tail + s.unit
	case s.head != "":
		return " "
	}
	s.tail = ""
	return ""
}

// add puts a new item at the end.
func (s *sequence) add(text string) {
	if len(s.items) == 0 {
		s.items = append(s.items, item{lead: s.opening(), text: text})
		return
	}
	lead := s.between()
	s.items[len(s.items)-1].closeFor(lead)
	s.items = append(s.items, item{lead: lead, text: text})
}

// closeFor moves the block comments behind it before its comma, if the next
// item is to stand on the same line.
func (it *item) closeFor(lead string) {
	if it.trail != "" && !hasNewline(lead) && !endsInLineNote(it.trail) {
		it.post += it.trail
		it.trail = ""
	}
}

// remove takes item i out, with the comments on its own lines. Comments on the
// lines above stay, and so does what ends a line that it shares with others.
func (s *sequence) remove(i int) {
	it := s.items[i]
	kept := above(it.lead)
	next, last := &s.tail, i == len(s.items)-1
	if !last {
		next = &s.items[i+1].lead
	}
	switch {
	case hasNewline(*next) && last && !hasNote(kept):
		*next = strings.TrimLeft(*next, " \t")
	case hasNewline(*next):
		*next = s.join(kept, strings.TrimLeft(*next, " \t"))
	case last:
		*next = s.join(kept, *next)
	default:
		*next = front(it.lead) + strings.TrimLeft(*next, blanks)
	}
	if i > 0 && !hasNewline(it.lead) {
		s.items[i-1].trail += it.trail
	}
	s.items = append(s.items[:i], s.items[i+1:]...)
}
