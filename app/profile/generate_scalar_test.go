package profile_test

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

var fragments = []string{
	"review", "code", "when", "the", "user", "asks:", "Context: x", "a #b", "it's", `"quoted"`, `back\slash`, "🚀", "数据库",
	"مراجع", "Ревью", "cafe\u0301", "- dash", "#hash", "{x}", "[y]", "*", "&a", "!b", "%", "@at", "`tick`", "|", ">", "---", "...",
	"true", "a:b", "x,y", "?", ":", "#", `\n`, "'", `"`, "tools: Bash", `user: "hi"`, "<example>", "</example>", "''", `\`, "👩‍💻",
}

var nastyNames = []string{
	"reviewer", "code-reviewer", "Code Reviewer", "code_reviewer", "UPPER", "true", "no", "Yes", "007", "1e3", "0x1F", "1_000", "3.14",
	"null", "2024-01-01", "12:30:45", "🚀 launcher", "数据库专家", "مراجع", "Кто", "cafe\u0301", "a: b", "a #b", "it's", `say "hi"`,
	`back\slash`, "- dash", "*star", "&amp", "!bang", "%pct", "@at", "`tick`", "[x]", "{x}", ".inf", "?", " lead", "trail ", "a\tb", "x:",
}

func (p *pen) name() string { return choose(p, nastyNames...) }

// text draws words of every nasty kind, on several lines where multi.
func (p *pen) text(multi bool) string {
	var b strings.Builder
	b.WriteString(choose(p, fragments...))
	for n := p.one(7); n > 0; n-- {
		sep := " "
		switch k := p.one(12); {
		case k == 11:
			sep = "  "
		case k >= 8 && multi:
			sep = strings.Repeat("\n", 1+p.one(3))
		case k == 7 && multi:
			sep = choose(p, "\n  ", " \n", "\n\t")
		}
		b.WriteString(sep + choose(p, fragments...))
	}
	if multi {
		b.WriteString(choose(p, "", "", "", "\n", "\n\n", " "))
		if p.chance(40) {
			b.WriteString(strings.Repeat(" long", 700))
		}
	}
	return b.String()
}

// style is one way to write a scalar.
type style struct {
	name  string
	can   func(string) bool
	put   func(*pen, string) string
	block bool
}

var styles = []style{
	{"plain", plain, func(p *pen, s string) string { return p.space() + s + p.tail() }, false},
	{"single", single, func(p *pen, s string) string { return p.space() + quoted1(s) + p.tail() }, false},
	{"double", func(string) bool { return true }, func(p *pen, s string) string { return p.space() + p.quoted2(s) + p.tail() }, false},
	{"literal", literal, (*pen).literal, true},
	{"folded", folded, (*pen).folded, true},
	{"plain lines", plainLines, func(p *pen, s string) string { return p.lines(s, "", func(s string) string { return s }, plainPiece) }, false},
	{"single lines", flowLines, func(p *pen, s string) string {
		return p.lines(s, "'", func(s string) string { return strings.ReplaceAll(s, "'", "''") }, nil)
	}, false},
	{"double lines", flowLines, func(p *pen, s string) string {
		return p.lines(s, `"`, func(s string) string { return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) }, nil)
	}, false},
	{"next line", plain, func(p *pen, s string) string { return p.tail() + "\n  " + s + p.tail() }, false},
}

// space separates a key from its value.
func (p *pen) space() string { return choose(p, " ", " ", " ", " ", "   ") }

// scalar draws an entry that says s.
func (p *pen) scalar(key, s string, only ...string) entry {
	var can []style
	for _, st := range styles {
		if st.can(s) && (len(only) == 0 || slices.Contains(only, st.name)) {
			can = append(can, st)
		}
	}
	st := choose(p, can...)
	p.notes = nil
	e := entry{key: key, block: st.block}
	e.text = p.key(key) + ":" + st.put(p, s) + "\n"
	e.keep = st.block && strings.HasSuffix(s, "\n\n") || st.block && strings.Contains(strings.SplitN(e.text, "\n", 2)[0], "+")
	e.notes, p.notes = p.notes, nil
	return e
}

func (p *pen) key(key string) string {
	if p.chance(25) {
		return choose(p, `"`+key+`"`, "'"+key+"'", key+" ")
	}
	return key
}

// printable reports whether s can stand unescaped.
func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r == '\u0085' || r == '\u2028' || r == '\u2029' || r == '\ufeff' || unicode.IsControl(r) && r != '\t' && r != '\n'
	})
}

func single(s string) bool { return printable(s) && !strings.Contains(s, "\n") }

