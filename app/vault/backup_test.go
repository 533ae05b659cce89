package vault_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"callboard/app/fault"
	"callboard/app/home"
	"callboard/app/vault"
	"callboard/storage"
)

// backedUp is an open home with rows, and what else a backup takes.
func backedUp(t *testing.T, p vault.Protection) (home.Home, *vault.Service, *storage.DB) {
	t.Helper()
	h := home.Home{Dir: filepath.Join(t.TempDir(), "home")}
	v, db := vaultOver(h.Dir, nil)
	ok(t, v.Init(t.Context(), vault.InitRequest{Protection: p, Passphrase: say(pass)}))
	t.Cleanup(func() { _ = v.Lock(context.WithoutCancel(t.Context())) })
	fillRows(t, db, "before")
	write(t, h.Settings(), []byte("{}"))
	live := filepath.Join(h.Ephemeral(), "live")
	mkdir(t, live)
	write(t, filepath.Join(live, "one.json"), []byte("helper"))
	ok(t, os.Symlink("/etc/hostname", filepath.Join(live, "link")))
	mkdir(t, h.Run())
	write(t, filepath.Join(h.Run(), "api.json"), []byte("token"))
	mkdir(t, h.Backups())
	write(t, filepath.Join(h.Backups(), "agent.md"), []byte("displaced"))
	return h, v, db
}

func backup(v *vault.Service, dir string) error {
	_, err := v.Backup(context.Background(), vault.BackupRequest{Dir: dir, Passphrase: say(backupPass)})
	return err
}

func TestABackupHasWhatBelongsToItAndNothingElse(t *testing.T) {
	for _, p := range []vault.Protection{vault.Passphrase, vault.File} {
		t.Run(string(p), func(t *testing.T) {
			h, v, db := backedUp(t, p)
			dir := beside(h, "backup")
			mkdir(t, dir)
			var last vault.Progress
			got, err := v.Backup(t.Context(), vault.BackupRequest{Dir: dir, Passphrase: say(backupPass), Progress: func(p vault.Progress) { last = p }})
			ok(t, err)
			if got.Dir != dir || got.Rows["notes"] != 30 || got.Rows["history"] != 30 || len(got.Damage) > 0 || last.Done != last.Total || last.Total == 0 {
				t.Errorf("%+v %+v", got, last)
			}
			fillRows(t, db, "after") // the copy shares no file with the store
			names := map[string]bool{}
			ok(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
				rel, _ := filepath.Rel(dir, path)
				names[strings.SplitN(filepath.ToSlash(rel), "/", 2)[0]] = true
				if d.Name() == "link" || d.Name() == "LOCK" || strings.HasSuffix(d.Name(), ".new") {
					t.Errorf("%s is there", rel)
				}
				return err
			}))
			want := []string{".", "backup.json", "key.age", "dek.age", "settings.json", "store", "ephemeral"}
			for _, n := range want {
				if !names[n] {
					t.Errorf("%s is missing", n)
				}
			}
			if len(names) != len(want) {
				t.Errorf("too much: %v", names)
			}
			private(t, dir)
			if there, _ := home.Exists(dir + ".partial"); there {
				t.Error("the staging folder is still there")
			}
			restored(t, dir, backupPass, "before")
		})
	}
}

func TestBackupRefusesPlaces(t *testing.T) {
	h, v, _ := backedUp(t, vault.File)
	full, link, file := beside(h, "full"), beside(h, "link"), beside(h, "file")
	mkdir(t, filepath.Join(full, "x"))
	mkdir(t, beside(h, "empty"))
	ok(t, os.Symlink(beside(h, "empty"), link))
	ok(t, os.Symlink(h.Dir, beside(h, "homelink")))
	write(t, file, nil)
	mkdir(t, beside(h, "taken.partial"))
	for name, dir := range map[string]string{
		"nothing":               "",
		"the home":              h.Dir,
		"inside the home":       filepath.Join(h.Dir, "backup"),
		"deep in the home":      filepath.Join(h.Backups(), "b"),
		"in the home by a link": filepath.Join(beside(h, "homelink"), "b"),
		"not empty":             full,
		"a link":                link,
		"a file":                file,
		"no folder above":       filepath.Join(beside(h, "none"), "b"),
		"somebody's .partial":   beside(h, "taken"),
	} {
		before := settled(t, filepath.Dir(h.Dir))
		if err := backup(v, dir); !errors.Is(err, vault.ErrBackupPlace) {
			t.Errorf("%s: %v", name, err)
		}
		if fingerprint(t, filepath.Dir(h.Dir)) != before {
			t.Errorf("%s: the refusal wrote something", name)
		}
	}
	if _, err := v.Backup(t.Context(), vault.BackupRequest{Dir: beside(h, "b"), Passphrase: say("short")}); !errors.Is(err, vault.ErrShort) {
		t.Errorf("a short passphrase: %v", err)
	}
	ok(t, v.Lock(t.Context()))
	if err := backup(v, beside(h, "b")); fault.RuleOf(err) != "locked" {
		t.Errorf("a locked home: %v", err)
	}
}

// TestACancelledBackupLeavesNothing cancels at each step, by the context and
// by Lock.
func TestACancelledBackupLeavesNothing(t *testing.T) {
	for _, at := range []string{"backup: begun", "backup: store copied", "backup: files copied"} {
		for _, by := range []string{"context", "lock"} {
			t.Run(at+" by "+by, func(t *testing.T) {
				h, v, _ := backedUp(t, vault.File)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				locked, isCut := make(chan error, 1), make(chan struct{})
				v.OnStep(func(name string) {
					switch {
					case name == "lock: the rest was cut":
						close(isCut)
					case name != at:
					case by == "context":
						cancel()
					default:
						go func() { locked <- v.Lock(context.WithoutCancel(t.Context())) }()
						<-isCut
					}
				})
				_, err := v.Backup(ctx, vault.BackupRequest{Dir: beside(h, "backup"), Passphrase: say(backupPass)})
				switch by {
				case "context":
					if !errors.Is(err, context.Canceled) {
						t.Errorf("got %v", err)
					}
				default:
					if fault.RuleOf(err) != "locked" {
						t.Errorf("got %v", err)
					}
					ok(t, <-locked)
				}
				entries, err := os.ReadDir(filepath.Dir(h.Dir))
				ok(t, err)
				if len(entries) != 1 {
					t.Errorf("left behind: %v", entries)
				}
			})
		}
	}
}

func TestABackupReplacesACutOffOne(t *testing.T) {
	h, v, _ := backedUp(t, vault.File)
	partial := beside(h, "backup.partial")
	mkdir(t, partial)
	write(t, filepath.Join(partial, "callboard-partial"), nil)
	write(t, filepath.Join(partial, "key.age"), []byte("half"))
	ok(t, backup(v, beside(h, "backup")))
	if there, _ := home.Exists(partial); there {
		t.Error("the cut-off one is still there")
	}
}
