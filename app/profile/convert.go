package profile

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/ident"
	"callboard/app/profile/document"
	"callboard/app/tool"
)

// ErrNotConverted refuses an agent that cannot be written in a format so that
// it reads back the same.
var ErrNotConverted = fault.New(fault.Invalid, "not_converted", "the agent cannot be written in that format")

// Conversion is an agent as a file of another format, not yet written. Name is
// a file name for it, Agent what the new file says, and Report what became of
// each thing the source said.
type Conversion struct {
	Format Format
	Name   string
	Data   []byte
	Agent  agent.Agent
	Report []Fate
}

// Widens reports whether the new file would grant more than its source does.
func (c Conversion) Widens() bool {
	return slices.ContainsFunc(c.Report, func(f Fate) bool { return f.Widens })
}

// Convert writes an agent in another format and changes nothing on disk. The
// source is the agent as it is, with edits that are not in its file; the keys
// of its file that no format shares are left behind and named.
func Convert(a agent.Agent, to Format) (Conversion, error) {
	if !slices.Contains(Formats(), to) {
		return Conversion{}, fmt.Errorf("%w: nobody knows it", ErrNotConverted)
	}
	c := converter{from: a, to: specOf(to), next: agent.Agent{}}
	c.convert()
	return c.write()
}

// converter is one Convert.
type converter struct {
	from   agent.Agent
	to     *spec
	next   agent.Agent
	report []Fate
}

func (c *converter) convert() {
	c.name()
	c.text(agent.Description, &c.next.Identity.Description, c.from.Identity.Description)
	c.model()
	c.effort()
	c.color()
	c.access()
	c.text(agent.Instructions, &c.next.Identity.Instructions, c.from.Identity.Instructions)
	c.caps()
	c.otherKeys()
}

// name takes the name along where the format has a place for it and takes its
// form.
func (c *converter) name() {
	was := c.from.Identity.Name
	name := was
	_, kept := c.to.keys[agent.Name]
	if !kept || c.to.format == Gemini && !geminiName.MatchString(name) {
		name = ident.Slug(name)
	}
	c.next.Identity.Name = name
	switch {
	case name == was:
		c.say(agent.Name, Kept, "")
	case kept:
		c.say(agent.Name, Mapped, "A name holds only a-z, 0-9, - and _ there. It becomes "+name+".")
	default:
		c.say(agent.Name, Mapped, "The name is that of the file there. It becomes "+name+".")
	}
}

func (c *converter) text(f agent.Field, to *string, value string) {
	if value == "" {
		return
	}
	*to = value
	c.say(f, Kept, "")
}

// makers are the firms whose model names a tool takes, by how those begin.
var makers = map[Format][]string{
	ClaudeCode: {"claude-", "sonnet", "opus", "haiku", "fable"},
	Codex:      {"gpt-", "o3", "o4", "codex-"},
	Gemini:     {"gemini-"},
}

// vendors are how opencode writes a maker before its model.
var vendors = map[string]string{"claude-": "anthropic/", "gpt-": "openai/", "gemini-": "google/"}

// model takes the model along where the other tool knows it by that name.
func (c *converter) model() {
	m := c.from.Run.Model
	if m == "" {
		return
	}
	if _, ok := c.to.keys[agent.Model]; !ok {
		c.say(agent.Model, Dropped, "Such a file has no key of its own for it.")
		return
	}
	c.next.Run.Model = c.modelThere(m)
	switch c.next.Run.Model {
	case m:
		c.say(agent.Model, Kept, "")
	case "":
		c.say(agent.Model, Dropped, c.to.label+" does not know a model by this name. It uses its own default.")
	default:
		c.say(agent.Model, Mapped, "It becomes "+c.next.Run.Model+".")
	}
}

