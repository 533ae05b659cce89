package storage_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"callboard/storage"
	"callboard/storage/storagetest"
)

// stillWorks saves in a damaged store and repairs what can be repaired.
func stillWorks(t *testing.T, db *storage.DB) {
	t.Helper()
	update(t, db, func(tx *storage.Tx) error {
		for _, id := range []string{"a", "b", "new"} {
			_, rev, err := notes.Get(tx, id)
			if bad, ok := errors.AsType[*storage.RowError](err); ok {
				rev = bad.Rev
			}
			newRev, err := notes.Put(tx, id, rev, note{Body: "body of " + id})
			if err != nil {
				return err
			}
			if newRev <= rev {
				t.Errorf("revision %d after %d", newRev, rev)
			}
		}
		_, err := history.Append(tx, "s", note{}) // over a row that was slipped in after the newest
		return errors.Join(err, notes.Delete(tx, "gone", 0), notes.Delete(tx, "z", 0), other.Delete(tx, "a", 0), history.Trim(tx, "s", 0))
	})
	for id, got := range read(t, db) {
		if got != "ok" && !strings.HasPrefix(id, "event/") {
			t.Errorf("%s is %s after the repair", id, got)
		}
	}
	for _, d := range db.Damage() {
		if d.Table == "notes" && d.ID != "" || d.Table == "history" && strings.HasPrefix(d.ID, "s/") {
			t.Errorf("%v is still reported after the repair", d)
		}
	}
}

// unmended is the damage that stillWorks should have mended for good. Events,
// what lies in streams that do not exist and trimmed rows that were put back
// are not mended.
func unmended(db *storage.DB) string {
	ds := slices.DeleteFunc(db.Damage(), func(d storage.Damage) bool {
		return d.Table == "_events" || d.Table == "history" && (d.ID == "z/1" || d.ID == "s" || d.ID == "s/1")
	})
	return words(ds)
}

func words(ds []storage.Damage) string {
	var out []string
	for _, d := range ds {
		out = append(out, d.Table+" "+d.ID+" "+d.Rule)
	}
	return strings.Join(out, ", ")
}

func copyStore(t testing.TB, values map[string][]byte) *vfs.MemFS {
	t.Helper()
	fs := vfs.NewMem()
	poke(t, fs, values)
	return fs
}

// The whole root put back to an earlier state does not fit what changed since.
func TestAReplayedRootIsNoticed(t *testing.T) {
	s := newScene(t)
	fs := copyStore(t, s.now)
	poke(t, fs, map[string][]byte{rootKey: s.old[rootKey]})
	db := storagetest.Open(t, fs)
	if len(db.Damage()) == 0 {
		t.Error("not noticed")
	}
	// Everything the old root vouches for is put back, but not the events.
	again := map[string][]byte{}
	for k, v := range s.old {
		if !strings.HasPrefix(k, "l/_events") {
			again[k] = v
		}
	}
	again[histKey(3)], again[histKey(4)] = nil, nil
	fs = copyStore(t, s.now)
	poke(t, fs, again)
	db = storagetest.Open(t, fs)
	if diff := cmp.Diff("_events all/3 row_unknown, _events all/4 row_unknown", words(db.Damage())); diff != "" {
		t.Error(diff)
	}
}

// A row that is made again under its old name does not accept what it held
// before.
func TestARowThatIsMadeAgainRefusesItsPast(t *testing.T) {
	fs := vfs.NewMem()
	save := func(body string) {
		db := storagetest.Open(t, fs)
		defer closeDB(t, db)
		update(t, db, func(tx *storage.Tx) error { return put(tx, "a", body) })
	}
	save("past")
	past := dump(t, fs)
	db := storagetest.Open(t, fs)
	update(t, db, func(tx *storage.Tx) error {
		_, rev, err := notes.Get(tx, "a")
		return errors.Join(err, notes.Delete(tx, "a", rev))
	})
	closeDB(t, db)
	save("now")
	poke(t, fs, map[string][]byte{rowA: past[rowA]})
	db = storagetest.Open(t, fs)
	if diff := cmp.Diff(map[string]string{"a": "row_moved"}, read(t, db)); diff != "" {
		t.Error(diff)
	}
}

// Every bit of every kind of row: opened without a panic, and never as if
// nothing had happened.
func TestFlippedBitsOfEveryKindOfRow(t *testing.T) {
	s := newScene(t)
	rng := rand.New(rand.NewPCG(3, 4))
	for _, key := range slices.Sorted(maps.Keys(s.now)) {
		if strings.HasPrefix(key, "m/") {
			continue
		}
		for range 8 {
			fs := copyStore(t, s.now)
			poke(t, fs, map[string][]byte{key: flipped(s.now[key], rng.IntN(len(s.now[key])*8))})
			db := storagetest.Open(t, fs)
			damage, err := db.Verify(t.Context())
			if err != nil || len(damage) != 1 {
				t.Fatalf("%q flipped: %v, %v", key, damage, err)
			}
			closeDB(t, db)
		}
	}
}
