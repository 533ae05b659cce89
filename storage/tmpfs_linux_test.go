package storage_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"callboard/storage"
	"callboard/storage/storagetest"
)

// A disk that is really full: 24 MiB, of which a ballast takes 8 until the
// person deletes it.
func TestADiskThatIsReallyFull(t *testing.T) {
	home := t.TempDir()
	if err := syscall.Mount("tmpfs", home, "tmpfs", 0, "size=24m"); err != nil {
		t.Skipf("no small disk to fill: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(home, 0); err != nil {
			t.Error(err)
		}
	})
	ballast := filepath.Join(home, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 8<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	o := realDisk(home)
	o.CommitTimeout = time.Second
	db := storage.New(o)
	s := storagetest.Sealer(t)
	if err := db.Open(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	acked, err := 0, error(nil)
	for i := 0; err == nil && i < 1000; i++ {
		err = db.Update(t.Context(), func(tx *storage.Tx) error {
			return put(tx, fmt.Sprint("n", i), strings.Repeat("x", 100<<10))
		})
		if err == nil {
			acked++
		}
	}
	if !errors.Is(err, storage.ErrCommitUnknown) && !errors.Is(err, storage.ErrDiskFull) {
		t.Errorf("after %d saves: %v", acked, err)
	}
	if n := len(all(t, db)); n != acked {
		t.Errorf("%d rows are shown, %d were acknowledged", n, acked)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	eventually(t, db.Close)
	if err := db.Open(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	defer closeDB(t, db)
	if n := len(all(t, db)); n < acked || n > acked+1 || acked == 0 || len(db.Damage()) > 0 {
		t.Errorf("%d rows are kept, %d were acknowledged, damage %v", n, acked, db.Damage())
	}
	update(t, db, func(tx *storage.Tx) error { return put(tx, "later", "x") })
}

// Without room to write out the log files Pebble's opening never ends, so it
// is refused before it begins.
func TestOpeningOnADiskThatIsFull(t *testing.T) {
	home := t.TempDir()
	if err := syscall.Mount("tmpfs", home, "tmpfs", 0, "size=96m"); err != nil {
		t.Skipf("no small disk to fill: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(home, 0); err != nil {
			t.Error(err)
		}
	})
	o := realDisk(home)
	o.MinFree = 0
	db := storage.New(o)
	s := storagetest.Sealer(t)
	if err := db.Open(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	update(t, db, func(tx *storage.Tx) error { return put(tx, "a", "x") })
	closeDB(t, db)
	ballast := filepath.Join(home, "ballast")
	_ = os.WriteFile(ballast, make([]byte, 96<<20), 0o600) // ends when the disk is full
	if err := db.Open(t.Context(), s); !errors.Is(err, storage.ErrDiskFull) {
		t.Errorf("opened on a full disk: %v", err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if err := db.Open(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	defer closeDB(t, db)
	if got := all(t, db); len(got) != 1 {
		t.Errorf("kept %v", got)
	}
}
