package profile_test

import (
	"slices"
	"strings"

	"callboard/app/tool"
)

// bendTools states the tools in a form that is unusual or no YAML: they are
// read as meant or not for certain.
func bendTools(p *pen, d *drawn, es []entry) []entry {
	es = slices.DeleteFunc(es, func(e entry) bool { return e.key == "tools" })
	l := p.tokens()
	d.want.Access.Tools, d.certain, d.loose = tool.Of(l...), false, "tools"
	comma := strings.Join(l, ", ")
	other := choose(p, toolTokens...)
	forms := []string{
		"tools: [" + comma + "]",
		"tools: [" + comma,
		"tools:\n\t- " + strings.Join(l, "\n\t- "),
		"tools:\n- " + comma,
		"tools: " + strings.Join(l, " "),
		"tools: " + comma + ",",
		"tools:\n" + strings.Join(l, ",\n"),
		"tools: " + l[0] + "\n" + strings.Join(l[1:], "\n"),
		"tools:" + comma,
		"tools :" + comma,
		"- tools: " + comma,
		" tools: " + comma,
		"\ttools: " + comma,
		"tools: \"" + comma,
		"tools: '" + comma,
		"tools: " + comma + " #" + other,
		"tools: #" + comma,
		"tools: {" + comma + "}",
		"tools:\n  Read: true\n  " + other + ": false",
		"tools: !!seq [" + comma + "]",
		"tools: &t [" + comma + "]",
		"tools: *t",
		"tools: >\n" + comma,
		"tools: |9\n  " + comma,
		"? tools\n: " + comma,
		"tools: [[" + comma + "]]",
		"tools: " + comma + "\n  - " + other,
		"tools: " + comma + "\r  x",
		"tools: " + comma + "\u2028disallowedTools: Nope",
		"\"t\\x6fols\": " + comma,
		"<<: {tools: " + quoted1(comma) + "}",
		"tools: " + comma + "\ntools: " + comma,
		"{tools: " + quoted1(comma) + "}",
		"tools: Read" + "\n\n\n" + "and: more: of it",
		"\"tools: " + comma,
		"x: \"\ntools: " + comma + "\ny: \"",
		"x: |\ntools: " + comma,
		"x: [\ntools: " + comma + "\n]",
	}
	text := choose(p, forms...)
	if strings.Contains(text, "tools: Read\n\n\nand") {
		d.want.Access.Tools = tool.Of("Read")
	}
	if strings.Contains(text, "Read: true") {
		d.want.Access.Tools = tool.Of("Read")
	}
	if text == "tools: *t" {
		d.want.Access.Tools = tool.List{Stated: tool.Unread}
	}
	return append(es, entry{key: "tools", text: text + "\n", keep: true, block: true})
}

// bendDenied states the denied tools in a form that is no YAML, or no usual
// one: they are all read as denied, or nothing is certain.
func bendDenied(p *pen, d *drawn, es []entry) []entry {
	es = slices.DeleteFunc(es, func(e entry) bool { return e.key == "disallowedTools" })
	l := p.tokens()
	d.want.Access.Denied, d.certain, d.loose = l, false, "disallowedTools"
	comma := strings.Join(l, ", ")
	text := choose(p,
		"KEY: ["+comma, "KEY:\n\t- "+strings.Join(l, "\n\t- "), "KEY:"+comma, "KEY :"+comma, "- KEY: "+comma, " KEY: "+comma, "\tKEY: "+comma,
		"KEY: \""+comma, "KEY: '"+comma, "\"KEY: "+comma, "KEY: {"+comma+"}", "KEY: [["+comma+"]]", "? KEY\n: "+comma, "{KEY: "+quoted1(comma)+"}",
		"KEY: "+comma+"\nKEY: "+comma, "KEY:\n"+strings.Join(l, ",\n"), "KEY: &t ["+comma+"]", "<<: {KEY: "+quoted1(comma)+"}", "KEY: "+comma+",", "KEY: "+strings.Join(l, " "),
		"KEY:\n- ["+comma+"]", "KEY: >\n"+comma, "\"disallowed\\x54ools\": "+comma, "KEY: !!seq ["+comma+"]")
	return append(es, entry{key: "disallowedTools", text: strings.ReplaceAll(text, "KEY", "disallowedTools") + "\n", keep: true, block: true})
}

// bendTwice states one key a second time, with another value.
func bendTwice(p *pen, d *drawn, es []entry) []entry {
	e := es[p.one(len(es))]
	d.loose = e.key
	d.certain = false
	return append(es, p.scalar(e.key, p.text(false)))
}

// bendDescription writes the description as no strict YAML.
func bendDescription(p *pen, d *drawn, es []entry) []entry {
	es = slices.DeleteFunc(es, func(e entry) bool { return e.key == "description" })
	d.loose = "description"
	if p.chance(2) {
		s := choose(p, "Use this when: the user asks", `"Fast" reviewer: use it`, "*Bold* text", "[x] done", "{a} b", "@at you", "`tick` first", "%x", "&x y: z",
			"use: it's \"so\"", "Examples: user: hi", "a: b: c", "ends with:", "> quote this", "'single' then more", "| pipe", "- dash: x", "? what: now", ", comma")
		d.whole = []string{s}
		return append(es, entry{key: "description", text: "description: " + s + "\n"})
	}
	lines := []string{choose(p, "Use this agent when. Examples:", "Use this agent when the user asks: \"x\". Examples:", "Use this agent.", `Say "create an agent", or 'x'. Examples:`)}
	for n := 1 + p.one(3); n > 0; n-- {
		lines = append(lines, choose(p, []string{""}, nil)...)
		lines = append(lines, "<example>", "Context: User wants x #1",
			choose(p, `user: "Create an agent that: reviews"`, "user: 'it''s'", `user: "multi`, "user: plain: text"))
		lines = append(lines, choose(p, nil, []string{"tools: Bash"}, []string{"model: opus"}, []string{"- tools: Bash"}, []string{"- item one", "- item: two"}, []string{"  indented: x"}, []string{"", "assistant: after a blank"}, []string{"# heading"}, []string{"* star"}, []string{"名前: 値"}, []string{"[x]"})...)
		lines = append(lines, `assistant: "I'll use it"`, "<commentary>", "Why: because.", "</commentary>", "</example>")
	}
	for _, l := range lines {
		if l != "" {
			d.whole = append(d.whole, l)
		}
	}
	return append(es, entry{key: "description", text: "description: " + strings.Join(lines, "\n") + "\n" + choose(p, "", "\n"), keep: true, block: true})
}
