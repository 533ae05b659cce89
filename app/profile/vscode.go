package profile

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"callboard/app/agent"
	"callboard/app/profile/document"
	"callboard/app/tool"
)

// maxCopilot is how many characters of a prompt GitHub's cloud agent takes.
const maxCopilot = 30_000

// vsCodeSpec is a custom agent of VS Code and GitHub Copilot: Markdown with
// YAML front matter in which everything is optional.
var vsCodeSpec = define(spec{
	format: VSCode, label: "VS Code", provider: agent.None, dialect: tool.VSCode,
	folder: ".github/agents", ending: ".agent.md", bare: "---\n---\n",
	endings: []string{".md"},
	keys: map[agent.Field]string{
		agent.Name: "name", agent.Description: "description", agent.Model: "model",
	},
	body: true, tools: "tools", lists: []string{"model"},
	states: []string{"tools"},
	known: []string{
		"description", "name", "argument-hint", "tools", "agents", "model", "user-invocable",
		"disable-model-invocation", "infer", "target", "mcp-servers", "handoffs", "hooks",
	},
	holds: map[string]func(document.Reading) bool{"hooks": anything, "agents": allBut("*"), "disable-model-invocation": oneOf("true")},
	look:  lookVSCode,
})

// lookVSCode points out what one of the two tools refuses or cuts.
func lookVSCode(r *reader) {
	if n := utf8.RuneCountInString(r.file.Agent.Identity.Instructions); n > maxCopilot {
		r.file.add(Warning, r.sheet.bodyLine(), "copilot_too_long", fmt.Sprintf("The instructions have %d characters. GitHub's cloud agent takes %d.", n, maxCopilot))
	}
	if y, ok := r.sheet.(yamlSheet); ok && bytes.Contains(r.data[:y.doc.Body.Start], []byte("\r\n")) {
		r.file.add(Notice, 1, "copilot_crlf", "The front matter has Windows line breaks. Copilot's command line does not read it.")
	}
}
