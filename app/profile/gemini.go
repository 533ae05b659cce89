package profile

import (
	"fmt"
	"regexp"
	"slices"

	"callboard/app/agent"
	"callboard/app/profile/document"
	"callboard/app/tool"
)

// geminiSpec is a Gemini CLI agent: Markdown with YAML front matter of a strict
// schema. One key or tool name that is not in it refuses the whole file.
var geminiSpec = define(spec{
	format: Gemini, label: "Gemini CLI", provider: agent.None, dialect: tool.Gemini,
	folder: ".gemini/agents", ending: ".md", bare: "---\nkind: local\n---\n",
	endings: []string{".md"},
	keys: map[agent.Field]string{
		agent.Name: "name", agent.Description: "description", agent.Model: "model",
	},
	body: true, tools: "tools",
	states: []string{"tools"},
	known: []string{
		"kind", "name", "description", "display_name", "tools", "mcp_servers", "model", "temperature",
		"max_turns", "timeout_mins", "agent_card_url", "agent_card_json", "auth",
	},
	needed: []need{
		{agent.Name, "The file has no name. Gemini CLI refuses it."},
		{agent.Description, "The file has no description. Gemini CLI refuses it."},
	},
	strict: true, refuses: true,
	look: lookGemini,
})

// geminiName is what a name may be there.
var geminiName = regexp.MustCompile(`^[a-z0-9-_]+$`)

// form is what a value must be.
type form struct {
	what string
	is   func(document.Reading) bool
}

var (
	aText = form{"text", func(r document.Reading) bool {
		return r.Kind != document.Null && (r.Kind != document.Text || r.Tag == "!!str")
	}}
	aNumber = form{"number", func(r document.Reading) bool { return r.Tag == "!!int" || r.Tag == "!!float" }}
	aTable  = form{"table", func(r document.Reading) bool { return r.Kind == document.Map || r.Kind == document.Unclear }}

	// geminiValues are the forms of the schema's values, where they are simple.
	geminiValues = map[string]form{
		"name": aText, "description": aText, "model": aText,
		"temperature": aNumber, "max_turns": aNumber, "timeout_mins": aNumber, "mcp_servers": aTable,
	}
)

// lookGemini grants nothing in a file that Gemini CLI refuses.
func lookGemini(r *reader) {
	if len(r.entries("name")) > 0 && !geminiName.MatchString(r.file.Agent.Identity.Name) {
		r.file.add(Warning, r.line("name"), "name_form", "A name may hold a-z, 0-9, - and _ there. Gemini CLI refuses the file.")
	}
	for _, e := range r.sheet.Entries() {
		if want, ok := geminiValues[e.Key]; ok && !want.is(e.Reading) {
			r.file.add(Warning, e.Line, "value_form", fmt.Sprintf("The value of %s is no %s to YAML. Gemini CLI refuses the file.", e.Key, want.what))
		}
	}
	if !strict(r.sheet) {
		r.file.add(Warning, 1, "not_strict", "The front matter is no strict YAML. Gemini CLI refuses the file.")
	}
	r.kind()
	if r.refused() {
		r.file.Agent.Access.Tools = tool.List{Stated: tool.Unread}
	}
}

// kind tells a Gemini agent of this machine from one that runs elsewhere.
func (r *reader) kind() {
	kind, ok := r.word("kind")
	switch {
	case !ok || !slices.Contains([]string{"", "local", "remote"}, kind):
		r.file.add(Warning, r.line("kind"), "kind_unknown", "The kind is neither local nor remote. Gemini CLI refuses the file.")
	case kind != "remote":
	case len(r.entries("tools")) > 0:
		r.file.add(Warning, r.line("tools"), "remote_tools", "A remote agent has no tools there. Gemini CLI refuses the file.")
	default:
		r.file.add(Notice, r.line("kind"), "remote", "This agent runs elsewhere: Gemini CLI asks the server it names. Callboard never does.")
	}
}

// refused reports whether Gemini CLI refuses what the file says: it is no strict
// YAML, or one of the problems found says so. What it lacks, such as a name, can
// be added here.
func (r *reader) refused() bool {
	rules := []string{"key_unknown", "key_twice", "name_form", "value_not_text", "value_form", "kind_unknown", "remote_tools"}
	return !strict(r.sheet) || slices.ContainsFunc(r.file.Problems, func(p Problem) bool { return slices.Contains(rules, p.Rule) })
}
