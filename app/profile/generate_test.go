package profile_test

import (
	"strings"

	"pgregory.net/rapid"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/tool"
)

// drawn is one generated agent file: its bytes, what they mean, and where the
// entry of each known key stands.
type drawn struct {
	data    []byte
	want    agent.Agent
	certain bool // the tools must be read for certain
	// loose is set where the front matter is no strict YAML, so that only the
	// fields it does not name must be read exactly.
	loose   string
	whole   []string // lines that a loose description must hold
	entries map[string]extent
	inner   map[string][]string // the comments inside an entry
	front   extent              // between the two lines of dashes
	eol     string              // "" where mixed
}

// extent is a byte range, end excluded.
type extent struct{ start, end int }

const drawnPath = "/agents/drawn file.md"

// entry is one key with its value as whole lines, each ended by "\n".
type entry struct {
	key, text string
	notes     []string
	keep      bool // a blank line after it would be part of its value
	block     bool // an indented line after it would be part of its value
}

// pen draws how things are written down.
type pen struct {
	t      *rapid.T
	serial int
	notes  []string
}

func (p *pen) one(n int) int       { return rapid.IntRange(0, n-1).Draw(p.t, "n") }
func (p *pen) chance(n int) bool   { return p.one(n) == n-1 }
func (p *pen) blanks(n int) string { return strings.Repeat(" ", p.one(n)) }

func choose[V any](p *pen, vs ...V) V { return rapid.SampledFrom(vs).Draw(p.t, "pick") }

// note is a comment that stands nowhere else in the file.
func (p *pen) note() string {
	p.serial++
	c := choose(p, "# note", "#", "# tools: Bash, Write", "# name: \"x", "# it's: {", "#- 🚀 注", "# ---", "##\tx")
	c += " " + itoa(p.serial)
	p.notes = append(p.notes, c)
	return c
}

// tail is what may follow a value on its line.
func (p *pen) tail() string {
	switch p.one(8) {
	case 7:
		return "\t"
	case 6:
		return choose(p, " ", "   ", "\t", " \t ") + p.note()
	case 5:
		return "   "
	case 4:
		return " "
	}
	return ""
}

// gap is lines between two entries.
func (p *pen) gap(before entry) string {
	var b strings.Builder
	for n := p.one(3); n > 0; n-- {
		switch {
		case p.chance(2) && !before.keep:
			b.WriteString("\n")
		case before.block || before.keep: // indented, it would be part of the value
			b.WriteString(p.note() + "\n")
			before.block, before.keep = false, false
		default:
			b.WriteString(choose(p, "  \n", p.note()+"\n", "  "+p.note()+"\n", "      "+p.note()+"\n"))
		}
	}
	return b.String()
}

// paper is a file under construction, with its line breaks.
type paper struct {
	p   *pen
	eol string
	b   strings.Builder
}

func (w *paper) write(text string) extent {
	start := w.b.Len()
	for line := range strings.SplitAfterSeq(text, "\n") {
		rest, broken := strings.CutSuffix(line, "\n")
		w.b.WriteString(rest)
		switch {
		case !broken:
		case w.eol != "":
			w.b.WriteString(w.eol)
		default:
			w.b.WriteString(choose(w.p, "\n", "\r\n"))
		}
	}
	return extent{start, w.b.Len()}
}

// drawFile draws a file of strict YAML.
func drawFile(t *rapid.T) drawn { return drawWith(t, nil) }

// drawWith draws a file in which bend has replaced the entries of some keys by
// others that are no strict YAML or no usual form.
func drawWith(t *rapid.T, bend func(*pen, *drawn, []entry) []entry) drawn {
	p := &pen{t: t}
	d := drawn{certain: true, entries: map[string]extent{}, inner: map[string][]string{}}
	es := p.meaning(&d)
	if bend != nil {
		es = bend(p, &d, es)
	}
	es = append(es, p.unknown()...)
	es = rapid.Permutation(es).Draw(t, "order")

	w := &paper{p: p, eol: choose(p, "\n", "\r\n", "")}
	d.eol = w.eol
	if p.chance(5) {
		w.b.WriteString("\ufeff")
	}
	w.write("---" + choose(p, "", "", "", " ", "   ") + "\n")
	d.front.start = w.b.Len()
	w.write(p.gap(entry{}))
	for _, e := range es {
		x := w.write(e.text)
		if _, twice := d.entries[e.key]; !twice {
			d.entries[e.key] = x
		}
		d.inner[e.key] = append(d.inner[e.key], e.notes...)
		if d.loose == "" || e.key != "description" {
			w.write(p.gap(e))
		}
	}
	d.front.end = w.b.Len()
	d.want.Identity.Instructions = p.body(w)
	d.data = []byte(w.b.String())
	return d
}

