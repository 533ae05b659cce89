package assets

import (
	"embed"
	"strings"
)

// Starter is an agent to begin from, as a file of Claude Code. Name is that of
// the file, without its end.
type Starter struct {
	Name string
	Text string
}

//go:embed starters
var starters embed.FS

// starterNames are the starters in the order people read them.
var starterNames = []string{"reviewer", "tester", "docs-writer", "planner", "bug-hunter"}

// Starters lists the agents to begin from.
func Starters() []Starter {
	out := make([]Starter, len(starterNames))
	for i, name := range starterNames {
		b, err := starters.ReadFile("starters/" + name + ".md")
		if err != nil {
			panic("assets: starters/" + name + ".md is not embedded")
		}
		out[i] = Starter{Name: name, Text: strings.ReplaceAll(string(b), "\r\n", "\n")}
	}
	return out
}
