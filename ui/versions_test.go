package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"callboard/app/agent"
	"callboard/app/roster"
	"callboard/app/settings"
)

func TestAnEditSavedElsewhereIsAConflictThatLosesNothing(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.edit("Description", "mine")
	e, err := s.app.Roster.Get(t.Context(), s.w.roster.Shown())
	if err != nil {
		t.Fatal(err)
	}
	theirs := e.Agent.Clone()
	theirs.Identity.Description = "theirs"
	if _, err := s.app.Roster.Save(t.Context(), roster.SaveRequest{Agent: theirs, Revision: e.Revision}); err != nil {
		t.Fatal(err)
	}
	s.do("Save")
	s.wants("Two versions of docs-writer", "changed by both", "mine")
	s.Golden("conflict-light")
	s.press(fyne.KeyEscape)
	stored := func() agent.Agent {
		e, err := s.app.Roster.Get(t.Context(), theirs.ID)
		if err != nil {
			t.Fatal(err)
		}
		return e.Agent
	}
	if got := stored().Identity.Description; got != "theirs" {
		t.Errorf("asking saved %q", got)
	}
	s.edit("Model", "opus") // only here
	s.do("Save")
	s.tap("Take what was saved")
	s.tap("Save this")
	if got := stored(); got.Identity.Description != "theirs" || got.Run.Model != "opus" {
		t.Errorf("saved %q %q", got.Identity.Description, got.Run.Model)
	}
	if s.w.edited() {
		t.Errorf("there are edits left: %q", s.Texts())
	}
}

func TestHistoryComesBackIntoTheDraft(t *testing.T) {
	for _, look := range []settings.Theme{settings.Light, settings.Dark} {
		t.Run(string(look), func(t *testing.T) {
			s := newStage(t, look)
			s.enter()
			s.bring()
			s.do("Next agent")
			s.do("History")
			s.wants("No earlier versions.")
			s.do("Profile")
			s.edit("Description", "second")
			s.do("Save")
			s.edit("Model", "sonnet")
			s.do("Save")
			s.do("History")
			s.wants("Then changed: model", "Then changed: description")
			s.w.toasts.Dismiss()
			s.Golden("history-" + string(look))
			s.tap("Then changed: description")
			s.tap("Bring into the draft")
			if got := s.w.roster.Draft().Agent; got.Identity.Description != "Reads a diff and finds what breaks" || got.Run.Model != "opus" {
				t.Errorf("the draft is %q %q", got.Identity.Description, got.Run.Model)
			}
			s.do("Undo")
			if s.w.edited() {
				t.Error("not undone")
			}
			s.do("Access")
			s.press(fyne.KeyTab)
			s.w.toasts.Dismiss()
			s.Golden("access-tab-" + string(look))
		})
	}
}

func TestAccessOfOneAgentIsPartOfItsDraft(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Access")
	s.wants("Everyone, now and later", "No other agent.")
	s.press(fyne.KeyTab)
	s.tap("Everyone, now and later")
	s.press(fyne.KeyDown, fyne.KeyRight, fyne.KeySpace)
	if !s.w.edited() || !s.reach("docs-writer").IsZero() {
		t.Error("a tick was stored before Save, or is no edit")
	}
	s.do("Save")
	r := s.reach("docs-writer")
	if id := s.id("reviewer"); !r.May(agent.Call, id) || !r.May(agent.See, id) {
		t.Errorf("%+v", r)
	}
	s.do("Next agent")
	s.do("Access")
	s.until("the caller is named", func() bool { return s.Shows("1 agent: docs-writer.") })
}
