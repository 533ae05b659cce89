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
	bare := m
	if c.source() == OpenCode {
		bare = m[strings.LastIndexByte(m, '/')+1:]
	}
	starts := func(prefix string) bool { return strings.HasPrefix(bare, prefix) }
	switch {
	case slices.ContainsFunc(makers[c.to.format], starts):
		c.next.Run.Model = bare
	case c.to.format == OpenCode:
		for prefix, vendor := range vendors {
			if starts(prefix) {
				c.next.Run.Model = vendor + bare
			}
		}
	case m == "inherit" && c.to.format == Cursor:
		c.next.Run.Model = m
	}
	switch c.next.Run.Model {
	case m:
		c.say(agent.Model, Kept, "")
	case "":
		c.say(agent.Model, Dropped, c.to.label+" does not know a model by this name. It uses its own default.")
	default:
		c.say(agent.Model, Mapped, "It becomes "+c.next.Run.Model+".")
	}
}

func (c *converter) effort() {
	e := c.from.Run.Effort
	_, ok := c.to.keys[agent.Effort]
	switch {
	case e == "":
	case !ok:
		c.say(agent.Effort, Dropped, c.to.label+" has no such setting for an agent.")
	case !slices.Contains([]string{"low", "medium", "high"}, e):
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
	if c.source() == c.to.format {
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
	switch {
	case len(losses) > 0:
	case next.Tools.Equal(from.Tools):
		c.report = append(c.report, Fate{Field: "tools", Outcome: Kept})
	case len(next.Tools.Tokens) == 0:
		c.report = append(c.report, Fate{Field: "tools", Outcome: Mapped, Text: "The list is left out, which is all tools to " + c.to.label + "."})
	default:
		c.report = append(c.report, Fate{Field: "tools", Outcome: Mapped, Text: "They become " + tool.Join(next.Tools.Tokens) + "."})
	}
}

// otherKeys names what the source's file says beyond the fields.
func (c *converter) otherKeys() {
	if c.from.Source == nil {
		return
	}
	s, sh, err := open(*c.from.Source)
	if err != nil {
		return
	}
	fields := append(slices.Collect(maps.Values(s.keys)), s.tools, s.denied)
	fields = append(fields, s.states...)
	for _, e := range sh.Entries() {
		if !slices.Contains(fields, e.Key) {
			c.report = append(c.report, Fate{Field: e.Key, Outcome: Dropped, Text: "Only " + s.label + " has this key."})
		}
	}
}

func (c *converter) source() Format {
	if c.from.Source == nil {
		return ClaudeCode
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
	f.Agent.Source = nil
	return Conversion{Format: c.to.format, Name: name, Data: src.Original, Agent: f.Agent, Report: c.report}, nil
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
