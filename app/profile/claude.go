package profile

import (
	"callboard/app/agent"
	"callboard/app/profile/document"
	"callboard/app/tool"
)

// claudeSpec is a Claude Code subagent: Markdown with YAML front matter.
var claudeSpec = define(spec{
	format: ClaudeCode, label: "Claude Code", provider: agent.ClaudeCode, dialect: tool.ClaudeCode,
	folder: ".claude/agents", ending: ".md", bare: "---\n---\n",
	endings: []string{".md"},
	keys: map[agent.Field]string{
		agent.Name: "name", agent.Description: "description", agent.Model: "model",
		agent.Effort: "effort", agent.Color: "color",
	},
	body: true, tools: "tools", denied: "disallowedTools", comma: true,
	states: []string{"tools", "disallowedTools"},
	known: []string{
		"name", "description", "tools", "disallowedTools", "model", "effort", "color",
		"permissionMode", "maxTurns", "skills", "mcpServers", "hooks", "memory",
		"background", "isolation", "initialPrompt",
	},
	holds: map[string]func(document.Reading) bool{
		"permissionMode": oneOf("plan", "dontAsk"), "hooks": anything, "isolation": anything,
	},
	needed: []need{
		{agent.Name, "The file has no name. Its file name is shown; Claude Code ignores the file."},
		{agent.Description, "The file has no description. Claude Code needs one to choose the agent."},
	},
	look: lookClaude,
})

// lookClaude points out what gives an agent more than its tools say.
func lookClaude(r *reader) {
	tools := r.file.Agent.Access.Tools
	for _, e := range r.entries("memory") {
		if e.Reading.Kind != document.Null && tools.Stated == tool.Listed && !tools.Wildcard() {
			r.file.add(Warning, e.Line, "memory_tools", "With memory Claude Code gives the agent Read, Write and Edit too, whatever its tools say.")
		}
	}
}
