package frontmatter

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"callboard/app/profile/document"
)

// piece is one item of a flow list as it stands: white space and comments
// before it, the item, white space and comments after it.
type piece struct{ lead, core, trail string }

// flowEdit rewrites the items of a flow list that changed; the others keep
// their bytes.
func (d *Document) flowEdit(e Entry, items []string) document.Edit {
	raw := string(d.bytes(e.Value))
	pieces, comma := pieces(raw[1 : len(raw)-1])
	if len(pieces) != len(e.Reading.Items) || len(pieces) == 0 {
		return d.whole(e, render(document.Strings(items...), "\n")[0])
	}
	first, sep, trail := pieces[0].lead, " ", pieces[len(pieces)-1].trail
	if len(pieces) > 1 && !strings.Contains(pieces[1].lead, "#") {
		sep = pieces[1].lead
	}
	pieces[len(pieces)-1].trail = ""
	style := flowStyle(pieces[0].core)
	out, end, gone := splice(e.Reading.Items, items, pieces, func(item string, was *piece) piece {
		if was == nil {
			return piece{lead: sep, core: flowItem(item, style)}
		}
		return piece{was.lead, flowItem(item, flowStyle(was.core)), was.trail}
	})
	trail = place(flowNotes(gone, pieces[0]), out, end, first, trail)
	var b strings.Builder
	for i, p := range out {
		switch {
		case i == 0 && p.lead != first && strings.Contains(p.lead, "#"):
			p.lead = first + p.lead
		case i == 0:
			p.lead = first
		case p == pieces[0]:
			p.lead = sep
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(p.lead + p.core + p.trail)
	}
	if comma && len(out) > 0 {
		b.WriteByte(',')
	}
	return document.Edit{Span: e.Value, New: []byte("[" + b.String() + trail + "]")}
}

// place puts notes before the piece at end, else before trail, which is what
// stands before the closing bracket, and returns that.
func place(notes string, out []piece, end int, first, trail string) string {
	switch {
	case end < len(out):
		out[end].lead = follow(notes, out[end].lead)
		return trail
	case len(out) == 0 && strings.Contains(first, "#"):
		return first + notes
	case len(out) == 0:
		return notes
	}
	return follow(notes, trail)
}

// flowNotes are the comments beside the items that are taken out. What stands
// before the first item stays there anyway.
func flowNotes(gone []piece, first piece) string {
	notes := ""
	for _, p := range gone {
		for _, s := range []string{p.lead, p.trail} {
			if strings.Contains(s, "#") && (p != first || s != p.lead) {
				notes = follow(notes, s)
			}
		}
	}
	return notes
}

// follow puts comments before white space that may start with a line break.
func follow(notes, space string) string {
	if strings.HasPrefix(strings.TrimLeft(strings.TrimLeft(space, " \t"), "\r"), "\n") {
		notes = strings.TrimRight(notes, " \t\r\n")
	}
	return notes + space
}

// pieces cuts the inside of a flow list at its commas. comma says that one
// stands after the last item.
func pieces(inside string) (out []piece, comma bool) {
	start, depth := 0, 0
	text := " " + inside // a quote may open at its start
	flow(text, func(i int) bool {
		switch text[i] {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, cutPiece(inside[start:i-1]))
				start = i
			}
		}
		return false
	})
	last := cutPiece(inside[start:])
	if last.core == "" && len(out) > 0 {
		out[len(out)-1].trail += last.lead + last.trail
		return out, true
	}
	if last.core == "" {
		return nil, false
	}
	return append(out, last), false
}

// cutPiece takes the white space and the comments off both ends of one item.
func cutPiece(s string) piece {
	start := 0
	for {
		start += len(s[start:]) - len(strings.TrimLeft(s[start:], " \t\r\n"))
		if start == len(s) || s[start] != '#' {
			break
		}
		n := strings.IndexByte(s[start:], '\n')
		if n < 0 {
			return piece{lead: s}
		}
		start += n
	}
	core := s[start:]
	end := len(core)
	if core != "" && (core[0] == '"' || core[0] == '\'') {
		end = max(quoteEnd(core), 0)
	} else if c := commentStart(core); c >= 0 {
		end = c
	}
	end = len(strings.TrimRight(core[:end], " \t\r\n"))
	return piece{s[:start], core[:end], core[end:]}
}

