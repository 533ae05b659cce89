package servers

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"callboard/app/agent"
)

// shown stands where a value was.
const shown = "redacted"

// Values shorter than shortValue are words like "1" or "yes", which would blot
// out half of any text; a word within a value counts from longWord on.
const (
	shortValue = 4
	longWord   = 8
)

// redactor takes a server's values out of text, in the forms a program is
// likely to repeat them: as they are, in base64 wherever they stand in it, in
// hexadecimal and as part of an address. A value that a server disguises in any
// other way is beyond it.
type redactor struct {
	forms   []string
	longest int
}

func newRedactor(v values) redactor {
	var r redactor
	for _, s := range v.all() {
		if len(s) < shortValue {
			continue
		}
		r.forms = append(r.forms, s, visible(s), url.QueryEscape(s), url.PathEscape(s))
		x := hex.EncodeToString([]byte(s))
		r.forms = append(r.forms, x, strings.ToUpper(x))
		for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
			r.forms = append(r.forms, enc.EncodeToString([]byte(s)))
			r.forms = append(r.forms, inside(enc, s)...)
		}
	}
	r.forms = slices.DeleteFunc(r.forms, func(f string) bool { return len(f) < shortValue })
	slices.SortFunc(r.forms, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	r.forms = slices.Compact(r.forms)
	if len(r.forms) > 0 {
		r.longest = len(r.forms[0])
	}
	return r
}

// inside is what of s is the same in base64 whatever stands around it, for each
// of the three places it can begin at.
func inside(enc *base64.Encoding, s string) []string {
	var out []string
	for lead := range 3 {
		text := enc.WithPadding(base64.NoPadding).EncodeToString([]byte(strings.Repeat("\x00", lead) + s))
		from := (lead*8 + 5) / 6      // digits that hold a bit of what comes before
		to := (lead + len(s)) * 8 / 6 // digits that hold a bit of what comes after
		if whole := text[from:to]; len(whole) >= longWord {
			out = append(out, whole)
		}
	}
	return out
}

// clean is text without values.
func (r redactor) clean(text string) string {
	for _, f := range r.forms {
		text = strings.ReplaceAll(text, f, shown)
	}
	return text
}

// line is text as it may be kept: valid, on one line, without values and hidden
// characters, at most limit runes. hidden is how many characters went.
func (r redactor) line(text string, limit int) (line string, hidden int) {
	text = r.clean(strings.ToValidUTF8(text, "\uFFFD"))
	for _, c := range text {
		if concealed(c) && !unicode.IsSpace(c) {
			hidden++
		}
	}
	out := []rune(r.clean(visible(text)))
	if len(out) > limit {
		out = append(out[:limit-1], '…')
	}
	return string(out), hidden
}

// visible is text on one line without hidden characters.
func visible(text string) string {
	text = strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case concealed(c):
			return -1
		}
		return c
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// concealed is what shows nothing: hidden characters, and the variation
// selectors that can carry any bytes.
func concealed(c rune) bool { return agent.Hidden(c) || c >= 0xe0100 && c <= 0xe01ef }

// tail is the end of what a process wrote, without values and hidden
// characters, at most limit runes. cut says that its beginning is missing: then
// so much goes as could be the end of a value.
func (r redactor) tail(raw []byte, cut bool, limit int) string {
	if cut {
		raw = raw[min(len(raw), r.longest):]
	}
	text := r.clean(strings.ToValidUTF8(string(raw), "\uFFFD"))
	var lines []string
	for l := range strings.Lines(text) {
		if l = visible(l); l != "" {
			lines = append(lines, l)
		}
	}
	out := []rune(r.clean(strings.Join(lines, "\n")))
	return string(out[max(0, len(out)-limit):])
}
