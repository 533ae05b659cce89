package profile

import (
	"callboard/app/agent"
	"callboard/app/tool"
)

// caoSpec is a CAO agent profile: Markdown with YAML front matter. Without
// allowedTools its role says what it may use.
var caoSpec = define(spec{
	format: CAO, label: "CAO", provider: agent.None, dialect: tool.CAO,
	folder: "cli-agent-orchestrator/agent-store", ending: ".md", bare: "---\n---\n",
	endings: []string{".md"},
	keys: map[agent.Field]string{
		agent.Name: "name", agent.Description: "description", agent.Model: "model", agent.Bound: "role",
	},
	body: true, tools: "allowedTools",
	states: []string{"allowedTools", "role"},
	known: []string{
		"name", "description", "provider", "role", "allowedTools", "capabilities", "tags", "skills",
		"container", "provider_init_timeout", "prompt", "mcpServers", "tools", "toolAliases",
		"toolsSettings", "resources", "hooks", "useLegacyMcpJson", "model", "engine", "permissionMode",
		"native_agent", "codexProfile", "codexConfig", "claudeConfig", "hermesProfile", "grokNativeWorkflows",
	},
	needed: []need{
		{agent.Name, "The file has no name. Its file name is shown."},
		{agent.Description, "The file has no description. CAO needs one to choose the agent."},
	},
})
