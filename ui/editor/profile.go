package editor

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"callboard/app/agent"
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
	form := widget.Column(12, p.name, p.description, p.paragraphs,
		widget.Panes(12, widget.Grow(1, p.provider), widget.Grow(1, p.model), widget.Grow(1, p.effort)),
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
	p.provider.SetText(ProviderName(a.Run.Provider))
	p.model.SetText(a.Run.Model)
	p.effort.SetText(a.Run.Effort)
	if len(a.Identity.Instructions) > maxTyped {
		p.instructions.SetText("")
		p.instructions.Hide()
		p.long.show(a.Identity.Instructions)
	} else {
		p.instructions.SetText(a.Identity.Instructions)
		p.instructions.Show()
		p.long.hide()
	}
	p.preview.reset()
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
func (l *longText) hide()            { l.object.Hide() }

// chipRow says what state the draft is in.
type chipRow struct {
	draft    *widget.Chip
	written  *widget.Chip
	disabled *widget.Chip
	object   *fyne.Container
}

func newChipRow() *chipRow {
	c := &chipRow{
		draft:    widget.NewChip(theme.Info, ""),
		written:  widget.NewChip(theme.Warn, "not written to its file"),
		disabled: widget.NewChip(theme.Off, "disabled"),
	}
	c.object = widget.Row(theme.Gap, c.draft, c.written, c.disabled, widget.Space())
	return c
}

func (c *chipRow) show(d *Draft) {
	n := max(len(d.Changed()), len(d.unread))
	c.draft.Set(theme.Info, fmt.Sprintf("%s changed, not saved", words.Count(n, "field")))
	widget.Visible(c.draft, n > 0)
	widget.Visible(c.written, n == 0 && d.Base.Unwritten)
	widget.Visible(c.disabled, !d.Agent.Enabled)
	c.object.Refresh()
}
