package storage_test

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/event"
	"callboard/storage"
	"callboard/storage/storagetest"
)

// after is the notes that must be there once the first n steps of the crash
// test are in the store.
func after(n int) map[string]string {
	want := map[string]string{}
	for i := range n {
		id := fmt.Sprint("n", i%7)
		if i%5 == 4 {
			delete(want, id)
		} else {
			want[id] = fmt.Sprint("state ", i)
		}
	}
	return want
}

// step does everything a save can do: a row written or deleted, a history row,
// an event, now and then a trim, an emptied stream and a meta value.
func step(tx *storage.Tx, i int) error {
	id := fmt.Sprint("n", i%7)
	_, rev, err := notes.Get(tx, id)
	if err != nil && !errors.Is(err, storage.ErrNoRow) {
		return err
	}
	if i%5 == 4 {
		err = notes.Delete(tx, id, rev)
	} else {
		_, err = notes.Put(tx, id, rev, note{Body: fmt.Sprint("state ", i)})
	}
	_, logErr := history.Append(tx, "s", note{Body: fmt.Sprint(i)})
	_, shortErr := history.Append(tx, "short", note{})
	if i%10 == 9 {
		shortErr = history.Trim(tx, "short", 0)
	}
	return errors.Join(err, logErr, shortErr, history.Trim(tx, "s", 20), tx.Emit(event.Change{Kind: event.Agent, ID: id}),
		tx.PutMeta("count", []byte(fmt.Sprint(i+1))))
}

func TestNothingAcknowledgedIsLostAndNothingIsHalf(t *testing.T) {
	const steps, points = 60, 120
	work := func(db *storage.DB, ack func()) {
		for i := range steps {
			update(t, db, func(tx *storage.Tx) error { return step(tx, i) })
			ack()
		}
	}
	storagetest.Crash(t, points, work, func(t *testing.T, db *storage.DB, acked int) {
		view(t, db, func(tx *storage.Tx) error {
			meta, err := tx.GetMeta("count")
			if errors.Is(err, storage.ErrNoRow) {
				meta, err = []byte("0"), nil
			}
			if err != nil {
				return err
			}
			var n int
			if _, err := fmt.Sscan(string(meta), &n); err != nil {
				return err
			}
			if n < acked || n > acked+1 {
				t.Errorf("%d steps are kept, %d were acknowledged", n, acked)
			}
			want := after(n)
			got := map[string]string{}
			for row, err := range notes.All(tx) {
				got[row.ID] = row.V.Body
				if err != nil {
					t.Error(err)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" || !maps.Equal(want, got) {
				t.Errorf("after %d steps: %s", n, diff)
			}
			if notes.Count(tx) != len(want) {
				t.Errorf("count %d, want %d", notes.Count(tx), len(want))
			}
			_, next, err := history.Bounds(tx, "s")
			_, nextEvent, eventErr := tx.EventBounds()
			if n > 0 && (next != uint64(n+1) || nextEvent != next) {
				t.Errorf("after %d steps the logs stand at %d and %d", n, next, nextEvent)
			}
			return errors.Join(err, eventErr)
		})
		if damage, err := db.Verify(t.Context()); err != nil || len(damage) > 0 {
			t.Errorf("%v %v", damage, err)
		}
		update(t, db, func(tx *storage.Tx) error { return put(tx, "later", "x") })
	})
}

// A store whose making was interrupted is made again.
func TestACrashWhileTheStoreIsMade(t *testing.T) {
	storagetest.CrashWhileMaking(t, 40, func(t *testing.T, db *storage.DB) {
		update(t, db, func(tx *storage.Tx) error { return put(tx, "a", "x") })
	})
}
