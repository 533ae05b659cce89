package jsondoc

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"callboard/app/profile/document"
)

// read finds the entries.
func (o *Object) read() {
	line, at := o.Line(), o.span.Start
	o.entries = make([]document.Entry, 0, len(o.node.Members))
	for _, m := range o.node.Members {
		name, value := o.d.span(m.Name), o.d.span(m.Value)
		line += strings.Count(o.d.text[at:name.Start], "\n")
		at = name.Start
		key, _ := decode(m.Name.Value)
		o.entries = append(o.entries, document.Entry{
			Key: key, Line: line,
			Full:    document.Span{Start: name.Start, End: value.End},
			Value:   value,
			Reading: reading(m.Value.Value),
		})
	}
}

// reading is what a value says. Half a character, written as the escape of one
// surrogate, is not vouched for.
func reading(v hujson.ValueTrimmed) document.Reading {
	switch v := v.(type) {
	case *hujson.Object:
		return document.Reading{Kind: document.Map}
	case *hujson.Array:
		return list(v)
	}
	text, clear := decode(v)
	switch {
	case !clear:
		return document.Reading{Kind: document.Unclear}
	case v.Kind() == 'n':
		return document.Reading{Kind: document.Null}
	}
	return document.Reading{Kind: document.Text, Text: text, Tag: tag(v.Kind(), text)}
}

func tag(kind hujson.Kind, text string) string {
	switch {
	case kind == '"':
		return "!!str"
	case kind == 't' || kind == 'f':
		return "!!bool"
	case strings.ContainsAny(text, ".eE"):
		return "!!float"
	}
	return "!!int"
}

func list(a *hujson.Array) document.Reading {
	items := make([]string, len(a.Elements))
	for i, e := range a.Elements {
		text, clear := decode(e.Value)
		if e.Value.Kind() != '"' || !clear {
			return document.Reading{Kind: document.Unclear}
		}
		items[i] = text
	}
	return document.Reading{Kind: document.List, Items: items}
}

// decode is what a string stands for, or any other literal as written. clear is
// false if it holds half a character.
func decode(v hujson.ValueTrimmed) (text string, clear bool) {
	lit, ok := v.(hujson.Literal)
	switch {
	case !ok:
		return "", false
	case lit.Kind() != '"':
		return string(lit), true
	case !slices.Contains(lit, '\\'):
		return string(lit[1 : len(lit)-1]), true
	}
	err := json.Unmarshal(lit, &text)
	return text, err == nil && whole(string(lit))
}

// whole reports whether every surrogate in the escapes of s has its other half.
func whole(s string) bool {
	for at := 0; at < len(s); at++ {
		if s[at] != '\\' {
			continue
		}
		unit := escaped(s[at:])
		switch {
		case unit < 0xd800 || unit > 0xdfff:
			at++
		case unit >= 0xdc00:
			return false
		default:
			at += 6
			if low := escaped(s[at:]); low < 0xdc00 || low > 0xdfff {
				return false
			}
			at += 5
		}
	}
	return true
}

// escaped is the code unit of the \u escape that s starts with, 0 if none.
func escaped(s string) uint64 {
	if len(s) < 6 || !strings.HasPrefix(s, `\u`) {
		return 0
	}
	unit, err := strconv.ParseUint(s[2:6], 16, 16)
	if err != nil {
		return 0
	}
	return unit
}
