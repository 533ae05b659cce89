package vault_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"

	"callboard/app/fault"
	"callboard/app/home"
	"callboard/app/vault"
)

// old is a locked home that has moved on since its backup, which lies beside
// it.
func old(t *testing.T, p vault.Protection) (h home.Home, v *vault.Service, from string) {
	t.Helper()
	h, v, db := backedUp(t, p)
	from = beside(h, "backup")
	ok(t, backup(v, from))
	fillRows(t, db, "after")
	write(t, h.Settings(), []byte("{\"a\":1}"))
	ok(t, v.Lock(t.Context()))
	return h, v, from
}

func restore(v *vault.Service, from, pass string) (vault.RestoreResult, error) {
	return v.Restore(context.Background(), vault.RestoreRequest{From: from, Passphrase: say(pass)})
}

func TestRestorePutsTheBackupInPlaceAndTheOldHomeAside(t *testing.T) {
	for _, p := range []vault.Protection{vault.Passphrase, vault.File} {
		t.Run(string(p), func(t *testing.T) {
			h, v, from := old(t, p)
			got, err := restore(v, from, backupPass)
			ok(t, err)
			if filepath.Dir(got.Aside) != h.Dir || !strings.HasPrefix(filepath.Base(got.Aside), "before-restore-") || got.Made.IsZero() {
				t.Errorf("%+v", got)
			}
			if st := v.Status(t.Context()); st.State != vault.Locked || st.Protection != vault.Passphrase {
				t.Errorf("%+v", st)
			}
			for path, want := range map[string]bool{
				h.Run(): false, h.Restoring().Dir: false, h.RestoreChange(): false, h.KeyText(): false,
				h.KeyAge(): true, h.Backups(): true, filepath.Join(h.Ephemeral(), "live", "one.json"): true,
			} {
				if there, _ := home.Exists(path); there != want {
					t.Errorf("%s is there: %v", filepath.Base(path), there)
				}
			}
			if data, _ := os.ReadFile(h.Settings()); string(data) != "{}" {
				t.Errorf("settings are %s", data)
			}
			private(t, h.Dir)
			says(t, h, backupPass, "before")
			says(t, home.Home{Dir: got.Aside}, pass, "after")
			again, err := restore(v, from, backupPass) // the name with this time is taken
			ok(t, err)
			if again.Aside == got.Aside {
				t.Error("two old homes in one folder")
			}
			says(t, h, backupPass, "before")
		})
	}
}

// says opens the home and compares its rows.
func says(t *testing.T, h home.Home, pass, want string) {
	t.Helper()
	v, db := vaultOver(h.Dir, nil)
	ok(t, unlock(t, v, pass))
	defer func() { ok(t, v.Lock(t.Context())) }()
	if bad, err := v.Verify(t.Context()); err != nil || len(bad) > 0 {
		t.Errorf("damage %v %v", bad, err)
	}
	if got := bodies(t, db); got != want {
		t.Errorf("rows say %s, want %s", got, want)
	}
}

// TestABadBackupIsRefusedAndChangesNothing harms a backup in each way, and
// flips a bit in every one of its files.
func TestABadBackupIsRefusedAndChangesNothing(t *testing.T) {
	h, v, from := old(t, vault.Passphrase)
	type harm struct {
		do   func(t *testing.T, dir string)
		pass string
		rule string
	}
	cases := map[string]harm{
		"wrong passphrase":   {nil, pass, "wrong_passphrase"},
		"no passphrase":      {nil, "", "passphrase_empty"},
		"no manifest":        {func(t *testing.T, d string) { remove(t, filepath.Join(d, "backup.json")) }, backupPass, "backup_none"},
		"half a manifest":    {func(t *testing.T, d string) { cut(t, filepath.Join(d, "backup.json")) }, backupPass, "backup_damaged"},
		"newer":              {inManifest(`"format": 1`, `"format": 2`), backupPass, "backup_newer"},
		"one row less":       {inManifest(`"notes": 30`, `"notes": 29`), backupPass, "backup_damaged"},
		"a path out of it":   {inManifest(`"settings.json"`, `"../x/home/key.age"`), backupPass, "backup_damaged"},
		"the key gone":       {func(t *testing.T, d string) { remove(t, filepath.Join(d, "key.age")) }, backupPass, "backup_damaged"},
		"the data key gone":  {func(t *testing.T, d string) { remove(t, filepath.Join(d, "dek.age")) }, backupPass, "backup_damaged"},
		"the store gone":     {func(t *testing.T, d string) { removeAll(t, filepath.Join(d, "store")) }, backupPass, "backup_damaged"},
		"a file that is one": {func(t *testing.T, d string) { removeAll(t, d); write(t, d, nil) }, backupPass, "backup_none"},
		"not there":          {removeAll, backupPass, "backup_none"},
		"a link in it": {func(t *testing.T, d string) {
			remove(t, filepath.Join(d, "settings.json"))
			ok(t, os.Symlink(h.Settings(), filepath.Join(d, "settings.json")))
		}, backupPass, "backup_damaged"},
	}
	ok(t, filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(from, path)
		if err != nil || d.IsDir() || rel == "backup.json" {
			return err
		}
		if fi, err := d.Info(); err != nil || fi.Size() == 0 {
			return err
		}
		cases["a bit of "+rel] = harm{func(t *testing.T, d string) { flip(t, filepath.Join(d, rel)) }, backupPass, "backup_damaged"}
		return nil
	}))
	if len(cases) < 18 {
		t.Fatalf("only %d cases", len(cases))
	}
	for name, tc := range cases {
		dir := filepath.Join(t.TempDir(), "backup")
		ok(t, os.CopyFS(dir, os.DirFS(from)))
		if tc.do != nil {
			tc.do(t, dir)
		}
		if _, err := restore(v, dir, tc.pass); fault.RuleOf(err) != tc.rule {
			t.Errorf("%s: %v", name, err)
		}
		if got := untouched(t, h); got != "" {
			t.Errorf("%s: left %s", name, got)
		}
		fresh := home.Home{Dir: filepath.Join(t.TempDir(), "fresh")}
		if _, err := restore(vaultAt(fresh.Dir, nil), dir, tc.pass); fault.RuleOf(err) != tc.rule {
			t.Errorf("%s, fresh: %v", name, err)
		}
		if there, _ := home.Exists(fresh.Dir); there {
			t.Errorf("%s: a fresh home was left behind", name)
		}
	}
	says(t, h, pass, "after")
}

