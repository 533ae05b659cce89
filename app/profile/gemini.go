package profile

import (
	"regexp"

	"callboard/app/agent"
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
	strict: true,
	look:   lookGemini,
})

// geminiName is what a name may be there.
var geminiName = regexp.MustCompile(`^[a-z0-9-_]+$`)

func lookGemini(r *reader) {
	if len(r.entries("name")) > 0 && !geminiName.MatchString(r.file.Agent.Identity.Name) {
		r.file.add(Warning, r.line("name"), "name_form", "A name may hold a-z, 0-9, - and _ there. Gemini CLI refuses the file.")
	}
	if kind, ok := r.word("kind"); ok && kind == "remote" {
		r.file.add(Notice, r.line("kind"), "remote", "This agent runs elsewhere: Gemini CLI asks the server it names. Callboard never does.")
	}
}
