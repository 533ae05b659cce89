package profile

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"callboard/app/agent"
)

// Outcome is what became of one thing in a conversion.
type Outcome string

// The outcomes. Capped is something the other tool may cut.
const (
	Kept    Outcome = "kept"
	Mapped  Outcome = "mapped"
	Dropped Outcome = "dropped"
	Capped  Outcome = "capped"
)

// Fate is one line of a loss report. Text is a plain sentence, empty where
// there is nothing to say; it holds names, and no other values of the file.
// Widens is true where the new file grants more than the old one.
type Fate struct {
	Field   string  `json:"field"`
	Outcome Outcome `json:"outcome"`
	Text    string  `json:"text,omitempty"`
	Widens  bool    `json:"widens,omitempty"`
}

func (c *converter) say(f agent.Field, o Outcome, text string) {
	_, name, _ := strings.Cut(string(f), ".")
	c.report = append(c.report, Fate{Field: name, Outcome: o, Text: text})
}

// MaxCodex is how many bytes of AGENTS.md files Codex reads altogether.
const MaxCodex = 32 << 10

// caps points out what the other tool cuts without a word.
func (c *converter) caps() {
	text := c.next.Identity.Instructions
	switch c.to.format {
	case Codex:
		if len(text) > MaxCodex {
			c.say(agent.Instructions, Capped, "Codex reads 32 KiB of AGENTS.md files altogether, root first. In one of them this text, of "+
				fmt.Sprint(len(text))+" bytes, would be cut after "+cut(text, MaxCodex)+".")
		}
	case VSCode:
		if n := utf8.RuneCountInString(text); n > maxCopilot {
			c.say(agent.Instructions, Capped, fmt.Sprintf("GitHub's cloud agent takes 30,000 characters of instructions. These are %d.", n))
		}
	case ClaudeCode, CAO, OpenCode, Gemini, Cursor, Goose:
	}
}

// cut says where a text of bytes would be cut.
func cut(text string, at int) string {
	where := fmt.Sprintf("byte %d, in line %d", at, 1+strings.Count(text[:at], "\n"))
	if !utf8.RuneStart(text[at]) {
		where += ", within a character"
	}
	return where
}
