package editor

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"callboard/app/agent"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// maxTyped is the longest text, in bytes, that the box for instructions takes:
// typing in the toolkit's box gets slow with length, and above this it would
// lag behind the keys.
const maxTyped = 48 << 10

// profilePage is the form and, beside it, the file as it will be written.
type profilePage struct {
	ed           *Editor
	name         *widget.Field
	description  *widget.Field
	paragraphs   *widget.Field // the description, where it has several lines
	provider     *widget.Field
	model        *widget.Field
	effort       *widget.Field
	instructions *widget.Field
	modelCell    *fyne.Container
	effortCell   *fyne.Container
	long         *longText
	chips        *chipRow
	preview      *preview
	object       fyne.CanvasObject
	fields       map[agent.Field]*widget.Field
}

func newProfilePage(e *Editor) *profilePage {
	p := &profilePage{
		ed:           e,
		name:         widget.NewField("Name"),
		description:  widget.NewField("Description"),
		paragraphs:   widget.NewTextArea("Description", 4),
		provider:     widget.NewField("Runs on"),
		model:        widget.NewField("Model"),
		effort:       widget.NewField("Effort"),
		instructions: widget.NewCodeArea("Instructions", 6),
		long:         newLongText(),
		chips:        newChipRow(),
		preview:      newPreview(e),
	}
	p.provider.SetReadOnly(true)
	p.model.SetPlaceholder("not stated")
	p.effort.SetPlaceholder("not stated")
	p.fields = map[agent.Field]*widget.Field{
		agent.Name: p.name, agent.Description: p.description, agent.Model: p.model,
		agent.Effort: p.effort, agent.Instructions: p.instructions,
	}
	p.bind(p.name, func(a *agent.Agent) *string { return &a.Identity.Name })
	p.bind(p.description, func(a *agent.Agent) *string { return &a.Identity.Description })
	p.bind(p.paragraphs, func(a *agent.Agent) *string { return &a.Identity.Description })
	p.bind(p.model, func(a *agent.Agent) *string { return &a.Run.Model })
	p.bind(p.effort, func(a *agent.Agent) *string { return &a.Run.Effort })
	p.bind(p.instructions, func(a *agent.Agent) *string { return &a.Identity.Instructions })
	p.modelCell, p.effortCell = widget.Grow(1, p.model), widget.Grow(1, p.effort)
	form := widget.Column(12, p.name, p.description, p.paragraphs,
		widget.Panes(12, widget.Grow(1, p.provider), p.modelCell, p.effortCell),
		widget.Grow(1, container.NewStack(p.instructions, p.long.object)), p.chips.object)
	p.object = widget.Panes(theme.Pad, widget.Grow(1, form), widget.Grow(1, p.preview.object))
	return p
}

// bind has a box write to its place in the draft.
func (p *profilePage) bind(f *widget.Field, place func(*agent.Agent) *string) {
	f.OnChanged = func(text string) {
		*place(&p.ed.draft.Agent) = text
		p.ed.touched()
	}
}

// fill puts the draft into the boxes.
func (p *profilePage) fill() {
	a := p.ed.draft.Agent
	p.name.SetText(a.Identity.Name)
	p.fillDescription(a.Identity.Description)
	p.provider.SetText(runsOn(a))
	p.model.SetText(a.Run.Model)
	p.effort.SetText(a.Run.Effort)
	p.fillInstructions(a.Identity.Instructions)
	p.suit(kindOf(a))
	p.preview.reset()
}

// fillInstructions puts the instructions into the box, or beside it where they
// are too long for typing.
func (p *profilePage) fillInstructions(text string) {
	long := len(text) > maxTyped
	p.instructions.SetText("")
	p.long.hide()
	if long {
		p.long.show(text)
	} else {
		p.instructions.SetText(text)
	}
	widget.Visible(p.instructions, !long)
}