// untouched names what does not belong in the home.
func untouched(t *testing.T, h home.Home) string {
	t.Helper()
	entries, err := os.ReadDir(h.Dir)
	ok(t, err)
	var odd []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "restore") || strings.HasPrefix(e.Name(), "before") || strings.Contains(e.Name(), ".new") {
			odd = append(odd, e.Name())
		}
	}
	return strings.Join(odd, " ")
}

func inManifest(was, is string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		path := filepath.Join(dir, "backup.json")
		data, err := os.ReadFile(path)
		ok(t, err)
		if !bytes.Contains(data, []byte(was)) {
			t.Fatalf("no %s in %s", was, data)
		}
		write(t, path, bytes.Replace(data, []byte(was), []byte(is), 1))
	}
}

func flip(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	ok(t, err)
	data[len(data)/2] ^= 1
	write(t, path, data)
}

func TestRestoreRefusesAHeldHome(t *testing.T) {
	h, v, from := old(t, vault.File)
	ok(t, unlock(t, v, ""))
	before := settled(t, h.Dir)
	if _, err := restore(v, from, backupPass); !errors.Is(err, vault.ErrNotLocked) {
		t.Errorf("its own: %v", err)
	}
	if _, err := restore(vaultAt(h.Dir, nil), from, backupPass); fault.RuleOf(err) != "store_held" {
		t.Errorf("another program's: %v", err)
	}
	if fingerprint(t, h.Dir) != before {
		t.Error("the refusal wrote something")
	}
}

func TestACancelledRestoreLeavesTheOldHome(t *testing.T) {
	h, v, from := old(t, vault.Passphrase)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	v.OnStep(func(name string) {
		if name == "restore: copied" {
			cancel()
		}
	})
	_, err := v.Restore(ctx, vault.RestoreRequest{From: from, Passphrase: say(backupPass)})
	if !errors.Is(err, context.Canceled) || untouched(t, h) != "" {
		t.Errorf("%v, left %s", err, untouched(t, h))
	}
	says(t, h, pass, "after")
}

// TestABackupOfADamagedHome carries the damage along and says so; discarding
// it in the restored home clears the list.
func TestABackupOfADamagedHome(t *testing.T) {
	h, v, _ := backedUp(t, vault.File)
	ok(t, v.Lock(t.Context()))
	d, err := pebble.Open(h.Store(), &pebble.Options{FormatMajorVersion: pebble.FormatValueSeparation, Logger: quiet{}})
	ok(t, err)
	ok(t, d.Set([]byte("t/notes\x00n03"), []byte("damaged"), pebble.Sync))
	ok(t, d.Delete([]byte("l/history\x00n04\x00\x00\x00\x00\x00\x00\x00\x00\x01"), pebble.Sync))
	ok(t, d.Close())
	ok(t, unlock(t, v, ""))
	got, err := v.Backup(t.Context(), vault.BackupRequest{Dir: beside(h, "backup"), Passphrase: say(backupPass)})
	ok(t, err)
	if len(got.Damage) != 2 {
		t.Errorf("damage %v", got.Damage)
	}
	other := filepath.Join(t.TempDir(), "other")
	w, db := vaultOver(other, nil)
	back, err := restore(w, beside(h, "backup"), backupPass)
	ok(t, err)
	if len(back.Damage) != 2 || back.Aside != "" {
		t.Errorf("%+v", back)
	}
	ok(t, unlock(t, w, backupPass))
	found, err := w.Verify(t.Context())
	ok(t, err)
	left, err := w.Discard(t.Context(), found)
	ok(t, err)
	if len(found) != 2 || len(left) != 0 || len(w.Status(t.Context()).Damage) != 0 {
		t.Errorf("found %v, left %v", found, left)
	}
	fillRows(t, db, "whole again")
	ok(t, w.Lock(t.Context()))
	says(t, home.Home{Dir: other}, backupPass, "whole again")
}

type quiet struct{}

func (quiet) Infof(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Fatalf(string, ...any) {}
