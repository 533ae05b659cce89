// Package servers is the page of the tool servers in the settings: how each is
// reached, what the person agreed to, and the tools it had when it was last
// asked. It starts and contacts nothing before a press on the sheet that shows
// what that would be, and shows no value of a name, ever.
package servers

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"callboard/app/fault"
	"callboard/app/servers"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// The shares of the width.
const (
	listShare   = 5
	detailShare = 8
)

// Service is what the page works on.
type Service interface {
	List(context.Context) (servers.List, error)
	Save(context.Context, servers.SaveRequest) (servers.Entry, error)
	SetValues(ctx context.Context, id string, set servers.Values) (servers.Entry, error)
	ClearValue(ctx context.Context, id string, f servers.Field, name string) (servers.Entry, error)
	Plan(ctx context.Context, id string) (servers.Plan, error)
	Consent(ctx context.Context, id, digest string) (servers.Entry, error)
	Withdraw(ctx context.Context, id string) (servers.Entry, error)
	Discover(ctx context.Context, id string) (servers.Discovered, error)
	Delete(ctx context.Context, id string, revision uint64) (servers.Deleted, error)
	Undo(context.Context, servers.Deleted) (servers.Entry, error)
}

// Config is what the page needs.
type Config struct {
	Context context.Context //nolint:containedctx // events have no context of their own
	Loop    *loop.Loop
	Servers Service
	UserDir string // what ~ stands for in a typed path
	Say     func(text string, undo func())
}

// Page belongs to the Fyne thread.
type Page struct {
	cfg     Config
	all     []servers.Entry
	want    string                     // the server that is to be shown next
	changes map[string]servers.Changes // what the last look found, by server
	gone    *held                      // what Undo would bring back
	asked   func()                     // ends the discovery of the sheet that is open
	life    int                        // counts Forget; answers of an earlier life are dropped
	turn    int                        // of the list; late answers of an earlier one are dropped

	head   *widget.Head
	add    *widget.Button
	list   *widget.List
	detail *detail
	bad    *widget.Notice // what of the list cannot be read
	body   fyne.CanvasObject
	empty  *widget.Empty
	object fyne.CanvasObject
}

// New makes a page that lists nothing until Show.
func New(cfg Config) *Page {
	p := &Page{cfg: cfg, changes: map[string]servers.Changes{}, gone: &held{}, asked: func() {}}
	p.add = widget.NewIconButton(widget.Secondary, "plus", "Add a server…", p.openAdd)
	p.head = widget.NewHead(p.Title(), "", p.add)
	p.list = widget.NewList()
	p.list.OnSelected = p.choose
	p.detail = newDetail(p)
	p.bad = widget.NewNotice(theme.Bad, "", "", "")
	p.bad.Hide()
	side := widget.Fill(theme.Panel, p.list)
	p.body = widget.Panes(0, widget.Grow(listShare, side), widget.NewRule(), widget.Grow(detailShare, p.detail.object))
	p.empty = widget.NewEmpty("No tool servers yet. A tool server is a program or an address that offers tools by the Model Context Protocol (MCP).",
		"Add a server…", p.openAdd)
	p.object = widget.Column(0, p.head.Object(), p.bad, widget.Grow(1, container.NewStack(p.body, p.empty)))
	p.reveal()
	return p
}

// Title is for the list of pages.
func (p *Page) Title() string { return "Tool servers" }

// Object is what to draw.
func (p *Page) Object() fyne.CanvasObject { return p.object }

// Show reads the servers.
func (p *Page) Show() { p.Reload() }

// Forget drops everything that was read and typed, and ends what it asked.
func (p *Page) Forget() {
	p.life++
	p.asked()
	p.gone.drop()
	p.all, p.want = nil, ""
	clear(p.changes)
	p.list.SetItems(nil)
	p.list.Select("")
	widget.Visible(p.bad, false)
	p.detail.clear()
	p.reveal()
}

// Unsaved is how many servers have edits that are not saved.
func (p *Page) Unsaved() int {
	if p.detail.form.dirty() {
		return 1
	}
	return 0
}

// Reload reads the servers again. What is being edited stays.
func (p *Page) Reload() {
	p.turn++
	turn := p.turn
	run(p.cfg.Context, p, p.cfg.Servers.List, func(l servers.List, err error) {
		if p.turn == turn {
			p.show(l, err)
		}
	})
}

// run does work off the drawing thread and then done on it, unless the vault
// was locked meanwhile.
func run[T any](ctx context.Context, p *Page, work func(context.Context) (T, error), done func(T, error)) {
	life := p.life
	loop.Go(p.cfg.Loop, ctx, work, func(v T, err error) {
		if p.life == life {
			done(v, err)
		}
	})
}

func (p *Page) show(l servers.List, err error) {
	p.tell(l.Unreadable, err)
	if err != nil {
		return
	}
	p.all = l.Servers
	items := make([]widget.Item, len(p.all))
	for i, e := range p.all {
		tone, state := stateOf(e)
		items[i] = widget.Item{ID: e.Server.ID, Name: e.Server.Name, Detail: where(e.Server), Tone: tone, State: state}
	}
	p.list.SetItems(items)
	id := p.detail.form.base.Server.ID
	if p.want != "" {
		id, p.want = p.want, ""
	}
	switch at := p.index(id); {
	case at < 0 && p.detail.form.dirty():
		p.detail.lost()
	case len(p.all) == 0:
		p.detail.clear()
	default:
		p.detail.take(p.all[max(0, at)])
	}
	p.list.Select(p.detail.form.base.Server.ID)
	p.reveal()
}

// tell says what of the list could not be read.
func (p *Page) tell(unreadable int, err error) {
	switch {
	case err != nil:
		p.bad.Set(theme.Bad, "", "Not read", fault.Sentence(err))
	case unreadable > 0:
		p.bad.Set(theme.Bad, "", words.Count(unreadable, "tool server")+" cannot be read", "The stored rows are damaged. The others are here.")
	}
	widget.Visible(p.bad, err != nil || unreadable > 0)
}

func (p *Page) index(id string) int {
	return slices.IndexFunc(p.all, func(e servers.Entry) bool { return e.Server.ID == id })
}

// reveal shows the servers, or that there are none.
func (p *Page) reveal() {
	some := len(p.all) > 0 || p.detail.form.base.Server.ID != ""
	ready := 0
	for _, e := range p.all {
		if e.Ready() {
			ready++
		}
	}
	facts := "Nothing is run or contacted before you press a button that says so."
	if some {
		facts = words.Count(len(p.all), "server") + ", " + words.Number(ready) + " ready. " + facts
	}
	p.head.SetFacts(facts)
	widget.Visible(p.add, some)
	widget.Visible(p.body, some)
	widget.Visible(p.empty, !some)
	p.object.Refresh()
}

// choose shows another server, unless the one shown has edits.
func (p *Page) choose(id string) {
	at := p.index(id)
	if at < 0 || id == p.detail.form.base.Server.ID {
		return
	}
	if !p.may() {
		p.list.Select(p.detail.form.base.Server.ID)
		return
	}
	p.detail.take(p.all[at])
}

// may reports whether nothing is edited, and says so where it is.
func (p *Page) may() bool {
	if !p.detail.form.dirty() {
		return true
	}
	p.detail.warn("Not saved yet", "Save or discard the changes of "+p.detail.form.base.Server.Name+" first.")
	return false
}
