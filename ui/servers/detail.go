package servers

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"callboard/app/fault"
	"callboard/app/servers"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// detail is the server that is shown: what can be done with it, its form, and
// its tools.
type detail struct {
	page     *Page
	name     *widget.Text
	chip     *widget.Chip
	why      *widget.Text
	look     *widget.Button
	withdraw *widget.Button
	remove   *widget.Button
	notice   *widget.Notice
	tabs     *widget.Tabs
	form     *form
	tools    *tools
	object   fyne.CanvasObject
}

func newDetail(p *Page) *detail {
	d := &detail{
		page:   p,
		name:   widget.NewCut(theme.Title, theme.Ink, ""),
		chip:   widget.NewChip(theme.Off, ""),
		why:    widget.NewParagraph(theme.Secondary, theme.Mute, ""),
		notice: widget.NewNotice(theme.Warn, "", "", ""),
		tabs:   widget.NewTabs("Server", "Tools"),
		form:   newForm(p),
		tools:  newTools(),
	}
	d.look = widget.NewIconButton(widget.Secondary, "refresh-cw", "List tools…", p.ask)
	d.withdraw = widget.NewButton(widget.Secondary, "Withdraw consent", p.withdraw)
	d.remove = widget.NewIconButton(widget.Danger, "trash-2", "Delete", p.remove)
	d.notice.Hide()
	d.tabs.OnSelected = func(int) { d.turn() }
	d.form.changed = d.refresh
	top := widget.Column(theme.Gap,
		widget.Row(theme.Gap, widget.Grow(1, d.name), d.chip), d.why,
		widget.Row(theme.Gap, d.look, d.withdraw, d.remove, widget.Space()), d.notice,
		widget.Column(0, d.tabs, widget.NewRule()))
	d.object = widget.Inset(theme.Pad, theme.PadDetail, theme.Pad, theme.PadDetail, widget.Column(12, top,
		widget.Grow(1, container.NewStack(d.form.object, d.tools.object))))
	d.turn()
	return d
}

// turn shows the form or the tools.
func (d *detail) turn() {
	widget.Visible(d.form.object, d.tabs.Current() == 0)
	widget.Visible(d.tools.object, d.tabs.Current() == 1)
	d.object.Refresh()
}

// take shows a server as it is stored now. Edits of the one that is shown stay.
func (d *detail) take(e servers.Entry) {
	if e.Server.ID != d.form.base.Server.ID {
		widget.Visible(d.notice, false)
	}
	if d.form.take(e) {
		d.warn("Changed elsewhere", "This tool server was changed since you opened it, so what you edit here cannot be saved. Copy what you want to keep, then discard.")
	}
	d.refresh()
}

// refresh shows the state and what can be done.
func (d *detail) refresh() {
	e := d.form.base
	tone, state := stateOf(e)
	d.name.SetText(e.Server.Name)
	d.chip.Set(tone, state)
	why := reason(e.Why())
	if d.form.dirty() {
		why = "Save or discard first to list its tools."
	}
	d.why.SetText(why)
	widget.Visible(d.why, why != "")
	d.look.SetEnabled(!d.form.dirty() && !e.Looking)
	widget.Visible(d.withdraw, e.Consented)
	d.tools.show(e, d.page.changes[e.Server.ID])
	d.form.refresh()
	d.object.Refresh()
}

// lost says that the server is not there any more.
func (d *detail) lost() {
	d.warn("Deleted elsewhere", "This tool server is not there any more. Copy what you want to keep, then discard.")
}

func (d *detail) warn(title, text string) { d.tell(theme.Warn, title, text) }

// fail says what did not happen and why.
func (d *detail) fail(title string, err error) { d.tell(theme.Bad, title, fault.Sentence(err)) }

func (d *detail) tell(tone theme.Tone, title, text string) {
	d.notice.Set(tone, "", title, text)
	widget.Visible(d.notice, true)
	d.object.Refresh()
}

// settle takes the notice away.
func (d *detail) settle() { widget.Visible(d.notice, false) }

func (d *detail) clear() {
	d.settle()
	d.notice.Set(theme.Warn, "", "", "")
	d.form.clear()
	d.refresh()
}

// tools lists what a server had when it was last asked.
type tools struct {
	entry  servers.Entry
	facts  *widget.Text
	state  *widget.Text
	list   *widget.List
	more   *widget.Text // all of the tool that is chosen
	none   *widget.Empty
	frame  *widget.Card
	object *fyne.Container
}

func newTools() *tools {
	t := &tools{
		facts: widget.NewParagraph(theme.Body, theme.Ink, ""),
		state: widget.NewParagraph(theme.Secondary, theme.Warn.Text(), ""),
		list:  widget.NewList(),
		more:  widget.NewParagraph(theme.Secondary, theme.Mute, ""),
		none:  widget.NewEmpty("", "", nil),
	}
	t.list.OnSelected = t.choose
	t.frame = widget.NewFrame(container.NewStack(t.list, t.none))
	t.object = widget.Column(theme.Gap, t.facts, t.state, widget.Grow(1, t.frame), t.more)
	return t
}

func (t *tools) show(e servers.Entry, c servers.Changes) {
	t.entry = e
	facts, state := listed(e.Known), ""
	if facts != "" && (c.First || !c.None()) {
		facts += " " + changed(c)
	}
	if why := e.Why(); why != "" && len(e.Known.Tools) > 0 {
		state = "Unready: these are the tools it had then. " + reason(why)
	}
	t.facts.SetText(facts)
	t.state.SetText(state)
	widget.Visible(t.facts, facts != "")
	widget.Visible(t.state, state != "")
	items := make([]widget.Item, len(e.Known.Tools))
	for i, x := range e.Known.Tools {
		items[i] = widget.Item{ID: x.ID, Name: x.ID, Detail: about(x, " · ")}
		if state != "" {
			items[i].Tone, items[i].State = theme.Warn, "unready"
		}
	}
	t.list.SetItems(items)
	none := "It offers no tools."
	if e.Known.At.IsZero() {
		none = "No tools are known yet. List tools… asks for them."
	}
	t.none.SetText(none)
	widget.Visible(t.list, len(items) > 0)
	widget.Visible(t.none, len(items) == 0)
	t.choose(t.list.Selected())
}

// choose shows the whole description of a tool.
func (t *tools) choose(id string) {
	text := ""
	for _, x := range t.entry.Known.Tools {
		if x.ID != id {
			continue
		}
		text = x.ID + "\n" + about(x, "\n")
		if x.Hidden > 0 {
			text += "\n" + words.Count(x.Hidden, "hidden character") + " taken out."
		}
	}
	t.more.SetText(text)
	widget.Visible(t.more, text != "")
	t.object.Refresh()
}

// about is the title and the description of a tool.
func about(x servers.Tool, between string) string {
	switch {
	case x.Title == "":
		return x.Description
	case x.Description == "":
		return x.Title
	}
	return x.Title + between + x.Description
}

// withdraw takes the consent back.
func (p *Page) withdraw() {
	s := p.detail.form.base.Server
	run(p.cfg.Context, p, func(ctx context.Context) (servers.Entry, error) {
		return p.cfg.Servers.Withdraw(ctx, s.ID)
	}, func(_ servers.Entry, err error) {
		if err != nil {
			p.detail.fail("Not withdrawn", err)
			return
		}
		p.cfg.Say("The consent for "+s.Name+" is withdrawn. It is not run or contacted until you agree again.", nil)
		p.Reload()
	})
}
