package ui

import (
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/cockroachdb/pebble/v2"

	"callboard/app/settings"
	"callboard/app/vault"
	"callboard/crypto/secret"
)

// TestACancelledBackupLeavesNothing has another one go on first, so that the
// window's is still waiting when it is cancelled.
func TestACancelledBackupLeavesNothing(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.w.showSettings("Security")
	s.settle()
	begun, end := make(chan struct{}, 1), make(chan struct{})
	first := make(chan error, 1)
	go func() {
		_, err := s.app.Vault.Backup(t.Context(), vault.BackupRequest{
			Dir: filepath.Join(s.dir, "first"), Passphrase: secret.FromString("backup horse"),
			Progress: func(vault.Progress) {
				select {
				case begun <- struct{}{}:
				default:
				}
				<-end
			},
		})
		first <- err
	}()
	<-begun
	dir := filepath.Join(s.dir, "second")
	s.tap("Back up…")
	s.Type(dir)
	s.Press(fyne.KeyReturn)
	s.Type("backup horse")
	s.Press(fyne.KeyReturn)
	s.Type("backup horse")
	s.Press(fyne.KeyReturn)
	s.Press(fyne.KeyEscape)
	close(end)
	s.settle()
	if err := <-first; err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, dir + ".partial"} {
		if _, err := os.Lstat(path); !os.IsNotExist(err) {
			t.Errorf("%s is there: %v", path, err)
		}
	}
}

type quiet struct{}

func (quiet) Infof(string, ...any)      {}
func (quiet) Errorf(string, ...any)     {}
func (quiet) Fatalf(s string, _ ...any) { panic(s) }

// harmFirst overwrites the first stored agent of a locked home.
func harmFirst(t *testing.T, store string) {
	t.Helper()
	db, err := pebble.Open(store, &pebble.Options{FormatMajorVersion: pebble.FormatValueSeparation, Logger: quiet{}})
	if err != nil {
		t.Fatal(err)
	}
	it, err := db.NewIter(&pebble.IterOptions{LowerBound: []byte("t/agents\x00"), UpperBound: []byte("t/agents\x01")})
	if err != nil || !it.First() {
		t.Fatal("no agent is stored", err)
	}
	key := append([]byte(nil), it.Key()...)
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
	if err := db.Set(key, []byte("damaged"), pebble.Sync); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestDamageIsListedAndDiscarded(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Lock")
	harmFirst(t, s.app.Home.Store())
	s.Type("correct horse")
	s.press(fyne.KeyReturn)
	s.w.showSettings("Security")
	s.settle()
	s.wants("damaged on disk", "Remove for good…")
	s.tap("Remove for good…")
	s.tap("Remove for good")
	if s.Shows("damaged on disk") || len(s.app.Vault.Status(t.Context()).Damage) > 0 {
		t.Errorf("still damaged: %q", s.Texts())
	}
}

func TestAllAgentsAreThereAfterARecovery(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	key, err := s.app.Vault.NewRecovery(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.do("Lock")
	if err := os.Remove(s.app.Home.KeyAge()); err != nil {
		t.Fatal(err)
	}
	s.w.gate.Look()
	s.settle()
	s.tap("Use the recovery key…")
	s.Type(string(key.Reveal()))
	s.press(fyne.KeyReturn)
	s.Type("a new horse")
	s.press(fyne.KeyReturn)
	s.Type("a new horse")
	s.press(fyne.KeyReturn)
	s.wants("docs-writer", "reviewer", "security-scout", "sql-tuner", "test-doctor")
	s.do("Lock")
	s.Type("a new horse")
	s.press(fyne.KeyReturn)
	s.wants("docs-writer")
}
