package editor

import (
	"context"
	"slices"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/roster"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

const (
	conflictWidth  float32 = 900
	conflictList   float32 = 280
	conflictHeight float32 = 340
)

// side is whose version of a field is taken.
type side int

const (
	mine side = iota
	theirs
)

// conflict is a draft whose agent was saved elsewhere since it began: three
// versions of each field, of which one is taken.
type conflict struct {
	ed     *Editor
	draft  *Draft
	stored roster.Entry
	fields []agent.Field
	takes  map[agent.Field]side

	list  *widget.List
	tabs  *widget.Tabs
	code  *widget.Code
	mine  *widget.Button
	their *widget.Button
	sheet *widget.Sheet
}

// newConflict compares the draft d with what is stored now. A field that only
// one side changed is taken from that side.
func newConflict(e *Editor, d *Draft, stored roster.Entry) *conflict {
	c := &conflict{ed: e, draft: d, stored: stored, takes: map[agent.Field]side{}}
	for _, f := range agent.Diff(d.Base.Agent, stored.Agent) {
		c.takes[f] = theirs
	}
	for _, f := range agent.Diff(d.Base.Agent, d.Agent) {
		c.takes[f] = mine
	}
	for _, f := range slices.Concat(agent.Diff(d.Base.Agent, d.Agent), agent.Diff(d.Base.Agent, stored.Agent)) {
		if !slices.Contains(c.fields, f) {
			c.fields = append(c.fields, f)
		}
	}
	return c
}

// both reports whether both sides changed a field, to different things.
func (c *conflict) both(f agent.Field) bool {
	return slices.Contains(agent.Diff(c.draft.Base.Agent, c.draft.Agent), f) &&
		slices.Contains(agent.Diff(c.draft.Base.Agent, c.stored.Agent), f) &&
		slices.Contains(agent.Diff(c.draft.Agent, c.stored.Agent), f)
}

// merged is what the choices come to.
func (c *conflict) merged() agent.Agent {
	out := c.stored.Agent.Clone()
	for f, s := range c.takes {
		if s == mine {
			agent.Take(&out, c.draft.Agent, f)
		}
	}
	return out.Clone()
}

// settle is called when a save was refused because the agent was saved
// elsewhere: it reads what is stored now and asks which of it to take.
func (e *Editor) settle(d *Draft, refused error) {
	loop.Go(e.cfg.Loop, e.cfg.Context, func(ctx context.Context) (roster.Entry, error) {
		return e.cfg.Roster.Get(ctx, d.Base.Agent.ID)
	}, func(stored roster.Entry, err error) {
		switch {
		case err != nil:
			e.fail("Not saved", fault.Sentence(refused)+" "+fault.Sentence(err))
		case d == e.draft:
			newConflict(e, d, stored).open()
		}
	})
}

func (c *conflict) open() {
	c.list, c.code = widget.NewTextList(), widget.NewCode()
	c.tabs = widget.NewTabs("Yours", "Saved meanwhile", "Before both")
	c.code.SetWrap(true)
	c.list.OnSelected = func(string) { c.show() }
	c.tabs.OnSelected = func(int) { c.show() }
	c.mine = widget.NewButton(widget.Secondary, "Take yours", func() { c.take(mine) })
	c.their = widget.NewButton(widget.Secondary, "Take what was saved", func() { c.take(theirs) })
	right := widget.Column(12, c.tabs, widget.Grow(1, c.code), widget.Row(theme.Gap, c.mine, c.their, widget.Space()))
	body := widget.Column(12,
		widget.NewParagraph(theme.Body, theme.Mute, "Not saved yet: this agent was saved elsewhere since you began. What only one side changed is taken from it. Look through the rest, then save."),
		widget.Sized(0, conflictHeight, widget.Panes(theme.Pad,
			widget.Sized(conflictList, 0, widget.NewFrame(c.list)), widget.Grow(1, right))))
	c.sheet = widget.NewSheet("Two versions of "+c.stored.Agent.Identity.Name, body, "Keep editing", "Save this", c.save)
	c.sheet.SetWidth(conflictWidth)
	c.list.SetItems(c.items())
	if len(c.fields) > 0 {
		c.list.Select(string(c.fields[0]))
	}
	for _, f := range c.fields {
		if c.both(f) {
			c.list.Select(string(f))
			break
		}
	}
	c.show()
	c.sheet.Open(c.ed.object)
}

func (c *conflict) items() []widget.Item {
	out := make([]widget.Item, len(c.fields))
	for i, f := range c.fields {
		out[i] = widget.Item{ID: string(f), Name: FieldWords[f], Detail: "changed by you", Tone: theme.Info, State: "yours"}
		if c.takes[f] == theirs {
			out[i].Detail, out[i].State, out[i].Tone = "changed elsewhere", "saved", theme.Off
		}
		if c.both(f) {
			out[i].Detail, out[i].Tone = "changed by both", theme.Warn
		}
	}
	return out
}

// show shows the chosen field as one of the three has it.
func (c *conflict) show() {
	f := agent.Field(c.list.Selected())
	base := c.draft.Base.Agent
	var after agent.Agent
	switch c.tabs.Current() {
	case 0:
		after = c.draft.Agent
	case 1:
		after = c.stored.Agent
	default:
		after = base
	}
	names := namesOf(c.ed.cfg.Agents())
	lines, _ := diffWhole([]byte(valueOf(base, f, names)+"\n"), []byte(valueOf(after, f, names)+"\n"))
	c.code.SetLines(lines)
	c.mine.SetEnabled(c.takes[f] != mine)
	c.their.SetEnabled(c.takes[f] != theirs)
}

func (c *conflict) take(s side) {
	c.takes[agent.Field(c.list.Selected())] = s
	c.list.SetItems(c.items())
	c.show()
}

// save has the draft begin from what is stored now, with the choices, and
// saves it again.
func (c *conflict) save() {
	c.sheet.Close()
	if c.ed.draft != c.draft {
		return
	}
	c.draft.Base, c.draft.Agent = c.stored, c.merged()
	c.draft.keepCertain()
	c.ed.Show(c.draft)
	c.ed.touched()
	c.ed.Save()
}
