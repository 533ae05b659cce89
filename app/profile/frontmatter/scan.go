package frontmatter

import (
	"slices"
	"strings"
	"unicode"

	"callboard/app/profile/document"
)

// scanner finds the entries of a block by line. In loose mode it reads a block
// that is no strict YAML: keys are plain words, and lines that belong nowhere
// go to the value before them.
type scanner struct {
	d     *Document
	loose bool
	out   []Entry
	stray int // number of the first line that belongs nowhere, 0 if none

	closes map[string]int // the last line that closes each tag, nil until asked
}

// scan reads no more than one entry beyond MaxKeys, which bounds its work.
func (s *scanner) scan() {
	for i := 0; i < len(s.d.lines) && len(s.out) <= MaxKeys; {
		text := s.text(i)
		switch key, colon, ok := s.key(text); {
		case blank(text) || comment(text):
			i++
		case ok:
			e := s.entry(i, key, colon)
			s.out = append(s.out, e)
			i = e.last + 1
		case s.loose && len(s.out) > 0 && text != "...":
			i = s.takeStray(i) + 1
		default:
			if s.stray == 0 {
				s.stray = s.d.lines[i].number
			}
			i++
		}
	}
}

func (s *scanner) text(i int) string { return s.d.text(s.d.lines[i]) }

// key reads the key that starts a line. colon is the offset just after its
// colon.
func (s *scanner) key(text string) (key string, colon int, ok bool) {
	if text == "" || indented(text) {
		return "", 0, false
	}
	if text[0] == '"' || text[0] == '\'' {
		return quotedKey(text)
	}
	for i := 0; i < len(text); i++ {
		if text[i] != ':' || (i+1 < len(text) && text[i+1] != ' ' && text[i+1] != '\t') {
			continue
		}
		key = strings.TrimRight(text[:i], " \t")
		if s.loose {
			return key, i + 1, word(key)
		}
		return key, i + 1, plainKey(key)
	}
	return "", 0, false
}

