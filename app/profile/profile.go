// Package profile reads other tools' agent files and writes back exactly the
// spans a person edited: those of Claude Code, Codex, opencode, VS Code and
// Copilot, Gemini CLI, Cursor, CAO and goose.
//
// It promises: an untouched agent is written back byte for byte; one edited
// field is one span; unknown keys, comments, quoting, line breaks and the byte
// order mark stay; what was written reads back as wanted or is refused; a
// write compares the file right before an atomic replace and keeps what it
// displaced. It refuses to guess: where the tools of a file cannot be read for
// certain the agent comes disabled and grants nothing. Nothing found in a file
// is ever executed or fetched, and links out of the chosen folder are not
// followed.
package profile

import (
	"fmt"
	"slices"

	"callboard/app/agent"
)

// Level is how much a problem matters.
type Level string

// A notice explains, a warning asks for a look, an error keeps the file from
// being imported.
const (
	Notice  Level = "notice"
	Warning Level = "warning"
	Error   Level = "error"
)

// Problem is something a person should know about one line of a file. Text is
// plain sentences; it holds tool names, but no other values of the file.
type Problem struct {
	Line  int    `json:"line"`
	Rule  string `json:"rule"`
	Text  string `json:"text"`
	Level Level  `json:"level"`
}

// File is one agent file as read. Agent has no ID; its Source holds the bytes.
// Certain is false when nobody can say what the file's tools grant: then the
// agent is disabled and tool.Resolve grants nothing.
type File struct {
	Path     string
	Format   Format
	Agent    agent.Agent
	Problems []Problem
	Certain  bool
	// IsAgent is false for Markdown without front matter, which the tool that
	// owns the folder does not take for an agent.
	IsAgent bool
	// Origin is where the agent lives and Standings what the tools that read it
	// make of it, where others have its name. Only a scan knows them.
	Origin    Origin
	Standings []Standing

	nameLine int
}

// Importable reports whether the file is an agent that breaks no limit.
func (f File) Importable() bool {
	for _, p := range f.Problems {
		if p.Level == Error {
			return false
		}
	}
	return f.IsAgent
}

func (f *File) add(l Level, line int, rule, text string) {
	f.Problems = append(f.Problems, Problem{Line: line, Rule: rule, Text: text, Level: l})
}

// maxProblems is how many problems of one file are listed.
const maxProblems = 200

// sort puts the problems in the order of the file. Of very many the gravest
// stay.
func (f *File) sort() {
	if n := len(f.Problems); n > maxProblems {
		grave := []Level{Error, Warning, Notice}
		slices.SortStableFunc(f.Problems, func(a, b Problem) int {
			return slices.Index(grave, a.Level) - slices.Index(grave, b.Level)
		})
		f.Problems = append(f.Problems[:maxProblems:maxProblems], Problem{Rule: "problems_many", Text: fmt.Sprintf("%d more problems are not listed.", n-maxProblems), Level: Warning})
	}
	slices.SortStableFunc(f.Problems, func(a, b Problem) int { return a.Line - b.Line })
}
