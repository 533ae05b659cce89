package storage_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"callboard/app/event"
	"callboard/app/fault"
	"callboard/storage"
	"callboard/storage/storagetest"
)

func TestAClosedStoreIsLocked(t *testing.T) {
	db := storage.New(storage.Options{Dir: storagetest.Dir, FS: vfs.NewMem()})
	check := func(when string) {
		t.Helper()
		_, verifyErr := db.Verify(t.Context())
		for op, err := range map[string]error{
			"view":   db.View(t.Context(), func(*storage.Tx) error { return nil }),
			"update": db.Update(t.Context(), func(*storage.Tx) error { return nil }),
			"verify": verifyErr,
		} {
			if !errors.Is(err, storage.ErrLocked) || fault.RuleOf(err) != "locked" {
				t.Errorf("%s %s: %v, want ErrLocked", op, when, err)
			}
		}
		if err := db.Close(); err != nil {
			t.Errorf("close %s: %v", when, err)
		}
	}
	check("before the first open")
	s := storagetest.Sealer(t)
	if err := db.Open(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if err := db.Open(t.Context(), s); !errors.Is(err, storage.ErrOpen) {
		t.Errorf("second open: %v, want ErrOpen", err)
	}
	view(t, db, func(*storage.Tx) error { return nil })
	closeDB(t, db)
	check("after close")
}

func TestAWipedSealerLocksTheRows(t *testing.T) {
	db := storage.New(storage.Options{Dir: storagetest.Dir, FS: vfs.NewMem()})
	s := storagetest.Sealer(t)
	if err := db.Open(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	update(t, db, func(tx *storage.Tx) error { return put(tx, "a", "x") })
	s.Close()
	err := db.View(t.Context(), func(tx *storage.Tx) error { _, _, err := notes.Get(tx, "a"); return err })
	if !errors.Is(err, storage.ErrLocked) || len(db.Damage()) != 0 {
		t.Errorf("get: %v, damage %v", err, db.Damage())
	}
	closeDB(t, db)
	if err := db.Open(t.Context(), s); !errors.Is(err, storage.ErrLocked) {
		t.Errorf("open: %v, want ErrLocked", err)
	}
}

// Readers, writers, openers and closers at once: each call works or says
// locked, and Close waits for what is under way.
func TestClosingUnderLoad(t *testing.T) {
	db := storage.New(storage.Options{Dir: storagetest.Dir, FS: vfs.NewMem()})
	s := storagetest.Sealer(t)
	if err := db.Open(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	ok := func(err error) {
		if err != nil && !errors.Is(err, storage.ErrLocked) && !errors.Is(err, storage.ErrOpen) {
			t.Error(err)
		}
	}
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			for i := range 100 {
				ok(db.Update(t.Context(), func(tx *storage.Tx) error {
					return errors.Join(put(tx, fmt.Sprint("w", w), fmt.Sprint(i)), tx.Emit(event.Change{Kind: event.Agent}))
				}))
			}
		})
		wg.Go(func() {
			for range 200 {
				ok(db.View(t.Context(), func(tx *storage.Tx) error {
					for _, err := range notes.All(tx) {
						if err != nil {
							return err
						}
					}
					return nil
				}))
				_ = db.Damage()
			}
		})
	}
	wg.Go(func() {
		for range 20 {
			ok(db.Close())
			ok(db.Open(t.Context(), s))
		}
	})
	wg.Wait()
	if d := db.Damage(); len(d) > 0 {
		t.Error(d)
	}
	closeDB(t, db)
}

func TestCloseWaitsForWhatIsUnderWay(t *testing.T) {
	db := storagetest.New(t)
	update(t, db, func(tx *storage.Tx) error { return put(tx, "a", "x") })
	closed := make(chan error, 1)
	view(t, db, func(tx *storage.Tx) error {
		go func() { closed <- db.Close() }()
		for db.View(t.Context(), func(*storage.Tx) error { return nil }) == nil {
			runtime.Gosched()
		}
		select {
		case err := <-closed:
			t.Errorf("closed under a view: %v", err)
		case <-time.After(50 * time.Millisecond):
		}
		got, _, err := notes.Get(tx, "a")
		if got.Body != "x" {
			t.Errorf("%v", got)
		}
		if err := db.View(t.Context(), func(*storage.Tx) error { return nil }); !errors.Is(err, storage.ErrLocked) {
			t.Errorf("new work while closing: %v, want ErrLocked", err)
		}
		return err
	})
	if err := <-closed; err != nil {
		t.Error(err)
	}
}

func TestAContextThatEnds(t *testing.T) {
	db := storagetest.New(t)
	why := errors.New("the person left")
	ctx, cancel := context.WithCancelCause(t.Context())
	err := db.Update(ctx, func(tx *storage.Tx) error {
		cancel(why)
		return put(tx, "a", "x")
	})
	if !errors.Is(err, why) {
		t.Errorf("before the commit: %v", err)
	}
	for name, err := range map[string]error{
		"update": db.Update(ctx, func(*storage.Tx) error { t.Error("it ran"); return nil }),
		"view":   db.View(ctx, func(*storage.Tx) error { t.Error("it ran"); return nil }),
	} {
		if !errors.Is(err, why) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(all(t, db)); n != 0 {
		t.Errorf("%d rows were written", n)
	}
	// Waiting for another writer ends with the context.
	ctx, cancel = context.WithCancelCause(t.Context())
	update(t, db, func(*storage.Tx) error {
		done := make(chan error, 1)
		go func() { done <- db.Update(ctx, func(*storage.Tx) error { return nil }) }()
		cancel(why)
		if err := <-done; !errors.Is(err, why) {
			t.Errorf("waiting: %v", err)
		}
		return nil
	})
}

func TestEvents(t *testing.T) {
	fs := vfs.NewMem()
	db := storagetest.Open(t, fs)
	const total = storage.KeepEvents + 700
	for from := 0; from < total; from += 1000 {
		update(t, db, func(tx *storage.Tx) error {
			for i := from; i < min(from+1000, total); i++ {
				if err := tx.Emit(event.Change{Kind: event.Agent, ID: fmt.Sprint(i + 1)}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	view(t, db, func(tx *storage.Tx) error {
		first, next, err := tx.EventBounds()
		if err != nil || first != total-storage.KeepEvents+1 || next != total+1 {
			t.Errorf("events %d to %d, %v", first, next, err)
		}
		n, want := 0, first
		for e, err := range tx.Events(0, total) {
			if err != nil || e.Seq != want || e.V.ID != fmt.Sprint(want) {
				t.Fatalf("event %d: %v %v, want %d", e.Seq, e.V, err, want)
			}
			n, want = n+1, want+1
		}
		if n != storage.KeepEvents {
			t.Errorf("%d events, want %d", n, storage.KeepEvents)
		}
		return nil
	})
	if damage, err := db.Verify(t.Context()); err != nil || len(damage) > 0 {
		t.Errorf("%v %v", damage, err)
	}
	closeDB(t, db)
	kept := 0
	for key := range dump(t, fs) {
		if strings.HasPrefix(key, "l/_events") {
			kept++
		}
	}
	if kept < storage.KeepEvents || kept >= storage.KeepEvents+256 {
		t.Errorf("%d event rows are stored", kept)
	}
}
