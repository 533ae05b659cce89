package storage_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/crypto"
	"callboard/storage"
	"callboard/storage/storagetest"
)

func TestResealOpensWithTheNewKeyOnly(t *testing.T) {
	s := newScene(t)
	db := storagetest.Open(t, s.fs)
	key, err := crypto.NewDataKey()
	if err != nil {
		t.Fatal(err)
	}
	sealer, err := crypto.NewSealer(key)
	if err != nil {
		t.Fatal(err)
	}
	defer sealer.Close()
	to := storage.Options{Dir: filepath.Join(t.TempDir(), "store")}
	if err := db.Reseal(t.Context(), to, sealer); err != nil {
		t.Fatal(err)
	}
	if err := storage.New(to).Open(t.Context(), storagetest.Sealer(t)); !errors.Is(err, storage.ErrWrongKey) {
		t.Errorf("the old key: %v", err)
	}
	next := storage.New(to)
	if err := next.Open(t.Context(), sealer); err != nil {
		t.Fatal(err)
	}
	defer closeDB(t, next)
	if diff := cmp.Diff(read(t, db), read(t, next)); diff != "" {
		t.Error(diff)
	}
	if bad, err := next.Verify(t.Context()); err != nil || len(bad) > 0 {
		t.Errorf("damage %v %v", bad, err)
	}
	stillWorks(t, next)
}

func TestResealRefusesABadRow(t *testing.T) {
	s := newScene(t)
	fs := copyStore(t, s.now)
	poke(t, fs, map[string][]byte{rowA: bytes.Repeat([]byte("x"), 100)})
	db := storagetest.Open(t, fs)
	err := db.Reseal(t.Context(), storage.Options{Dir: filepath.Join(t.TempDir(), "store")}, storagetest.Sealer(t))
	if !errors.Is(err, crypto.ErrRowCorrupt) {
		t.Errorf("got %v", err)
	}
}
