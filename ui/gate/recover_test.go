package gate_test

import (
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"

	"callboard/app/fault"
	"callboard/app/vault"
	"callboard/crypto/secret"
	"callboard/ui/theme"
)

func TestAHomeWithoutItsKeyOpensWithTheRecoveryKey(t *testing.T) {
	h := homeAt(t, vault.Passphrase)
	a, err := openApp(h.Dir)
	if err != nil {
		t.Fatal(err)
	}
	v := a.Vault
	t.Cleanup(func() { _ = a.Close(t.Context()) })
	if err := v.Unlock(t.Context(), vault.UnlockRequest{Passphrase: secret.FromString(phrase)}); err != nil {
		t.Fatal(err)
	}
	key, err := v.NewRecovery(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(h.KeyAge()); err != nil {
		t.Fatal(err)
	}
	s := show(t, v, theme.Light, 1)
	s.Tap("Use the recovery key…")
	s.Type("AGE-SECRET-KEY-NOT")
	s.Press(fyne.KeyReturn)
	s.Type("a new horse")
	s.Press(fyne.KeyReturn)
	s.Type("a new horse")
	s.Press(fyne.KeyReturn)
	s.loop.Drain()
	if s.opened != 0 || !s.Shows(fault.Sentence(vault.ErrRecoveryKey)) {
		t.Fatalf("%q", s.Texts())
	}
	for range len("AGE-SECRET-KEY-NOT") {
		s.Press(fyne.KeyBackspace)
	}
	s.Type(string(key.Reveal()))
	s.Tap("Open and protect")
	s.loop.Drain()
	if st := v.Status(t.Context()); s.opened != 1 || st.State != vault.Open || st.Protection != vault.Passphrase || !st.Recovery {
		t.Fatalf("opened %d, %+v", s.opened, st)
	}
	if err := v.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := v.Unlock(t.Context(), vault.UnlockRequest{Passphrase: secret.FromString("a new horse")}); err != nil {
		t.Error(err)
	}
}

func TestAKeyringThatIsNotThereIsSaidAndMakesNothing(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
	v := realVault(t)
	s := show(t, v, theme.Light, 1)
	s.Tap("System keyring")
	s.Tap("Protect and start")
	s.loop.Drain()
	if st := v.Status(t.Context()); s.opened != 0 || st.State != vault.New || !s.Shows(fault.Sentence(vault.ErrKeyringMissing)) {
		t.Errorf("opened %d, %+v: %q", s.opened, st, s.Texts())
	}
}
