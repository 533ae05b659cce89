package editor

import (
	"context"
	"errors"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/roster"
	"callboard/ui/loop"
)

// Save stores the draft. What is typed while it runs stays a draft. Where the
// agent's folder is linked the file is written too.
func (e *Editor) Save() {
	d := e.draft
	e.save(func() {
		if e.linked(d) && d.Base.Unwritten {
			e.prepare(d)
		}
	})
}

// linked reports whether the draft's file is edited in place.
func (e *Editor) linked(d *Draft) bool {
	src := d.Base.Agent.Source
	return src != nil && !src.ReadOnly && e.cfg.Linked(src.Path)
}

// save stores the draft and goes on with then.
func (e *Editor) save(then func()) {
	d := e.draft
	if d == nil || e.busy {
		return
	}
	if problems := d.Problems(); len(problems) > 0 {
		e.point("Not saved", problems[0])
		return
	}
	if !d.Dirty() {
		then()
		return
	}
	e.setBusy(true)
	req := roster.SaveRequest{Agent: d.Agent.Clone(), Revision: d.Base.Revision}
	loop.Go(e.cfg.Loop, e.cfg.Context, func(ctx context.Context) (roster.Entry, error) {
		return e.cfg.Roster.Save(ctx, req)
	}, func(saved roster.Entry, err error) {
		e.setBusy(false)
		switch {
		case errors.Is(err, roster.ErrConflict):
			e.settle(d, err)
			return
		case err != nil:
			e.fail("Not saved", fault.Sentence(err))
			return
		}
		e.rebase(d, saved)
		then()
	})
}

// point says what did not happen and why, and turns to where that is.
func (e *Editor) point(title string, p agent.Problem) {
	e.goTo(p.Field)
	e.fail(title, p.Text)
}

// rebase has the draft start from what is stored now.
func (e *Editor) rebase(d *Draft, stored roster.Entry) {
	d.Base, d.held = stored, false
	d.Agent.Source = stored.Agent.Clone().Source
	if d == e.draft {
		e.clear()
		e.history.fill()
		e.refresh()
	}
	e.cfg.Changed()
}

// Discard goes back to what is stored; the message that says so can undo it.
func (e *Editor) Discard() {
	d := e.draft
	if d == nil || e.busy || !d.Dirty() {
		return
	}
	undo := d.Discard()
	e.Show(d)
	e.cfg.Changed()
	e.cfg.Say("Changes discarded", func() {
		if !undo() {
			e.cfg.Say("Not undone: the agent was edited since.", nil)
			return
		}
		e.cfg.Restore(d)
	})
}

// ToggleEnabled turns the agent on or off in the draft. It stays off while it
// is not known what its tools grant.
func (e *Editor) ToggleEnabled() {
	d := e.draft
	if d == nil {
		return
	}
	if g := d.Agent.Grants(); !g.Certain {
		e.cfg.Say("It stays disabled: "+g.Doubt+"."+kindOf(d.Agent).step(d.Agent.Access.Tools), nil)
		return
	}
	d.Agent.Enabled = !d.Agent.Enabled
	e.touched()
}

// Dirty reports whether the shown draft has changes.
func (e *Editor) Dirty() bool { return e.draft != nil && e.draft.Dirty() }

// CanWrite reports whether the agent's file is behind the draft and the
// person's own to write.
func (e *Editor) CanWrite() bool {
	d := e.draft
	return d != nil && d.Agent.Source != nil && !d.Agent.Source.ReadOnly && (d.Base.Unwritten || d.Dirty()) && len(d.Problems()) == 0
}

func (e *Editor) setBusy(busy bool) {
	e.busy = busy
	e.head.save.SetBusy(busy)
}
