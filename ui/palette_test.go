package ui

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"callboard/app/settings"
	"callboard/ui/palette"
)

func TestPaletteLeadsEverywhere(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.w.toasts.Dismiss()
	s.do("Go to…")
	s.Type("test-d")
	s.settle()
	s.Golden("palette-light")
	s.press(fyne.KeyReturn)
	if got := s.w.roster.Draft().Agent.Identity.Name; got != "test-doctor" {
		t.Errorf("it went to %q", got)
	}
	s.do("Go to…")
	s.Type("appear")
	s.press(fyne.KeyReturn)
	s.wants("Text size")
	s.do("Go to…")
	s.Type("lock")
	s.press(fyne.KeyDown, fyne.KeyReturn)
	s.wants("Callboard is locked")
	if s.Shows("test-doctor") {
		t.Error("an agent is named while locked")
	}
}

func TestPaletteOffersOnlyWhatCanBeDone(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.do("Go to…")
	s.Type("save")
	s.settle()
	s.wants("Last saved first")
	if s.Shows("File · Ctrl S") {
		t.Error("there is nothing to save")
	}
	s.Type("xyz")
	s.settle()
	s.wants("Nothing of that name.")
	s.press(fyne.KeyReturn, fyne.KeyDown, fyne.KeyReturn, fyne.KeyEscape)
}

func TestFindPutsBeginningsFirst(t *testing.T) {
	entries := []palette.Entry{{Name: "Undo the edit"}, {Name: "Editor"}, {Name: "Lock", Detail: "edit"}, {Name: "Other"}}
	var got []string
	for _, e := range palette.Find(entries, "EDIT") {
		got = append(got, e.Name)
	}
	if want := []string{"Editor", "Undo the edit", "Lock"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if n := len(palette.Find(make([]palette.Entry, 5000), "")); n > 200 {
		t.Errorf("%d rows", n)
	}
}

func TestEveryKeyIsListed(t *testing.T) {
	s := newStage(t, settings.Dark)
	s.do("Keys…") // also before unlocking
	s.wants("File", "New agent", "Ctrl N")
	s.Golden("keys-dark")
	s.press(fyne.KeyEnd)
	s.wants("Tab, Shift Tab")
}
