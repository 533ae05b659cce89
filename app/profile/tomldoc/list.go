package tomldoc

import (
	"strings"

	"callboard/app/profile/document"
)

// piece is one item of a list and what stands around it: lead before it, trail
// up to its comma, and after is a comment behind that on the same line.
type piece struct{ lead, text, trail, after string }

// list is an array cut into its pieces; tail stands before the closing bracket.
type list struct {
	pieces []piece
	tail   string
	comma  bool // the last piece has one
	eol    string
}

// relist writes items as the list e is written; the bytes of those that are
// there already stay.
func (d *Document) relist(e entry, items []string) string {
	l := d.cutList(e)
	pairs := match(e.Reading.Items, items)
	pairs = append(pairs, len(e.items))
	at, old := 0, 0 // in l.pieces, in e.items
	for i, p := range pairs {
		if p < 0 {
			continue
		}
		from := i
		for from > 0 && pairs[from-1] < 0 {
			from--
		}
		for _, item := range items[from:i] {
			if old < p {
				l.change(at, item)
				old++
			} else {
				l.insert(at, item)
			}
			at++
		}
		for ; old < p; old++ {
			l.remove(at)
		}
		at, old = at+1, old+1
	}
	return l.String()
}

// cutList cuts the array e into its pieces.
func (d *Document) cutList(e entry) *list {
	l := &list{eol: firstEOL(d.bytes(e.Value), d.eol())}
	at := e.Value.Start + 1
	for i, s := range e.items {
		p := piece{lead: string(d.data[at:s.Start]), text: string(d.bytes(s))}
		next := e.Value.End - 1
		if i+1 < len(e.items) {
			next = e.items[i+1].Start
		}
		rest := string(d.data[s.End:next])
		comma := commaIn(rest)
		l.comma = comma >= 0
		if l.comma {
			p.trail, rest = rest[:comma], rest[comma+1:]
		}
		p.after = sameLine(rest)
		at = next - len(rest) + len(p.after)
		l.pieces = append(l.pieces, p)
	}
	l.tail = string(d.bytes(document.Span{Start: at, End: e.Value.End - 1}))
	return l
}

// commaIn is where the comma stands in what is between two items, -1 for none.
func commaIn(gap string) int {
	for i := 0; i < len(gap); i++ {
		switch gap[i] {
		case ',':
			return i
		case '#':
			n := strings.IndexByte(gap[i:], '\n')
			if n < 0 {
				return -1
			}
			i += n
		}
	}
	return -1
}

// sameLine is the start of gap up to the end of a comment on its first line,
// empty if there is none.
func sameLine(gap string) string {
	line, _, _ := strings.Cut(gap, "\n")
	if !strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
		return ""
	}
	return strings.TrimRight(line, "\r")
}

// change gives the piece at i another text in the style it has.
func (l *list) change(i int, item string) {
	p := &l.pieces[i]
	if styled := restyle([]byte(p.text), item, l.eol); len(styled) > 0 {
		p.text = styled[0]
		return
	}
	p.text = short(item)
}

// insert adds item as the piece at i, laid out like the one before it.
func (l *list) insert(i int, item string) {
	p := piece{text: short(item)}
	n := len(l.pieces)
	switch {
	case n == 0:
		if strings.TrimSpace(l.tail) == "" {
			l.tail = ""
		}
	case i == 0:
		p.lead = layout(l.pieces[0].lead)
		if !strings.Contains(p.lead, "\n") {
			l.pieces[0].lead = " "
		}
	default:
		p.lead = layout(l.pieces[i-1].lead)
		if i == 1 && !strings.Contains(p.lead, "\n") {
			p.lead = " "
		}
	}
	if n > 0 {
		p.text = l.like(l.pieces[max(i-1, 0)].text, item)
	}
	l.pieces = append(l.pieces[:i], append([]piece{p}, l.pieces[i:]...)...)
}

// like writes item between the quotes of another item, if they can hold it.
func (l *list) like(other, item string) string {
	if _, ok := cutMany([]byte(other), l.eol); !ok {
		if styled := restyle([]byte(other), item, l.eol); len(styled) > 0 {
			return styled[0]
		}
	}
	return short(item)
}

// remove takes the piece at i away with the comment behind it, unless that
// stands behind other items too. Comments above it stay.
func (l *list) remove(i int) {
	p := l.pieces[i]
	next := &l.tail
	if i+1 < len(l.pieces) {
		next = &l.pieces[i+1].lead
	}
	own := strings.Contains(p.lead, "\n")
	if !own && i > 0 && p.after != "" && l.pieces[i-1].after == "" {
		l.pieces[i-1].after = p.after
	}
	if (own || i == 0) && i+1 < len(l.pieces) && !strings.Contains(*next, "\n") {
		*next = layout(p.lead)
	}
	*next = notes(p.lead) + notes(p.trail) + *next
	l.pieces = append(l.pieces[:i], l.pieces[i+1:]...)
}

// notes is gap up to the end of its last comment, empty if it has none.
func notes(gap string) string {
	n := strings.LastIndexByte(gap, '\n')
	switch {
	case !strings.Contains(gap, "#"):
		return ""
	case strings.Contains(gap[n+1:], "#"):
		return gap
	}
	return strings.TrimRight(gap[:n], " \t\r\n")
}

// layout is the end of lead that moves an item to its place: the white space
// after its last line break, with that, or all of it.
func layout(lead string) string {
	n := strings.LastIndexByte(lead, '\n')
	switch {
	case n < 0:
		return lead
	case n > 0 && lead[n-1] == '\r':
		n--
	}
	return lead[n:]
}

// String is the whole array.
func (l *list) String() string {
	w := &laid{eol: l.eol}
	w.gap("[")
	for i, p := range l.pieces {
		w.gap(p.lead)
		w.item(p.text)
		w.gap(p.trail)
		if i+1 < len(l.pieces) || l.comma {
			w.item(",")
		}
		w.gap(p.after)
	}
	w.gap(l.tail)
	w.item("]")
	return w.b.String()
}

// laid gathers a list's bytes. Nothing lands in a comment.
type laid struct {
	b    strings.Builder
	eol  string
	note bool // the line so far ends with a comment
}

// gap writes white space and comments.
func (w *laid) gap(text string) {
	if w.note && !strings.HasPrefix(strings.TrimLeft(text, " \t\r"), "\n") {
		if strings.TrimSpace(text) == "" {
			return
		}
		w.b.WriteString(w.eol)
		w.note = false
	}
	w.b.WriteString(text)
	line := text[strings.LastIndexByte(text, '\n')+1:]
	w.note = strings.Contains(line, "#") || w.note && !strings.Contains(text, "\n")
}

// item writes what must not be part of a comment.
func (w *laid) item(text string) {
	if w.note {
		w.b.WriteString(w.eol)
		w.note = false
	}
	w.b.WriteString(text)
}
