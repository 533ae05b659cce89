package profile

import (
	"slices"
	"strings"

	"callboard/app/agent"
	"callboard/app/profile/document"
	"callboard/app/profile/jsondoc"
	"callboard/app/tool"
)

// openCodeSpec is an opencode agent: Markdown with YAML front matter, or an
// object under agent (V1) or agents (V2) in opencode.json. Its name is where it
// stands. What its tool keys come to nobody has written down, so a file that
// has one grants nothing.
var openCodeSpec = define(spec{
	format: OpenCode, label: "opencode", provider: agent.None, dialect: tool.OpenCode,
	folder: ".opencode/agents", ending: ".md", bare: "---\nmode: subagent\n---\n",
	endings: []string{".md", ".json", ".jsonc"},
	keys: map[agent.Field]string{
		agent.Description: "description", agent.Model: "model", agent.Color: "color",
	},
	body:   true,
	states: openCodeTools,
	known: []string{
		"description", "mode", "model", "temperature", "top_p", "prompt", "tools", "permission", "permissions",
		"maxSteps", "steps", "disable", "disabled", "hidden", "color", "system", "name", "variant", "options",
	},
	needed: []need{
		{agent.Description, "The agent has no description. opencode needs one to choose it."},
	},
	others:    []string{"prompt", "system"},
	told:      toldOpenCode,
	readTools: readOpenCode,
	vague:     true,
	holds:     map[string]func(document.Reading) bool{"disable": oneOf("true"), "disabled": oneOf("true")},
	look:      lookOpenCode,
})

var openCodeTools = []string{"tools", "permission", "permissions"}

// sections are the objects of opencode.json that hold agents, V1 and V2.
var sections = []string{"agent", "agents"}

// toldOpenCode is where opencode.json keeps the instructions: V2 calls it
// system.
func toldOpenCode(src agent.Source, s sheet) string {
	switch {
	case src.Key == "":
		return ""
	case strings.HasPrefix(src.Key, "agents/") && !has(s, "prompt") || has(s, "system"):
		return "system"
	}
	return "prompt"
}

func readOpenCode(r *reader) tool.List {
	for _, key := range openCodeTools {
		if len(r.entries(key)) > 0 {
			return tool.List{Stated: tool.Unread}
		}
	}
	return tool.List{Stated: tool.Omitted}
}

func lookOpenCode(r *reader) {
	for _, e := range r.entries("tools") {
		if e.Reading.Kind == document.List || e.Reading.Kind == document.Text {
			r.file.add(Warning, e.Line, "opencode_tools", "The tools are no table of names. opencode does not start with such a file, whatever else it would load.")
		}
	}
	for _, key := range []string{"disable", "disabled"} {
		if off, _ := r.word(key); off == "true" {
			r.file.add(Notice, r.line(key), "switched_off", "The file switches this agent off for opencode.")
		}
	}
	if strings.HasPrefix(strings.TrimSpace(r.file.Agent.Identity.Instructions), "{file:") && !r.spec.body {
		r.file.add(Notice, r.line("prompt"), "prompt_file", "The instructions are in another file, which is not read.")
	}
}

// openCodeAgents are the keys of the agents in a JSON file: "agent/reviewer".
func openCodeAgents(d *jsondoc.Document) []string {
	var out []string
	for _, section := range sections {
		o, err := d.Object(section)
		if err != nil {
			continue
		}
		for _, e := range o.Entries() {
			key := section + "/" + e.Key
			if e.Reading.Kind == document.Map && !slices.Contains(out, key) {
				out = append(out, key)
			}
		}
	}
	return out
}
