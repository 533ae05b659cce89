package profile

import (
	"callboard/app/agent"
	"callboard/app/tool"
)

// cursorSpec is a Cursor agent: Markdown with YAML front matter. Cursor has no
// list of tools; readonly bounds what it may write.
var cursorSpec = define(spec{
	format: Cursor, label: "Cursor", provider: agent.None, dialect: tool.Cursor,
	folder: ".cursor/agents", ending: ".md", bare: "---\n---\n",
	endings: []string{".md"},
	keys: map[agent.Field]string{
		agent.Name: "name", agent.Description: "description", agent.Model: "model", agent.Bound: "readonly",
	},
	body: true, truth: agent.Bound,
	states: []string{"readonly"},
	known:  []string{"name", "description", "model", "readonly", "is_background"},
	needed: []need{
		{agent.Description, "The file has no description. Cursor needs one to choose the agent."},
	},
})
