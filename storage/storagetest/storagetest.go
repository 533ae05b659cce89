// Package storagetest gives tests a real store on a disk in memory, and a way
// to pull the plug on it. It promises the same data key every time, so stores
// can be reopened and cloned freely; it is for tests only.
package storagetest

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"callboard/crypto"
	"callboard/storage"
)

// Dir is where the store lives on a disk in memory.
const Dir = "store"

// Key is the data key of every store made here.
func Key() crypto.DataKey {
	return crypto.FixedDataKey(bytes.Repeat([]byte{42}, crypto.DataKeyLen))
}

// Sealer is a sealer for Key, closed when the test ends.
func Sealer(t testing.TB) *crypto.Sealer {
	t.Helper()
	s, err := crypto.NewSealer(Key())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// New is an open, empty store on its own disk, closed when the test ends.
func New(t testing.TB) *storage.DB {
	t.Helper()
	return Open(t, vfs.NewMem())
}

// Open opens the store on fs with Key, or makes it; closed when the test ends.
// A store that does not open fails the test.
func Open(t testing.TB, fs vfs.FS) *storage.DB {
	t.Helper()
	db := storage.New(storage.Options{Dir: Dir, FS: fs})
	s := Sealer(t)
	if err := db.Open(context.WithoutCancel(t.Context()), s); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// Crash runs work on a fresh store and pulls the plug points times while it
// runs: each time the disk is cloned with a random part of the unsynced data
// lost. work calls ack after each write that was acknowledged. Then check gets
// the store opened again from each clone, and the least number of acks that
// came before the plug was pulled: everything acknowledged must be there.
//
// Clones are taken between any two file operations of the store, not only
// between writes.
func Crash(t *testing.T, points int, work func(db *storage.DB, ack func()), check func(t *testing.T, db *storage.DB, acked int)) {
	t.Helper()
	p := newPlug(points)
	func() {
		db := storage.New(storage.Options{Dir: Dir, FS: p})
		if err := db.Open(t.Context(), Sealer(t)); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		}()
		p.arm()
		work(db, p.ack)
	}()
	p.eachClone(t, check)
}

// CrashWhileMaking pulls the plug while a store is made and opened for the
// first time; check gets the store opened from each clone.
func CrashWhileMaking(t *testing.T, points int, check func(t *testing.T, db *storage.DB)) {
	t.Helper()
	p := newPlug(points)
	p.arm()
	db := storage.New(storage.Options{Dir: Dir, FS: p})
	if err := db.Open(t.Context(), Sealer(t)); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	p.eachClone(t, func(t *testing.T, db *storage.DB, _ int) { check(t, db) })
}

// eachClone opens the store on every clone that was taken; none is a failure.
func (p *plug) eachClone(t *testing.T, check func(t *testing.T, db *storage.DB, acked int)) {
	t.Helper()
	if len(p.clones()) == 0 {
		t.Fatal("the work was too short to pull the plug once")
	}
	for _, c := range p.clones() {
		db := Open(t, c.fs)
		if d := db.Damage(); len(d) > 0 {
			t.Errorf("after a crash with %d acks: %v", c.acked, d)
		}
		check(t, db, c.acked)
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// clone is one crashed disk.
type clone struct {
	fs    *vfs.MemFS
	acked int
}

func random() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) } //nolint:gosec // a test's dice
