package vault_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"callboard/app/fault"
	"callboard/app/home"
	"callboard/app/vault"
	"callboard/crypto"
	"callboard/crypto/secret"
)

func TestRekeySealsEveryRowAnew(t *testing.T) {
	h, v, db := backedUp(t, vault.File)
	rec, err := v.NewRecovery(t.Context())
	ok(t, err)
	ok(t, backup(v, beside(h, "backup")))
	was := dataKey(t, h)
	ok(t, v.Rekey(t.Context()))
	if dataKey(t, h) == was {
		t.Error("the data key is the old one")
	}
	if st := v.Status(t.Context()); st.State != vault.Open || st.Protection != vault.File || !st.Recovery || len(st.Damage) > 0 {
		t.Errorf("%+v", st)
	}
	if got := bodies(t, db); got != "before" {
		t.Errorf("rows say %s", got)
	}
	fillRows(t, db, "after")
	ok(t, backup(v, beside(h, "second")))
	ok(t, v.Rekey(t.Context()))
	ok(t, v.Lock(t.Context()))
	if there, _ := home.Exists(h.Restoring().Dir); there || untouched(t, h) != "" {
		t.Errorf("left behind: %s", untouched(t, h))
	}
	if there, _ := home.Exists(h.Run()); !there {
		t.Error("run/ is gone")
	}
	private(t, h.Dir)
	says(t, h, "", "after")
	ok(t, v.Recover(t.Context(), vault.RecoverRequest{Key: rec, Protection: vault.Passphrase, Passphrase: say(newPass)}))
	ok(t, v.Rekey(t.Context()))
	ok(t, v.Lock(t.Context()))
	ok(t, v.Recover(t.Context(), vault.RecoverRequest{Key: rec, Protection: vault.File}))
	ok(t, v.Lock(t.Context()))
	restored(t, beside(h, "backup"), backupPass, "before")
	restored(t, beside(h, "second"), backupPass, "after")
}

// dataKey is the public name of the data key in the home.
func dataKey(t *testing.T, h home.Home) string {
	t.Helper()
	plain, err := os.ReadFile(h.KeyText())
	ok(t, err)
	id, err := crypto.ParseIdentity(secret.New(plain))
	ok(t, err)
	wrapped, err := os.ReadFile(h.DataKey())
	ok(t, err)
	key, err := crypto.UnwrapDataKey(wrapped, id)
	ok(t, err)
	sealer, err := crypto.NewSealer(key)
	ok(t, err)
	return sealer.KeyID()
}

func TestRekeyRefusesAndChangesNothing(t *testing.T) {
	_, locked := made(t, vault.File)
	if err := locked.Rekey(t.Context()); !errors.Is(err, crypto.ErrLocked) {
		t.Errorf("locked: %v", err)
	}
	h, v, db := backedUp(t, vault.File)
	ctx, cancel := context.WithCancel(t.Context())
	v.OnStep(func(name string) {
		if name == "rekey: sealed" {
			cancel()
		}
	})
	if err := v.Rekey(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	v.OnStep(func(string) {})
	if got := bodies(t, db); got != "before" || untouched(t, h) != "" || v.Status(t.Context()).State != vault.Open {
		t.Errorf("rows say %s, left %s", got, untouched(t, h))
	}
	ok(t, v.Lock(t.Context()))
	full := false
	w := vaultAt(h.Dir, func(string) (uint64, error) {
		if full {
			return 1 << 20, nil
		}
		return 1 << 40, nil
	})
	ok(t, unlock(t, w, ""))
	full = true
	if err := w.Rekey(t.Context()); fault.RuleOf(err) != "disk_full" {
		t.Errorf("full disk: %v", err)
	}
	full = false
	ok(t, w.Lock(t.Context()))
	says(t, h, "", "before")
}
