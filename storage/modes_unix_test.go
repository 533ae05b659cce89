//go:build unix

package storage_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"callboard/storage"
	"callboard/storage/storagetest"
)

// The files are private whatever the umask is, also after a flush and a
// reopening.
func TestFilesArePrivate(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	home := filepath.Join(t.TempDir(), "home")
	if err := os.MkdirAll(filepath.Join(home, "store"), 0o755); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		db := storage.New(realDisk(home))
		if err := db.Open(t.Context(), storagetest.Sealer(t)); err != nil {
			t.Fatal(err)
		}
		for i := range 10 {
			update(t, db, func(tx *storage.Tx) error { return put(tx, string(rune('a'+i)), strings.Repeat("x", 1<<20)) })
		}
		closeDB(t, db)
	}
	tables := 0
	for path, state := range tree(t, home) {
		if strings.HasSuffix(path, ".sst") {
			tables++
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if path == home {
			continue // made by the test
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %s", path, state[:10])
		}
	}
	if tables == 0 {
		t.Error("no table file was written: the test looks at too little")
	}
}

func TestAHomeThatCannotBeWritten(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	home := t.TempDir()
	if err := os.Chmod(home, 0o500); err != nil {
		t.Fatal(err)
	}
	if err := storage.New(realDisk(home)).Open(t.Context(), storagetest.Sealer(t)); err == nil {
		t.Error("it opened")
	}
}

// A store's folder that its owner closed is not opened up, whatever becomes of
// the opening; one that others may enter is made private.
func TestAClosedFolderStaysClosed(t *testing.T) {
	for before, want := range map[os.FileMode]os.FileMode{0o500: 0o500, 0o700: 0o700, 0o755: 0o700, 0o555: 0o500} {
		home := t.TempDir()
		dir := filepath.Join(home, "store")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, before); err != nil {
			t.Fatal(err)
		}
		db := storage.New(realDisk(home))
		err := db.Open(t.Context(), storagetest.Sealer(t))
		if os.Getuid() != 0 && (err == nil) != (want == 0o700) {
			t.Errorf("%o: %v", before, err)
		}
		if err == nil {
			closeDB(t, db)
		}
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%o became %v, want %o, %v", before, info.Mode(), want, err)
		}
	}
}
