package profile

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"callboard/app/profile/document"
	"callboard/app/profile/frontmatter"
)

// A front matter that is no strict YAML is read line by line, and a line that
// is no key there goes to the value before it. A line that was meant to state
// tools must not vanish in that way, because a file that states none grants
// all. So where such a line stands, in whatever odd form, nothing is granted.

// statements finds the lines that could be stating what an agent may use, in
// the words of one format.
type statements struct {
	keys  []string // that state it
	short []string // whose value is one line
	// key is such a key where one can stand: after white space, quotes, dashes,
	// brackets, tags and anchors, with a colon behind it. inside is one within a
	// line that starts as a flow mapping; alone is one by itself, whose colon may
	// stand on the next line.
	key, inside, alone *regexp.Regexp
}

var (
	nextColon = regexp.MustCompile(`^\s*:(?:\s|$)`)
	// anyKey starts a key that may be anything, such as a long or a merged one.
	anyKey  = regexp.MustCompile(`^[\s-]*(?:\?(?:\s|$)|["']?<<)`)
	escapes = regexp.MustCompile(`\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})`)
	humps   = regexp.MustCompile(`([a-z])([A-Z])`)
)

// newStatements knows the keys that state tools by every spelling of their
// words: disallowedTools, disallowed_tools, Disallowed Tools.
func newStatements(keys, short []string) *statements {
	words := make([]string, len(keys))
	for i, k := range keys {
		words[i] = strings.ReplaceAll(humps.ReplaceAllString(k, "${1}_$2"), "_", "[ _-]?")
	}
	any := `(?:` + strings.Join(words, "|") + `)`
	return &statements{
		keys: keys, short: short,
		key:    regexp.MustCompile(`(?i)^(?:[\s"'{}\[\](),?-]|[!&]\S*\s)*` + any + `["'\s}\])]*[:：]`),
		inside: regexp.MustCompile(`(?i)^[\s"'-]*[{\[,].*[{,]\s*["']?` + any + `["']?\s*:`),
		alone:  regexp.MustCompile(`(?i)^[\s"'{\[,-]*` + any + `["'\s]*(?:\s#.*)?$`),
	}
}

// hint is a line that could be stating tools and was not read as that.
type hint struct {
	line int
	text string
}

// hints lists the lines of the front matter that could be stating tools or
// denials: in a repaired one all but the keys that were read as such, in strict
// YAML those that are an odd key, an item that is not indented, or part of a
// value that should be one line.
func (w *statements) hints(doc *frontmatter.Document, data []byte) []hint {
	if !doc.Present {
		return nil
	}
	var out []hint
	first := 1 + bytes.Count(data[:doc.Block.Start], []byte("\n"))
	lines := strings.Split(string(data[doc.Block.Start:doc.Block.End]), "\n")
	odd, known := w.look(doc, data)
	for i, text := range lines {
		next := ""
		if i+1 < len(lines) {
			next = lines[i+1]
		}
		if n := first + i; odd[n] || !doc.Strict && w.states(text, next, known[n]) {
			out = append(out, hint{n, text})
		}
	}
	return out
}

// look finds the lines that state tools in strict YAML too, if not as the key
// that does, and the lines that are known to state them.
func (w *statements) look(doc *frontmatter.Document, data []byte) (odd, known map[int]bool) {
	odd, known = map[int]bool{}, map[int]bool{}
	for _, e := range doc.Entries {
		if slices.Contains(w.keys, e.Key) {
			known[e.Line] = true
			continue
		}
		odd[e.Line] = w.key.MatchString(e.Key)
		short := slices.Contains(w.short, e.Key)
		lines := strings.Split(string(data[e.Full.Start:e.Full.End]), "\n")
		for i, text := range lines[1:] {
			odd[e.Line+1+i] = (short || strings.HasPrefix(text, "-")) && w.key.MatchString(text)
		}
	}
	return odd, known
}

// breaksLine reports whether some readers end a line at r.
func breaksLine(r rune) bool {
	return r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

// states reports whether a line could be stating tools. known says that it
// starts with the key that does.
func (w *statements) states(text, next string, known bool) bool {
	for i, part := range strings.FieldsFunc(text, breaksLine) {
		if known && i == 0 {
			continue
		}
		part = escapes.ReplaceAllStringFunc(part, func(s string) string {
			n, err := strconv.ParseUint(s[2:], 16, 32)
			if err != nil {
				return s
			}
			return string(rune(n)) //nolint:gosec // eight digits at most, and any number that is no rune becomes one that matches nothing
		})
		if w.key.MatchString(part) || w.inside.MatchString(part) || anyKey.MatchString(part) ||
			w.alone.MatchString(part) && nextColon.MatchString(next) {
			return true
		}
	}
	return false
}

// sameHints reports whether an edit left every such line as it was.
func sameHints(before, after []hint) bool {
	return slices.EqualFunc(before, after, func(a, b hint) bool { return a.text == b.text })
}

// lostDenial reports whether what follows the denied tools may be meant to be
// some of them: a key that is written like a tool, or after a blank list any
// key that is not the format's own.
func (r *reader) lostDenial() bool {
	all := r.sheet.Entries()
	for i, e := range all {
		if e.Key != r.spec.denied || i+1 == len(all) {
			continue
		}
		next := all[i+1].Key
		blank := e.Reading.Kind == document.Null
		if strings.ContainsAny(next, "(),*") || blank && !slices.Contains(r.spec.known, next) {
			return true
		}
	}
	return false
}

// doubt finds a line that could be stating tools which were not read, and says
// so; 0 if there is none.
func (r *reader) doubt() (line int, text string) {
	if h := r.sheet.doubts(r.spec.stated); len(h) > 0 {
		return h[0].line, fmt.Sprintf("Line %d looks as if it stated tools, but not in a form that can be read for certain. Nothing is granted and the agent is imported off.", h[0].line)
	}
	if r.spec.denied != "" && r.lostDenial() {
		return r.line(r.spec.denied), "The denied tools may go on in the next line in a form that is not read. Nothing is granted and the agent is imported off."
	}
	return 0, ""
}
