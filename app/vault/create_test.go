package vault_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sync/errgroup"

	"callboard/app/fault"
	"callboard/app/home"
	"callboard/app/vault"
	"callboard/crypto/secret"
)

// TestInitCutOffAnywhere leaves a home as a crash at each step of Init would.
func TestInitCutOffAnywhere(t *testing.T) {
	names := []string{"store", "dek.age", "key.age"} // the order of the moves
	for done := 0; done <= len(names); done++ {
		t.Run(fmt.Sprintf("after %d moves", done), func(t *testing.T) {
			h, v := made(t, vault.Passphrase)
			mkdir(t, h.Staging().Dir)
			for _, n := range names[done:] {
				if err := os.Rename(filepath.Join(h.Dir, n), filepath.Join(h.Staging().Dir, n)); err != nil {
					t.Fatal(err)
				}
			}
			if st := v.Status(t.Context()); st.State != vault.Locked || st.Protection != vault.Passphrase {
				t.Errorf("state %+v", st)
			}
			before := fingerprint(t, h.Dir)
			if err := unlock(t, v, "wrong horse"); fault.RuleOf(err) != "wrong_passphrase" || fingerprint(t, h.Dir) != before {
				t.Errorf("a wrong passphrase finished the move: %v", err)
			}
			if err := unlock(t, v, pass); err != nil {
				t.Fatal(err)
			}
			if there, _ := home.Exists(h.Staging().Dir); there {
				t.Error("the staging folder is still there")
			}
			_ = v.Lock(t.Context())
		})
	}
	t.Run("before the key", func(t *testing.T) {
		h := home.Home{Dir: t.TempDir()}
		mkdir(t, h.Staging().Store())
		write(t, h.Staging().DataKey(), []byte("half"))
		v := vaultAt(h.Dir, nil)
		if st := v.Status(t.Context()); st.State != vault.New {
			t.Errorf("state %+v", st)
		}
		if err := v.Init(t.Context(), vault.InitRequest{Protection: vault.File}); err != nil {
			t.Fatal(err)
		}
		_ = v.Lock(t.Context())
	})
}

func TestInitKeepsWhatIsInTheFolder(t *testing.T) {
	h := home.Home{Dir: t.TempDir()}
	write(t, h.Settings(), []byte("{}"))
	v := vaultAt(h.Dir, nil)
	if err := v.Init(t.Context(), vault.InitRequest{Protection: vault.File}); err != nil {
		t.Fatal(err)
	}
	_ = v.Lock(t.Context())
	if got, err := os.ReadFile(h.Settings()); err != nil || string(got) != "{}" {
		t.Errorf("settings.json is %q %v", got, err)
	}
}

func TestLeftoversOfACutOffInitReplaceNothing(t *testing.T) {
	h, v := made(t, vault.File)
	mkdir(t, h.Staging().Store())
	write(t, h.Staging().DataKey(), []byte("half"))
	before, err := os.ReadFile(h.DataKey())
	ok(t, err)
	ok(t, unlock(t, v, ""))
	after, err := os.ReadFile(h.DataKey())
	ok(t, err)
	if !bytes.Equal(before, after) {
		t.Error("dek.age was replaced by a leftover")
	}
	if there, _ := home.Exists(h.Staging().Dir); there {
		t.Error("the leftover is still there")
	}
	ok(t, v.Lock(t.Context()))
}

func TestTwoProgramsNeverMakeOneHomeTogether(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	var group errgroup.Group
	won := make(chan *vault.Service, 8)
	for range cap(won) {
		v := vaultAt(dir, nil)
		group.Go(func() error {
			err := v.Init(t.Context(), vault.InitRequest{Protection: vault.Passphrase, Passphrase: secret.FromString(pass)})
			switch fault.RuleOf(err) {
			case "store_held", "vault_exists":
				return nil
			}
			if err == nil {
				won <- v
			}
			return err
		})
	}
	ok(t, group.Wait())
	close(won)
	if len(won) != 1 {
		t.Errorf("%d programs made the home", len(won))
	}
	for v := range won {
		ok(t, v.Lock(t.Context()))
	}
	v := vaultAt(dir, nil)
	ok(t, unlock(t, v, pass))
	ok(t, v.Lock(t.Context()))
}
