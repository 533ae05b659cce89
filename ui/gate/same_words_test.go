package gate_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"callboard/app"
	"callboard/app/cli"
	"callboard/app/home"
	"callboard/app/vault"
	"callboard/crypto/secret"
	"callboard/ui/theme"
)

const phrase = "correct horse battery"

func openApp(dir string) (*app.App, error) {
	return app.Open(context.Background(), app.Options{
		Home: home.Home{Dir: dir}, Now: time.Now, Log: slog.New(slog.DiscardHandler), WorkFactor: 4,
	})
}

// verify is what the command line says of a home.
func verify(dir string, pass io.Reader) (code int, errs string) {
	var out, e bytes.Buffer
	code = cli.Run(context.Background(), cli.Program{
		Args: []string{"--home", dir, "verify", "--passphrase-file", "-"}, Stdin: pass, Stdout: &out, Stderr: &e,
		Getenv: func(string) string { return "" },
		Open: func(context.Context, home.Home) (cli.Services, error) {
			a, err := openApp(dir)
			if err != nil {
				return cli.Services{}, err
			}
			return cli.Services{Vault: a.Vault, Roster: a.Roster, Close: a.Close}, nil
		},
	})
	return code, e.String()
}

// homeAt is a locked home.
func homeAt(t *testing.T, p vault.Protection) home.Home {
	t.Helper()
	h := home.Home{Dir: filepath.Join(t.TempDir(), "home")}
	a, err := openApp(h.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Vault.Init(t.Context(), vault.InitRequest{Protection: p, Passphrase: secret.FromString(phrase)}); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h
}

// TestTheWindowAndTheCommandLineSayTheSame breaks a home in each way and holds
// that the gate shows the very sentence that verify prints.
func TestTheWindowAndTheCommandLineSayTheSame(t *testing.T) {
	for name, tc := range map[string]struct {
		protect vault.Protection
		pass    string
		harm    func(t *testing.T, h home.Home) error
		says    string
	}{
		"wrong passphrase": {vault.Passphrase, "wrong horse battery", nil, "The passphrase is wrong."},
		"key file gone":    {vault.Passphrase, phrase, func(_ *testing.T, h home.Home) error { return os.Remove(h.KeyAge()) }, "The key file is gone"},
		"key file cut":     {vault.Passphrase, phrase, func(_ *testing.T, h home.Home) error { return os.Truncate(h.KeyAge(), 9) }, "The key file is damaged"},
		"data key gone":    {vault.Passphrase, phrase, func(_ *testing.T, h home.Home) error { return os.Remove(h.DataKey()) }, "dek.age is gone"},
		"both keys": {vault.Passphrase, phrase, func(_ *testing.T, h home.Home) error {
			return os.WriteFile(h.KeyText(), []byte("x"), 0o600)
		}, "key.age and key.txt"},
		"key exposed": {vault.File, "", func(_ *testing.T, h home.Home) error { return os.Chmod(h.KeyText(), 0o644) }, "chmod 600"},
		"store gone":  {vault.File, "", func(_ *testing.T, h home.Home) error { return os.RemoveAll(h.Store()) }, "the store folder is gone"},
		"held": {vault.File, "", func(t *testing.T, h home.Home) error {
			a, err := openApp(h.Dir)
			if err != nil {
				return err
			}
			t.Cleanup(func() { _ = a.Close(context.Background()) })
			return a.Vault.Unlock(t.Context(), vault.UnlockRequest{})
		}, "open in another program: process"},
		"a file in its place": {vault.File, "", func(_ *testing.T, h home.Home) error {
			if err := os.RemoveAll(h.Dir); err != nil {
				return err
			}
			return os.WriteFile(h.Dir, nil, 0o600)
		}, "cannot be used"},
	} {
		t.Run(name, func(t *testing.T) {
			h := homeAt(t, tc.protect)
			if tc.harm != nil {
				if err := tc.harm(t, h); err != nil {
					t.Fatal(err)
				}
			}
			sameWords(t, h.Dir, tc.pass, tc.says)
		})
	}
}

// sameWords compares the two and hands over the sentence.
func sameWords(t *testing.T, dir, pass, says string) {
	t.Helper()
	code, errs := verify(dir, strings.NewReader(pass))
	sentence, ok := strings.CutPrefix(strings.TrimSuffix(errs, "\n"), "callboard: ")
	if !ok || code != cli.Failed || !strings.Contains(sentence, says) {
		t.Fatalf("verify ends with %d and says %q, want %q", code, errs, says)
	}
	a, err := openApp(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Close(context.Background()) }()
	s := show(t, a.Vault, theme.Light, 1)
	s.loop.Drain()
	if st := a.Vault.Status(t.Context()); st.State == vault.Locked && st.Protection == vault.Passphrase {
		s.Type(pass)
		s.Press(fyne.KeyReturn)
		s.loop.Drain()
	}
	if !s.Shows(sentence) || s.opened != 0 {
		t.Errorf("the window shows %q, verify says %q", s.Texts(), sentence)
	}
}
