package models

import (
	"context"

	"callboard/app/fault"
	"callboard/app/models"
	"callboard/ui/loop"
)

// Save stores the shown model's edits.
func (p *Page) Save() {
	d := p.draft()
	if d == nil || !d.dirty() {
		return
	}
	m, wrong := d.model()
	if len(wrong) > 0 {
		return // said at the boxes
	}
	id, revision, sent := d.base.Model.ID, d.base.Revision, d.edit
	p.change("Not saved", "Saved.", id, func(ctx context.Context) (models.Entry, error) {
		return p.cfg.Models.Save(ctx, models.SaveRequest{Model: m, Revision: revision})
	}, func(e models.Entry) {
		if d.edit == sent { // nothing was typed meanwhile
			*d = *newDraft(e)
		}
	})
}

// toggle enables or disables the shown model at once. Edits stay.
func (p *Page) toggle() {
	d := p.draft()
	if d == nil {
		return
	}
	on := !d.base.Model.Enabled
	text := d.base.Model.Name + map[bool]string{true: " enabled.", false: " disabled. Nothing uses it until you enable it."}[on]
	id, revision := d.base.Model.ID, d.base.Revision
	p.change("Not changed", text, id, func(ctx context.Context) (models.Entry, error) {
		return p.cfg.Models.SetEnabled(ctx, id, revision, on)
	}, func(models.Entry) {})
}

// change does work on a stored model and says how it went.
func (p *Page) change(failed, text, id string, work func(context.Context) (models.Entry, error), then func(models.Entry)) {
	loop.Go(p.cfg.Loop, p.cfg.Context, work, func(e models.Entry, err error) {
		if err != nil {
			if p.want == id {
				p.form.say(failed, fault.Sentence(err))
			}
			p.Reload()
			return
		}
		then(e)
		p.form.said = p.form.said && p.want != id
		p.adopt(e)
		p.cfg.Say(text, nil)
	})
}

// Discard goes back to what is stored now.
func (p *Page) Discard() {
	if p.draft() == nil {
		return
	}
	delete(p.drafts, p.want)
	p.form.quiet()
	if p.stored(p.want) != nil {
		p.showForm()
	}
	p.read()
}

// remove deletes the shown model. The message that says so can bring it back.
func (p *Page) remove() {
	d := p.draft()
	if d == nil {
		return
	}
	id, revision, name, keyed := d.base.Model.ID, d.base.Revision, d.base.Model.Name, d.base.HasKey
	loop.Go(p.cfg.Loop, p.cfg.Context, func(ctx context.Context) (models.Deleted, error) {
		return p.cfg.Models.Delete(ctx, id, revision)
	}, func(gone models.Deleted, err error) {
		if err != nil {
			if p.want == id {
				p.form.say("Not deleted", fault.Sentence(err))
			}
			p.Reload()
			return
		}
		delete(p.drafts, id)
		p.form.quiet()
		p.Reload()
		text, back := name+" deleted.", name+" is back."
		if keyed {
			text = name + " deleted, its key for good. Undo brings it back without the key."
			back = name + " is back, without its key."
		}
		p.cfg.Say(text, func() { p.bringBack(gone, back) })
	})
}

func (p *Page) bringBack(gone models.Deleted, text string) {
	loop.Go(p.cfg.Loop, p.cfg.Context, func(ctx context.Context) (models.Entry, error) {
		return p.cfg.Models.Undo(ctx, gone)
	}, func(e models.Entry, err error) {
		if err != nil {
			p.cfg.Say(fault.Sentence(err), nil)
			return
		}
		p.goTo(e)
		p.cfg.Say(text, nil)
	})
}

// goTo shows a model that has just come in.
func (p *Page) goTo(e models.Entry) {
	if !p.shown {
		return // locked meanwhile
	}
	p.all = append(p.all, e)
	p.form.quiet()
	p.want = e.Model.ID
	p.read()
}
