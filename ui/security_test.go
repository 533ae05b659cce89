package ui

import (
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"

	"callboard/app/settings"
	"callboard/app/vault"
	"callboard/crypto/secret"
)

func TestTheSecurityPage(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.w.showSettings("Security")
	s.settle()
	s.wants("The home opens with a passphrase.", "There is none.", "What stays readable on disk")
	s.Golden("security-light")
	s.tap("Change passphrase…")
	s.Type("wrong horse")
	s.press(fyne.KeyReturn)
	s.Type("a new horse")
	s.press(fyne.KeyReturn)
	s.Type("a new horse")
	s.press(fyne.KeyReturn)
	s.wants("The passphrase is wrong.")
	s.edit("Current passphrase", "correct horse")
	s.tap("Change passphrase")
	s.wants(vault.OldBackups)
	s.tap("Close")
	s.do("Lock")
	s.Type("a new horse")
	s.press(fyne.KeyReturn)
	if !s.w.open() {
		t.Errorf("the new passphrase does not open: %q", s.Texts())
	}
}

func TestANewDataKeyAfterAChange(t *testing.T) {
	s := newStage(t, settings.Dark)
	s.enter()
	s.bring()
	s.w.showSettings("Security")
	s.settle()
	s.w.toasts.Dismiss()
	s.Golden("security-dark")
	s.tap("Change protection…")
	s.tap("Key file")
	s.edit("Current passphrase", "correct horse")
	s.press(fyne.KeyReturn)
	s.wants("The key of the home lies readable in key.txt.")
	s.tap("New data key…")
	s.tap("Make a new data key")
	s.wants("Every row is encrypted with a new data key.", "key.txt, no passphrase")
	s.do("Roster")
	s.wants("docs-writer")
}

func TestTheRecoveryKeyIsShownOnce(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.w.showSettings("Security")
	s.settle()
	s.tap("Make a recovery key…")
	s.press(fyne.KeyReturn)
	s.wants("AGE-SECRET-KEY-", "It is never shown again.")
	s.press(fyne.KeyEscape)
	s.wants("Make a new one…")
	if s.Shows("AGE-SECRET-KEY-") || !s.app.Vault.Status(t.Context()).Recovery {
		t.Error("the key is still shown, or was not made")
	}
}

func TestABackupFromTheWindowCanBeRestored(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.w.showSettings("Security")
	s.settle()
	dir := filepath.Join(s.dir, "copy")
	s.tap("Back up…")
	s.Type(dir)
	s.press(fyne.KeyReturn)
	s.Type("backup horse")
	s.press(fyne.KeyReturn)
	s.Type("backup horse")
	s.press(fyne.KeyReturn)
	s.wants("The backup is in ~/copy.")
	s.do("Lock")
	if _, err := s.app.Vault.Restore(t.Context(), vault.RestoreRequest{From: dir, Passphrase: secret.FromString("backup horse")}); err != nil {
		t.Fatal(err)
	}
	s.Type("backup horse")
	s.press(fyne.KeyReturn)
	s.wants("docs-writer")
}

func TestLockingByItselfIsKept(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.w.showSettings("Security")
	s.settle()
	s.tap("Check every row…")
	s.press(fyne.KeyReturn)
	s.wants("Every row can be read.")
	s.tap("15 minutes")
	if got := s.app.Settings.Get().Security.AutoLock; got != 15 {
		t.Errorf("locks after %d minutes", got)
	}
	s.tap("Lock when the computer slept")
	if !s.app.Settings.Get().Security.LockOnSleep {
		t.Error("does not lock on sleep")
	}
	s.do("Settings")
	if err := s.app.Settings.Update(func(v *settings.Settings) { v.Appearance.TextSize = 150 }); err != nil {
		t.Fatal(err)
	}
	s.w.applyTheme()
	s.w.toasts.Dismiss()
	s.settle()
	s.Golden("security-large")
}