// meaning draws what the file says and an entry for each key it says it with.
func (p *pen) meaning(d *drawn) []entry {
	a := &d.want
	a.Run.Provider = agent.ClaudeCode
	a.Access.Dialect = tool.ClaudeCode
	a.Identity.Name = p.name()
	a.Identity.Description = p.text(true)
	es := []entry{p.scalar("name", a.Identity.Name), p.scalar("description", a.Identity.Description)}
	if p.chance(2) {
		a.Run.Model = choose(p, "sonnet", "opus", "haiku", "inherit", "claude-opus-4-5-20251101", "us.anthropic.claude-3:0", "opus[1m]")
		es = append(es, p.scalar("model", a.Run.Model))
	}
	if p.chance(3) {
		a.Run.Effort = choose(p, "low", "medium", "high", "max")
		es = append(es, p.scalar("effort", a.Run.Effort))
	}
	if p.chance(3) {
		a.Look.Color = choose(p, "red", "blue", "#ff8800", "0x1F", "007")
		es = append(es, p.scalar("color", a.Look.Color))
	}
	var e entry
	a.Access.Tools, e = p.tools(d)
	if e.key != "" {
		es = append(es, e)
	}
	if p.chance(3) {
		a.Access.Denied = p.tokens()
		es = append(es, p.list("disallowedTools", a.Access.Denied))
	}
	return es
}

// body writes the closing line and the body and returns what it means: one
// blank line before it and one line break after it are layout.
func (p *pen) body(w *paper) string {
	w.write("---" + choose(p, "", "", "", " ", "  ", "\t"))
	if p.chance(12) {
		return ""
	}
	w.write("\n")
	lines := make([]string, p.one(7))
	for i := range lines {
		lines[i] = p.line()
	}
	raw := strings.Repeat("\n", p.one(4)) + strings.Join(lines, "\n") + strings.Repeat("\n", p.one(3))
	w.write(raw)
	return strings.TrimSuffix(strings.TrimPrefix(raw, "\n"), "\n")
}

func (p *pen) line() string {
	switch p.one(10) {
	case 9:
		return strings.Repeat(choose(p, "long ", "長", "x"), 3000)
	case 8:
		return choose(p, "---", "--- ", "...", "```", "\ttab", "    indented", "# Heading", "tools: Bash", "name: x", "trailing  ", "\u00a0", "a\tb", "\ufeff")
	case 7:
		return ""
	}
	return p.text(false)
}

// unknown draws entries of keys that Callboard does not know or not edit.
func (p *pen) unknown() []entry {
	pool := []entry{
		{key: "permissionMode", text: "permissionMode: plan\n"},
		{key: "maxTurns", text: "maxTurns: 012   \n"},
		{key: "hooks", text: "hooks:\n  PreToolUse:\n    - matcher: \"Bash\"\n      hooks:\n        - type: command\n          command: \"./x.sh # no comment\" # yes\n  tools: Bash\n  name: inner\n"},
		{key: "mcpServers", text: "mcpServers:\n- slack\n-  inline:\n     command: npx\n     args: [\"-y\", '@x/y'] # pinned\n     env: {tools: \"*\"}\n"},
		{key: "skills", text: "skills: [ 'a', \"b\",\n   c ]\n"},
		{key: "memory", text: "memory:   project\t\n"},
		{key: "background", text: "background: Yes\n"},
		{key: "isolation", text: "isolation: !!str worktree\n"},
		{key: "initialPrompt", text: "initialPrompt: |\n  tools: Bash\n  name: inner\n\n   # no comment\n  model: opus\n", block: true},
		{key: "x-folded", text: "x-folded: >+\n tools: [Write]\n\n disallowedTools:\n\n", keep: true, block: true},
		{key: "emoji", text: "emoji: 🚀\n"},
		{key: "vibe", text: "vibe: \"calm: \\\"very\\\"\n  tools: Bash\n  \\u00e9\"\n"},
		{key: "services", text: "services:\n  - name: a\n    tools: [Bash]\n\n  - {name: b, model: 'x'}\n"},
		{key: "工具", text: "工具: 全部\n"},
		{key: "tools2", text: "tools2: Write\n"},
		{key: "Tools", text: "Tools: Edit\n"},
		{key: "weird key", text: "\"weird key\" : 1\n"},
		{key: "author", text: "author: &me\n  name: A\n"},
	}
	var out []entry
	for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(pool)-1), 0, 4, rapid.ID).Draw(p.t, "unknown") {
		out = append(out, pool[i])
	}
	return out
}

// readDrawn reads the file and fails the test if that cannot be done.
func readDrawn(t *rapid.T, data []byte) profile.File {
	t.Helper()
	f, err := readClaude(drawnPath, data)
	if err != nil {
		t.Fatalf("Read: %v\n%q", err, data)
	}
	return f
}

// grants is what a list comes to in Claude Code's words.
func grants(tools tool.List, denied []string) tool.Grants {
	return tool.Resolve(tool.Access{Dialect: tool.ClaudeCode, Tools: tools, Denied: denied})
}
