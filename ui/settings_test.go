package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"callboard/app/settings"
	"callboard/ui/theme"
)

func TestSettingsByKeyboard(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.do("Settings")
	s.press(fyne.KeyDown, fyne.KeyDown)
	s.wants("Appearance", "Like the desktop", "Text size", "100 %")
	s.Golden("appearance-light")
	s.press(fyne.KeyTab, fyne.KeyRight)
	if got := s.app.Settings.Get().Appearance.Theme; got != settings.Dark {
		t.Errorf("the theme is %q", got)
	}
	s.press(fyne.KeyTab, fyne.KeyEnd)
	if got := s.app.Settings.Get().Appearance.TextSize; got != 200 || theme.Scale() != 2 {
		t.Errorf("the text size is %d, drawn at %v", got, theme.Scale())
	}
	s.press(fyne.KeyHome, fyne.KeyRight, fyne.KeyRight)
	s.Golden("appearance-dark")
	s.do("Roster")
	if s.w.settings.Object().Visible() || !s.w.roster.Object().Visible() {
		t.Error("the roster is not back")
	}
}

func TestTheImportWaitsWhileSettingsAreShown(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.do("Import agents…")
	s.do("Settings")
	s.do("Roster")
	if !s.w.importing() {
		t.Error("the import was left")
	}
	s.do("Import what was found")
	s.wants("reviewer")
}

func TestWindowSizeIsRemembered(t *testing.T) {
	s := newStage(t, settings.Light)
	s.w.win.Resize(fyne.NewSize(1400, 900))
	s.w.leave()
	if got := s.app.Settings.Get().Window; got != (settings.Window{Width: 1400, Height: 900}) {
		t.Errorf("%+v", got)
	}
	if got := s.w.sizeBefore(); got != fyne.NewSize(1400, 900) {
		t.Errorf("%v", got)
	}
}