func plain(s string) bool {
	if !single(s) || s != strings.TrimSpace(s) || slices.Contains([]string{"", "~", "<<", "="}, s) || strings.HasPrefix(s, "---") || strings.HasPrefix(s, "...") {
		return false
	}
	if strings.ContainsRune("-?:", rune(s[0])) && (len(s) == 1 || s[1] == ' ' || s[1] == '\t') || strings.ContainsRune(",[]{}#&*!|>'\"%@`", rune(s[0])) {
		return false
	}
	return plainPiece(s) && !strings.Contains(s, ": ") && !strings.Contains(s, ":\t") && !strings.Contains(s, " #") && !strings.Contains(s, "\t#")
}

// plainPiece reports whether s may begin a later line of a plain scalar.
func plainPiece(s string) bool { return !strings.HasPrefix(s, "#") && !strings.HasSuffix(s, ":") }

// flowLines reports whether no line of s would lose blanks by folding.
func flowLines(s string) bool {
	for l := range strings.SplitSeq(s, "\n") {
		if l != strings.TrimSpace(l) {
			return false
		}
	}
	return printable(s) && s == strings.TrimSpace(s) && s != ""
}

func plainLines(s string) bool {
	return flowLines(s) && plain(strings.ReplaceAll(s, "\n", " ")) && !strings.Contains(s, "\n#") && !strings.Contains(s, ":\n")
}

func literal(s string) bool {
	return printable(s) && strings.TrimSpace(s) != "" && !strings.HasSuffix(strings.TrimRight(s, "\n"), " ")
}

func folded(s string) bool {
	return literal(s) && !strings.HasPrefix(s, "\n") && !strings.Contains("\n"+s, "\n ") && !strings.Contains("\n"+s, "\n\t")
}

func quoted1(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// quoted2 writes s in double quotes, with more escapes than it needs.
func (p *pen) quoted2(s string) string {
	var b strings.Builder
	mode := p.one(4)
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t' && mode > 0:
			b.WriteString(`\t`)
		case r > 0xffff && (mode == 2 || !printable(string(r))):
			fmt.Fprintf(&b, `\U%08X`, r)
		case r > 0xff && (mode == 2 || !printable(string(r))):
			fmt.Fprintf(&b, `\u%04x`, r)
		case mode == 3 && i%3 == 0 && r < 0x7f || !printable(string(r)):
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}

// header is the first line of a block scalar that holds s.
func (p *pen) header(mark, s string, indent int, must bool) string {
	chomp := "-"
	switch n := len(s) - len(strings.TrimRight(s, "\n")); {
	case n > 1:
		chomp = "+"
	case n == 1:
		chomp = choose(p, "", "", "+")
	}
	h := mark + chomp
	if must || p.chance(6) {
		h = choose(p, mark+itoa(indent)+chomp, mark+chomp+itoa(indent))
	}
	return p.space() + h + p.tail()
}

func (p *pen) literal(s string) string {
	indent := 1 + p.one(4)
	body := strings.TrimRight(s, "\n")
	first := strings.TrimLeft(body, "\n")
	out := p.header("|", s, indent, strings.ContainsAny(first[:1], " \t"))
	for l := range strings.SplitSeq(body, "\n") {
		if l != "" {
			l = strings.Repeat(" ", indent) + l
		}
		out += "\n" + l
	}
	return out + strings.Repeat("\n", max(0, len(s)-len(body)-1))
}

func (p *pen) folded(s string) string {
	indent := 1 + p.one(4)
	body := strings.TrimRight(s, "\n")
	out := p.header(">", s, indent, false)
	for _, l := range p.fold(body, nil) {
		if l != "" {
			l = strings.Repeat(" ", indent) + l
		}
		out += "\n" + l
	}
	return out + strings.Repeat("\n", max(0, len(s)-len(body)-1))
}

// lines writes s folded over several lines between two marks.
func (p *pen) lines(s, mark string, escape func(string) string, ok func(string) bool) string {
	indent := strings.Repeat(" ", 1+p.one(5))
	pieces := p.fold(s, ok)
	out := p.space() + mark + escape(pieces[0])
	for _, l := range pieces[1:] {
		if l == "" {
			out += "\n" + choose(p, "", "", "   ")
			continue
		}
		out += choose(p, "", "", " ") + "\n" + indent + escape(l)
	}
	return out + mark + p.tail()
}

// fold breaks s at single blanks; a line break of s becomes a blank line.
func (p *pen) fold(s string, ok func(string) bool) []string {
	var out []string
	for i, para := range strings.Split(s, "\n") {
		if i > 0 {
			out = append(out, "")
		}
		if para == "" {
			continue
		}
		words := strings.Split(para, " ")
		piece := words[0]
		for j, w := range words[1:] {
			alone := w != "" && words[j] != "" && !strings.HasPrefix(w, "\t") && !strings.HasSuffix(words[j], "\t")
			if alone && (ok == nil || ok(w) && ok(piece)) && p.chance(4) {
				out, piece = append(out, piece), w
				continue
			}
			piece += " " + w
		}
		out = append(out, piece)
	}
	return out
}
