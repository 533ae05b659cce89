package profile

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/profile/frontmatter"
	"callboard/app/tool"
)

// The refusals of Patch.
var (
	ErrReserved = fault.New(fault.Invalid, "name_reserved", "the name has the form that is kept for ephemeral agents").
			Then("Choose another name.")
	ErrUnread = fault.New(fault.Invalid, "tools_unread", "a tool list that could not be read cannot be written").
			Then("List the tools, or leave them as they are.")
	ErrNotAgent = fault.New(fault.Invalid, "not_an_agent", "the file has no front matter, so it is not an agent").
			Then("Add a front matter in a text editor, then read the file again.")
	ErrReadBack = fault.New(fault.Invalid, "not_read_back", "the changed file would not read back as wanted").
			Then("Nothing was written. Edit the file in a text editor.")
)

// Span is a byte range of the original file, End excluded, and what takes its
// place.
type Span struct {
	Start, End int
	New        []byte
}

// Change is what an edit does to a file. Spans are in the order of the file and
// do not overlap; Fields are the fields that differ. An untouched agent has
// neither, and After equals Before.
type Change struct {
	Before, After []byte
	Spans         []Span
	Fields        []agent.Field
}

// Patch writes the fields of next that differ from what original says into
// original. ID, Enabled, Provider and Source of next are not in such a file and
// are ignored. It reads the result back and fails rather than return bytes that
// say anything else than next.
func Patch(original []byte, path string, next agent.Agent) (Change, error) {
	base, err := Read(path, original)
	if err != nil {
		return Change{}, err
	}
	doc, err := frontmatter.Parse(original, claudeKeys)
	if err != nil {
		return Change{}, err
	}
	p := patch{doc: doc, original: original, base: base.Agent, next: next, certain: base.Certain}
	p.next.Identity.Instructions = frontmatter.Normal(next.Identity.Instructions)
	return p.run(path)
}

type patch struct {
	doc        *frontmatter.Document
	original   []byte
	base, next agent.Agent
	certain    bool
	edits      []frontmatter.Edit
	added      []frontmatter.Edit // new keys: after an edit at the same place
	fields     []agent.Field
	keys       []string
}

func (p *patch) run(path string) (Change, error) {
	if Reserved(p.next.Identity.Name) && p.next.Identity.Name != p.base.Identity.Name {
		return Change{}, ErrReserved
	}
	for _, f := range []struct {
		field    agent.Field
		key      string
		old, new string
	}{
		{agent.Name, keyName, p.base.Identity.Name, p.next.Identity.Name},
		{agent.Description, keyDescription, p.base.Identity.Description, p.next.Identity.Description},
		{agent.Model, keyModel, p.base.Run.Model, p.next.Run.Model},
		{agent.Effort, keyEffort, p.base.Run.Effort, p.next.Run.Effort},
		{agent.Color, keyColor, p.base.Look.Color, p.next.Look.Color},
	} {
		if f.old == f.new {
			continue
		}
		if err := p.scalar(f.field, f.key, f.new); err != nil {
			return Change{}, fmt.Errorf("%s: %w", f.key, err)
		}
	}
	if err := p.access(); err != nil {
		return Change{}, err
	}
	if err := p.body(); err != nil {
		return Change{}, err
	}
	p.edits = append(p.edits, p.added...)
	c := Change{Before: p.original, Fields: p.fields}
	for _, e := range p.edits {
		c.Spans = append(c.Spans, Span{e.Start, e.End, e.New})
	}
	slices.SortStableFunc(c.Spans, func(a, b Span) int {
		return frontmatter.Order(frontmatter.Span{Start: a.Start, End: a.End}, frontmatter.Span{Start: b.Start, End: b.End})
	})
	c.After = frontmatter.Apply(p.original, p.edits...)
	if err := p.readBack(path, c.After); err != nil {
		return Change{}, err
	}
	return c, nil
}

func (p *patch) scalar(f agent.Field, key, value string) error {
	if value == "" && key != keyName && key != keyDescription {
		return p.put(f, key, nil)
	}
	v := frontmatter.Scalar(value)
	return p.put(f, key, &v)
}

