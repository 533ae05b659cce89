package profile_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/tool"
)

// tomlStyle is one way to write a text in TOML.
type tomlStyle struct {
	can func(string) bool
	put func(*pen, string) string
}

var tomlStyles = []tomlStyle{
	{func(string) bool { return true }, (*pen).tomlBasic},
	{func(s string) bool { return printable(s) && !strings.ContainsAny(s, "'\n") }, func(_ *pen, s string) string { return "'" + s + "'" }},
	{func(string) bool { return true }, (*pen).tomlLines},
	{
		func(s string) bool { return printable(s) && !strings.Contains(s, "'''") && !strings.HasSuffix(s, "'") },
		func(p *pen, s string) string { return "'''" + p.tomlOpen(s) + s + "'''" },
	},
}

func (p *pen) tomlText(s string) string {
	var can []tomlStyle
	for _, st := range tomlStyles {
		if st.can(s) {
			can = append(can, st)
		}
	}
	return choose(p, can...).put(p, s)
}

func (p *pen) tomlBasic(s string) string {
	var b strings.Builder
	mode := p.one(3)
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t' && mode > 0:
			b.WriteString(`\t`)
		case mode == 2 && i%4 == 0 || !printable(string(r)):
			fmt.Fprintf(&b, choose(p, `\u%04X`, `\u%04x`), r&0xffff)
			if r > 0xffff {
				b2 := b.String()
				b.Reset()
				b.WriteString(b2[:len(b2)-6] + fmt.Sprintf(`\U%08X`, r))
			}
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}

// tomlOpen is the line break after the opening quotes, which is no text.
func (p *pen) tomlOpen(s string) string {
	if strings.HasPrefix(s, "\n") {
		return "\n"
	}
	return choose(p, "", "\n")
}

// tomlLines writes several lines, some of which go on in the next.
func (p *pen) tomlLines(s string) string {
	e := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
	if !printable(e) {
		return p.tomlBasic(s)
	}
	words := strings.Split(e, " ")
	out := words[0]
	for _, w := range words[1:] {
		out += " "
		if w != "" && !strings.ContainsAny(w[:1], "\n\t") && p.chance(6) {
			out += "\\" + choose(p, "", "  ") + "\n" + choose(p, "", "   ", "\n")
		}
		out += w
	}
	return `"""` + p.tomlOpen(s) + out + `"""`
}

// assign writes a key of the root table with its value.
func (p *pen) assign(key, value string) entry {
	k := choose(p, key, key, key, `"`+key+`"`, "'"+key+"'")
	p.notes = nil
	e := entry{key: key, text: choose(p, "", "", "  ") + k + choose(p, " = ", " = ", "=", "  =\t") + value + p.tail() + "\n"}
	e.notes, p.notes = p.notes, nil
	return e
}

var codexKeys = map[agent.Field]string{
	agent.Name: "name", agent.Description: "description", agent.Instructions: "developer_instructions",
	agent.Model: "model", agent.Effort: "model_reasoning_effort", agent.Bound: "sandbox_mode",
}

var codexOthers = []entry{
	{key: "nickname_candidates", text: "nickname_candidates = [\n  \"Ada\", # sandbox_mode = \"danger-full-access\"\n  'Grace H',\n]\n"},
	{key: "approval_policy", text: "approval_policy   = 'on-request'\n"},
	{key: "skills", text: "skills.config = [ { path = \"a\", enabled = true } ]\n"},
	{key: "x_note", text: "x_note = \"\"\"\nsandbox_mode = \"danger-full-access\"\nname = \\\"inner\\\"\n\"\"\"\n"},
	{key: "x_when", text: "x_when = 1979-05-27T07:32:00Z\n"},
	{key: "x_table", text: "x_table = { name = 'inner', sandbox_mode = \"danger-full-access\" }\n"},
	{key: "x_number", text: "x_number = 1_000  # kept\n"},
}

var codexTables = []entry{
	{key: "[mcp_servers.docs]", text: "[mcp_servers.docs]\ncommand = \"docs-server\"\nsandbox_mode = \"danger-full-access\"\ndescription = 'inner'\n"},
	{key: "[[list]]", text: "[[list]]\nname = 'inner' # one\n\n[[list]]\nname = 'two'\n"},
	{key: "[ 'quoted'.x ]", text: "  [ 'quoted' . x ]  # [tables]\nmodel = \"inner\"\n"},
}

func (p *pen) codexMeaning(l *leaf) []entry {
	a := &l.want
	a.Run.Provider, a.Access = agent.Codex, tool.Access{Dialect: tool.Codex, Tools: tool.List{Stated: tool.Omitted}}
	a.Identity = agent.Identity{Name: choose(p, anyNames...), Description: p.anyText(p.chance(3)), Instructions: p.anyText(true)}
	say := map[agent.Field]string{agent.Name: a.Identity.Name, agent.Description: a.Identity.Description, agent.Instructions: a.Identity.Instructions}
	if p.chance(2) {
		a.Run.Model = choose(p, models...)
		say[agent.Model] = a.Run.Model
	}
	if p.chance(2) {
		a.Run.Effort = choose(p, "low", "medium", "xhigh")
		say[agent.Effort] = a.Run.Effort
	}
	if p.chance(2) {
		a.Access.Bound = choose(p, "read-only", "workspace-write", "danger-full-access")
		say[agent.Bound] = a.Access.Bound
	}
	var es []entry
	for _, field := range fieldsOf(profile.Codex) {
		if s, ok := say[field]; ok {
			l.keys[field] = codexKeys[field]
			es = append(es, p.assign(codexKeys[field], p.tomlText(s)))
		}
	}
	for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(codexOthers)-1), 0, 3, rapid.ID).Draw(p.t, "others") {
		es = append(es, codexOthers[i])
	}
	return es
}

func drawCodex(t *rapid.T) *page {
	p := &pen{t: t}
	l := &leaf{keys: map[agent.Field]string{}}
	pg := &page{format: profile.Codex, path: "/repo/.codex/agents/drawn.toml", leaves: []*leaf{l}, spots: map[string]extent{}}
	es := rapid.Permutation(p.codexMeaning(l)).Draw(t, "order")
	for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(codexTables)-1), 0, 2, rapid.ID).Draw(t, "tables") {
		es = append(es, codexTables[i])
	}
	p.lay(pg, es, choose(p, "\n", "\r\n", ""))
	return pg
}

// lay writes entries with comments and blank lines between them.
func (p *pen) lay(pg *page, es []entry, eol string) {
	w := &paper{p: p, eol: eol}
	if p.chance(5) {
		w.b.WriteString("\ufeff")
	}
	p.notes = nil
	w.write(p.gap(entry{}))
	for i, e := range es {
		text := e.text
		if i == len(es)-1 && !e.keep && !e.block && p.chance(4) {
			text = strings.TrimSuffix(text, "\n")
			pg.spots[e.key] = w.write(text)
			break
		}
		pg.spots[e.key] = w.write(text)
		w.write(p.gap(e))
	}
	pg.notes, p.notes = p.notes, nil
	pg.data = []byte(w.b.String())
}

// fieldsOf is every field that files of the format have a place for.
func fieldsOf(f profile.Format) []agent.Field {
	return slices.DeleteFunc([]agent.Field{
		agent.Name, agent.Description, agent.Instructions, agent.Model, agent.Effort, agent.Tools, agent.Denied, agent.Bound, agent.Color,
	}, func(x agent.Field) bool { return !f.Keeps(x) })
}
