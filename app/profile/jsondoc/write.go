package jsondoc

import (
	"fmt"
	"strings"
	"unicode"

	"callboard/app/profile/document"
)

// render writes v on one line.
func render(v document.Value) string {
	if v.Bare {
		return v.Text
	}
	if !v.List {
		return quote(v.Text)
	}
	items := make([]string, len(v.Items))
	for i, item := range v.Items {
		items[i] = quote(item)
	}
	return "[" + strings.Join(items, ", ") + "]"
}

var short = map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`}

// quote writes text as a string that escapes no more than it must, and what
// would break a line in other languages.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch esc := short[r]; {
		case esc != "":
			b.WriteString(esc)
		case unicode.IsControl(r) || r == 0x2028 || r == 0x2029:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
