package vault_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"callboard/app/fault"
	"callboard/app/home"
	"callboard/app/vault"
	"callboard/crypto"
	"callboard/crypto/secret"
	"callboard/storage"
)

const pass = "correct horse battery"

// vaultAt is a vault over dir with a cheap work factor. free, when not nil,
// plays the disk's free space.
func vaultAt(dir string, free func(string) (uint64, error)) *vault.Service {
	v, _ := vaultOver(dir, free)
	return v
}

func vaultOver(dir string, free func(string) (uint64, error)) (*vault.Service, *storage.DB) {
	h := home.Home{Dir: dir}
	opts := storage.Options{Dir: h.Store(), LockFile: h.StoreLock(), MustExist: true, FreeSpace: free}
	db := storage.New(opts)
	return vault.NewService(vault.Config{
		Home: h, DB: db, Store: opts, Feed: db.Feed(), Log: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return time.Unix(1e9, 0) }, WorkFactor: 4,
	}), db
}

// made is a locked home.
func made(t *testing.T, p vault.Protection) (home.Home, *vault.Service) {
	t.Helper()
	h := home.Home{Dir: filepath.Join(t.TempDir(), "home")}
	v := vaultAt(h.Dir, nil)
	if err := v.Init(t.Context(), vault.InitRequest{Protection: p, Passphrase: secret.FromString(pass)}); err != nil {
		t.Fatal(err)
	}
	if st := v.Status(t.Context()); st.State != vault.Open || st.Protection != p {
		t.Fatalf("after init %+v", st)
	}
	if err := v.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h, v
}

func unlock(t *testing.T, v *vault.Service, p string) error {
	t.Helper()
	return v.Unlock(t.Context(), vault.UnlockRequest{Passphrase: secret.FromString(p)})
}

// fingerprint covers names, modes, times and content of everything below dir.
func fingerprint(t *testing.T, dir string) string {
	t.Helper()
	sum, err := tryFingerprint(dir)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func tryFingerprint(dir string) (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(sum, path, fi.Mode(), fi.ModTime().UnixNano())
		if fi.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			sum.Write(data)
		}
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// settled waits until the holder's own background work on the folder is over.
func settled(t *testing.T, dir string) string {
	t.Helper()
	last := ""
	for range 100 {
		time.Sleep(50 * time.Millisecond)
		now, err := tryFingerprint(dir)
		if err == nil && now == last {
			return now
		}
		last = now
	}
	t.Fatal("the folder does not come to rest")
	return ""
}

func TestInitLockUnlock(t *testing.T) {
	for _, p := range []vault.Protection{vault.Passphrase, vault.File} {
		t.Run(string(p), func(t *testing.T) {
			h, v := made(t, p)
			if st := v.Status(t.Context()); st.State != vault.Locked || st.Protection != p {
				t.Errorf("locked: %+v", st)
			}
			for range 2 { // a second time changes nothing
				if err := unlock(t, v, pass); err != nil {
					t.Fatal(err)
				}
			}
			if err := v.Init(t.Context(), vault.InitRequest{Protection: p}); !errors.Is(err, vault.ErrExists) {
				t.Errorf("init over an open home: %v", err)
			}
			for range 2 {
				if err := v.Lock(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			private(t, h.Dir)
			for path, want := range map[string]bool{h.KeyAge(): p == vault.Passphrase, h.KeyText(): p == vault.File, h.Staging().Dir: false} {
				if there, err := home.Exists(path); there != want || err != nil {
					t.Errorf("%s there: %v %v", filepath.Base(path), there, err)
				}
			}
			if again := vaultAt(h.Dir, nil); unlock(t, again, pass) != nil || again.Lock(t.Context()) != nil {
				t.Error("a fresh program cannot open it")
			}
		})
	}
}

// private fails for anything another user could read.
func private(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := d.Info()
		if err == nil && fi.Mode()&fs.ModeSymlink == 0 && fi.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, fi.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestInitRefuses(t *testing.T) {
	for name, tc := range map[string]struct {
		req  vault.InitRequest
		free func(string) (uint64, error)
		rule string
	}{
		"no protection":    {vault.InitRequest{Passphrase: secret.FromString(pass)}, nil, "protection_unknown"},
		"no passphrase":    {vault.InitRequest{Protection: vault.Passphrase}, nil, "passphrase_short"},
		"short passphrase": {vault.InitRequest{Protection: vault.Passphrase, Passphrase: secret.FromString("1234567")}, nil, "passphrase_short"},
		"full disk": {
			vault.InitRequest{Protection: vault.File},
			func(string) (uint64, error) { return 1 << 20, nil }, "disk_full",
		},
	} {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			v := vaultAt(filepath.Join(parent, "home"), tc.free)
			before := fingerprint(t, parent)
			err := v.Init(t.Context(), tc.req)
			if fault.RuleOf(err) != tc.rule {
				t.Errorf("got %v", err)
			}
			if entries, _ := os.ReadDir(parent); len(entries) != 0 {
				t.Errorf("a refused init left %v (before %s)", entries, before)
			}
			if st := v.Status(t.Context()); st.State != vault.New {
				t.Errorf("state %+v", st)
			}
		})
	}
}

// TestARefusedUnlockWritesNothing breaks a home in each way and compares the
// folder before and after.
func TestARefusedUnlockWritesNothing(t *testing.T) {
	cases := map[string]struct {
		protect vault.Protection
		harm    func(t *testing.T, h home.Home)
		pass    string
		rule    string
		state   vault.State
	}{
		"wrong passphrase": {vault.Passphrase, nil, "wrong horse", "wrong_passphrase", vault.Locked},
		"empty passphrase": {vault.Passphrase, nil, "", "", vault.Locked},
		"key gone":         {vault.Passphrase, func(t *testing.T, h home.Home) { remove(t, h.KeyAge()) }, pass, "key_missing", vault.Broken},
		"key cut":          {vault.Passphrase, func(t *testing.T, h home.Home) { cut(t, h.KeyAge()) }, pass, "key_corrupt", vault.Locked},
		"key emptied":      {vault.File, func(t *testing.T, h home.Home) { write(t, h.KeyText(), nil) }, "", "key_corrupt", vault.Locked},
		"key is a folder":  {vault.Passphrase, func(t *testing.T, h home.Home) { remove(t, h.KeyAge()); mkdir(t, h.KeyAge()) }, pass, "key_corrupt", vault.Locked},
		"two keys":         {vault.Passphrase, func(t *testing.T, h home.Home) { write(t, h.KeyText(), []byte("x")) }, pass, "two_keys", vault.Broken},
		"key exposed":      {vault.File, func(t *testing.T, h home.Home) { chmod(t, h.KeyText(), 0o640) }, "", "key_exposed", vault.Locked},
		"data key gone":    {vault.File, func(t *testing.T, h home.Home) { remove(t, h.DataKey()) }, "", "data_key_missing", vault.Locked},
		"data key cut":     {vault.File, func(t *testing.T, h home.Home) { cut(t, h.DataKey()) }, "", "data_key_corrupt", vault.Locked},
		"store gone":       {vault.File, func(t *testing.T, h home.Home) { removeAll(t, h.Store()) }, "", "store_missing", vault.Locked},
		"foreign data key": {vault.File, func(t *testing.T, h home.Home) {
			other, _ := made(t, vault.File)
			copyFile(t, other.DataKey(), h.DataKey())
		}, "", "data_key_mismatch", vault.Locked},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			h, v := made(t, tc.protect)
			if tc.harm != nil {
				tc.harm(t, h)
			}
			before := fingerprint(t, h.Dir)
			err := unlock(t, v, tc.pass)
			if err == nil || (tc.rule != "" && fault.RuleOf(err) != tc.rule) {
				t.Errorf("got %v", err)
			}
			if st := v.Status(t.Context()); st.State != tc.state {
				t.Errorf("state %+v", st)
			}
			if fingerprint(t, h.Dir) != before {
				t.Error("the refusal wrote something")
			}
		})
	}
}

