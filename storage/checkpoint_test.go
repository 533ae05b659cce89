package storage_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/fault"
	"callboard/storage"
	"callboard/storage/storagetest"
)

// diskStore is an open store on the real disk.
func diskStore(t *testing.T, o storage.Options) *storage.DB {
	t.Helper()
	db := storage.New(o)
	if err := db.Open(context.WithoutCancel(t.Context()), storagetest.Sealer(t)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestACheckpointIsAWholeStoreOfItsOwn(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "store"), filepath.Join(dir, "copy")
	db := diskStore(t, storage.Options{Dir: from})
	for i := range 20 {
		update(t, db, func(tx *storage.Tx) error { return put(tx, fmt.Sprint("n", i), "before") })
	}
	if err := db.Checkpoint(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	update(t, db, func(tx *storage.Tx) error { return put(tx, "n0", "after") })
	want := all(t, db)
	want["n0"] = "before"
	before := names(t, from)
	for name := range names(t, to) {
		a, errA := os.Stat(filepath.Join(from, name))
		b, errB := os.Stat(filepath.Join(to, name))
		if errA == nil && errB == nil && os.SameFile(a, b) {
			t.Errorf("%s is the store's own file", name)
		}
		if errB != nil || b.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v %v", name, b.Mode(), errB)
		}
	}
	copied := diskStore(t, storage.Options{Dir: to, ReadOnly: true})
	if diff := cmp.Diff(want, all(t, copied)); diff != "" {
		t.Error(diff)
	}
	if bad, err := copied.Verify(t.Context()); err != nil || len(bad) > 0 {
		t.Errorf("damage %v %v", bad, err)
	}
	view(t, copied, func(tx *storage.Tx) error {
		counts, err := tx.Counts()
		if diff := cmp.Diff(map[string]int{"notes": 20}, counts); diff != "" {
			t.Error(diff)
		}
		return err
	})
	if diff := cmp.Diff(before, names(t, from)); diff != "" {
		t.Errorf("the store changed: %s", diff)
	}
}

func TestAReadOnlyStoreChangesNoFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	db := diskStore(t, storage.Options{Dir: dir})
	update(t, db, func(tx *storage.Tx) error { return put(tx, "a", "x") })
	closeDB(t, db)
	before := names(t, dir)
	ro := diskStore(t, storage.Options{Dir: dir, ReadOnly: true})
	err := ro.Update(t.Context(), func(tx *storage.Tx) error { return put(tx, "a", "y") })
	if !errors.Is(err, storage.ErrReadOnly) || all(t, ro)["a"] != "x" {
		t.Errorf("got %v", err)
	}
	closeDB(t, ro)
	if diff := cmp.Diff(before, names(t, dir)); diff != "" {
		t.Error(diff)
	}
	missing := storage.New(storage.Options{Dir: filepath.Join(t.TempDir(), "none"), ReadOnly: true})
	if err := missing.Open(t.Context(), storagetest.Sealer(t)); fault.RuleOf(err) != "store_damaged" {
		t.Errorf("a store that is not there: %v", err)
	}
}

func TestACancelledCheckpointLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	db := diskStore(t, storage.Options{Dir: filepath.Join(dir, "store")})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	to := filepath.Join(dir, "copy")
	if err := db.Checkpoint(ctx, to); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Lstat(to); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the copy is there: %v", err)
	}
	closeDB(t, db)
	if err := db.Checkpoint(t.Context(), to); !errors.Is(err, storage.ErrLocked) {
		t.Errorf("a closed store: %v", err)
	}
}

// names are the files of dir with their content, but for Pebble's lock.
func names(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if e.Name() != "LOCK" {
			out[e.Name()] = string(data)
		}
	}
	return out
}
