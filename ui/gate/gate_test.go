package gate_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"callboard/app/fault"
	"callboard/app/home"
	"callboard/app/vault"
	"callboard/crypto/secret"
	"callboard/storage"
	"callboard/ui/gate"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/uitest"
)

// shown is a gate on a screen over a real vault.
type shown struct {
	*uitest.Screen
	gate   *gate.Gate
	loop   *loop.Loop
	opened int
}

func realVault(t *testing.T) *vault.Service { return vaultWith(t, nil) }

// vaultWith is a real vault on a disk that says it has so much room.
func vaultWith(t *testing.T, free func(string) (uint64, error)) *vault.Service {
	t.Helper()
	h := home.Home{Dir: filepath.Join(t.TempDir(), "home")}
	opts := storage.Options{Dir: h.Store(), LockFile: h.StoreLock(), FreeSpace: free}
	db := storage.New(opts)
	v := vault.NewService(vault.Config{
		Home: h, DB: db, Store: opts, Feed: db.Feed(), Log: slog.New(slog.DiscardHandler), Now: time.Now, WorkFactor: 4,
	})
	t.Cleanup(func() { _ = v.Lock(context.Background()) })
	return v
}

func show(t *testing.T, v gate.Vault, mode theme.Mode, scale float32) *shown {
	t.Helper()
	s := &shown{Screen: uitest.Blank(t, fyne.NewSize(1280, 800), mode, scale), loop: loop.NewTest()}
	t.Cleanup(s.loop.Close)
	s.gate = gate.New(gate.Config{
		Context: t.Context(), Loop: s.loop, Vault: v, Home: "/home/you/.local/share/callboard",
		Opened: func() { s.opened++ },
	})
	s.SetContent(s.gate.Object())
	s.gate.Look()
	return s
}

func TestChoosingAPassphraseByKeyboard(t *testing.T) {
	v := realVault(t)
	s := show(t, v, theme.Light, 1)
	s.Type("correct horse")
	s.Press(fyne.KeyReturn)
	s.Type("correct hors")
	s.Press(fyne.KeyReturn)
	s.loop.Drain()
	if s.opened != 0 || !s.Shows("The two are not the same.") {
		t.Fatalf("a mistyped repeat passed: %q", s.Texts())
	}
	s.Type("e")
	s.Press(fyne.KeyReturn)
	s.loop.Drain()
	if st := v.Status(t.Context()); s.opened != 1 || st.State != vault.Open || st.Protection != vault.Passphrase {
		t.Fatalf("opened %d, %+v", s.opened, st)
	}
}

func TestAShortPassphraseIsSaidBesideTheBox(t *testing.T) {
	v := realVault(t)
	s := show(t, v, theme.Light, 1)
	s.Type("seven77")
	s.Tap("Protect and start")
	s.loop.Drain()
	if !s.Shows("Too short: 7 characters, at least 8.") || v.Status(t.Context()).State != vault.New {
		t.Errorf("%q", s.Texts())
	}
}

func TestGoingWithoutAPassphraseIsExplicit(t *testing.T) {
	v := realVault(t)
	s := show(t, v, theme.Light, 1)
	s.Tap("Key file")
	s.Tap("Make it without a passphrase")
	s.loop.Drain()
	if st := v.Status(t.Context()); s.opened != 1 || st.Protection != vault.File {
		t.Fatalf("opened %d, %+v", s.opened, st)
	}
	if err := v.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.gate.Look()
	s.loop.Drain()
	if s.opened != 2 {
		t.Errorf("a home without a passphrase did not open by itself: %q", s.Texts())
	}
}

func TestUnlocking(t *testing.T) {
	v := realVault(t)
	if err := v.Init(t.Context(), vault.InitRequest{Protection: vault.Passphrase, Passphrase: secret.FromString("correct horse")}); err != nil {
		t.Fatal(err)
	}
	if err := v.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := show(t, v, theme.Light, 1)
	s.Press(fyne.KeyReturn)
	s.loop.Drain()
	if !s.Shows("Type the passphrase.") {
		t.Errorf("%q", s.Texts())
	}
	s.Type("wrong horse")
	s.Press(fyne.KeyReturn)
	s.loop.Drain()
	if !s.Shows("The passphrase is wrong. Try again. A forgotten passphrase cannot be recovered.") || s.opened != 0 {
		t.Errorf("%q", s.Texts())
	}
	s.gate.Unlock(secret.FromString("correct horse"))
	s.loop.Drain()
	if s.opened != 1 {
		t.Errorf("%q", s.Texts())
	}
}

func TestAFullDiskIsSaidInTheWindow(t *testing.T) {
	v := vaultWith(t, func(string) (uint64, error) { return 1 << 20, nil })
	s := show(t, v, theme.Light, 1)
	s.Tap("Key file")
	s.Tap("Make it without a passphrase")
	s.loop.Drain()
	if !s.Shows(fault.Sentence(vault.ErrNoRoom)) || v.Status(t.Context()).State != vault.New {
		t.Errorf("%q", s.Texts())
	}
}

// broken plays a vault in one state, for the screens that a test cannot bring
// about without breaking a home.
type broken struct{ err error }

func (b broken) Status(context.Context) vault.Status {
	return vault.Status{State: vault.Broken, Problem: b.err}
}
func (broken) Init(context.Context, vault.InitRequest) error       { panic("not reached") }
func (broken) Unlock(context.Context, vault.UnlockRequest) error   { panic("not reached") }
func (broken) Recover(context.Context, vault.RecoverRequest) error { panic("not reached") }

func TestEveryWayAHomeIsBrokenIsOneSentence(t *testing.T) {
	for _, err := range []error{vault.ErrKeyMissing, vault.ErrTwoKeys, home.ErrNotAllowed, home.ErrNoFolder} {
		s := show(t, broken{err}, theme.Light, 1)
		if !s.Shows(fault.Sentence(err)) || !s.Shows("Look again") {
			t.Errorf("%v: %q", err, s.Texts())
		}
	}
}

func TestPictures(t *testing.T) {
	for _, look := range []struct {
		name  string
		mode  theme.Mode
		scale float32
	}{{"light", theme.Light, 1}, {"dark", theme.Dark, 1}, {"large", theme.Light, 1.5}} {
		t.Run(look.name, func(t *testing.T) {
			v := realVault(t)
			s := show(t, v, look.mode, look.scale)
			s.Golden("choose-" + look.name)
			s.Tap("Key file")
			s.Golden("choose-plain-" + look.name)
			s.Tap("System keyring")
			s.Golden("choose-keyring-" + look.name)
			if err := v.Init(t.Context(), vault.InitRequest{Protection: vault.Passphrase, Passphrase: secret.FromString("correct horse")}); err != nil {
				t.Fatal(err)
			}
			if err := v.Lock(t.Context()); err != nil {
				t.Fatal(err)
			}
			s = show(t, v, look.mode, look.scale)
			s.Type("wrong horse")
			s.Press(fyne.KeyReturn)
			s.loop.Drain()
			s.Golden("unlock-wrong-" + look.name)
			s = show(t, broken{vault.ErrKeyMissing}, look.mode, look.scale)
			s.Golden("broken-" + look.name)
		})
	}
}
