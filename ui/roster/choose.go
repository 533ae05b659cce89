package roster

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"

	"callboard/app/fault"
	"callboard/app/roster"
	"callboard/ui/editor"
	"callboard/ui/linked"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// choose shows an agent. Its unsaved edits, if any, are shown as they were
// left; else it is read anew.
func (s *Screen) choose(id string) {
	s.want = id
	if d := s.drafts[id]; d != nil && d.Dirty() {
		s.show(d)
		return
	}
	loop.Go(s.cfg.Loop, s.cfg.Context, func(ctx context.Context) (roster.Entry, error) {
		return s.cfg.Roster.Get(ctx, id)
	}, func(e roster.Entry, err error) {
		if s.want != id {
			return // another one was chosen meanwhile
		}
		switch d := s.drafts[id]; {
		case d != nil && d.Dirty(): // edited while the answer was on its way
			if s.editor.Draft() != d {
				s.show(d)
			}
		case err != nil:
			s.lost.Set(theme.Bad, "", "This agent cannot be read", fault.Sentence(err))
			s.reveal(s.lost)
		default:
			s.show(editor.NewDraft(e))
		}
	})
}

// reveal shows one of the parts of the detail.
func (s *Screen) reveal(part fyne.CanvasObject) {
	for _, o := range []fyne.CanvasObject{s.blank, s.editor.Object(), s.lost} {
		widget.Visible(o, o == part)
	}
	s.detail.Refresh()
	s.cfg.Changed()
}

// restore takes back a draft whose edits an undo brought back.
func (s *Screen) restore(d *editor.Draft) {
	id := d.Base.Agent.ID
	if other := s.drafts[id]; other != nil && other != d && other.Dirty() {
		d.Discard()
		s.cfg.Say("Not undone: the agent was edited since.", nil)
		return
	}
	s.drafts[id] = d
	s.keepSoon()
	if s.want == id {
		s.show(d)
		return
	}
	s.changed()
}

func (s *Screen) show(d *editor.Draft) {
	for id, old := range s.drafts {
		if !old.Dirty() {
			delete(s.drafts, id)
		}
	}
	s.drafts[d.Base.Agent.ID] = d
	s.editor.Show(d)
	s.propose()
	s.reveal(s.editor.Object())
	s.list.Select(d.Base.Agent.ID)
	s.changed()
	if s.arrives == d.Base.Agent.ID {
		s.arrives = ""
		s.editor.FocusName()
	}
}

// follow keeps the detail in step with the list: the first agent when none was
// chosen, and an agent that was saved elsewhere when it has no edits here.
func (s *Screen) follow() {
	if len(s.all) == 0 {
		s.reveal(s.blank)
		return
	}
	d := s.editor.Draft()
	if s.gone() {
		s.want = ""
	}
	switch {
	case s.want != "" && s.want == s.arrives:
		s.choose(s.want)
	case s.want == "" && len(s.shown) > 0:
		s.choose(s.shown[0].ID)
	case d != nil && d.Base.Agent.ID == s.want && !d.Dirty():
		s.renew(d)
	}
}

// gone reports whether the wanted agent left the roster, which happens when an
// import is taken back, and has no edits here.
func (s *Screen) gone() bool {
	d := s.drafts[s.want]
	return (d == nil || !d.Dirty()) && !slices.ContainsFunc(s.all, func(a roster.Summary) bool { return a.ID == s.want })
}

// renew reads the shown agent again if it has no edits and was saved elsewhere.
func (s *Screen) renew(d *editor.Draft) {
	loop.Go(s.cfg.Loop, s.cfg.Context, func(ctx context.Context) (roster.Entry, error) {
		return s.cfg.Roster.Get(ctx, d.Base.Agent.ID)
	}, func(e roster.Entry, err error) {
		if err == nil && s.editor.Draft() == d && !d.Dirty() && e.Revision > d.Base.Revision {
			s.show(editor.NewDraft(e))
		}
	})
}

// Agents are all agents, by name.
func (s *Screen) Agents() []roster.Summary { return s.all }

// Show shows an agent, also one that the search leaves out.
func (s *Screen) Show(id string) {
	s.choose(id)
	s.list.Select(id)
	s.FocusList()
}

// Find gives the search box the keyboard.
func (s *Screen) Find() { s.search.Focus() }

// Step chooses the agent so many rows further down.
func (s *Screen) Step(by int) {
	if len(s.shown) == 0 {
		return
	}
	at := slices.IndexFunc(s.shown, func(a roster.Summary) bool { return a.ID == s.want })
	s.choose(s.shown[min(max(at+by, 0), len(s.shown)-1)].ID)
}

// Undo takes the last edit of the shown agent back; false means there is none.
func (s *Screen) Undo() bool { return s.Selected() && s.editor.Undo() }

// Owns reports whether a box is one of the shown agent's fields.
func (s *Screen) Owns(box fyne.Shortcutable) bool { return s.Selected() && s.editor.Owns(box) }

// Redo takes the last Undo back.
func (s *Screen) Redo() bool { return s.Selected() && s.editor.Redo() }

// ShowTab turns the editor to a tab.
func (s *Screen) ShowTab(index int) { s.editor.ShowTab(index) }

// Save stores the shown agent's edits.
func (s *Screen) Save() { s.editor.Save() }

// Discard throws the shown agent's edits away.
func (s *Screen) Discard() { s.editor.Discard() }

// WriteToFile writes the shown agent to its file, after asking.
func (s *Screen) WriteToFile() { s.editor.WriteToFile() }

// Export shows the shown agent in the other tools' formats.
func (s *Screen) Export() { s.editor.Export() }

// File is the file the shown agent came from, empty without one.
func (s *Screen) File() string {
	if d := s.editor.Draft(); s.Selected() && d.Agent.Source != nil {
		return d.Agent.Source.Path
	}
	return ""
}

// ToggleEnabled turns the shown agent on or off in its draft.
func (s *Screen) ToggleEnabled() { s.editor.ToggleEnabled() }

// Selected reports whether an agent is shown.
func (s *Screen) Selected() bool { return s.editor.Draft() != nil && s.editor.Object().Visible() }

// Shown is the id of the shown agent, empty for none.
func (s *Screen) Shown() string {
	if d := s.editor.Draft(); d != nil {
		return d.Base.Agent.ID
	}
	return ""
}

// Draft is the draft that is shown, nil for none.
func (s *Screen) Draft() *editor.Draft { return s.editor.Draft() }

// Edited reports whether the shown agent has edits that are not saved.
func (s *Screen) Edited() bool { return s.Selected() && s.editor.Dirty() }

// FileBehind reports whether the shown agent's file could be written.
func (s *Screen) FileBehind() bool { return s.Selected() && s.editor.CanWrite() }

// Forget drops everything that was read, for a vault that is being locked.
func (s *Screen) Forget() {
	s.all, s.shown, s.want, s.arrives = nil, nil, "", ""
	s.SetLinked(linked.State{})
	s.turn++
	s.keeper = keeper{kept: map[string]int{}, turn: s.keeper.turn + 1, working: s.keeper.working}
	clear(s.drafts)
	s.search.Clear()
	s.editor.Forget()
	s.filter()
	s.follow()
}
