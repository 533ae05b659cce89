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
	look: lookCursor,
})

// lookCursor refuses to trust a readonly that is no truth value.
func lookCursor(r *reader) {
	switch r.file.Agent.Access.Bound {
	case "", "true", "false":
	default:
		r.file.Agent.Access.Tools = tool.List{Stated: tool.Unread}
		r.file.add(Warning, r.line("readonly"), "bound_unread", "The value of readonly is neither true nor false, so nothing is granted and the agent is imported off.")
	}
}
