package profile

import (
	"maps"
	"slices"
	"strings"

	"callboard/app/agent"
	"callboard/app/profile/document"
	"callboard/app/tool"
)

// Format names a kind of agent file.
type Format string

// The formats. The bytes of a file do not name its format; where it stands
// does, see ReadFile.
const (
	ClaudeCode Format = "claude_code" // Markdown with YAML front matter
	CAO        Format = "cao"         // Markdown with YAML front matter
	Codex      Format = "codex"       // TOML
	OpenCode   Format = "opencode"    // Markdown, or objects of opencode.json
	VSCode     Format = "vscode"      // Markdown, *.agent.md
	Gemini     Format = "gemini"      // Markdown, a strict schema
	Cursor     Format = "cursor"      // Markdown
	Goose      Format = "goose"       // a YAML or JSON recipe
)

// Formats lists every format in the order people read them.
func Formats() []Format {
	return []Format{ClaudeCode, Codex, OpenCode, VSCode, Gemini, Cursor, CAO, Goose}
}

// Label is the name of the tool that owns the format.
func (f Format) Label() string { return specOf(f).label }

// Keeps reports whether files of this format have a place for field.
func (f Format) Keeps(field agent.Field) bool {
	s := specOf(f)
	if field == agent.Denied {
		return s.denied != ""
	}
	if field == agent.Tools {
		return s.tools != "" && edits(s.dialect)
	}
	if field == agent.Instructions && s.body {
		return true
	}
	_, ok := s.keys[field]
	return ok
}

// spec is what Callboard knows of one format.
type spec struct {
	format   Format
	label    string
	provider agent.Provider
	dialect  tool.Dialect

	folder  string   // where its files stand in a repository
	ending  string   // of the name of a new file
	endings []string // of the names of all its files
	bare    string   // a file of the format that says nothing yet

	// keys are where a field of one text stands; a field without one is no part
	// of such files. body says that the instructions are what follows the front
	// matter. tools and denied are the keys of the two lists, and comma says that
	// the tool reads a text with commas as a list.
	keys   map[agent.Field]string
	body   bool
	tools  string
	denied string
	comma  bool

	// states are the keys that say anything about tools: where one of them may
	// have been meant but was not read, nothing is granted.
	states []string

	lists []string    // keys of a text that may be a list instead
	truth agent.Field // the field that is true or false instead of a text

	known  []string // every key of the format
	needed []need
	strict bool // the tool refuses a file with a key that is not known
	// refuses says that the tool refuses a file that lacks what is needed.
	refuses bool

	// readTools reads the tools where they are no list of words, and look points
	// out what else the format's own tool does.
	// vague says that what its tool keys come to is not known.
	readTools func(*reader) tool.List
	vague     bool
	// holds are keys that hold an agent back beyond its tools, and whether a
	// value of them does.
	holds map[string]func(document.Reading) bool
	look  func(*reader)
	// told says under which of the others, keys too, one file keeps its
	// instructions, empty where it is as keys and body say.
	told   func(agent.Source, sheet) string
	others []string

	variants map[string]*spec // by what told says
	stated   *statements
}

// need is a field without which the tool does something else than the person
// expects.
type need struct {
	field agent.Field
	text  string
}

// specs are every format; each stands in the file of its name.
func specs() []*spec {
	return []*spec{claudeSpec, codexSpec, openCodeSpec, vsCodeSpec, geminiSpec, cursorSpec, caoSpec, gooseSpec}
}

// unknownSpec stands in for a format that nobody knows.
var unknownSpec = define(spec{label: "its own tool", states: []string{"tools"}})

func specOf(f Format) *spec {
	all := specs()
	i := slices.IndexFunc(all, func(s *spec) bool { return s.format == f })
	if i < 0 {
		return unknownSpec
	}
	return all[i]
}

// key is where a field stands, or how it is called where it has none.
func (s *spec) key(f agent.Field) string {
	if k, ok := map[agent.Field]string{agent.Tools: s.tools, agent.Denied: s.denied}[f]; ok {
		return k
	}
	if k, ok := s.keys[f]; ok {
		return k
	}
	_, last, _ := strings.Cut(string(f), ".")
	return last
}

// define completes what a format's file says of it.
func define(s spec) *spec {
	var short []string
	for f, k := range s.keys {
		if f != agent.Description && f != agent.Instructions {
			short = append(short, k)
		}
	}
	s.stated = newStatements(s.states, short)
	s.variants = map[string]*spec{}
	for _, key := range s.others {
		s.variants[key] = s.in(key)
	}
	return &s
}

// in is the format where its instructions stand under key.
func (s *spec) in(key string) *spec {
	v := *s
	v.keys = maps.Clone(s.keys)
	v.keys[agent.Instructions] = key
	v.body = false
	return &v
}

// has reports whether a file has that key.
func has(s sheet, key string) bool {
	return slices.ContainsFunc(s.Entries(), func(e document.Entry) bool { return e.Key == key })
}

// edits reports whether the tools of a dialect can be written here.
func edits(d tool.Dialect) bool {
	f, ok := tool.FactsOf(d)
	return ok && f.Edits
}

// holdsBack reports whether an entry of a file holds its agent back beyond its
// tools, so that a copy without it may do more.
func (s *spec) holdsBack(e document.Entry) bool {
	holds, ok := s.holds[e.Key]
	return ok && e.Reading.Kind != document.Null && holds(e.Reading)
}

// anything is any value.
func anything(document.Reading) bool { return true }

// oneOf are these values.
func oneOf(values ...string) func(document.Reading) bool {
	return func(r document.Reading) bool { return slices.Contains(values, r.Text) }
}

// allBut is any value but these.
func allBut(values ...string) func(document.Reading) bool {
	return func(r document.Reading) bool { return !slices.Contains(values, r.Text) }
}

// HeldBackBy names the keys of an agent's file that hold it back beyond its
// tools and are no fields of Callboard: a copy without the file may do more.
func HeldBackBy(a agent.Agent) []string {
	if a.Source == nil {
		return nil
	}
	s, sh, err := open(*a.Source)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range sh.Entries() {
		if s.holdsBack(e) {
			out = append(out, e.Key)
		}
	}
	return out
}