// modelThere is the name the other tool has for a model, empty where none is
// known.
func (c *converter) modelThere(m string) string {
	if c.source() == c.to.format {
		return m
	}
	bare := m
	if c.source() == OpenCode {
		bare = m[strings.LastIndexByte(m, '/')+1:]
	}
	starts := func(prefix string) bool { return strings.HasPrefix(bare, prefix) }
	switch {
	case slices.ContainsFunc(makers[c.to.format], starts):
		return bare
	case c.to.format == OpenCode:
		for prefix, vendor := range vendors {
			if starts(prefix) {
				return vendor + bare
			}
		}
	case m == "inherit" && c.to.format == Cursor:
		return m
	}
	return ""
}

func (c *converter) effort() {
	e := c.from.Run.Effort
	_, ok := c.to.keys[agent.Effort]
	switch {
	case e == "":
	case !ok:
		c.say(agent.Effort, Dropped, c.to.label+" has no such setting for an agent.")
	case c.source() != c.to.format && !slices.Contains([]string{"low", "medium", "high"}, e):
		c.say(agent.Effort, Dropped, c.to.label+" does not know this step.")
	default:
		c.next.Run.Effort = e
		c.say(agent.Effort, Kept, "")
	}
}

func (c *converter) color() {
	if c.from.Look.Color == "" {
		return
	}
	if _, ok := c.to.keys[agent.Color]; ok && c.source() == c.to.format {
		c.next.Look.Color = c.from.Look.Color
		c.say(agent.Color, Kept, "")
		return
	}
	c.say(agent.Color, Dropped, c.to.label+" has no such color.")
}

// access writes what the agent may use in the other tool's words.
func (c *converter) access() {
	from := c.from.Words()
	next, losses := tool.Map(from, c.to.dialect)
	c.next.Access = next
	for _, l := range losses {
		outcome := Dropped
		if l.Token == "" || l.Token == c.to.keys[agent.Bound] {
			outcome = Mapped
		}
		c.report = append(c.report, Fate{Field: "tools", Outcome: outcome, Text: l.Text, Widens: l.Widens})
	}
	lost := next.Tools.Stated == tool.Unread || c.to.readTools != nil && c.to.format != Goose && next.Tools.Stated != tool.Omitted
	if from.Dialect == c.to.dialect && lost {
		c.report = append(c.report, Fate{
			Field: "tools", Outcome: Dropped, Widens: true,
			Text: "What they are cannot be read for certain, so the copy states none and what " + c.to.label + " makes of that holds.",
		})
		return
	}
	become := Fate{Field: "tools", Outcome: Mapped, Text: "They become " + tool.Join(next.Tools.Tokens) + "."}
	switch {
	case len(losses) > 0:
		if next.Tools.Stated == tool.Listed && len(next.Denied) == 0 {
			c.report = append(c.report, become)
		}
	case next.Tools.Equal(from.Tools):
		c.report = append(c.report, Fate{Field: "tools", Outcome: Kept})
	case len(next.Tools.Tokens) == 0:
		c.report = append(c.report, Fate{Field: "tools", Outcome: Mapped, Text: "The list is left out, which is all tools to " + c.to.label + "."})
	default:
		c.report = append(c.report, become)
	}
}

// otherKeys names what the source's file says beyond the fields, and what it
// says of a field in a form that could not be read.
func (c *converter) otherKeys() {
	if c.from.Source == nil {
		return
	}
	s, sh, err := open(*c.from.Source)
	if err != nil {
		return
	}
	texts := slices.Collect(maps.Values(s.keys))
	lists := []string{s.tools, s.denied}
	if s.vague {
		lists = append(lists, "tools")
	}
	for _, e := range sh.Entries() {
		text := e.Reading.Kind == document.Text || e.Reading.Kind == document.Null
		switch {
		case c.overruled(s, e.Key):
			c.drop(e.Key, "Beside a list of tools it grants nothing, and "+c.to.label+" has no such key.", false)
		case slices.Contains(lists, e.Key) || slices.Contains(texts, e.Key) && text:
		case slices.Contains(texts, e.Key):
			c.drop(e.Key, "Its value is no text, so it is not taken along.", false)
		case c.source() == c.to.format || slices.Contains(c.to.known, e.Key):
			c.drop(e.Key, "It is no field of Callboard, so it is not taken along.", s.holdsBack(e))
		case s.holdsBack(e):
			c.drop(e.Key, "It holds the agent back, and "+c.to.label+" has no such key.", true)
		default:
			c.drop(e.Key, c.to.label+" has no such key.", false)
		}
	}
}

