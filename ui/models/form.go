package models

import (
	"slices"

	"fyne.io/fyne/v2"

	"callboard/app/model"
	"callboard/app/models"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// form is the shown model in boxes.
type form struct {
	page   *Page
	title  *widget.Text
	chip   *widget.Chip
	notice *widget.Notice
	said   bool // the notice tells of something that was pressed

	name, address, id, context, maxOutput *widget.Field
	tokenField, jsonMode                  *widget.Choice
	price                                 *priceCard
	key                                   *keyCard

	test, discard, save, enable *widget.Button
	scroll                      *widget.Scroller
	object                      *fyne.Container
}

func newForm(p *Page) *form {
	f := &form{
		page: p, title: widget.NewCut(theme.Title, theme.Ink, ""), chip: widget.NewChip(theme.Off, ""),
		notice: widget.NewNotice(theme.Warn, "", "", ""),
		name:   widget.NewField("Name"), address: widget.NewField("Address"), id: widget.NewField("Model id"),
		context: widget.NewField("Context, tokens"), maxOutput: widget.NewField("Output at most, tokens"),
		tokenField: widget.NewChoice("Token field", string(tokenFields[0]), string(tokenFields[1])),
		jsonMode:   widget.NewChoice("JSON mode", modeWords...),
	}
	f.notice.Hide()
	f.price, f.key = newPriceCard(f), newKeyCard(p)
	f.test = widget.NewButton(widget.Secondary, "Test…", p.Test)
	f.discard = widget.NewButton(widget.Secondary, "Discard", p.Discard)
	f.save = widget.NewButton(widget.Primary, "Save", p.Save)
	f.enable = widget.NewButton(widget.Secondary, "Enable", p.toggle)
	for _, b := range f.boxes() {
		b.OnChanged = func(string) { f.changed() }
		b.OnSubmitted = func(string) { p.Save() }
	}
	f.tokenField.OnChanged = func(string) { f.changed() }
	f.jsonMode.OnChanged = func(string) { f.changed() }
	f.scroll = widget.NewScroller(f.arrange())
	head := widget.Column(12,
		widget.Row(theme.Gap, widget.Grow(1, f.title), f.chip),
		widget.Row(theme.Gap, f.test, widget.Space(), f.discard, f.save), f.notice)
	pad := theme.PadDetail
	f.object = widget.Column(0, widget.Inset(theme.Pad, pad, theme.Pad, pad, head),
		widget.Grow(1, widget.Inset(0, pad, theme.Pad, pad, f.scroll.Object())))
	return f
}

// boxes are those that a change of is an edit.
func (f *form) boxes() []*widget.Field {
	return []*widget.Field{f.name, f.address, f.id, f.context, f.maxOutput, f.price.in, f.price.out, f.price.cached}
}

func (f *form) arrange() fyne.CanvasObject {
	two := func(a, b fyne.CanvasObject) fyne.CanvasObject {
		return widget.Panes(12, widget.Grow(1, a), widget.Grow(1, b))
	}
	endpoint := widget.NewCard(widget.Column(12, f.name, f.address, f.id,
		two(f.context, f.maxOutput), two(f.tokenField, f.jsonMode)))
	remove := widget.NewIconButton(widget.Danger, "trash-2", "Delete", f.page.remove)
	return widget.Column(theme.Pad, endpoint, f.key.object, f.price.object,
		widget.Row(theme.Gap, f.enable, widget.Space(), remove))
}

// fill shows the wanted model's draft.
func (f *form) fill() {
	d := f.page.draft()
	for _, x := range []struct {
		box  *widget.Field
		text string
	}{
		{f.name, d.name},
		{f.address, d.address},
		{f.id, d.id},
		{f.context, d.context},
		{f.maxOutput, d.maxOutput},
		{f.price.in, d.in},
		{f.price.out, d.out},
		{f.price.cached, d.cached},
	} {
		if x.box.Text() != x.text { // the cursor stays where it is
			x.box.SetText(x.text)
		}
	}
	f.tokenField.SetValue(string(d.tokenField))
	f.jsonMode.SetValue(modeWord(d.jsonMode))
	f.refresh()
}

// changed takes over what the person typed or chose.
func (f *form) changed() {
	d := f.page.draft()
	if d == nil {
		return
	}
	was := d.dirty()
	d.edit = edit{
		name: f.name.Text(), address: f.address.Text(), id: f.id.Text(),
		context: f.context.Text(), maxOutput: f.maxOutput.Text(),
		tokenField: model.TokenField(f.tokenField.Value()), jsonMode: jsonModes[max(0, slices.Index(modeWords, f.jsonMode.Value()))],
		price: d.price, in: f.price.in.Text(), out: f.price.out.Text(), cached: f.price.cached.Text(),
	}
	f.refresh()
	if was != d.dirty() {
		f.page.cfg.Changed()
	}
}

// refresh shows what follows from the draft.
func (f *form) refresh() {
	d := f.page.draft()
	m, wrong := d.model()
	f.title.SetText(d.base.Model.Name)
	f.chip.Set(state(d.base))
	f.name.SetError(wrong[model.FieldName])
	f.address.SetError(wrong[model.FieldBaseURL])
	f.id.SetError(wrong[model.FieldModel])
	f.context.SetError(wrong[model.FieldContext])
	f.maxOutput.SetError(wrong[model.FieldMaxOutput])
	f.price.show(d, m, wrong[model.FieldPrice])
	f.key.show(d.base)
	f.enable.SetText(map[bool]string{true: "Disable", false: "Enable"}[d.base.Model.Enabled])
	f.save.SetEnabled(d.dirty() && len(wrong) == 0)
	f.discard.SetEnabled(d.dirty())
	if !f.said {
		f.warn(d)
	}
	f.object.Refresh()
}

// warn says that edits stand on a version that is not the newest.
func (f *form) warn(d *draft) {
	now := f.page.stored(d.base.Model.ID)
	switch {
	case now == nil:
		f.notice.Set(theme.Warn, "", "Deleted elsewhere", "These edits cannot be saved. Copy what you want to keep, then discard.")
	case now.Revision != d.base.Revision:
		f.notice.Set(theme.Warn, "", "Changed elsewhere", "These edits cannot be saved. Copy what you want to keep, discard, and edit the newer version.")
	}
	widget.Visible(f.notice, now == nil || now.Revision != d.base.Revision)
}

// say tells of what was pressed and could not be done.
func (f *form) say(title, text string) {
	f.said = true
	f.notice.Set(theme.Bad, "", title, text)
	f.notice.Show()
	f.object.Refresh()
}

// quiet takes back what say told, and a key that was typed and not kept.
func (f *form) quiet() {
	f.said = false
	f.notice.Hide()
	f.key.clear()
	f.scroll.ScrollToTop()
}

// forget empties everything.
func (f *form) forget() {
	f.quiet()
	f.notice.Set(theme.Warn, "", "", "")
	for _, b := range f.boxes() {
		b.SetText("")
		b.SetError("")
	}
	f.tokenField.SetValue("")
	f.jsonMode.SetValue("")
	f.title.SetText("")
	f.chip.Set(theme.Off, "")
	f.price.forget()
	f.key.show(models.Entry{})
}
