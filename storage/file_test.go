package storage_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"callboard/storage"
	"callboard/storage/storagetest"
)

// A flipped bit in one of Pebble's own files, under its checksums.
func TestAFlippedBitInAFile(t *testing.T) {
	fs := vfs.NewMem()
	db := storagetest.Open(t, fs)
	const rows = 200
	update(t, db, func(tx *storage.Tx) error {
		for i := range rows {
			if err := put(tx, fmt.Sprintf("n%03d", i), strings.Repeat("x", 2000)); err != nil {
				return err
			}
		}
		return nil
	})
	closeDB(t, db)
	var victim []byte
	raw(t, fs, func(d *pebble.DB) {
		if err := d.Flush(); err != nil {
			t.Fatal(err)
		}
		v, c, err := d.Get([]byte("t/notes\x00n100"))
		if err != nil {
			t.Fatal(err)
		}
		victim = bytes.Clone(v)
		c.Close()
	})
	if !flipInFile(t, fs, victim) {
		t.Fatal("the row is in no table file")
	}
	db = storagetest.Open(t, fs)
	got := all(t, db)
	bad := 0
	for id, body := range got {
		if body == "row_corrupt" {
			bad++
		} else if body != strings.Repeat("x", 2000) {
			t.Errorf("%s: %.20q", id, body)
		}
	}
	if len(got) != rows || got["n100"] != "row_corrupt" || bad > 40 {
		t.Errorf("%d rows, %d of them damaged, n100 is %.20q", len(got), bad, got["n100"])
	}
	update(t, db, func(tx *storage.Tx) error { return put(tx, "new", "x") })
}

func flipInFile(t *testing.T, fs vfs.FS, content []byte) bool {
	t.Helper()
	names, err := fs.List(storagetest.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if filepath.Ext(name) != ".sst" {
			continue
		}
		path := fs.PathJoin(storagetest.Dir, name)
		b := readFile(t, fs, path)
		at := bytes.Index(b, content)
		if at < 0 {
			continue
		}
		b[at+len(content)/2] ^= 1
		f, err := fs.Create(path, vfs.WriteCategoryUnspecified)
		if err != nil {
			t.Fatal(err)
		}
		_, werr := f.Write(b)
		if err := errors.Join(werr, f.Sync(), f.Close()); err != nil {
			t.Fatal(err)
		}
		return true
	}
	return false
}

func readFile(t *testing.T, fs vfs.FS, path string) []byte {
	t.Helper()
	f, err := fs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, info.Size())
	if _, err := f.ReadAt(b, 0); err != nil {
		t.Fatal(err)
	}
	return b
}
