package tomldoc_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"
)

// root is one drawn key of the root table: where its lines stand and what they
// mean. Its note stands behind the value, its notes anywhere in its lines.
type root struct {
	key        string
	start, end int
	value      any
	note       string
	notes      []string
	plain      bool
}

// drawn is one drawn file and what it means.
type drawn struct {
	data  []byte
	roots []root
	all   map[string]any
	end   int // of the last root key's lines, -1 without one
}

// pen draws how things are written down.
type pen struct {
	t      *rapid.T
	eol    string
	serial int
	notes  []string
}

func (p *pen) one(n int) int { return rapid.IntRange(0, n-1).Draw(p.t, "n") }

func pick[V any](p *pen, vs ...V) V { return rapid.SampledFrom(vs).Draw(p.t, "pick") }

func (p *pen) blank() string { return pick(p, "", "", " ", "  ", "\t") }

func (p *pen) note() string {
	p.serial++
	n := pick(p, "# note", "#", "# [t] = \"x\"", "# it's '''", "# é, ]") + fmt.Sprint(" ", p.serial)
	p.notes = append(p.notes, n)
	return n
}

var parts = []string{"a", "word", "é🚀", " ", "\t", "'", "''", "'''", `"`, `""`, `"""`, `\`, `\n`, "#", "[t]", "= 1", ",", "\x01", "\u007f", "\n", "\n\n", "\n", "  "}

// text is any text; short ones have no line break.
func (p *pen) text(short bool) string {
	s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 8).Draw(p.t, "text"), "")
	if short {
		s = strings.ReplaceAll(s, "\n", "")
	}
	return s
}

// printed is text without what needs an escape anywhere.
func (p *pen) printed(s string) string {
	return strings.NewReplacer("\x01", "", "\u007f", "", "'", "", `"`, "", `\`, "").Replace(s)
}

// quoted writes a text in any style, and says which text it is.
func (p *pen) quoted(short bool) (written, meaning string) {
	s := p.text(short)
	all := func(s string) string { // some letters as escapes
		var b strings.Builder
		for i, r := range s {
			switch {
			case r == '"' || r == '\\' || r < ' ' || r == 0x7f:
				fmt.Fprintf(&b, `\u%04x`, r)
			case r == 'w' && i%2 == 0:
				b.WriteString(`\U00000077`)
			default:
				b.WriteRune(r)
			}
		}
		return b.String()
	}
	style := p.one(4)
	if short && style > 1 {
		style -= 2
	}
	switch style {
	case 0:
		return `"` + all(s) + `"`, s
	case 1:
		s = strings.ReplaceAll(p.printed(s), "\n", "")
		return "'" + s + "'", s
	}
	quotes, open := "'''", pick(p, "", p.eol)
	lines := strings.Split(s, "\n")
	if style == 2 {
		s = p.printed(s)
		lines = strings.Split(s, "\n")
	} else {
		quotes = `"""`
		for i := range lines {
			lines[i] = all(lines[i])
			if p.one(6) == 0 {
				lines[i] += `\` + p.blank() + p.eol + p.eol + " "
				if i+1 < len(lines) {
					lines[i] += `\n` // the line break that would be taken away
				}
			}
		}
	}
	if strings.HasPrefix(s, "\n") || strings.HasPrefix(strings.Join(lines, p.eol), p.eol) {
		open = p.eol
	}
	body := lines[0]
	for i, l := range lines[1:] {
		if strings.HasSuffix(lines[i], ` \n`) {
			body += l
		} else {
			body += p.eol + l
		}
	}
	// A continued line takes the white space away that comes next.
	if style == 3 && strings.Contains(body, `\`+"\n") || strings.Contains(body, `\ `) || strings.Contains(body, "\\\t") || strings.Contains(body, "\\\r") {
		var v struct{ A string }
		if err := toml.Unmarshal([]byte("A = "+quotes+open+body+quotes), &v); err != nil {
			p.t.Fatalf("drawn badly: %v", err)
		}
		s = unix(v.A)
	}
	return quotes + open + body + quotes, s
}

func unix(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// list writes a list of strings.
func (p *pen) list() (string, []any) {
	n := p.one(5)
	out, meaning := "[", []any{}
	wide := p.one(2) == 0
	gap := func() {
		out += p.blank()
		if wide && p.one(2) == 0 {
			if p.one(3) == 0 {
				out += p.note()
			}
			out += p.eol + p.blank()
		}
	}
	gap()
	for i := range n {
		w, m := p.quoted(p.one(5) > 0)
		out += w
		meaning = append(meaning, m)
		gap()
		if i+1 < n || p.one(2) == 0 {
			out += ","
		}
		gap()
	}
	return out + "]", meaning
}

func (p *pen) value() (string, any) {
	switch p.one(8) {
	case 0:
		return "true", true
	case 1:
		return "1_0", int64(10)
	case 2:
		return "{ x = [1], y.z = '}' }", map[string]any{"x": []any{int64(1)}, "y": map[string]any{"z": "}"}}
	case 3:
		return "[1, [ 'x' ],]", []any{int64(1), []any{"x"}}
	case 4:
		return p.list()
	}
	return p.quoted(false)
}

func (p *pen) gaps(b *strings.Builder) {
	for range p.one(3) {
		b.WriteString(pick(p, "", p.note(), "  "+p.note(), " \t") + p.eol)
	}
}

func (p *pen) tail() string {
	if p.one(3) == 0 {
		return pick(p, " ", "", "\t") + p.note()
	}
	return p.blank()
}

// file draws a whole file.
func (p *pen) file() drawn {
	d := drawn{all: map[string]any{}, end: -1}
	var b strings.Builder
	b.WriteString(pick(p, "", "", "\ufeff"))
	keys := rapid.Permutation([]string{"name", "description", "tools", "b-c", "9", "é x", "d.e"}).Draw(p.t, "keys")
	p.gaps(&b)
	for _, key := range keys[:p.one(len(keys)+1)] {
		p.notes = nil
		written, v := p.value()
		r := root{key: key, start: b.Len(), value: v, note: p.tail(), plain: true}
		name := `"` + key + `"`
		if !strings.ContainsAny(key, "é .") {
			name = pick(p, key, name, "'"+key+"'")
		}
		if p.one(8) == 0 {
			r.plain, v = false, map[string]any{"in": v}
			name += p.blank() + "." + p.blank() + "in"
		}
		b.WriteString(p.blank() + name + p.blank() + "=" + p.blank() + written + r.note + p.eol)
		r.end, r.notes = b.Len(), p.notes
		d.end = r.end
		d.all[key] = v
		d.roots = append(d.roots, r)
		p.gaps(&b)
	}
	for i := range p.one(3) {
		written, v := p.value()
		fmt.Fprintf(&b, "%s[t%d.u]%s%sname = %s%s", p.blank(), i, p.tail(), p.eol, written, p.eol)
		d.all[fmt.Sprint("t", i)] = map[string]any{"u": map[string]any{"name": v}}
		p.gaps(&b)
	}
	d.data = []byte(b.String())
	if p.one(6) == 0 {
		d.data = bytes.TrimSuffix(d.data, []byte(p.eol))
	}
	return d
}