func (p *patch) access() error {
	if !p.base.Access.Tools.Equal(p.next.Access.Tools) {
		if err := p.list(agent.Tools, keyTools, p.next.Access.Tools); err != nil {
			return fmt.Errorf("%s: %w", keyTools, err)
		}
	}
	if slices.Equal(p.base.Access.Denied, p.next.Access.Denied) {
		return nil
	}
	denied := tool.Of(p.next.Access.Denied...)
	if denied.Stated == tool.Empty {
		denied.Stated = tool.Omitted
	}
	if err := p.list(agent.Denied, keyDenied, denied); err != nil {
		return fmt.Errorf("%s: %w", keyDenied, err)
	}
	return nil
}

// list writes a tool list in the form the file has it: a YAML list stays one, a
// comma-separated text stays one, and a new one is a comma-separated text.
func (p *patch) list(f agent.Field, key string, l tool.List) error {
	e, _ := p.doc.Entry(key)
	var v frontmatter.Value
	switch {
	case l.Stated == tool.Omitted:
		return p.put(f, key, nil)
	case l.Stated == tool.Unread:
		return ErrUnread
	case l.Stated == tool.Empty, e.Style == frontmatter.FlowList, e.Style == frontmatter.BlockList:
		v = frontmatter.Strings(l.Tokens...)
	default:
		sep := ", "
		if t := e.Reading.Text; strings.Contains(t, ",") && !strings.ContainsAny(t, " \t\n") {
			sep = ","
		}
		v = frontmatter.Scalar(strings.Join(l.Tokens, sep))
	}
	return p.put(f, key, &v)
}

// put writes, adds or (nil) removes one key.
func (p *patch) put(f agent.Field, key string, v *frontmatter.Value) error {
	p.fields = append(p.fields, f)
	p.keys = append(p.keys, key)
	if !p.doc.Present {
		return ErrNotAgent
	}
	var e frontmatter.Edit
	var err error
	switch {
	case v == nil:
		e, err = p.doc.Remove(key)
		if errors.Is(err, frontmatter.ErrMissing) {
			return nil
		}
	case len(p.doc.All(key)) == 0:
		if e, err = p.doc.Insert(key, *v); err == nil {
			p.added = append(p.added, e)
		}
		return err
	default:
		e, err = p.doc.Replace(key, *v)
	}
	if err != nil {
		return err
	}
	p.edits = append(p.edits, e)
	return nil
}

func (p *patch) body() error {
	if p.base.Identity.Instructions == p.next.Identity.Instructions {
		return nil
	}
	p.fields = append(p.fields, agent.Instructions)
	e, err := p.doc.ReplaceBody(p.next.Identity.Instructions)
	if err != nil {
		return fmt.Errorf("instructions: %w", err)
	}
	p.edits = append(p.edits, e)
	return nil
}

// readBack refuses after unless it says what next says in every field and keeps
// every other key. What grants is compared too, whatever was edited: a file
// whose tools could not be read does not become one that grants because
// something else in it was edited.
func (p *patch) readBack(path string, after []byte) error {
	if len(p.fields) == 0 && bytes.Equal(after, p.original) {
		return nil
	}
	got, err := Read(path, after)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrReadBack, err)
	}
	doc, err := frontmatter.Parse(after, claudeKeys)
	if err != nil || !frontmatter.Kept(p.doc, doc, p.keys...) {
		return fmt.Errorf("%w: a key that was not edited would change", ErrReadBack)
	}
	a, want := got.Agent, p.next
	access := slices.Contains(p.fields, agent.Tools) || slices.Contains(p.fields, agent.Denied)
	switch {
	case a.Identity != want.Identity:
		return fmt.Errorf("%w: name, description or instructions", ErrReadBack)
	case a.Run.Model != want.Run.Model || a.Run.Effort != want.Run.Effort || a.Look.Color != want.Look.Color:
		return fmt.Errorf("%w: model, effort or color", ErrReadBack)
	case !a.Access.Tools.Equal(want.Access.Tools) || !slices.Equal(a.Access.Denied, want.Access.Denied):
		return fmt.Errorf("%w: tools", ErrReadBack)
	case !access && (got.Certain != p.certain || got.IsAgent != p.doc.Present || !sameHints(hints(p.doc, p.original), hints(doc, after))):
		return fmt.Errorf("%w: whether the tools are certain", ErrReadBack)
	}
	return nil
}
