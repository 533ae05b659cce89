package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"callboard/app/agent"
	"callboard/app/settings"
)

// reach is what the agent of that name may see and call.
func (s *stage) reach(name string) agent.Reach {
	s.t.Helper()
	e, err := s.app.Roster.Get(s.t.Context(), s.id(name))
	if err != nil {
		s.t.Fatal(err)
	}
	return e.Agent.Roster
}

func (s *stage) id(name string) string {
	s.t.Helper()
	l, err := s.app.Roster.List(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	for _, a := range l.Agents {
		if a.Name == name {
			return a.ID
		}
	}
	s.t.Fatalf("no agent %q", name)
	return ""
}

func TestWhoMayCallWhomByKeyboard(t *testing.T) {
	for _, look := range []settings.Theme{settings.Light, settings.Dark} {
		t.Run(string(look), func(t *testing.T) {
			s := newStage(t, look)
			s.enter()
			s.bring()
			s.w.toasts.Dismiss()
			s.do("Who may call whom")
			s.wants("It may see and call only the agents ticked in its row.")
			// docs-writer, the first row, is the first column after Everyone.
			s.press(fyne.KeyRight, fyne.KeySpace)
			if !s.reach("docs-writer").IsZero() {
				t.Error("an agent may see itself")
			}
			s.press(fyne.KeyRight)
			s.wants("docs-writer → reviewer", "The caller may not see the target. Allow it under Access.", "may neither see nor call")
			s.press(fyne.KeySpace)
			s.wants("may see, not call", "docs-writer may see reviewer.")
			s.press(fyne.KeySpace)
			s.wants("may call", "docs-writer may call reviewer.")
			s.press(fyne.KeyDown, fyne.KeyLeft)
			s.Type("c")
			s.settle()
			s.wants("1 circle of calls", "docs-writer, reviewer. That is allowed here")
			s.w.toasts.Dismiss()
			s.Golden("access-" + string(look))
			if r := s.reach("reviewer"); !r.May(agent.Call, s.id("docs-writer")) {
				t.Errorf("%+v", r)
			}
			s.Type("s")
			s.settle()
			if r := s.reach("reviewer"); !r.IsZero() {
				t.Errorf("S left %+v", r)
			}
			s.do("Undo")
			if r := s.reach("reviewer"); !r.May(agent.Call, s.id("docs-writer")) {
				t.Errorf("undone: %+v", r)
			}
			s.press(fyne.KeyHome)
			s.Type("c")
			s.settle()
			s.wants("reviewer may call everyone.")
			s.press(fyne.KeyRight, fyne.KeyRight, fyne.KeyRight, fyne.KeySpace)
			s.wants("reviewer may see everyone. Take that away first, in the first column.")
			s.do("Back to the roster")
			if !s.w.atRoster() {
				t.Error("not back")
			}
		})
	}
}

func TestAccessOfAnEmptyRoster(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.do("Who may call whom")
	s.wants("No agents to connect yet.")
	s.press(fyne.KeySpace, fyne.KeyDown)
	s.do("Lock")
	s.wants("Unlock")
}
