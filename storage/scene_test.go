package storage_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"callboard/app/event"
	"callboard/app/fault"
	"callboard/storage"
	"callboard/storage/storagetest"
)

// Raw keys, as key.go promises them.
const (
	rowA, rowB, rowGone = "t/notes\x00a", "t/notes\x00b", "t/notes\x00gone"
	rootKey, canaryKey  = "r/\x00root", "c/\x00canary"
)

func logKey(log, stream string, seq byte) string {
	return "l/" + log + "\x00" + stream + "\x00" + string([]byte{0, 0, 0, 0, 0, 0, 0, seq})
}

func histKey(seq byte) string  { return logKey("history", "s", seq) }
func eventKey(seq byte) string { return logKey("_events", "all", seq) }

// raw opens the files without the store.
func raw(t testing.TB, fs vfs.FS, do func(d *pebble.DB)) {
	t.Helper()
	d, err := pebble.Open(storagetest.Dir, &pebble.Options{FS: fs, FormatMajorVersion: pebble.FormatValueSeparation, Logger: quiet{}})
	if err != nil {
		t.Fatal(err)
	}
	do(d)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}

type quiet struct{}

func (quiet) Infof(string, ...any)      {}
func (quiet) Errorf(string, ...any)     {}
func (quiet) Fatalf(f string, a ...any) { panic(fmt.Sprintf(f, a...)) }

// dump is every key and value there is.
func dump(t testing.TB, fs vfs.FS) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	raw(t, fs, func(d *pebble.DB) {
		it, err := d.NewIter(nil)
		if err != nil {
			t.Fatal(err)
		}
		for ok := it.First(); ok; ok = it.Next() {
			all[string(it.Key())] = bytes.Clone(it.Value())
		}
		if err := it.Close(); err != nil {
			t.Fatal(err)
		}
	})
	return all
}

func poke(t testing.TB, fs vfs.FS, values map[string][]byte) {
	t.Helper()
	raw(t, fs, func(d *pebble.DB) {
		for k, v := range values {
			var err error
			if v == nil {
				err = d.Delete([]byte(k), pebble.Sync)
			} else {
				err = d.Set([]byte(k), v, pebble.Sync)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// scene is a small store with a past: notes a, b, c and one deleted, a history
// of four rows of which one was trimmed, events. Each of its states is kept.
type scene struct {
	fs       *vfs.MemFS
	old, now map[string][]byte
}

func newScene(t testing.TB) scene {
	t.Helper()
	s := scene{fs: vfs.NewMem()}
	db := storagetest.Open(t, s.fs)
	save := func(ids ...string) {
		update(t, db, func(tx *storage.Tx) error {
			for _, id := range ids {
				if err := put(tx, id, "body of "+id+" "+strings.Repeat("x", len(s.old))); err != nil {
					return err
				}
			}
			_, err := history.Append(tx, "s", note{Body: ids[0]})
			return errors.Join(err, tx.Emit(event.Change{Kind: event.Agent, ID: ids[0]}))
		})
	}
	save("a", "gone")
	save("b", "c")
	closeDB(t, db)
	s.old = dump(t, s.fs)
	db = storagetest.Open(t, s.fs)
	save("a")
	save("b")
	update(t, db, func(tx *storage.Tx) error {
		_, rev, err := notes.Get(tx, "gone")
		return errors.Join(err, notes.Delete(tx, "gone", rev), history.Trim(tx, "s", 3))
	})
	closeDB(t, db)
	s.now = dump(t, s.fs)
	return s
}

func closeDB(t testing.TB, db *storage.DB) {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func (s scene) pageOf(t testing.TB, id string) string {
	t.Helper()
	for k := range s.now {
		if strings.HasPrefix(k, "i/") && s.pageHolds(t, k, id) {
			return k
		}
	}
	t.Fatalf("no index page holds %s", id)
	return ""
}

func (s scene) pageHolds(t testing.TB, page, id string) bool {
	t.Helper()
	sealer := storagetest.Sealer(t)
	table, rest, _ := strings.Cut(page, "\x00")
	plain, _, err := sealer.OpenAny(table, rest, s.now[page])
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Contains(plain, []byte("\x00"+id))
}

func flipped(b []byte, bit int) []byte {
	c := bytes.Clone(b)
	c[bit/8%len(c)] ^= 1 << (bit % 8)
	return c
}

// read is what a person sees of the scene: every note and history row, or the
// rule that refused it.
func read(t testing.TB, db *storage.DB) map[string]string {
	t.Helper()
	got := all(t, db)
	view(t, db, func(tx *storage.Tx) error {
		for e, err := range history.Read(tx, "s", 0, 100) {
			key := fmt.Sprintf("s/%d", e.Seq)
			if got[key] = "ok"; err != nil {
				got[key] = fault.RuleOf(err)
			}
		}
		for e, err := range tx.Events(0, 100) {
			if err != nil {
				got[fmt.Sprintf("event/%d", e.Seq)] = fault.RuleOf(err)
			}
		}
		for id, body := range got {
			if strings.HasPrefix(body, "body of ") {
				got[id] = "ok"
			}
		}
		return nil
	})
	return got
}
