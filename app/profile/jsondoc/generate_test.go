package jsondoc_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"

	"pgregory.net/rapid"
)

// drawn is a file written by rules of its own, and what it says.
type drawn struct {
	text   string
	value  any
	notes  []string
	plain  bool     // no comments, no trailing commas
	path   []string // of the object to edit
	inside map[string]any
	start  int // of that object
	end    int
}

// drawDocument draws a file with an object at a path in it.
func drawDocument(t *rapid.T) drawn {
	w := &writer{t: t, plain: rapid.Bool().Draw(t, "plain"), eol: rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")}
	w.loose = rapid.Bool().Draw(t, "loose")
	w.indent = rapid.SampledFrom([]string{"", "  ", "\t", "    "}).Draw(t, "indent")
	w.deep = rapid.IntRange(0, 3).Draw(t, "depth of the object")
	if rapid.Bool().Draw(t, "BOM") {
		w.b.WriteString("\ufeff")
	}
	w.gap(0)
	v := w.object(0, true)
	w.gap(0)
	if !w.plain && rapid.Bool().Draw(t, "note at the end") {
		w.b.WriteString(w.note("//"))
	}
	w.out.text, w.out.value, w.out.plain = w.b.String(), v, w.plain
	return w.out
}

type writer struct {
	t            *rapid.T
	b            strings.Builder
	plain, loose bool
	eol, indent  string
	deep         int
	out          drawn
}

func (w *writer) chance(n int, label string) bool { return rapid.IntRange(1, n).Draw(w.t, label) == 1 }

func (w *writer) note(kind string) string {
	id := fmt.Sprintf("note%d;", len(w.out.notes))
	w.out.notes = append(w.out.notes, id)
	switch kind {
	case "//":
		return "// " + id + rapid.SampledFrom([]string{"", " \"", " /*", " {", " ,", "// x"}).Draw(w.t, "note")
	case "/*":
		return "/* " + id + rapid.SampledFrom([]string{"", " \"", " //", " }", "\n", "*", "\r\n\t"}).Draw(w.t, "note") + "*/"
	}
	return ""
}

// gap writes white space and comments: any in a loose file, else a line break
// or nothing.
func (w *writer) gap(level int) {
	if !w.loose {
		w.line(level)
		return
	}
	for range rapid.IntRange(0, 3).Draw(w.t, "pieces") {
		piece := rapid.SampledFrom([]string{" ", "  ", "\t", w.eol, "\n", "//", "/*"}).Draw(w.t, "piece")
		if strings.HasPrefix(piece, "/") {
			w.maybeNote(piece)
			continue
		}
		w.b.WriteString(piece)
	}
}

func (w *writer) maybeNote(kind string) {
	if w.plain {
		return
	}
	w.b.WriteString(w.note(kind))
	if kind == "//" {
		w.b.WriteString(w.eol)
	}
}

func (w *writer) line(level int) {
	if w.indent == "" {
		return
	}
	if w.chance(6, "note behind") && !w.plain {
		w.b.WriteString(" " + w.note("//"))
	}
	w.b.WriteString(w.eol + strings.Repeat(w.indent, level))
	if w.chance(6, "note above") && !w.plain {
		w.b.WriteString(w.note("//") + w.eol + strings.Repeat(w.indent, level))
	}
}

// tight writes white space that is never more than a space in a tidy file.
func (w *writer) tight(text string) {
	if w.loose {
		w.gap(0)
		return
	}
	w.b.WriteString(text)
}

var keys = []string{"name", "prompt", "tools", "model", "a b", "é", "", "x\"y", "__proto__", "Name", "😀", "//", "\u2028"}

func (w *writer) object(level int, onPath bool) map[string]any {
	target := onPath && level == w.deep
	start := w.b.Len()
	w.b.WriteByte('{')
	names := rapid.SliceOfNDistinct(rapid.SampledFrom(keys), 0, 4, rapid.ID).Draw(w.t, "keys")
	next := ""
	if onPath && !target {
		next = rapid.SampledFrom([]string{"agent", "reviewer", "agents/x"}).Draw(w.t, "way")
		at := rapid.IntRange(0, len(names)).Draw(w.t, "at")
		names = append(names[:at], append([]string{next}, names[at:]...)...)
		w.out.path = append(w.out.path, next)
	}
	out := map[string]any{}
	for i, name := range names {
		w.gap(level + 1)
		w.text(name)
		w.tight("")
		w.b.WriteByte(':')
		w.tight(" ")
		if onPath && name == next && !target {
			out[name] = w.object(level+1, true)
		} else {
			out[name] = w.any(level + 1)
		}
		w.comma(i == len(names)-1)
	}
	w.gap(level)
	w.b.WriteByte('}')
	if target {
		w.out.start, w.out.end, w.out.inside = start, w.b.Len(), out
	}
	return out
}

func (w *writer) comma(last bool) {
	w.tight("")
	if !last || !w.plain && rapid.Bool().Draw(w.t, "trailing comma") {
		w.b.WriteByte(',')
	}
}

func (w *writer) array(level int, element func(int) any) []any {
	out := []any{}
	w.b.WriteByte('[')
	n := rapid.IntRange(0, 4).Draw(w.t, "elements")
	for i := range n {
		w.gap(level + 1)
		out = append(out, element(level+1))
		w.comma(i == n-1)
	}
	w.gap(level)
	w.b.WriteByte(']')
	return out
}

func (w *writer) any(level int) any {
	switch kind := rapid.IntRange(0, 6).Draw(w.t, "kind"); {
	case kind == 0 && level < 5:
		return w.object(level, false)
	case kind == 1 && level < 5:
		return w.array(level, w.any)
	case kind == 2 || kind == 3:
		return w.array(level, func(int) any { return w.text(drawText(w.t)) })
	case kind == 4:
		lit := rapid.SampledFrom([]string{"0", "-1.50", "1e+99", "12345678901234567890"}).Draw(w.t, "number")
		w.b.WriteString(lit)
		return json.Number(lit)
	case kind == 5:
		lit := rapid.SampledFrom([]string{"true", "false", "null"}).Draw(w.t, "literal")
		w.b.WriteString(lit)
		return map[string]any{"true": true, "false": false, "null": nil}[lit]
	}
	return w.text(drawText(w.t))
}

var pieces = []string{"a", "b", " ", "\"", "\\", "/", "//", "/*", "*/", "{", "}", "[", ",", ":", "\n", "\r", "\t", "\x01", "\u007f", "\u2028", "\ufeff", "\ufffd", "é", "😀", "<&>", `\ud83d`, "null"}

func drawText(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 4).Draw(t, "text"), "")
}

// text writes a string, some characters as escapes.
func (w *writer) text(s string) string {
	w.b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			w.b.WriteString(`\` + string(r))
		case r >= ' ' && !w.chance(5, "escape"):
			w.b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&w.b, `\u%04x\u%04X`, high, low)
		default:
			fmt.Fprintf(&w.b, `\u%04x`, r)
		}
	}
	w.b.WriteByte('"')
	return s
}