func flowStyle(core string) Style {
	switch {
	case strings.HasPrefix(core, `"`):
		return Double
	case strings.HasPrefix(core, "'"):
		return Single
	}
	return Plain
}

// splice keeps the pieces of items that stay, at the start and at the end, and
// writes the ones between. end is where the kept ones at the end start in out;
// gone are the pieces that have no other in their place.
func splice[P any](have, want []string, pieces []P, write func(item string, was *P) P) (out []P, end int, gone []P) {
	pre := 0
	for pre < len(have) && pre < len(want) && have[pre] == want[pre] {
		pre++
	}
	post := 0
	for post < len(have)-pre && post < len(want)-pre && have[len(have)-1-post] == want[len(want)-1-post] {
		post++
	}
	out = slices.Clone(pieces[:pre])
	same := len(have) == len(want)
	for i, w := range want[pre : len(want)-post] {
		if same {
			out = append(out, write(w, &pieces[pre+i]))
		} else {
			out = append(out, write(w, nil))
		}
	}
	if !same {
		gone = pieces[pre : len(pieces)-post]
	}
	return append(out, pieces[len(pieces)-post:]...), len(out), gone
}

// flowItem writes one item of a flow list in style, else in the next one that
// reads back.
func flowItem(item string, style Style) string {
	return writeItem(item, style, "[", "]")
}

func writeItem(item string, style Style, before, after string) string {
	for _, s := range []Style{style, Plain, Single, Double} {
		text := quote(item, s)
		n, err := decode([]byte(before + text + after))
		if err != nil || n.Kind != yaml.SequenceNode || len(n.Content) != 1 || (s == Plain && ambiguous(item)) {
			continue
		}
		if r := list(n); r.Kind == document.List && r.Items[0] == item && !special(n) {
			return text
		}
	}
	return quote(item, Double)
}

// stanza is one item of a block list as it stands: its line up to the item, the
// item, the rest of its line, and the lines of comments and blanks after it.
type stanza struct{ dash, core, tail, after string }

// blockEdit rewrites the items of a block list that changed; the others keep
// their lines. It takes lists of one line an item only; others come out whole.
func (d *Document) blockEdit(e Entry, items []string) document.Edit {
	stanzas, start := d.stanzas(e)
	if len(stanzas) != len(e.Reading.Items) || len(stanzas) == 0 {
		return d.whole(e, render(document.Strings(items...), "\n")[0])
	}
	eol := eolBefore(d.data, start)
	model := stanzas[0]
	out, end, gone := splice(e.Reading.Items, items, stanzas, func(item string, was *stanza) stanza {
		if was == nil {
			return stanza{dash: model.dash, core: writeItem(item, flowStyle(model.core), "- ", ""), tail: eol}
		}
		return stanza{was.dash, writeItem(item, flowStyle(was.core), "- ", ""), was.tail, was.after}
	})
	var b strings.Builder
	for i := range len(out) + 1 {
		if i == end {
			for _, s := range gone {
				b.WriteString(s.after)
			}
		}
		if i < len(out) {
			b.WriteString(out[i].dash + out[i].core + out[i].tail + out[i].after)
		}
	}
	return document.Edit{Span: document.At(start, d.lines[e.last].next), New: []byte(b.String())}
}

// stanzas cuts a block list into its items; start is where the first one's line
// starts. None if an item has more than one line.
func (d *Document) stanzas(e Entry) (out []stanza, start int) {
	indent := -1
	for _, l := range d.lines[e.first+1 : e.last+1] {
		text := d.text(l)
		raw := string(d.data[l.start:l.next])
		at := indentOf(text)
		switch {
		case blank(text) || comment(text):
			if len(out) > 0 {
				out[len(out)-1].after += raw
			}
			continue
		case !dash(text[at:]) || (indent >= 0 && at != indent):
			return nil, 0
		case indent < 0:
			indent, start = at, l.start
		}
		rest := text[at+1:]
		at += 1 + len(rest) - len(strings.TrimLeft(rest, " \t"))
		p := cutPiece(text[at:])
		out = append(out, stanza{dash: text[:at], core: p.core, tail: p.trail + string(d.data[l.end:l.next])})
	}
	return out, start
}
