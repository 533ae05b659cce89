package roster

import (
	"context"

	"fyne.io/fyne/v2"

	"callboard/app/fault"
	"callboard/app/roster"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// bulkBar is what can be done with the marked agents.
type bulkBar struct {
	count  *widget.Text
	object *fyne.Container
}

func newBulkBar(s *Screen) *bulkBar {
	b := &bulkBar{count: widget.NewText(theme.Strong, theme.Ink, "")}
	b.object = widget.Column(theme.Gap,
		widget.Row(theme.Gap, b.count, widget.Space(), widget.NewButton(widget.Quiet, "Clear", s.unmark)),
		widget.Row(theme.Gap,
			widget.NewButton(widget.Secondary, "Enable", func() { s.SetEnabled(true) }),
			widget.NewButton(widget.Secondary, "Disable", func() { s.SetEnabled(false) }),
			widget.NewIconButton(widget.Danger, "trash-2", "Delete", s.Delete), widget.Space()))
	b.object.Hide()
	return b
}

// mark shows what can be done with what is marked.
func (s *Screen) mark() {
	n := len(s.list.Marked())
	if n > 0 {
		s.bulk.count.SetText(words.Count(n, "agent") + " marked")
	}
	widget.Visible(s.bulk.object, n > 0)
	widget.Visible(s.view.object, n == 0 && len(s.all) > 1)
	s.object.Refresh()
	s.cfg.Changed()
}

func (s *Screen) unmark() {
	s.list.Unmark()
	s.mark()
	s.FocusList()
}

// chosen are the marked agents, or else the one that is shown.
func (s *Screen) chosen() []string {
	if marked := s.list.Marked(); len(marked) > 0 {
		return marked
	}
	if id := s.Shown(); s.Selected() && id != "" {
		return []string{id}
	}
	return nil
}

// AnyChosen reports whether agents are marked, or one is shown.
func (s *Screen) AnyChosen() bool { return len(s.chosen()) > 0 }

// SetEnabled turns the marked agents, or the shown one, on or off at once; the
// message that says so can undo it.
func (s *Screen) SetEnabled(on bool) {
	type result struct {
		done roster.Change
		kept int
	}
	ids := s.chosen()
	loop.Go(s.cfg.Loop, s.cfg.Context, func(ctx context.Context) (r result, err error) {
		r.done, r.kept, err = s.cfg.Roster.SetEnabled(ctx, ids, on)
		return r, err
	}, func(r result, err error) {
		if err != nil {
			s.cfg.Say(fault.Sentence(err), nil)
			return
		}
		text := words.Count(r.done.Len(), "agent") + " disabled."
		if on {
			text = words.Count(r.done.Len(), "agent") + " enabled."
		}
		if r.kept > 0 {
			text += " " + words.Count(r.kept, "agent") + " stayed disabled, because what their tools grant is not known."
		}
		undo := func() { s.undo(r.done) }
		if r.done.Len() == 0 {
			undo = nil
		}
		s.Reload(nil)
		s.cfg.Say(text, undo)
	})
}

func (s *Screen) undo(done roster.Change) {
	s.then(func(ctx context.Context) error { return s.cfg.Roster.Undo(ctx, done) }, "Undone.", nil)
}

// then does something with the roster, lists it again and says so, or says why
// it was not done.
func (s *Screen) then(work func(context.Context) error, text string, undo func()) {
	loop.Go(s.cfg.Loop, s.cfg.Context, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, work(ctx)
	}, func(_ struct{}, err error) {
		if err != nil {
			s.cfg.Say(fault.Sentence(err), nil)
			return
		}
		s.Reload(nil)
		s.cfg.Say(text, undo)
	})
}

// Delete takes the marked agents, or the shown one, out of the roster. The
// message can bring them back, and so can the list of deleted agents.
func (s *Screen) Delete() {
	ids := s.chosen()
	if len(ids) == 0 {
		return
	}
	for _, id := range ids {
		s.leave(id)
	}
	s.list.Unmark()
	s.mark()
	s.then(func(ctx context.Context) error { return s.cfg.Roster.Delete(ctx, ids) },
		words.Count(len(ids), "agent")+" deleted. Their files stay; for 30 days you can bring them back.",
		func() { s.bringBack(ids) })
}

// leave drops the draft of an agent that goes, and goes on to the next row
// where it is the one that is shown.
func (s *Screen) leave(id string) {
	delete(s.drafts, id)
	if s.want != id {
		return
	}
	s.want = ""
	for i, a := range s.shown {
		if a.ID == id && i+1 < len(s.shown) {
			s.want = s.shown[i+1].ID
		}
	}
}

func (s *Screen) bringBack(ids []string) {
	s.then(func(ctx context.Context) error { return s.cfg.Roster.BringBack(ctx, ids) },
		words.Count(len(ids), "agent")+" brought back.", nil)
}
