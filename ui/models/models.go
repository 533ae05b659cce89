// Package models is the page of the models a person configured: their
// endpoints, prices and keys, and a way to try one. It promises that a key that
// was kept is never shown, and that nothing is sent before the person has seen
// what, and said so.
package models

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"callboard/app/fault"
	"callboard/app/models"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// Config is what the page needs. Changed is called when there are edits to save
// that were not there, or the other way round.
type Config struct {
	Context context.Context //nolint:containedctx // events have no context of their own
	Loop    *loop.Loop
	Models  *models.Service
	Changed func()
	Say     func(text string, undo func())
}

// Page belongs to the Fyne thread.
type Page struct {
	cfg    Config
	all    []models.Entry
	drafts map[string]*draft // of the shown model, and of those with edits
	want   string            // the model that is shown
	turn   int               // of the latest reading
	shown  bool              // read since the vault was opened

	head   *widget.Head
	list   *widget.List
	form   *form
	blank  *widget.Empty
	lost   *widget.Notice
	body   *fyne.Container
	object *fyne.Container
}

// New makes a page that shows nothing until Show.
func New(cfg Config) *Page {
	p := &Page{cfg: cfg, drafts: map[string]*draft{}, list: widget.NewList()}
	p.head = widget.NewHead(p.Title(), "", widget.NewIconButton(widget.Secondary, "plus", "Add a model…", p.Add))
	p.form = newForm(p)
	p.blank = widget.NewEmpty("No models yet. Add one to let agents and helpers use it; nothing is sent until you say so.", "Add a model…", p.Add)
	p.lost = widget.NewNotice(theme.Bad, "", "", "")
	p.list.OnSelected = p.choose
	p.body = widget.Panes(0, widget.Grow(2, widget.Fill(theme.Panel, p.list)), widget.NewRule(), widget.Grow(3, p.form.object))
	inset := widget.Inset(theme.PadDetail, theme.PadDetail, theme.PadDetail, theme.PadDetail, widget.Column(0, p.lost))
	p.object = widget.Column(0, p.head.Object(), widget.Grow(1, container.NewStack(p.body, p.blank, inset)))
	p.reveal(nil)
	return p
}

// Title is for the list of pages.
func (p *Page) Title() string { return "Models and keys" }

// Object is what to draw.
func (p *Page) Object() fyne.CanvasObject { return p.object }

// Show reads the models.
func (p *Page) Show() {
	p.shown = true
	p.read()
}

// Reload reads the models again, if they were read before.
func (p *Page) Reload() {
	if p.shown {
		p.read()
	}
}

// Forget drops everything that was read or typed.
func (p *Page) Forget() {
	p.turn++
	p.all, p.want, p.shown = nil, "", false
	clear(p.drafts)
	p.list.SetItems(nil)
	p.form.forget()
	p.head.SetFacts("")
	p.lost.Set(theme.Bad, "", "", "")
	p.reveal(nil)
}

// Edited reports whether the shown model has edits that are not saved.
func (p *Page) Edited() bool { return p.draft() != nil && p.draft().dirty() }

// Unsaved is how many models have edits that are not saved.
func (p *Page) Unsaved() int {
	n := 0
	for _, d := range p.drafts {
		if d.dirty() {
			n++
		}
	}
	return n
}

func (p *Page) draft() *draft { return p.drafts[p.want] }

func (p *Page) reveal(part fyne.CanvasObject) {
	for _, o := range []fyne.CanvasObject{p.body, p.blank, p.lost} {
		widget.Visible(o, o == part)
	}
	p.object.Refresh()
}

// read lists the models. An answer that a later reading or a lock overtook is
// dropped.
func (p *Page) read() {
	p.turn++
	turn := p.turn
	loop.Go(p.cfg.Loop, p.cfg.Context, p.cfg.Models.List, func(l models.List, err error) {
		switch {
		case turn != p.turn:
		case err != nil:
			p.lost.Set(theme.Bad, "", "The models cannot be read", fault.Sentence(err))
			p.reveal(p.lost)
		default:
			p.put(l)
		}
	})
}

// put shows what was read. Edits stay on top of what they began from.
func (p *Page) put(l models.List) {
	p.all = l.Models
	p.head.SetFacts(facts(l))
	items := make([]widget.Item, len(p.all))
	for i, e := range p.all {
		items[i] = item(e)
	}
	p.list.SetItems(items)
	for id, d := range p.drafts {
		if !d.dirty() {
			delete(p.drafts, id)
		}
	}
	if p.stored(p.want) == nil && p.draft() == nil {
		p.want = ""
	}
	if p.want == "" && len(p.all) > 0 {
		p.want = p.all[0].Model.ID
	}
	if p.want == "" {
		p.form.forget()
		p.reveal(p.blank)
		return
	}
	p.showForm()
	p.reveal(p.body)
}

func facts(l models.List) string {
	text := words.Count(len(l.Models), "model")
	if l.Unreadable > 0 {
		text += " · " + words.Count(l.Unreadable, "stored model") + " cannot be read"
	}
	return text + " · keys are encrypted and never shown"
}

// stored is a model as it was last read.
func (p *Page) stored(id string) *models.Entry {
	i := slices.IndexFunc(p.all, func(e models.Entry) bool { return e.Model.ID == id })
	if i < 0 {
		return nil
	}
	return &p.all[i]
}

// choose shows another model; edits of the one before are kept meanwhile.
func (p *Page) choose(id string) {
	if id == p.want {
		return
	}
	if d := p.draft(); d != nil && !d.dirty() {
		delete(p.drafts, p.want)
	}
	p.want = id
	p.form.quiet()
	p.showForm()
}

// showForm shows the wanted model, from its edits if it has any.
func (p *Page) showForm() {
	if p.draft() == nil {
		p.drafts[p.want] = newDraft(*p.stored(p.want))
	}
	p.list.Select(p.want)
	p.form.fill()
	p.cfg.Changed()
}

// adopt takes over what a change made here left behind. Edits stay.
func (p *Page) adopt(e models.Entry) {
	if now := p.stored(e.Model.ID); now != nil {
		*now = e
		p.list.SetItem(item(e))
	}
	d := p.drafts[e.Model.ID]
	switch {
	case d == nil:
	case d.dirty():
		d.base = e
	default:
		*d = *newDraft(e)
	}
	if e.Model.ID == p.want && p.stored(p.want) != nil {
		p.showForm()
	}
}
