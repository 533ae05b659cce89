package vault_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"callboard/app/fault"
	"callboard/app/home"
	"callboard/app/vault"
	"callboard/crypto"
	"callboard/crypto/secret"
)

const newPass = "another horse battery"

func say(text string) secret.Bytes { return secret.FromString(text) }

// opened is an open vault on a fresh home.
func opened(t *testing.T, p vault.Protection) (home.Home, *vault.Service) {
	t.Helper()
	h, v := made(t, p)
	ok(t, unlock(t, v, pass))
	t.Cleanup(func() { _ = v.Lock(context.WithoutCancel(t.Context())) })
	return h, v
}

// keyFiles are the names in the home that have to do with keys.
func keyFiles(t *testing.T, h home.Home) string {
	t.Helper()
	entries, err := os.ReadDir(h.Dir)
	ok(t, err)
	var out []string
	for _, e := range entries {
		if name := e.Name(); strings.HasPrefix(name, "key.") || strings.Contains(name, ".new") || name == "new" || strings.HasPrefix(name, ".") {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

func TestProtectChangesThePassphraseAndTheForm(t *testing.T) {
	for name, tc := range map[string]struct {
		from, to vault.Protection
		files    string
		opens    string
	}{
		"passphrase":         {vault.Passphrase, vault.Passphrase, "key.age", newPass},
		"passphrase to file": {vault.Passphrase, vault.File, "key.txt", ""},
		"file to passphrase": {vault.File, vault.Passphrase, "key.age", newPass},
		"file to file":       {vault.File, vault.File, "key.txt", ""},
	} {
		t.Run(name, func(t *testing.T) {
			h, v := opened(t, tc.from)
			rec, err := v.NewRecovery(t.Context())
			ok(t, err)
			dek, err := os.ReadFile(h.DataKey())
			ok(t, err)
			got, err := v.Protect(t.Context(), vault.ProtectRequest{Current: say(pass), Protection: tc.to, Passphrase: say(newPass)})
			ok(t, err)
			if got.Was != tc.from || got.EntryLeft || keyFiles(t, h) != tc.files {
				t.Errorf("%+v, files %s", got, keyFiles(t, h))
			}
			if st := v.Status(t.Context()); st.Protection != tc.to || st.State != vault.Open || !st.Recovery {
				t.Errorf("%+v", st)
			}
			ok(t, v.Lock(t.Context()))
			if after, _ := os.ReadFile(h.DataKey()); string(after) != string(dek) {
				t.Error("dek.age changed")
			}
			private(t, h.Dir)
			if tc.to == vault.Passphrase {
				if err := unlock(t, v, pass); fault.RuleOf(err) != "wrong_passphrase" {
					t.Errorf("the old passphrase: %v", err)
				}
			}
			ok(t, unlock(t, v, tc.opens))
			ok(t, v.Lock(t.Context()))
			ok(t, v.Recover(t.Context(), vault.RecoverRequest{Key: rec, Protection: vault.File}))
		})
	}
}

func TestProtectRefusesAndChangesNothing(t *testing.T) {
	for name, tc := range map[string]struct {
		req  vault.ProtectRequest
		harm func(t *testing.T, h home.Home)
		rule string
	}{
		"wrong passphrase":    {vault.ProtectRequest{Current: say("wrong horse"), Protection: vault.File}, nil, "wrong_passphrase"},
		"no passphrase":       {vault.ProtectRequest{Protection: vault.File}, nil, "passphrase_empty"},
		"short new one":       {vault.ProtectRequest{Current: say(pass), Protection: vault.Passphrase, Passphrase: say("short")}, nil, "passphrase_short"},
		"unknown":             {vault.ProtectRequest{Current: say(pass), Protection: "paper"}, nil, "protection_unknown"},
		"key taken away":      {vault.ProtectRequest{Current: say(pass), Protection: vault.File}, func(t *testing.T, h home.Home) { remove(t, h.KeyAge()) }, "key_missing"},
		"another key beside":  {vault.ProtectRequest{Current: say(pass), Protection: vault.File}, func(t *testing.T, h home.Home) { write(t, h.KeyText(), []byte("x")) }, "two_keys"},
		"another home's key":  {vault.ProtectRequest{Current: say(pass), Protection: vault.File}, anotherKey, "data_key_mismatch"},
		"a folder in its way": {vault.ProtectRequest{Current: say(pass), Protection: vault.File}, func(t *testing.T, h home.Home) { mkdir(t, h.KeyText()+".new/x") }, "home_unusable"},
	} {
		t.Run(name, func(t *testing.T) {
			h, v := opened(t, vault.Passphrase)
			if tc.harm != nil {
				tc.harm(t, h)
			}
			before := settled(t, h.Dir)
			if _, err := v.Protect(t.Context(), tc.req); fault.RuleOf(err) != tc.rule {
				t.Errorf("got %v", err)
			}
			if fingerprint(t, h.Dir) != before && tc.rule != "home_unusable" {
				t.Error("the refusal wrote something")
			}
		})
	}
	t.Run("locked", func(t *testing.T) {
		_, v := made(t, vault.Passphrase)
		_, err := v.Protect(t.Context(), vault.ProtectRequest{Current: say(pass), Protection: vault.File})
		_, err2 := v.NewRecovery(t.Context())
		if !errors.Is(err, crypto.ErrLocked) || !errors.Is(err2, crypto.ErrLocked) {
			t.Errorf("got %v and %v", err, err2)
		}
	})
}

func anotherKey(t *testing.T, h home.Home) {
	t.Helper()
	other, _ := made(t, vault.Passphrase)
	copyFile(t, other.KeyAge(), h.KeyAge())
}

func TestRecoverOpensAHomeWhoseKeyIsLost(t *testing.T) {
	for name, tc := range map[string]struct {
		from, to vault.Protection
		lose     func(t *testing.T, h home.Home)
		files    string
	}{
		"key.age gone":          {vault.Passphrase, vault.Passphrase, func(t *testing.T, h home.Home) { remove(t, h.KeyAge()) }, "key.age"},
		"key.txt gone":          {vault.File, vault.Passphrase, func(t *testing.T, h home.Home) { remove(t, h.KeyText()) }, "key.age"},
		"key.age cut":           {vault.Passphrase, vault.File, func(t *testing.T, h home.Home) { cut(t, h.KeyAge()) }, "key.txt"},
		"passphrase forgotten":  {vault.Passphrase, vault.Passphrase, nil, "key.age"},
		"forgotten, now a file": {vault.Passphrase, vault.File, nil, "key.txt"},
	} {
		t.Run(name, func(t *testing.T) {
			h, v := opened(t, tc.from)
			first, err := v.NewRecovery(t.Context())
			ok(t, err)
			rec, err := v.NewRecovery(t.Context())
			ok(t, err)
			ok(t, v.Lock(t.Context()))
			if tc.lose != nil {
				tc.lose(t, h)
			}
			if st := v.Status(t.Context()); !st.Recovery {
				t.Errorf("%+v", st)
			}
			before := fingerprint(t, h.Dir)
			refused := map[string]vault.RecoverRequest{
				"recovery_key_wrong": {Key: first, Protection: vault.File},
				"protection_unknown": {Key: rec},
				"passphrase_short":   {Key: rec, Protection: vault.Passphrase, Passphrase: say("short")},
			}
			for rule, req := range refused {
				if err := v.Recover(t.Context(), req); fault.RuleOf(err) != rule {
					t.Errorf("%s: %v", rule, err)
				}
			}
			if err := v.Recover(t.Context(), vault.RecoverRequest{Key: say("no key"), Protection: vault.File}); !errors.Is(err, vault.ErrRecoveryKey) || fingerprint(t, h.Dir) != before {
				t.Errorf("a refusal wrote something, or %v", err)
			}
			ok(t, v.Recover(t.Context(), vault.RecoverRequest{Key: rec, Protection: tc.to, Passphrase: say(newPass)}))
			if st := v.Status(t.Context()); st.State != vault.Open || st.Protection != tc.to || !st.Recovery || len(st.Damage) > 0 {
				t.Errorf("%+v", st)
			}
			if err := v.Recover(t.Context(), vault.RecoverRequest{Key: rec, Protection: tc.to, Passphrase: say(newPass)}); !errors.Is(err, vault.ErrNotLocked) {
				t.Errorf("an open one: %v", err)
			}
			ok(t, v.Lock(t.Context()))
			if got := keyFiles(t, h); got != tc.files {
				t.Errorf("files %s", got)
			}
			ok(t, unlock(t, v, newPass))
			ok(t, v.Lock(t.Context()))
			ok(t, v.Recover(t.Context(), vault.RecoverRequest{Key: rec, Protection: vault.File})) // the same key again
		})
	}
}

func TestTheLostKeyOpensNothingAfterARecovery(t *testing.T) {
	h, v := opened(t, vault.File)
	rec, err := v.NewRecovery(t.Context())
	ok(t, err)
	ok(t, v.Lock(t.Context()))
	kept := filepath.Join(t.TempDir(), "found again")
	copyFile(t, h.KeyText(), kept)
	ok(t, v.Recover(t.Context(), vault.RecoverRequest{Key: rec, Protection: vault.Passphrase, Passphrase: say(newPass)}))
	ok(t, v.Lock(t.Context()))
	remove(t, h.KeyAge())
	copyFile(t, kept, h.KeyText())
	if err := unlock(t, v, ""); fault.RuleOf(err) != "data_key_mismatch" {
		t.Errorf("got %v", err)
	}
}

func TestWithoutARecoveryKeyThereIsNoRecovery(t *testing.T) {
	h, v := made(t, vault.File)
	plain, err := os.ReadFile(h.KeyText())
	ok(t, err)
	own := strings.Fields(string(plain)[strings.Index(string(plain), "AGE-SECRET"):])[0]
	if err := v.Recover(t.Context(), vault.RecoverRequest{Key: say(own), Protection: vault.File}); !errors.Is(err, vault.ErrNoRecovery) {
		t.Errorf("got %v", err)
	}
	ok(t, unlock(t, v, ""))
	if _, err := v.NewRecovery(t.Context()); err != nil {
		t.Fatal(err)
	}
	ok(t, v.Lock(t.Context()))
	if err := v.Recover(t.Context(), vault.RecoverRequest{Key: say(own), Protection: vault.File}); !errors.Is(err, vault.ErrRecoveryKey) {
		t.Errorf("the home's own key: %v", err)
	}
}

// TestTheAgeProgramOpensTheHome: with either key, also after a change.
func TestTheAgeProgramOpensTheHome(t *testing.T) {
	age, err := exec.LookPath("age")
	if err != nil {
		t.Skip("the age program is not installed")
	}
	h, v := opened(t, vault.Passphrase)
	rec, err := v.NewRecovery(t.Context())
	ok(t, err)
	_, err = v.Protect(t.Context(), vault.ProtectRequest{Current: say(pass), Protection: vault.File})
	ok(t, err)
	paper := filepath.Join(t.TempDir(), "paper")
	write(t, paper, rec.Reveal())
	var keys []string
	for _, key := range []string{h.KeyText(), paper} {
		out, err := exec.CommandContext(t.Context(), age, "-d", "-i", key, h.DataKey()).Output()
		if err != nil || len(out) != crypto.DataKeyLen {
			t.Errorf("%s: %v", filepath.Base(key), err)
		}
		keys = append(keys, string(out))
	}
	if keys[0] != keys[1] {
		t.Error("two data keys")
	}
}

// TestTwoKeysAfterACutOffChange: what the change speaks of is told from what
// somebody put there.
func TestTwoKeysAfterACutOffChange(t *testing.T) {
	for name, tc := range map[string]struct {
		at          string // the step the change is cut off at
		harm        func(t *testing.T, h home.Home)
		opens, rule string
	}{
		"nothing decided":              {"change: staged", nil, pass, ""},
		"decided":                      {"change: decided", nil, "", ""},
		"both in place":                {"change: key in place", nil, "", ""},
		"old key changed":              {"change: key in place", anotherKey, "", "two_keys"},
		"foreign key":                  {"change: old key gone", anotherKey, "", "two_keys"},
		"foreign key, nothing decided": {"change: staged", func(t *testing.T, h home.Home) { write(t, h.KeyText(), []byte("x")) }, pass, "two_keys"},
		"new key gone":                 {"change: decided", func(t *testing.T, h home.Home) { remove(t, h.KeyText()+".new") }, pass, ""},
		"decision cut":                 {"change: decided", func(t *testing.T, h home.Home) { cut(t, h.KeyChange()) }, pass, "key_corrupt"},
	} {
		t.Run(name, func(t *testing.T) {
			h := scene(t, vault.Passphrase)
			steps := play(t, "to file", h, 0)
			h = scene(t, vault.Passphrase)
			play(t, "to file", h, slices.Index(steps, tc.at)+1)
			if tc.harm != nil {
				tc.harm(t, h)
			}
			v := vaultAt(h.Dir, nil)
			st := v.Status(t.Context())
			if (st.State == vault.Locked) != (tc.rule == "") || (tc.rule != "" && fault.RuleOf(st.Problem) != tc.rule) {
				t.Errorf("%+v", st)
			}
			before := fingerprint(t, h.Dir)
			err := unlock(t, v, tc.opens)
			if tc.rule == "" {
				ok(t, err)
				ok(t, v.Lock(t.Context()))
				return
			}
			if fault.RuleOf(err) != tc.rule || fingerprint(t, h.Dir) != before {
				t.Errorf("got %v, or it wrote something", err)
			}
		})
	}
}
