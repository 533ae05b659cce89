package tomldoc

import (
	"fmt"
	"strings"

	"callboard/app/profile/document"
)

// candidates are the edits that may give e the value v, best first. None is
// promised to read back: the caller tries.
func (d *Document) candidates(e entry, v document.Value) []document.Edit {
	eol := d.eol()
	var texts []string
	switch raw := d.bytes(e.Value); {
	case v.List && e.Reading.Kind == document.List:
		texts = append(texts, d.relist(e, v.Items))
	case !v.List && e.Reading.Tag == "!!str":
		texts = restyle(raw, v.Text, eol)
	}
	texts = append(texts, render(v, eol)...)
	out := make([]document.Edit, len(texts))
	for i, text := range texts {
		out[i] = document.Edit{Span: e.Value, New: []byte(text)}
	}
	return out
}

// restyle writes text as the string raw is written, if that can hold it.
func restyle(raw []byte, text, eol string) []string {
	if m, ok := cutMany(raw, eol); ok {
		if !m.literal || literalHolds(text) {
			return []string{m.write(text)}
		}
		return []string{m.escaped().write(text)}
	}
	switch {
	case raw[0] == '"':
		return []string{basic(text)}
	case literalHolds(text) && !strings.ContainsAny(text, "'\n"):
		return []string{literal(text)}
	}
	return nil
}

// render writes v in every style it may have, the least quoting first.
func render(v document.Value, eol string) []string {
	if v.List {
		items := make([]string, len(v.Items))
		for i, item := range v.Items {
			items[i] = short(item)
		}
		return []string{"[" + strings.Join(items, ", ") + "]"}
	}
	if !strings.Contains(v.Text, "\n") {
		return []string{short(v.Text), basic(v.Text)}
	}
	var out []string
	open := many{opening: eol, eol: eol}
	if literalHolds(v.Text) && !strings.HasSuffix(v.Text, "'") {
		open.literal = true
		out = append(out, open.write(v.Text))
	}
	return append(out, open.escaped().write(v.Text), basic(v.Text))
}

// short is one line of text between the quotes that need the fewest escapes.
func short(text string) string {
	b := basic(text)
	if len(b) > len(text)+2 && literalHolds(text) && !strings.ContainsAny(text, "'\n") {
		return literal(text)
	}
	return b
}

func literal(text string) string { return "'" + text + "'" }

func basic(text string) string {
	return `"` + escape(text, `\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`) + `"`
}

// escape replaces the pairs and writes the control characters that are left in
// text, but tabs, as escapes.
func escape(text string, pairs ...string) string {
	text = strings.NewReplacer(pairs...).Replace(text)
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\r':
			b.WriteString(`\r`)
		case r < ' ' && r != '\t' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// literalHolds reports whether text may stand between three single quotes.
func literalHolds(text string) bool {
	return !strings.Contains(text, "'''") && !strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' || r == 0x7f
	})
}

// bare reports whether key needs no quotes.
func bare(key string) bool {
	return key != "" && !strings.ContainsFunc(key, func(r rune) bool {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return false
		}
		return true
	})
}
