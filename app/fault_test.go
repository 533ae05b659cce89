package app_test

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"callboard/app"
	"callboard/app/cli"
	"callboard/app/fault"
	"callboard/app/home"
	"callboard/app/roster"
	"callboard/app/vault"
	"callboard/crypto/secret"
)

const pass = "correct horse battery"

// made is a locked home with one agent.
func made(t *testing.T, dir string, p vault.Protection) home.Home {
	t.Helper()
	a, err := open(dir)
	ok(t, err)
	ok(t, a.Vault.Init(t.Context(), vault.InitRequest{Protection: p, Passphrase: secret.FromString(pass)}))
	_, err = a.Roster.Import(t.Context(), roster.Newcomers(state(1)))
	ok(t, err)
	ok(t, a.Close(t.Context()))
	return home.Home{Dir: dir}
}

// answer is what one refused operation looks like from everywhere.
type answer struct {
	Rule     string // of the service's error
	Sentence string // of the service's error
	State    vault.State
	Code     int // of the command line
	Stdout   string
	Stderr   string
}

// unlocking asks the service and the command line to open a home.
func unlocking(dir, pass string) answer {
	return asking(dir, pass, []string{"verify", "--passphrase-file", "-"}, func(ctx context.Context, a *app.App) error {
		return a.Vault.Unlock(ctx, vault.UnlockRequest{Passphrase: secret.FromString(pass)})
	})
}

// making asks both to make one.
func making(dir string) answer {
	return asking(dir, "", []string{"init", "--protect", "file"}, func(ctx context.Context, a *app.App) error {
		return a.Vault.Init(ctx, vault.InitRequest{Protection: vault.File})
	})
}

func asking(dir, pass string, args []string, do func(context.Context, *app.App) error) answer {
	ctx := context.Background()
	a, err := open(dir)
	if err != nil {
		return answer{Sentence: err.Error()}
	}
	err = do(ctx, a)
	got := answer{Rule: fault.RuleOf(err), Sentence: fault.Sentence(err), State: a.Vault.Status(ctx).State}
	if err := a.Close(ctx); err != nil {
		got.Sentence += " And closing: " + err.Error()
	}
	var out, errs bytes.Buffer
	got.Code = cli.Run(ctx, cli.Program{
		Args: append([]string{"--home", dir}, args...), Stdin: strings.NewReader(pass), Stdout: &out, Stderr: &errs,
		Getenv: func(string) string { return "" },
		Open: func(context.Context, home.Home) (cli.Services, error) {
			a, err := open(dir)
			if err != nil {
				return cli.Services{}, err
			}
			return cli.Services{Vault: a.Vault, Roster: a.Roster, Close: a.Close}, nil
		},
	})
	got.Stdout, got.Stderr = out.String(), errs.String()
	return got
}

// refused holds got against the sentence a person should read; @ in it
// stands for the home's path.
func refused(t *testing.T, dir string, got answer, rule, sentence string) {
	t.Helper()
	sentence = strings.ReplaceAll(sentence, "@", dir)
	want := answer{Rule: rule, Sentence: sentence, State: got.State, Code: cli.Failed, Stderr: "callboard: " + sentence + "\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	plain(t, got.Sentence)
}

// plain holds that a sentence can be read by a person: it begins and ends as
// one, says what to do, and holds none of the system's noise.
func plain(t *testing.T, s string) {
	t.Helper()
	if !unicode.IsUpper([]rune(s + " ")[0]) || !strings.HasSuffix(s, ".") || strings.Count(s, ". ") == 0 {
		t.Errorf("no sentence with a next step: %q", s)
	}
	for _, noise := range []string{"\n", "Unexpected", "storage:", "pebble", "errno", "open /", "stat /", "mkdir /", "%!", ".tmp"} {
		if strings.Contains(s, noise) {
			t.Errorf("%q in %q", noise, s)
		}
	}
}

// contents is every name, mode and content below dir. The number in the lock
// file is left out: each try to open writes its own.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out, err := tryContents(dir)
	ok(t, err)
	return out
}

func tryContents(dir string) (map[string]string, error) {
	out := map[string]string{}
	return out, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		text := fi.Mode().String()
		if fi.Mode().IsRegular() && d.Name() != "store.lock" {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text += " " + string(data)
		}
		out[strings.TrimPrefix(path, dir)] = text
		return nil
	})
}

func unchanged(t *testing.T, dir string, before map[string]string) {
	t.Helper()
	if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
		t.Errorf("the refusal changed the folder: %.2000s", diff)
	}
}

// TestARefusedUnlock breaks a home in each way a person meets and reads what
// the service and the command line say about it.
func TestARefusedUnlock(t *testing.T) {
	for name, tc := range map[string]struct {
		protect  vault.Protection
		pass     string
		harm     func(h home.Home) error
		rule     string
		sentence string
	}{
		"wrong passphrase": {
			vault.Passphrase, "wrong horse battery", nil, "wrong_passphrase",
			"The passphrase is wrong. Try again. A forgotten passphrase cannot be recovered.",
		},
		"key file gone": {
			vault.Passphrase, pass, func(h home.Home) error { return os.Remove(h.KeyAge()) }, "key_missing",
			"The key file is gone, and without it the store cannot be read. Put it back from a backup, or use the recovery key.",
		},
		"key file cut": {
			vault.Passphrase, pass, func(h home.Home) error { return os.Truncate(h.KeyAge(), 100) }, "key_corrupt",
			"The key file is damaged or is not one of ours. Restore it from a backup.",
		},
		"data key gone": {
			vault.Passphrase, pass, func(h home.Home) error { return os.Remove(h.DataKey()) }, "data_key_missing",
			"The data key file dek.age is gone, and without it the store cannot be read. Put dek.age back from a backup.",
		},
		"data key cut": {
			vault.File, "", func(h home.Home) error { return os.Truncate(h.DataKey(), 100) }, "data_key_corrupt",
			"The data key file is damaged. Restore it from a backup.",
		},
		"both keys": {
			vault.Passphrase, pass, func(h home.Home) error { return os.WriteFile(h.KeyText(), []byte("x"), 0o600) }, "two_keys",
			"This home has more than one key file: key.age and key.txt. Move the one that does not belong here out of the folder.",
		},
		"key exposed": {
			vault.File, "", func(h home.Home) error { return os.Chmod(h.KeyText(), 0o644) }, "key_exposed",
			"The key file key.txt can be read by other users of this computer. Run chmod 600 on it, then try again.",
		},
		"store gone": {
			vault.File, "", func(h home.Home) error { return os.RemoveAll(h.Store()) }, "store_missing",
			"The key is here but the store folder is gone. Put the store folder back from a backup.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := made(t, filepath.Join(t.TempDir(), "home"), tc.protect)
			if tc.harm != nil {
				ok(t, tc.harm(h))
			}
			before := contents(t, h.Dir)
			refused(t, h.Dir, unlocking(h.Dir, tc.pass), tc.rule, tc.sentence)
			unchanged(t, h.Dir, before)
		})
	}
}

// TestAHomeInTheWay: where the home should be there is something else.
func TestAHomeInTheWay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	ok(t, os.WriteFile(dir, []byte("mine"), 0o600))
	const sentence = "Callboard's folder cannot be used: @/key.age: not a directory. Check the path, or set CALLBOARD_HOME to another folder."
	refused(t, dir, unlocking(dir, pass), "home_unusable", sentence)
	refused(t, dir, making(dir), "home_unusable", sentence)
	unchanged(t, dir, map[string]string{"": "-rw------- mine"})
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
