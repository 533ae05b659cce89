package servers

import (
	"context"

	"callboard/app/servers"
)

// held is a deleted server with its values, for Undo, until it is dropped.
type held struct {
	server servers.Deleted
	there  bool
}

// drop forgets the server.
func (h *held) drop() { *h = held{} }

// take hands the server out once.
func (h *held) take() (servers.Deleted, bool) {
	d, ok := h.server, h.there
	h.drop()
	return d, ok
}

// remove deletes the server that is shown. The message that says so can undo
// it until something else is deleted or the vault is locked.
func (p *Page) remove() {
	base := p.detail.form.base
	run(p.cfg.Context, p, func(ctx context.Context) (servers.Deleted, error) {
		return p.cfg.Servers.Delete(ctx, base.Server.ID, base.Revision)
	}, func(d servers.Deleted, err error) {
		if err != nil {
			p.detail.fail("Not deleted", err)
			return
		}
		p.gone.drop()
		h := &held{server: d, there: true}
		p.gone = h
		delete(p.changes, base.Server.ID)
		p.detail.clear()
		p.cfg.Say(base.Server.Name+" is deleted with its values and its consent.", func() { p.bringBack(h) })
		p.Reload()
	})
}

func (p *Page) bringBack(h *held) {
	d, ok := h.take()
	if !ok {
		return
	}
	run(p.cfg.Context, p, func(ctx context.Context) (servers.Entry, error) {
		return p.cfg.Servers.Undo(ctx, d)
	}, func(e servers.Entry, err error) {
		if err != nil {
			p.detail.fail("Not brought back", err)
			p.Reload()
			return
		}
		if p.may() {
			p.want = e.Server.ID
		}
		p.cfg.Say(e.Server.Name+" is back. It needs a new consent before it is run or contacted.", nil)
		p.Reload()
	})
}
