package profile_test

import (
	"encoding/json"
	"strings"

	"pgregory.net/rapid"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/tool"
)

// extension is one extension of a recipe, as its keys and values in order, and
// the words of the tool list that it is.
type extension struct {
	yaml, json string
	tokens     []string
}

var extensionPool = []extension{
	{"type: builtin\nname: developer\nbundled: true", `{"type": "builtin", "name": "developer", "bundled": true}`, []string{"developer"}},
	{"name: memory\ntype: builtin", `{"name": "memory", "type": "builtin"}`, []string{"memory"}},
	{"type: stdio\nname: docs\ncmd: docs-server\nargs: []\nenv_keys: [TOKEN]", `{"type":"stdio","name":"docs","cmd":"docs-server","args":[]}`, []string{"@docs"}},
	{"type: stdio\nname: 'find'\ncmd: x\nargs: [\"-y\"]\navailable_tools: [one, 'two']", `{"type":"stdio","name":"find","cmd":"x","args":["-y"],"available_tools":["one","two"]}`, []string{"@find/one", "@find/two"}},
	{"type: streamable_http\nname: remote\nuri: https://example.com\ntimeout: 30", `{"type":"streamable_http","name":"remote","uri":"https://example.com","timeout":30}`, []string{"@remote"}},
}

var gooseOthers = []entry{
	{key: "version", text: "version: \"1.0.0\"\n"},
	{key: "parameters", text: "parameters:\n  - key: language\n    input_type: string\n    requirement: required\n    description: \"title: {{ x }}\" # yes\n"},
	{key: "settings", text: "settings:\n  goose_model: gpt-5.4\n  temperature: 0.10\n"},
	{key: "activities", text: "activities: [ 'a: b', \"{{ x }}\" ]\n"},
	{key: "author", text: "author:\n  contact: a@example.com\n"},
	{key: "response", text: "response:\n  json_schema: {type: object, properties: {title: {type: string}}}\n"},
}

var gooseJSONOthers = []entry{
	{key: "version", text: `"1.0.0"`},
	{key: "parameters", text: `[{ "key": "language", "input_type": "string", "requirement": "required", "description": "\"title\": {{ x }}" }]`},
	{key: "settings", text: `{"goose_model": "gpt-5.4", "temperature": 0.10}`},
	{key: "activities", text: `[ "a: b",   "{{ x }}" ]`},
}

// gooseText is a text with templates in it.
func (p *pen) gooseText(multi bool) string {
	s := p.anyText(multi)
	if p.chance(2) {
		s = choose(p, "Hi {{ name }} ", "{% if x %}y{% endif %} ", "{{x|upper}}: ") + s
	}
	return s
}

// gooseMeaning draws what a recipe says, and whose words its instructions are.
func (p *pen) gooseMeaning(l *leaf) (key string, picked []extension) {
	a := &l.want
	a.Run.Provider, a.Access = agent.None, tool.Access{Dialect: tool.Goose, Tools: tool.List{Stated: tool.Omitted}}
	a.Identity = agent.Identity{Name: choose(p, anyNames...), Description: p.gooseText(p.chance(3)), Instructions: p.gooseText(true)}
	if p.chance(2) {
		var tokens []string
		for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(extensionPool)-1), 1, 3, rapid.ID).Draw(p.t, "extensions") {
			picked = append(picked, extensionPool[i])
			tokens = append(tokens, extensionPool[i].tokens...)
		}
		a.Access.Tools = tool.Of(tokens...)
	}
	return choose(p, "instructions", "instructions", "prompt"), picked
}

func drawGoose(t *rapid.T) *page {
	p := &pen{t: t}
	l := &leaf{keys: map[agent.Field]string{}}
	pg := &page{format: profile.Goose, path: "/repo/.goose/recipes/drawn.yaml", leaves: []*leaf{l}, spots: map[string]extent{}}
	key, picked := p.gooseMeaning(l)
	l.keys = map[agent.Field]string{agent.Name: "title", agent.Description: "description", agent.Instructions: key}
	es := []entry{p.said("title", l.want.Identity.Name), p.said("description", l.want.Identity.Description), p.said(key, l.want.Identity.Instructions)}
	if len(picked) > 0 {
		text := "extensions:\n"
		in := p.blanks(3)
		for _, x := range picked {
			text += in + "- " + strings.ReplaceAll(x.yaml, "\n", "\n"+in+"  ") + "\n"
		}
		es = append(es, entry{key: "extensions", text: text})
	}
	for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(gooseOthers)-1), 0, 3, rapid.ID).Draw(t, "others") {
		es = append(es, gooseOthers[i])
	}
	es = rapid.Permutation(es).Draw(t, "order")
	p.lay(pg, es, choose(p, "\n", "\r\n", ""))
	return pg
}

func drawGooseJSON(t *rapid.T) *page {
	p := &pen{t: t}
	l := &leaf{keys: map[agent.Field]string{}}
	pg := &page{format: profile.Goose, path: "/repo/.goose/recipes/drawn.json", leaves: []*leaf{l}, spots: map[string]extent{}, json: true}
	key, picked := p.gooseMeaning(l)
	l.keys = map[agent.Field]string{agent.Name: "title", agent.Description: "description", agent.Instructions: key}
	es := []entry{
		{key: "title", text: p.jsonText(l.want.Identity.Name)},
		{key: "description", text: p.jsonText(l.want.Identity.Description)},
		{key: key, text: p.jsonText(l.want.Identity.Instructions)},
	}
	if len(picked) > 0 {
		var all []string
		for _, x := range picked {
			all = append(all, x.json)
		}
		es = append(es, entry{key: "extensions", text: "[" + strings.Join(all, choose(p, ",", ", ", ",\n  ")) + "]"})
	}
	for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(gooseJSONOthers)-1), 0, 3, rapid.ID).Draw(t, "others") {
		es = append(es, gooseJSONOthers[i])
	}
	es = rapid.Permutation(es).Draw(t, "order")
	j := p.jsonPaper(pg, true)
	j.object("", 0, es)
	j.end()
	if !json.Valid([]byte(strings.TrimPrefix(string(pg.data), "\ufeff"))) {
		t.Fatalf("drawn badly\n%s", pg.data)
	}
	return pg
}
