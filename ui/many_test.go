package ui

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"callboard/app/settings"
)

// listed are the names in the roster, by name.
func (s *stage) listed() []string {
	s.t.Helper()
	l, err := s.app.Roster.List(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	var out []string
	for _, a := range l.Agents {
		out = append(out, a.Name)
	}
	return out
}

func (s *stage) enabled() []string {
	s.t.Helper()
	l, err := s.app.Roster.List(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	var out []string
	for _, a := range l.Agents {
		if a.Enabled {
			out = append(out, a.Name)
		}
	}
	return out
}

func TestManyAtOnceByKeyboard(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.w.toasts.Dismiss()
	all, on := s.listed(), s.enabled()
	s.w.roster.FocusList()
	s.press(fyne.KeyHome, fyne.KeySpace, fyne.KeyDown, fyne.KeySpace)
	s.wants("2 agents marked", "Enable", "Disable", "Delete")
	s.Golden("marked-light")
	s.tap("Disable")
	if got := s.enabled(); len(got) >= len(on) {
		t.Errorf("enabled are %q", got)
	}
	s.do("Undo")
	if got := s.enabled(); !slices.Equal(got, on) {
		t.Errorf("undone, enabled are %q, were %q", got, on)
	}
	s.do("Delete")
	if got := s.listed(); !slices.Equal(got, all[2:]) {
		t.Errorf("left are %q of %q", got, all)
	}
	s.wants("2 agents deleted. Their files stay; for 30 days you can bring them back.")
	s.do("Undo")
	if got := s.listed(); !slices.Equal(got, all) {
		t.Errorf("brought back are %q", got)
	}
	s.w.roster.FocusList()
	s.Focused().(fyne.Shortcutable).TypedShortcut(&fyne.ShortcutSelectAll{})
	s.settle()
	s.do("Delete")
	s.wants("No agents yet")
	s.do("Deleted agents…")
	s.Golden("deleted-light")
	s.press(fyne.KeyTab, fyne.KeyTab, fyne.KeyTab, fyne.KeyReturn) // Bring back
	if got := s.listed(); len(got) != 1 {
		t.Errorf("brought back %q", got)
	}
	s.do("Deleted agents…")
	s.tap("Remove for good…")
	s.Golden("purge-light")
	s.tap("Remove for good")
	gone, err := s.app.Roster.Deleted(t.Context())
	if err != nil || len(gone) != len(all)-2 {
		t.Errorf("%d can be brought back, %v", len(gone), err)
	}
}

func TestNarrowingAndOrder(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.w.toasts.Dismiss()
	names := func() []string {
		var out []string
		for _, text := range s.Texts() {
			if slices.Contains(s.listed(), text) && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
		return out
	}
	s.wants("All 5", "Needs attention", "Disabled")
	s.tap("Needs attention 1")
	if got := names(); !slices.Equal(got, []string{"test-doctor", "docs-writer"}) { // the second in the editor
		t.Errorf("needs attention: %q", got)
	}
	s.tap("All 5")
	s.do("In groups by folder")
	s.wants("~/code/shop/.claude/agents", "~/code/shop/.claude/agents/docs", "By name, in groups by folder")
	s.Golden("groups-light")
	s.do("Without groups")
	s.do("Last saved first")
	s.wants("Last saved first")
	s.tap("sql-tuner")
	s.do("Enable or disable the agent")
	s.do("Save")
	s.until("the last saved is first", func() bool { return names()[0] == "sql-tuner" })
	s.do("Order by name")
	if got := names(); got[0] != "docs-writer" {
		t.Errorf("by name: %q", got)
	}
}
