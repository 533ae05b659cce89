package agent

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"callboard/app/fault"
	"callboard/app/tool"
)

// The limits. Names and descriptions are counted in runes, instructions and
// tool lists in bytes.
const (
	MaxName         = 128
	MaxDescription  = 4096
	MaxInstructions = 512 << 10
	MaxToken        = 512
	MaxTokens       = 500
	MaxWord         = 128 // model, effort, colour
	MaxReach        = 2000
)

// ErrInvalid refuses an agent that breaks a limit. The error's text names the
// first field that does; Check lists all of them.
var ErrInvalid = fault.New(fault.Invalid, "agent_invalid", "not saved")

// Field names one editable field, as the wire spells it.
type Field string

// The fields that have rules.
const (
	Name         Field = "identity.name"
	Description  Field = "identity.description"
	Instructions Field = "identity.instructions"
	ProviderName Field = "run.provider"
	Model        Field = "run.model"
	Effort       Field = "run.effort"
	Tools        Field = "access.tools"
	Denied       Field = "access.denied_tools"
	Bound        Field = "access.bound"
	Sees         Field = "roster.see"
	Calls        Field = "roster.call"
	Enabled      Field = "enabled"
	Color        Field = "look.color"
)

// Problem is one broken rule. Limit and Size are 0 where the rule is no size;
// Text is a plain sentence that never repeats the field's value.
type Problem struct {
	Field Field  `json:"field"`
	Text  string `json:"text"`
	Limit int    `json:"limit,omitempty"`
	Size  int    `json:"size,omitempty"`
}

// Check returns every rule a breaks, in the order of the form.
func Check(a Agent) []Problem {
	var c checker
	c.name(a.Identity.Name)
	c.size(Description, utf8.RuneCountInString(a.Identity.Description), MaxDescription, "characters")
	c.utf8(Description, a.Identity.Description)
	switch a.Run.Provider {
	case Native, ClaudeCode, Codex, None:
	default:
		c.add(ProviderName, "Callboard does not know this provider.")
	}
	c.word(Model, a.Run.Model)
	c.word(Effort, a.Run.Effort)
	c.tokens(Tools, a.Access.Tools.Tokens)
	if n := len(a.Access.Tools.Tokens); (n > 0) != (a.Access.Tools.Stated == tool.Listed) {
		c.add(Tools, "The tool list does not match what it says about itself.")
	}
	c.tokens(Denied, a.Access.Denied)
	c.word(Bound, a.Access.Bound)
	c.size(Sees, len(a.Roster.See.IDs), MaxReach, "agents")
	c.size(Calls, len(a.Roster.Call.IDs), MaxReach, "agents")
	c.size(Instructions, len(a.Identity.Instructions), MaxInstructions, "bytes")
	c.utf8(Instructions, a.Identity.Instructions)
	c.word(Color, a.Look.Color)
	return c.found
}

// Validate is Check as one error, nil when nothing is wrong.
func Validate(a Agent) error {
	p := Check(a)
	if len(p) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s: %s", ErrInvalid, p[0].Field, strings.TrimSuffix(p[0].Text, "."))
}

// Hidden reports whether r is a character that shows nothing or reorders text:
// controls, bidirectional marks, zero-width and tag characters. Such runes are
// refused in names and pointed out elsewhere.
func Hidden(r rune) bool {
	switch {
	case unicode.IsControl(r), Tag(r), r == 0x00ad, r == 0x061c, r == 0x180e, r == 0xfeff:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f:
		return r != 0x200c && r != 0x200d // joiners are part of words and emoji
	}
	return false
}

// Tag reports whether r is one of the invisible Unicode tag characters that
// can smuggle text past a reader.
func Tag(r rune) bool { return r >= 0xe0000 && r <= 0xe007f }

type checker struct{ found []Problem }

func (c *checker) add(f Field, text string) {
	c.found = append(c.found, Problem{Field: f, Text: text})
}

func (c *checker) size(f Field, size, limit int, unit string) {
	if size > limit {
		c.found = append(c.found, Problem{
			Field: f, Limit: limit, Size: size,
			Text: fmt.Sprintf("Too long: %d %s, at most %d.", size, unit, limit),
		})
	}
}

func (c *checker) utf8(f Field, s string) {
	if !utf8.ValidString(s) {
		c.add(f, "Holds bytes that are not UTF-8 text.")
	}
}

func (c *checker) name(s string) {
	if strings.TrimSpace(s) == "" {
		c.add(Name, "A name is needed.")
	}
	c.size(Name, utf8.RuneCountInString(s), MaxName, "characters")
	c.utf8(Name, s)
	for _, r := range s {
		if Hidden(r) {
			c.add(Name, fmt.Sprintf("Holds the hidden character U+%04X.", r))
			return
		}
	}
}

func (c *checker) word(f Field, s string) {
	c.size(f, utf8.RuneCountInString(s), MaxWord, "characters")
	c.utf8(f, s)
	if strings.ContainsFunc(s, unicode.IsControl) {
		c.add(f, "Must be one line.")
	}
}

func (c *checker) tokens(f Field, tokens []string) {
	c.size(f, len(tokens), MaxTokens, "tools")
	for _, t := range tokens {
		c.size(f, len(t), MaxToken, "bytes in one tool")
		c.utf8(f, t)
		if !tool.ValidToken(t) {
			c.add(f, "One tool cannot be read: separate tools with commas and close every bracket.")
			return
		}
	}
}