func quotedKey(text string) (string, int, bool) {
	end := strings.IndexByte(text[1:], text[0])
	if end < 0 {
		return "", 0, false
	}
	key := text[1 : 1+end]
	rest := strings.TrimLeft(text[end+2:], " \t")
	after, ok := strings.CutPrefix(rest, ":")
	if !ok || (after != "" && !indented(after)) || strings.Contains(key, `\`) {
		return "", 0, false
	}
	return key, len(text) - len(after), true
}

// plainKey reports whether strict YAML takes key as a plain one; yaml.v3 has
// the last word.
func plainKey(key string) bool {
	return key != "" && !strings.Contains(key, " #") && !strings.ContainsRune("-?:,[]{}#&*!|>'\"%@`", rune(key[0]))
}

// word reports whether key looks like a key rather than prose: one word, of
// whatever script.
func word(key string) bool {
	if key == "<<" {
		return true
	}
	for i, c := range key {
		letter := c == '_' || unicode.IsLetter(c)
		if !letter && (i == 0 || (c != '-' && c != '.' && !unicode.IsDigit(c) && !unicode.IsMark(c))) {
			return false
		}
	}
	return key != ""
}

func (s *scanner) knownKey(i int) bool {
	key, _, ok := s.key(s.text(i))
	return ok && slices.Contains(s.d.known, key)
}

// entry reads the entry whose key is on line i.
func (s *scanner) entry(i int, key string, colon int) Entry {
	l, text := s.d.lines[i], s.text(i)
	e := Entry{Key: key, Line: l.number, first: i, last: i, colon: l.start + colon}
	at := colon + len(text[colon:]) - len(strings.TrimLeft(text[colon:], " \t"))
	e.Value = document.At(l.start+at, l.start+at)
	if rest := text[at:]; rest == "" || rest[0] == '#' {
		s.nextLines(&e, text[colon:])
	} else {
		s.value(&e, rest)
	}
	e.Full = document.At(l.start, s.d.lines[e.last].next)
	return e
}

// value reads a value that starts with rest on the first line of e.
func (s *scanner) value(e *Entry, rest string) {
	switch rest[0] {
	case '|', '>':
		s.block(e, rest)
	case '"', '\'':
		s.span(e, rest, quoteEnd)
	case '[', '{':
		s.span(e, rest, flowEnd)
	default:
		s.plain(e, rest)
	}
}

// nextLines reads a value that starts on a line after its key, or is blank.
func (s *scanner) nextLines(e *Entry, afterColon string) {
	e.Value = document.At(e.colon, e.colon)
	if c := strings.IndexByte(afterColon, '#'); c >= 0 {
		e.Comment = s.commentAt(e.colon + c)
	}
	j := e.first + 1
	for j < len(s.d.lines) && (blank(s.text(j)) || comment(s.text(j))) {
		j++
	}
	if j == len(s.d.lines) || (!indented(s.text(j)) && !dash(s.text(j))) {
		return
	}
	e.Style = Mapping
	dashes := dash(s.text(j))
	for ; j < len(s.d.lines); j++ {
		switch text := s.text(j); {
		case blank(text) || comment(text):
		case indented(text) || (dashes && dash(text)):
			e.last = j
		default:
			j = len(s.d.lines)
		}
	}
	e.Value.End = s.d.lines[e.last].end
}

// nextLine reads the scalar or the flow collection that starts on a line after
// the key of e; nil if that is not all of its value.
func (s *scanner) nextLine(e *Entry) *Entry {
	j := e.first + 1
	for j < e.last && (blank(s.text(j)) || comment(s.text(j))) {
		j++
	}
	if j > e.last {
		return nil
	}
	l, text := s.d.lines[j], s.text(j)
	rest := strings.TrimLeft(text, " \t")
	at := l.end - len(rest)
	own := Entry{Key: e.Key, Line: l.number, first: j, last: j, colon: at - 1, Value: document.At(at, at)}
	s.value(&own, rest)
	own.Full = document.At(l.start, s.d.lines[own.last].next)
	if own.last != e.last {
		return nil
	}
	return &own
}

// block reads a literal or folded block.
func (s *scanner) block(e *Entry, header string) {
	marks := header[1:markEnd(header)]
	note := strings.TrimLeft(header[1+len(marks):], " \t")
	if strings.Trim(marks, "+-123456789") != "" || len(marks) > 2 || (note != "" && note[0] != '#') {
		s.plain(e, header)
		return
	}
	e.Style = Literal
	if header[0] == '>' {
		e.Style = Folded
	}
	if note != "" {
		e.Comment = s.commentAt(s.d.lines[e.first].end - len(note))
	}
	indent := 0
	if n := strings.Trim(marks, "+-"); n != "" {
		indent = int(n[0] - '0')
	}
	s.blockLines(e, indent, strings.Contains(marks, "+"))
	e.Value.End = s.d.lines[e.last].end
	if e.last == e.first {
		e.Value.End = e.Value.Start + 1 + len(marks)
	}
}

// markEnd is where the mark of a block ends in its header.
func markEnd(header string) int {
	if i := strings.IndexAny(header, " \t"); i >= 0 {
		return i
	}
	return len(header)
}

// blockLines finds the last line of a block whose indent is 0 if its first line
// decides. Blank lines at its end belong to it only if it keeps them.
func (s *scanner) blockLines(e *Entry, indent int, keep bool) {
	for j := e.first + 1; j < len(s.d.lines); j++ {
		text := s.text(j)
		if blank(text) {
			if keep {
				e.last = j
			}
			continue
		}
		if indent == 0 {
			indent = max(indentOf(text), 1)
		}
		if indentOf(text) < indent {
			break
		}
		e.last = j
	}
}

// plain reads a plain scalar: its line and the indented ones after it.
func (s *scanner) plain(e *Entry, rest string) {
	e.Style = Plain
	s.plainLine(e, e.first, e.Value.Start, rest)
	for j := e.first + 1; j < len(s.d.lines); j++ {
		text := s.text(j)
		if blank(text) || (comment(text) && indented(text)) {
			continue
		}
		if !indented(text) {
			break
		}
		s.plainLine(e, j, s.d.lines[j].start, text)
	}
}

// plainLine makes e end with line j, whose part of the value is text and
// starts at offset start. Only a comment on the last line is one.
func (s *scanner) plainLine(e *Entry, j, start int, text string) {
	e.last, e.Comment, e.Cut = j, document.Span{}, 0
	if c := commentStart(text); c >= 0 {
		e.Comment, e.Cut = s.commentAt(start+c), s.d.lines[j].number
		text = text[:c]
	}
	e.Value.End = start + len(strings.TrimRight(text, " \t"))
}

// span reads a value that ends where end says: a quoted scalar or a flow
// collection. Its further lines must be indented, a closing bracket need not.
func (s *scanner) span(e *Entry, rest string, end func(string) int) {
	text := rest
	if end(rest) < 0 {
		var b strings.Builder
		b.WriteString(rest)
		for j := e.first + 1; j < len(s.d.lines) && continues(s.text(j)); j++ {
			b.WriteString("\n" + s.text(j))
		}
		text = b.String()
	}
	n := end(text)
	if n < 0 {
		s.plain(e, rest)
		return
	}
	j := e.first + strings.Count(text[:n], "\n")
	tail, _, _ := strings.Cut(text[n:], "\n")
	note := strings.TrimLeft(tail, " \t")
	if note != "" && (note[0] != '#' || note == tail) {
		s.plain(e, rest)
		return
	}
	e.last = j
	e.Value.End = s.d.lines[j].end - len(tail)
	if note != "" {
		e.Comment = s.commentAt(s.d.lines[j].end - len(note))
	}
	e.Style = spanStyle(rest[0])
}

func continues(text string) bool {
	return blank(text) || indented(text) || text[0] == ']' || text[0] == '}'
}

func spanStyle(c byte) Style {
	switch c {
	case '"':
		return Double
	case '\'':
		return Single
	case '[':
		return FlowList
	}
	return Mapping
}

func (s *scanner) commentAt(at int) document.Span {
	return document.At(at, lineAt(s.d.data, at, 0).end)
}