// suit shows what the draft's kind of file has a place for. A name without one
// is shown, to read.
func (p *profilePage) suit(k kind) {
	named := k.keeps(agent.Name)
	p.name.SetReadOnly(!named)
	p.name.SetHelper("")
	if !named {
		p.name.SetHelper("The name is where the agent stands.")
	}
	place(p.modelCell, p.model, k.keeps(agent.Model))
	place(p.effortCell, p.effort, k.keeps(agent.Effort))
	for f, box := range map[agent.Field][]*widget.Field{
		agent.Description: {p.description, p.paragraphs}, agent.Instructions: {p.instructions},
	} {
		for _, b := range box {
			place(b, b, b.Visible() && k.keeps(f))
		}
	}
	p.object.Refresh()
}

// place shows or hides the part that a box is in. A hidden box gives the
// keyboard up.
func place(part fyne.CanvasObject, box *widget.Field, on bool) {
	widget.Visible(part, on)
	if c := loop.Canvas(box); !on && c != nil && c.Focused() == box.Input() {
		c.Unfocus()
	}
}

// box is the box of a field, nil if it has none here.
func (p *profilePage) box(f agent.Field) *widget.Field {
	if f == agent.Description && p.paragraphs.Visible() {
		return p.paragraphs
	}
	return p.fields[f]
}

// fillDescription puts the description into the box that fits it: one line, or
// several.
func (p *profilePage) fillDescription(text string) {
	several := strings.Contains(text, "\n")
	p.description.SetText("")
	p.paragraphs.SetText("")
	if several {
		p.paragraphs.SetText(text)
	} else {
		p.description.SetText(text)
	}
	widget.Visible(p.description, !several)
	widget.Visible(p.paragraphs, several)
}

// refresh shows counts, problems, chips and the file.
func (p *profilePage) refresh() {
	d := p.ed.draft
	n := utf8.RuneCountInString(d.Agent.Identity.Instructions)
	p.instructions.SetHelper(words.Number(n) + " characters")
	tell(p.fields, d.Problems())
	tell(map[agent.Field]*widget.Field{agent.Description: p.paragraphs}, d.Problems())
	p.chips.show(d)
	p.preview.update()
}

// tell says below each box what is wrong with its field.
func tell(boxes map[agent.Field]*widget.Field, problems []agent.Problem) {
	found := map[agent.Field]string{}
	for _, problem := range problems {
		if found[problem.Field] == "" {
			found[problem.Field] = problem.Text
		}
	}
	for f, box := range boxes {
		box.SetError(found[f])
	}
}

// longText shows instructions that are too long for the box.
type longText struct {
	code   *widget.Code
	object *fyne.Container
}

func newLongText() *longText {
	l := &longText{code: widget.NewCode()}
	l.code.SetWrap(true)
	l.code.SetNumbers(true)
	l.object = widget.Column(theme.Gap,
		widget.NewText(theme.Label, theme.Mute, "Instructions"),
		widget.Grow(1, l.code),
		widget.NewParagraph(theme.Secondary, theme.Mute,
			"Read only here, because they are longer than 48 KiB. Edit the file in your own editor."))
	return l
}

func (l *longText) show(text string) { l.code.SetText(text); l.object.Show() }
func (l *longText) hide()            { l.code.SetText(""); l.object.Hide() }

// chipRow says what state the draft is in.
type chipRow struct {
	draft    *widget.Chip
	written  *widget.Chip
	foreign  *widget.Chip
	disabled *widget.Chip
	object   *fyne.Container
}

func newChipRow() *chipRow {
	c := &chipRow{
		draft:    widget.NewChip(theme.Info, ""),
		written:  widget.NewChip(theme.Warn, "not written to its file"),
		foreign:  widget.NewChip(theme.Off, "file not yours to write"),
		disabled: widget.NewChip(theme.Off, "disabled"),
	}
	c.object = widget.Row(theme.Gap, c.draft, c.written, c.foreign, c.disabled, widget.Space())
	return c
}

func (c *chipRow) show(d *Draft) {
	n := max(len(d.Changed()), len(d.unread))
	c.draft.Set(theme.Info, fmt.Sprintf("%s changed, not saved", words.Count(n, "field")))
	widget.Visible(c.draft, n > 0)
	foreign := d.Agent.Source != nil && d.Agent.Source.ReadOnly
	widget.Visible(c.written, n == 0 && d.Base.Unwritten && !foreign)
	widget.Visible(c.foreign, foreign)
	widget.Visible(c.disabled, !d.Agent.Enabled)
	c.object.Refresh()
}