func (c *converter) drop(key, text string, widens bool) {
	c.report = append(c.report, Fate{Field: key, Outcome: Dropped, Text: text, Widens: widens})
}

// overruled reports whether key is the word that bounds the source's agent, and
// a list of tools stands beside it that counts instead.
func (c *converter) overruled(s *spec, key string) bool {
	return key != "" && key == s.keys[agent.Bound] && s.tools != "" && c.from.Access.Tools.Stated != tool.Omitted &&
		c.source() != c.to.format
}

// source is the format of the file the agent came from, else the one in whose
// words it is written.
func (c *converter) source() Format {
	if c.from.Source == nil {
		return Format(c.from.Words().Dialect)
	}
	return Format(c.from.Source.Format)
}

// write makes the file: a bare one of the format, into which the agent is
// patched, so that what it says was read back.
func (c *converter) write() (Conversion, error) {
	name := FileName(c.to.format, c.next.Identity.Name)
	extensions := c.extensions()
	src := agent.Source{Format: string(c.to.format), Path: "/" + noName + c.to.ending, Original: []byte(c.to.bare)}
	base, err := Read(src)
	if err != nil {
		return Conversion{}, fmt.Errorf("%w: %w", ErrNotConverted, err)
	}
	next := c.next
	if c.to.readTools != nil || next.Access.Tools.Stated == tool.Unread {
		next.Access.Tools = base.Agent.Access.Tools
	}
	if _, ok := c.to.keys[agent.Name]; !ok {
		next.Identity.Name = base.Agent.Identity.Name
	}
	change, err := Patch(src, next)
	if err != nil {
		return Conversion{}, fmt.Errorf("%w: %w", ErrNotConverted, err)
	}
	src.Path, src.Original = filepath.Join("/", c.to.folder, name), append(change.After, extensions...)
	f, err := Read(src)
	if err != nil {
		return Conversion{}, fmt.Errorf("%w: %w", ErrNotConverted, err)
	}
	if f.Agent.Identity.Name != c.next.Identity.Name {
		return Conversion{}, fmt.Errorf("%w: its name would not read back", ErrNotConverted)
	}
	c.missing(f)
	f.Agent.Source = nil
	return Conversion{Format: c.to.format, Name: name, Data: src.Original, Agent: f.Agent, Report: c.report}, nil
}

// missing points out what the other tool needs and the source does not say.
func (c *converter) missing(f File) {
	for _, p := range f.Problems {
		if field, ok := strings.CutSuffix(p.Rule, "_missing"); ok {
			c.report = append(c.report, Fate{Field: field, Outcome: Dropped, Text: p.Text})
		}
	}
}

// noName is the name of a file whose agent has none yet.
const noName = "\x01"

// FileName is a name for a new file of that format.
func FileName(f Format, name string) string {
	s := specOf(f)
	return ident.Slug(name) + s.ending
}

// extensions are goose's, which come from the tools' tokens; its tool servers
// cannot be written, because nobody knows how to start them.
func (c *converter) extensions() string {
	l := c.next.Access.Tools
	if c.to.format != Goose || l.Stated != tool.Listed && l.Stated != tool.Empty {
		return ""
	}
	var b strings.Builder
	for _, t := range l.Tokens {
		if strings.HasPrefix(t, "@") {
			c.report = append(c.report, Fate{Field: "tools: " + t, Outcome: Dropped, Text: "How to start this tool server is not known, so the recipe leaves it out."})
			continue
		}
		b.WriteString("  - type: builtin\n    name: " + t + "\n")
	}
	if b.Len() == 0 {
		return "extensions: []\n"
	}
	return "extensions:\n" + b.String()
}
