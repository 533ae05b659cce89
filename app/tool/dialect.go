package tool

import "slices"

// Dialect names whose words a tool list is written in.
type Dialect string

// The dialects, each that of one program's agent files. Native is Callboard's
// own, for agents that Callboard runs itself.
const (
	ClaudeCode Dialect = "claude_code"
	CAO        Dialect = "cao"
	Codex      Dialect = "codex"
	OpenCode   Dialect = "opencode"
	VSCode     Dialect = "vscode"
	Gemini     Dialect = "gemini"
	Cursor     Dialect = "cursor"
	Goose      Dialect = "goose"
	Native     Dialect = "native"
)

// Meaning is what a program makes of one form of a tool list.
type Meaning string

// NotKnown is never a guess: nobody has written it down, and what it holds for
// grants nothing here.
const (
	All         Meaning = "all"          // every tool
	Nothing     Meaning = "none"         // no tool
	RoleDefault Meaning = "role_default" // what the file's role has
	OwnDefault  Meaning = "own_default"  // the program's own default, which the file does not state
	NotKnown    Meaning = "not_known"    // nobody has written it down
	NoList      Meaning = "no_list"      // no per-tool list exists
	Patterns    Meaning = "patterns"     // patterns or sets, but no certain word for everything
	NoWord      Meaning = "no_word"      // there is no such word
	Refused     Meaning = "refused"      // the whole file is refused
	Ignored     Meaning = "ignored"      // grants nothing
)

// Facts is what a tool list means to one program: left out, empty, with a
// wildcard in it, with a name in it that the program does not have.
type Facts struct {
	Omitted, Empty, Wildcard, Unknown Meaning
	Tested                            string // the program's version, or how old the facts are
	Bound                             string // the key that bounds the agent, if there is one
	Edits                             bool   // Set can tick atoms
	Denies                            bool   // the file can deny tools, and a denial wins
}

// ownFacts stands where the program is Callboard itself.
const ownFacts = "this program"

// untested stands where no version of the program was tried.
const untested = "facts of late 2026, no version tested"

// kind is everything that is known of one dialect. Words is nil where a list
// does not exist or nobody knows its words; doubts replaces the general text
// of one doubt.
type kind struct {
	dialect Dialect
	label   string
	facts   Facts
	words   *vocabulary
	doubts  map[Statement]string
}

// kinds is the one place that says what a tool list means to whom.
var kinds = []kind{
	{
		ClaudeCode, "Claude Code",
		Facts{Omitted: All, Empty: NotKnown, Wildcard: All, Unknown: Ignored, Tested: ClaudeTested, Edits: true, Denies: true},
		&claudeWords,
		map[Statement]string{Empty: "Claude Code has read a blank tool list as all tools"},
	},
	{
		CAO, "CAO",
		Facts{Omitted: RoleDefault, Empty: All, Wildcard: All, Unknown: Ignored, Tested: untested, Bound: "role", Edits: true},
		&caoWords, nil,
	},
	{
		Codex, "Codex",
		Facts{Omitted: NoList, Empty: NoList, Wildcard: NoList, Unknown: NoList, Tested: "0.171.0", Bound: "sandbox_mode"},
		nil,
		map[Statement]string{Omitted: "the file names no sandbox_mode, so what Codex's config or whoever starts it says holds"},
	},
	{
		OpenCode, "opencode",
		Facts{Omitted: OwnDefault, Empty: NotKnown, Wildcard: Patterns, Unknown: NotKnown, Tested: untested},
		nil, nil,
	},
	{
		VSCode, "VS Code",
		Facts{Omitted: All, Empty: Nothing, Wildcard: Patterns, Unknown: Ignored, Tested: untested, Edits: true},
		&vscodeWords,
		map[Statement]string{Listed: "GitHub's Copilot reads * as all tools, and VS Code does not say what it makes of it"},
	},
	{
		Gemini, "Gemini CLI",
		Facts{Omitted: OwnDefault, Empty: NotKnown, Wildcard: All, Unknown: Refused, Tested: untested, Edits: true},
		&geminiWords, nil,
	},
	{
		Cursor, "Cursor",
		Facts{Omitted: NoList, Empty: NoList, Wildcard: NoList, Unknown: NoList, Tested: untested, Bound: "readonly"},
		nil, nil,
	},
	{
		Goose, "goose",
		Facts{Omitted: OwnDefault, Empty: Nothing, Wildcard: NoWord, Unknown: NotKnown, Tested: untested},
		&gooseWords,
		map[Statement]string{Omitted: "goose's default extensions hold, which the file does not state"},
	},
	{
		Native, "Callboard",
		Facts{Omitted: Nothing, Empty: Nothing, Wildcard: All, Unknown: Ignored, Tested: ownFacts, Edits: true, Denies: true},
		&nativeWords, nil,
	},
}

// Dialects lists every dialect that Callboard knows.
func Dialects() []Dialect {
	out := make([]Dialect, 0, len(kinds))
	for _, k := range kinds {
		out = append(out, k.dialect)
	}
	return out
}

// Label is what people call the program, or the dialect itself if unknown.
func (d Dialect) Label() string {
	if k, ok := kindOf(d); ok {
		return k.label
	}
	return string(d)
}

// FactsOf is what a tool list means to the program, and whether that is known.
func FactsOf(d Dialect) (Facts, bool) {
	k, ok := kindOf(d)
	return k.facts, ok
}

func kindOf(d Dialect) (kind, bool) {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.dialect == d })
	if i < 0 {
		return kind{}, false
	}
	return kinds[i], true
}
