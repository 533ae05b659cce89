package profile

import (
	"slices"
	"strings"

	"callboard/app/agent"
	"callboard/app/profile/document"
	"callboard/app/tool"
)

// codexSpec is a Codex agent: TOML, whose instructions are a key. Codex has no
// list of tools; sandbox_mode bounds what its commands may do.
var codexSpec = define(spec{
	format: Codex, label: "Codex", provider: agent.Codex, dialect: tool.Codex,
	folder: ".codex/agents", ending: ".toml",
	endings: []string{".toml"},
	keys: map[agent.Field]string{
		agent.Name: "name", agent.Description: "description", agent.Model: "model",
		agent.Effort: "model_reasoning_effort", agent.Bound: "sandbox_mode",
		agent.Instructions: "developer_instructions",
	},
	known: []string{
		"name", "description", "developer_instructions", "nickname_candidates", "model",
		"model_reasoning_effort", "sandbox_mode", "mcp_servers", "skills",
	},
	needed: []need{
		{agent.Name, "The file has no name. Codex refuses it, and with it every agent it would load."},
		{agent.Description, "The file has no description. Codex refuses it, and with it every agent it would load."},
		{agent.Instructions, "The file has no developer_instructions. Codex refuses it, and with it every agent it would load."},
	},
	holds:   map[string]func(document.Reading) bool{"approval_policy": allBut("never")},
	refuses: true,
	look:    lookCodex,
})

// lookCodex points out nicknames that Codex refuses.
func lookCodex(r *reader) {
	for _, e := range r.entries("nickname_candidates") {
		seen := map[string]bool{}
		for _, n := range e.Reading.Items {
			if strings.ContainsFunc(n, notNickname) || seen[n] {
				r.file.add(Warning, e.Line, "nickname", "A nickname may hold ASCII letters, digits, spaces, - and _, and stands in the list once.")
				break
			}
			seen[n] = true
		}
	}
}

func notNickname(c rune) bool {
	letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
	return !letter && !slices.Contains([]rune{' ', '-', '_'}, c)
}
