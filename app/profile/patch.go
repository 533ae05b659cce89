package profile

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/profile/document"
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
	ErrNoPlace = fault.New(fault.Invalid, "no_place", "files of this kind have no place for it").
			Then("Undo that change, or convert the agent to another format.")
	ErrNameIsPlace = fault.New(fault.Invalid, "name_is_place", "in files of this kind the name is where the agent stands").
			Then("Undo the new name, or rename it in the file's folder.")
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

// Patch writes the fields of next that differ from what src.Original says into
// those bytes. ID, Enabled, Provider, Dialect and Source of next are not in
// such a file and are ignored. It reads the result back and fails rather than
// return bytes that say anything else than next.
func Patch(src agent.Source, next agent.Agent) (Change, error) {
	base, err := Read(src)
	if err != nil {
		return Change{}, err
	}
	s, sh, err := open(src)
	if err != nil {
		return Change{}, err
	}
	p := patch{src: src, spec: s, sheet: sh, base: base.Agent, next: next, certain: base.Certain, now: src.Original, laid: over(len(src.Original))}
	// A key's text may hold other line breaks, as escapes. They are no edit.
	if text := frontmatter.Normal(next.Identity.Instructions); text == frontmatter.Normal(base.Agent.Identity.Instructions) {
		p.next.Identity.Instructions = base.Agent.Identity.Instructions
	} else {
		p.next.Identity.Instructions = text
	}
	return p.run()
}

// patch lays one edit after the other over the file: each is worked out on the
// bytes the one before it left.
type patch struct {
	src        agent.Source
	spec       *spec
	sheet      sheet
	base, next agent.Agent
	certain    bool
	now        []byte // the file as the edits so far leave it
	laid       layers
	fields     []agent.Field
	keys       []string
}

func (p *patch) run() (Change, error) {
	if Reserved(p.next.Identity.Name) && p.next.Identity.Name != p.base.Identity.Name {
		return Change{}, ErrReserved
	}
	for _, f := range fields() {
		was, is := *f.of(&p.base), *f.of(&p.next)
		if was == is {
			continue
		}
		if err := p.text(f.id, is); err != nil {
			return Change{}, fmt.Errorf("%s: %w", p.spec.key(f.id), err)
		}
	}
	if err := p.access(); err != nil {
		return Change{}, err
	}
	c := Change{Before: p.src.Original, After: p.now, Spans: p.laid.spans(p.now), Fields: p.fields}
	if err := p.readBack(c.After); err != nil {
		return Change{}, err
	}
	return c, nil
}

// lay makes e part of the change and reads what the file says then.
func (p *patch) lay(e document.Edit) error {
	p.laid.add(e)
	p.now = document.Apply(p.now, e)
	src := p.src
	src.Original = p.now
	_, sh, err := open(src)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrReadBack, err)
	}
	p.sheet = sh
	return nil
}

// text writes a field of one text.
func (p *patch) text(f agent.Field, value string) error {
	key, ok := p.spec.keys[f]
	switch {
	case f == agent.Instructions && p.spec.body:
		return p.body()
	case f == agent.Name && !ok:
		return ErrNameIsPlace
	case !ok:
		return ErrNoPlace
	case value == "" && !slices.Contains([]agent.Field{agent.Name, agent.Description, agent.Instructions}, f):
		return p.put(f, key, nil)
	}
	v := document.Scalar(value)
	if p.spec.truth == f {
		if value != "true" && value != "false" {
			return fmt.Errorf("%w: it is true or false", ErrReadBack)
		}
		v = document.Truth(value == "true")
	}
	return p.put(f, key, &v)
}

func (p *patch) access() error {
	if !p.base.Access.Tools.Equal(p.next.Access.Tools) {
		if err := p.list(agent.Tools, p.spec.tools, p.next.Access.Tools); err != nil {
			return fmt.Errorf("%s: %w", p.spec.key(agent.Tools), err)
		}
	}
	if slices.Equal(p.base.Access.Denied, p.next.Access.Denied) {
		return nil
	}
	denied := tool.Of(p.next.Access.Denied...)
	if denied.Stated == tool.Empty {
		denied.Stated = tool.Omitted
	}
	if err := p.list(agent.Denied, p.spec.denied, denied); err != nil {
		return fmt.Errorf("%s: %w", p.spec.key(agent.Denied), err)
	}
	return nil
}

// list writes a tool list in the form the file has it: a list stays one, a
// text with commas stays one, and a new one is what most such files have.
func (p *patch) list(f agent.Field, key string, l tool.List) error {
	sep, text := p.sheet.separator(key)
	var v document.Value
	switch {
	case key == "" || p.spec.readTools != nil:
		return ErrNoPlace
	case l.Stated == tool.Omitted:
		return p.put(f, key, nil)
	case l.Stated == tool.Unread:
		return ErrUnread
	case l.Stated == tool.Empty || !text || !p.spec.comma:
		v = document.Strings(l.Tokens...)
	default:
		v = document.Scalar(strings.Join(l.Tokens, sep))
	}
	return p.put(f, key, &v)
}

// put writes, adds or (nil) removes one key.
func (p *patch) put(f agent.Field, key string, v *document.Value) error {
	p.fields = append(p.fields, f)
	p.keys = append(p.keys, key)
	if !p.sheet.present() {
		return ErrNotAgent
	}
	var e document.Edit
	var err error
	switch {
	case v == nil && !has(p.sheet, key):
		return nil
	case v == nil:
		e, err = p.sheet.Remove(key)
	case !has(p.sheet, key):
		e, err = p.sheet.Insert(key, *v)
	default:
		e, err = p.sheet.Replace(key, *v)
	}
	if err != nil {
		return err
	}
	return p.lay(e)
}

func (p *patch) body() error {
	p.fields = append(p.fields, agent.Instructions)
	e, err := p.sheet.replaceBody(p.next.Identity.Instructions)
	if err != nil {
		return err
	}
	return p.lay(e)
}

// readBack refuses after unless it says what next says in every field and keeps
// every other key. What grants is compared too, whatever was edited: a file
// whose tools could not be read does not become one that grants because
// something else in it was edited.
func (p *patch) readBack(after []byte) error {
	if len(p.fields) == 0 && bytes.Equal(after, p.src.Original) {
		return nil
	}
	src := p.src
	src.Original = after
	got, err := Read(src)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrReadBack, err)
	}
	_, was, err := open(p.src)
	if err != nil {
		return err
	}
	if !kept(was, p.src.Original, p.sheet, after, p.keys...) {
		return fmt.Errorf("%w: a key that was not edited would change", ErrReadBack)
	}
	a, want := got.Agent, p.next
	for _, f := range fields() {
		if *f.of(&a) != *f.of(&want) {
			return fmt.Errorf("%w: %s", ErrReadBack, p.spec.key(f.id))
		}
	}
	access := slices.ContainsFunc(p.fields, func(f agent.Field) bool {
		return f == agent.Tools || f == agent.Denied || f == agent.Bound
	})
	doubts := func(s sheet) []hint { return s.doubts(p.spec.stated) }
	switch {
	case !a.Access.Tools.Equal(want.Access.Tools) || !slices.Equal(a.Access.Denied, want.Access.Denied):
		return fmt.Errorf("%w: tools", ErrReadBack)
	case !access && (got.Certain != p.certain || got.IsAgent != was.present() || !sameHints(doubts(was), doubts(p.sheet))):
		return fmt.Errorf("%w: whether the tools are certain", ErrReadBack)
	}
	return nil
}
