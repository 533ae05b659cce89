package profile_test

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/tailscale/hujson"
	"pgregory.net/rapid"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/tool"
)

// jsonText writes a string, some of it as escapes.
func (p *pen) jsonText(s string) string {
	var b strings.Builder
	mode := p.one(3)
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '/' && mode == 1:
			b.WriteString(`\/`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r > 0xffff && mode == 2:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04X`, hi, lo)
		case r < 0x10000 && mode == 2 && i%4 == 0 || r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}

// jsonPaper is a JSON file under construction.
type jsonPaper struct {
	p      *pen
	w      *paper
	pg     *page
	indent string // "" for a file of one line
	plain  bool   // no comments, no trailing commas
}

func (p *pen) jsonPaper(pg *page, plain bool) *jsonPaper {
	j := &jsonPaper{p: p, w: &paper{p: p, eol: choose(p, "\n", "\r\n", "")}, pg: pg, indent: choose(p, "  ", "\t", "    ", ""), plain: plain}
	if p.chance(5) {
		j.w.b.WriteString("\ufeff")
	}
	j.gap(0)
	return j
}

func (j *jsonPaper) end() {
	j.w.write(choose(j.p, "\n", "\n", "", " \n\n"))
	j.pg.data = []byte(j.w.b.String())
}

// gap starts a line, with a comment above it at times.
func (j *jsonPaper) gap(depth int) {
	if j.indent == "" {
		j.w.write(choose(j.p, "", " ", "  "))
		if !j.plain && j.p.chance(5) {
			j.w.write("/* " + j.note() + " */" + choose(j.p, "", " "))
		}
		return
	}
	if depth > 0 || j.p.chance(3) {
		j.w.write("\n" + strings.Repeat(j.indent, depth))
	}
	if j.plain {
		return
	}
	switch j.p.one(8) {
	case 7:
		j.w.write("// " + j.note() + "\n" + strings.Repeat(j.indent, depth))
	case 6:
		j.w.write("/* " + j.note() + choose(j.p, "", "\n", " // ") + "*/ ")
	}
}

func (j *jsonPaper) note() string {
	j.p.serial++
	n := choose(j.p, "note", `"prompt": "x",`, "{", "it's") + " " + itoa(j.p.serial) + ";"
	j.pg.notes = append(j.pg.notes, n)
	return n
}

// object writes members, whose values are texts of JSON. Their places are
// recorded with prefix before their keys.
func (j *jsonPaper) object(prefix string, depth int, es []entry) {
	j.members(depth, len(es), func(i int) {
		start := j.w.b.Len()
		j.w.write(j.p.jsonKey(es[i].key) + choose(j.p, ": ", ":", " : ") + es[i].text)
		j.pg.spots[prefix+es[i].key] = extent{start, j.w.b.Len()}
	})
}

func (p *pen) jsonKey(key string) string {
	if p.chance(12) && key != "" {
		return fmt.Sprintf(`"\u%04x%s"`, key[0], key[1:])
	}
	return `"` + key + `"`
}

func (j *jsonPaper) members(depth, n int, member func(int)) {
	j.w.write("{")
	for i := range n {
		j.gap(depth + 1)
		member(i)
		if i < n-1 || !j.plain && j.p.chance(4) {
			j.w.write(choose(j.p, "", "", "", " ") + ",")
		}
		if !j.plain && j.indent != "" && j.p.chance(6) {
			j.w.write(" // " + j.note())
			if i == n-1 {
				j.w.write("\n")
			}
		}
	}
	if j.indent != "" {
		j.w.write("\n" + strings.Repeat(j.indent, depth))
	}
	j.w.write("}")
}

var openCodeOthers = []entry{
	{key: "mode", text: `"subagent"`},
	{key: "temperature", text: `0.10`},
	{key: "options", text: `{ "description": "inner", "model": "x" }`},
	{key: "steps", text: `12`},
	{key: "hidden", text: `false`},
}

// openCodeAgent draws one agent and its members. New ones have system where
// older ones have prompt.
func (p *pen) openCodeAgent(l *leaf, instructions, prefix string) []entry {
	a := &l.want
	a.Run.Provider, a.Access = agent.None, tool.Access{Dialect: tool.OpenCode, Tools: tool.List{Stated: tool.Omitted}}
	var es []entry
	add := func(f agent.Field, key, s string) {
		l.keys[f] = prefix + key
		es = append(es, entry{key: key, text: p.jsonText(s)})
	}
	if !p.chance(4) {
		a.Identity.Description = p.anyText(p.chance(3))
		add(agent.Description, "description", a.Identity.Description)
	}
	if p.chance(2) {
		a.Identity.Instructions = p.anyText(true)
		add(agent.Instructions, instructions, a.Identity.Instructions)
	}
	if p.chance(2) {
		a.Run.Model = choose(p, models...)
		add(agent.Model, "model", a.Run.Model)
	}
	if p.chance(3) {
		a.Look.Color = choose(p, "#ff8800", "accent")
		add(agent.Color, "color", a.Look.Color)
	}
	if p.chance(4) {
		a.Access.Tools = tool.List{Stated: tool.Unread}
		es = append(es, entry{key: "tools", text: `{ "write": true, "mcp_*": false }`})
	}
	for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(openCodeOthers)-1), 0, 2, rapid.ID).Draw(p.t, "others") {
		es = append(es, openCodeOthers[i])
	}
	return rapid.Permutation(es).Draw(p.t, "order")
}

// drawOpenCodeJSON draws a config with agents under one or both of its keys.
func drawOpenCodeJSON(t *rapid.T) *page {
	p := &pen{t: t}
	pg := &page{format: profile.OpenCode, path: "/repo/opencode.jsonc", spots: map[string]extent{}, json: true}
	j := p.jsonPaper(pg, false)
	groups := choose(p, []string{"agent"}, []string{"agents"}, []string{"agent", "agents"})
	names := rapid.Permutation([]string{"planner", "code-reviewer", "team/tester", "a b"}).Draw(t, "names")
	keys := append(rapid.Permutation([]string{"$schema", "theme", "keybinds"}).Draw(t, "keys")[:p.one(4)], groups...)
	keys = rapid.Permutation(keys).Draw(t, "order of keys")
	j.members(0, len(keys), func(i int) {
		j.w.write(`"` + keys[i] + `": `)
		switch keys[i] {
		case "agent", "agents":
			n := 1 + p.one(2)
			j.group(keys[i], names[:n])
			names = names[n:]
		case "keybinds":
			j.w.write(`{ "agent": {"planner": {"description": "no"}} }`)
		default:
			j.w.write(`"https://opencode.ai/config.json"`)
		}
	})
	j.end()
	if _, err := hujson.Parse([]byte(strings.TrimPrefix(string(pg.data), "\ufeff"))); err != nil {
		t.Fatalf("drawn badly: %v\n%s", err, pg.data)
	}
	return pg
}

func (j *jsonPaper) group(key string, names []string) {
	instructions := map[string]string{"agent": "prompt", "agents": "system"}[key]
	j.members(1, len(names), func(i int) {
		l := &leaf{key: key + "/" + names[i], keys: map[agent.Field]string{}}
		l.want.Identity.Name = names[i]
		es := j.p.openCodeAgent(l, instructions, l.key+"/")
		j.w.write(`"` + names[i] + `": `)
		j.object(l.key+"/", 2, es)
		j.pg.leaves = append(j.pg.leaves, l)
	})
}
