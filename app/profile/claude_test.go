package profile_test

import (
	"callboard/app/agent"
	"callboard/app/profile"
)

// readClaude reads data as a Claude Code subagent at path.
func readClaude(path string, data []byte) (profile.File, error) {
	return profile.Read(agent.Source{Format: string(profile.ClaudeCode), Path: path, Original: data})
}

// patchClaude writes next into such a file.
func patchClaude(original []byte, path string, next agent.Agent) (profile.Change, error) {
	return profile.Patch(agent.Source{Format: string(profile.ClaudeCode), Path: path, Original: original}, next)
}
