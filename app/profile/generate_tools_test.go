package profile_test

import (
	"strings"

	"pgregory.net/rapid"

	"callboard/app/tool"
)

var toolTokens = []string{
	"Read", "Grep", "Glob", "Bash", "Write", "Edit", "WebFetch", "WebSearch", "Task", "NotebookEdit", "TodoWrite", "Nope",
	"Bash(git diff:*, git log:*)", "Bash(git log *)", "Agent(a, b)", "Agent(c)", "Agent", "mcp__srv__tool", "mcp__srv", "mcp__srv__*",
	"mcp__*", "Read(./src/**)", "WebFetch(domain:example.com)", "Bash(npm run test:unit)", "Bash(it's)", "Bash(echo #1)", "Bash(a: b)",
	`Bash(echo "x")`, "BashOutput", "mcp__数据__x",
}

func (p *pen) tokens() []string {
	return rapid.SliceOfNDistinct(rapid.SampledFrom(toolTokens), 1, 5, rapid.ID).Draw(p.t, "tokens")
}

// tools draws a tool list and an entry that states it, none if it is omitted.
func (p *pen) tools(d *drawn) (tool.List, entry) {
	switch p.one(10) {
	case 0, 1:
		return tool.List{Stated: tool.Omitted}, entry{}
	case 2:
		d.certain = false
		p.notes = nil
		e := entry{key: "tools", text: "tools:" + choose(p, "", " ''", ` ""`, " null", " ~", " []", " [ ]", " [\n  ]") + p.tail() + "\n"}
		e.notes, p.notes = p.notes, nil
		return tool.List{Stated: tool.Empty}, e
	case 3:
		l := []string{tool.Wildcard}
		return tool.Of(l...), p.list("tools", l)
	}
	l := p.tokens()
	return tool.Of(l...), p.list("tools", l)
}

// list draws an entry that lists the tokens.
func (p *pen) list(key string, list []string) entry {
	switch p.one(3) {
	case 0:
		s := strings.Join(list, choose(p, ", ", ",", ",  "))
		return p.scalar(key, s, "plain", "single", "double", "plain lines", "next line", "literal", "folded")
	case 1:
		return p.flowList(key, list)
	}
	return p.blockList(key, list)
}

func flowPlain(s string) bool { return plain(s) && !strings.ContainsAny(s, ",[]{}") }

// item writes one token of a list.
func (p *pen) item(s string, may func(string) bool) string {
	if may(s) && !p.chance(3) {
		return s
	}
	if p.chance(2) {
		return quoted1(s)
	}
	return p.quoted2(s)
}

func (p *pen) flowList(key string, list []string) entry {
	p.notes = nil
	lines := p.chance(3)
	brk := func() string {
		if lines && p.chance(2) {
			return p.tail() + "\n" + choose(p, "", "\n") + "  " + p.blanks(4)
		}
		return p.blanks(3)
	}
	b := p.key(key) + ":" + p.space() + "[" + brk()
	for i, s := range list {
		if i > 0 {
			b += "," + brk()
		}
		b += p.item(s, flowPlain) + p.blanks(2)
	}
	if p.chance(6) {
		b += ","
	}
	if lines && p.chance(2) {
		b += "\n" + choose(p, " ", "  ")
	}
	e := entry{key: key, text: b + "]" + p.tail() + "\n"}
	e.notes, p.notes = p.notes, nil
	return e
}

func (p *pen) blockList(key string, list []string) entry {
	p.notes = nil
	b := p.key(key) + ":" + p.tail() + "\n"
	indent := p.blanks(5)
	for i, s := range list {
		if i > 0 || p.chance(4) {
			switch p.one(6) {
			case 5:
				b += choose(p, "", indent, indent+"  ") + p.note() + "\n"
			case 4:
				b += choose(p, "\n", "  \n")
			}
		}
		b += indent + "-" + choose(p, " ", " ", "   ") + p.item(s, plain) + p.tail() + "\n"
	}
	e := entry{key: key, text: b}
	e.notes, p.notes = p.notes, nil
	return e
}