func TestAForeignHomesKeyAndDataKeyDoNotOpenTheStore(t *testing.T) {
	h, v := made(t, vault.File)
	other, _ := made(t, vault.File)
	copyFile(t, other.KeyText(), h.KeyText())
	copyFile(t, other.DataKey(), h.DataKey())
	if err := unlock(t, v, ""); fault.RuleOf(err) != "wrong_key" {
		t.Errorf("got %v", err)
	}
	if st := v.Status(t.Context()); st.State != vault.Locked {
		t.Errorf("state %+v", st)
	}
}

func TestARewrappedDataKeyIsNoticed(t *testing.T) {
	h, v := made(t, vault.File)
	plain, err := os.ReadFile(h.KeyText())
	if err != nil {
		t.Fatal(err)
	}
	id, err := crypto.ParseIdentity(secret.New(plain))
	if err != nil {
		t.Fatal(err)
	}
	wrapped, err := os.ReadFile(h.DataKey())
	if err != nil {
		t.Fatal(err)
	}
	key, err := crypto.UnwrapDataKey(wrapped, id)
	if err != nil {
		t.Fatal(err)
	}
	again, err := crypto.WrapDataKey(key, id.Recipient())
	if err != nil {
		t.Fatal(err)
	}
	write(t, h.DataKey(), again)
	if err := unlock(t, v, ""); !errors.Is(err, vault.ErrDataKeyDiffers) {
		t.Errorf("got %v", err)
	}
	write(t, h.DataKey(), wrapped)
	if err := unlock(t, v, ""); err != nil {
		t.Errorf("with its own dek.age back: %v", err)
	}
	_ = v.Lock(t.Context())
}

func TestAHomeHeldElsewhereIsRefusedAndUntouched(t *testing.T) {
	h, first := made(t, vault.File)
	if err := unlock(t, first, ""); err != nil {
		t.Fatal(err)
	}
	before := settled(t, h.Dir)
	second := vaultAt(h.Dir, nil)
	err := unlock(t, second, "")
	if fault.RuleOf(err) != "store_held" || !bytes.Contains([]byte(err.Error()), fmt.Append(nil, os.Getpid())) {
		t.Errorf("got %v", err)
	}
	if fingerprint(t, h.Dir) != before {
		t.Error("the loser wrote something")
	}
	if err := first.Lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := unlock(t, second, ""); err != nil {
		t.Errorf("once it is free: %v", err)
	}
	_ = second.Lock(t.Context())
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string)    { t.Helper(); ok(t, os.Remove(path)) }
func removeAll(t *testing.T, path string) { t.Helper(); ok(t, os.RemoveAll(path)) }
func mkdir(t *testing.T, path string)     { t.Helper(); ok(t, os.MkdirAll(path, 0o700)) }
func write(t *testing.T, path string, data []byte) {
	t.Helper()
	ok(t, os.WriteFile(path, data, 0o600))
}
func chmod(t *testing.T, path string, mode os.FileMode) { t.Helper(); ok(t, os.Chmod(path, mode)) }

func cut(t *testing.T, path string) {
	t.Helper()
	fi, err := os.Stat(path)
	ok(t, err)
	ok(t, os.Truncate(path, fi.Size()/2))
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	ok(t, err)
	write(t, to, data)
}
