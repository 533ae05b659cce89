package storage_test

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"callboard/app/event"
	"callboard/app/fault"
	"callboard/crypto"
	"callboard/storage"
	"callboard/storage/storagetest"

	"github.com/cockroachdb/pebble/v2/vfs"
)

func TestMain(m *testing.M) {
	if holdAndWait() {
		return
	}
	goleak.VerifyTestMain(m)
}

type note struct {
	Name string
	Body string
}

var (
	notes   = storage.NewTable[note]("notes")
	other   = storage.NewTable[note]("other")
	history = storage.NewLog[note]("history")
)

func update(t testing.TB, db *storage.DB, fn func(tx *storage.Tx) error) {
	t.Helper()
	if err := db.Update(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

func view(t testing.TB, db *storage.DB, fn func(tx *storage.Tx) error) {
	t.Helper()
	if err := db.View(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

// put saves a note as it is now, whatever its revision.
func put(tx *storage.Tx, id, body string) error {
	_, rev, err := notes.Get(tx, id)
	if err != nil && !errors.Is(err, storage.ErrNoRow) {
		return err
	}
	_, err = notes.Put(tx, id, rev, note{Name: id, Body: body})
	return err
}

func all(t testing.TB, db *storage.DB) map[string]string {
	t.Helper()
	got := map[string]string{}
	view(t, db, func(tx *storage.Tx) error {
		for row, err := range notes.All(tx) {
			got[row.ID] = row.V.Body
			if err != nil {
				got[row.ID] = fault.RuleOf(err)
			}
		}
		return nil
	})
	return got
}

func TestRowsComeBackAfterReopening(t *testing.T) {
	fs := vfs.NewMem()
	db := storagetest.Open(t, fs)
	var rev uint64
	update(t, db, func(tx *storage.Tx) (err error) {
		rev, err = notes.Put(tx, "b", 0, note{"b", "one"})
		if err != nil {
			return err
		}
		if got, r, err := notes.Get(tx, "b"); err != nil || r != rev || got.Body != "one" {
			t.Errorf("own write: %v %d %v", got, r, err)
		}
		_, err = notes.Put(tx, "a", 0, note{"a", "two"})
		return err
	})
	update(t, db, func(tx *storage.Tx) error {
		r, err := notes.Put(tx, "b", rev, note{"b", "three"})
		if r <= rev {
			t.Errorf("revision %d after %d", r, rev)
		}
		return err
	})
	for range 2 {
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		db = storagetest.Open(t, fs)
		view(t, db, func(tx *storage.Tx) error {
			var ids []string
			for row, err := range notes.All(tx) {
				if err != nil {
					t.Error(err)
				}
				ids = append(ids, row.ID+"="+row.V.Body)
			}
			if diff := cmp.Diff([]string{"a=two", "b=three"}, ids); diff != "" {
				t.Error(diff)
			}
			if n := notes.Count(tx); n != 2 {
				t.Errorf("count %d, want 2", n)
			}
			if n := other.Count(tx); n != 0 {
				t.Errorf("count of an empty table %d", n)
			}
			return nil
		})
		if d := db.Damage(); len(d) != 0 {
			t.Errorf("damage: %v", d)
		}
	}
}

func TestRulesOfPutAndDelete(t *testing.T) {
	db := storagetest.New(t)
	var first, second uint64
	update(t, db, func(tx *storage.Tx) (err error) { first, err = notes.Put(tx, "a", 0, note{}); return err })
	update(t, db, func(tx *storage.Tx) (err error) { second, err = notes.Put(tx, "a", first, note{}); return err })
	for name, c := range map[string]struct {
		do   func(tx *storage.Tx) error
		want error
	}{
		"make what exists":   {func(tx *storage.Tx) error { _, err := notes.Put(tx, "a", 0, note{}); return err }, storage.ErrConflict},
		"save an old one":    {func(tx *storage.Tx) error { _, err := notes.Put(tx, "a", first, note{}); return err }, storage.ErrConflict},
		"save a new one":     {func(tx *storage.Tx) error { _, err := notes.Put(tx, "b", 7, note{}); return err }, storage.ErrNoRow},
		"delete an old one":  {func(tx *storage.Tx) error { return notes.Delete(tx, "a", first) }, storage.ErrConflict},
		"delete what is not": {func(tx *storage.Tx) error { return notes.Delete(tx, "b", 7) }, storage.ErrNoRow},
		"get what is not":    {func(tx *storage.Tx) error { _, _, err := notes.Get(tx, "b"); return err }, storage.ErrNoRow},
		"empty id":           {func(tx *storage.Tx) error { _, err := notes.Put(tx, "", 0, note{}); return err }, storage.ErrBadID},
		"NUL id":             {func(tx *storage.Tx) error { _, err := notes.Put(tx, "a\x00b", 0, note{}); return err }, storage.ErrBadID},
		"not ASCII":          {func(tx *storage.Tx) error { _, _, err := notes.Get(tx, "é"); return err }, storage.ErrBadID},
		"long id":            {func(tx *storage.Tx) error { return notes.Delete(tx, strings.Repeat("x", 129), 1) }, storage.ErrBadID},
		"long stream": {func(tx *storage.Tx) error {
			_, err := history.Append(tx, strings.Repeat("x", 129), note{})
			return err
		}, storage.ErrBadID},
	} {
		if err := db.Update(t.Context(), c.do); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	update(t, db, func(tx *storage.Tx) error { return notes.Delete(tx, "a", second) })
	update(t, db, func(tx *storage.Tx) error {
		rev, err := notes.Put(tx, "a", 0, note{})
		if rev <= second {
			t.Errorf("a row made again has revision %d, its last one was %d", rev, second)
		}
		return err
	})
}

func TestAFailedUpdateLeavesNothing(t *testing.T) {
	db := storagetest.New(t)
	update(t, db, func(tx *storage.Tx) error { return put(tx, "a", "old") })
	sub := db.Feed().Subscribe()
	defer sub.Close()
	if _, err := sub.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	writeAll := func(tx *storage.Tx) {
		if err := errors.Join(put(tx, "a", "new"), put(tx, "b", "new"), tx.Emit(event.Change{Kind: event.Agent, ID: "a"}), tx.PutMeta("x", nil)); err != nil {
			t.Error(err)
		}
		if _, err := history.Append(tx, "a", note{}); err != nil {
			t.Error(err)
		}
	}
	boom := errors.New("boom")
	if err := db.Update(t.Context(), func(tx *storage.Tx) error { writeAll(tx); return boom }); !errors.Is(err, boom) {
		t.Errorf("%v, want boom", err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_ = db.Update(t.Context(), func(tx *storage.Tx) error { writeAll(tx); panic("boom") })
	}()
	if diff := cmp.Diff(map[string]string{"a": "old"}, all(t, db)); diff != "" {
		t.Error(diff)
	}
	update(t, db, func(tx *storage.Tx) error { return tx.Emit(event.Change{Kind: event.Agent, ID: "last"}) })
	batch, err := sub.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]event.Change{{Kind: event.Agent, ID: "last"}}, batch.Changes); diff != "" {
		t.Error(diff)
	}
	view(t, db, func(tx *storage.Tx) error {
		if _, next, err := tx.EventBounds(); err != nil || next != 2 {
			t.Errorf("next event %d, %v", next, err)
		}
		if _, err := tx.GetMeta("x"); !errors.Is(err, storage.ErrNoRow) {
			t.Errorf("meta: %v", err)
		}
		return nil
	})
}

func TestAViewStaysAsItWas(t *testing.T) {
	db := storagetest.New(t)
	update(t, db, func(tx *storage.Tx) error { return put(tx, "a", "old") })
	view(t, db, func(tx *storage.Tx) error {
		update(t, db, func(tx *storage.Tx) error { return errors.Join(put(tx, "a", "new"), put(tx, "b", "new")) })
		if got, _, err := notes.Get(tx, "a"); err != nil || got.Body != "old" {
			t.Errorf("%v %v", got, err)
		}
		if notes.Count(tx) != 1 {
			t.Error("a row made later is counted")
		}
		if _, err := notes.Put(tx, "c", 0, note{}); err == nil {
			t.Error("a view wrote")
		}
		return nil
	})
}

func TestATransactionEndsWithItsFunction(t *testing.T) {
	db := storagetest.New(t)
	var kept, viewed *storage.Tx
	update(t, db, func(tx *storage.Tx) error { kept = tx; return put(tx, "a", "x") })
	view(t, db, func(tx *storage.Tx) error { viewed = tx; return nil })
	for _, tx := range []*storage.Tx{kept, viewed} {
		_, _, getErr := notes.Get(tx, "a")
		_, putErr := notes.Put(tx, "b", 0, note{})
		_, appendErr := history.Append(tx, "b", note{})
		_, metaErr := tx.GetMeta("x")
		var allErr error
		for _, err := range notes.All(tx) {
			allErr = err
		}
		for _, err := range []error{getErr, putErr, appendErr, metaErr, allErr, notes.Delete(tx, "a", 1), tx.Emit(event.Change{})} {
			if err == nil {
				t.Error("a transaction worked after its end")
			}
		}
	}
}

func TestAReadingLeftOpenDoesNotKeepTheStoreFromClosing(t *testing.T) {
	db := storagetest.New(t)
	update(t, db, func(tx *storage.Tx) error { return errors.Join(put(tx, "a", "x"), put(tx, "b", "x")) })
	var next func() (storage.Row[note], error, bool)
	var stop func()
	view(t, db, func(tx *storage.Tx) error {
		next, stop = iter.Pull2(notes.All(tx))
		_, err, _ := next()
		return err
	})
	closeDB(t, db)
	if _, err, _ := next(); err == nil {
		t.Error("the loop went on after its transaction")
	}
	stop()
}

func TestLogs(t *testing.T) {
	fs := vfs.NewMem()
	db := storagetest.Open(t, fs)
	for i := range 10 {
		update(t, db, func(tx *storage.Tx) error {
			seq, err := history.Append(tx, "s", note{Body: fmt.Sprint(i + 1)})
			if seq != uint64(i+1) {
				t.Errorf("number %d, want %d", seq, i+1)
			}
			return err
		})
	}
	update(t, db, func(tx *storage.Tx) error {
		_, err := history.Append(tx, "t", note{Body: "other"})
		return errors.Join(err, history.Trim(tx, "s", 7), history.Trim(tx, "none", 1))
	})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = storagetest.Open(t, fs)
	if d := db.Damage(); len(d) != 0 {
		t.Errorf("damage: %v", d)
	}
	view(t, db, func(tx *storage.Tx) error {
		collect := func(rows func(func(storage.Entry[note], error) bool)) (out []string) {
			for e, err := range rows {
				if err != nil || fmt.Sprint(e.Seq) != e.V.Body {
					t.Errorf("row %d: %q %v", e.Seq, e.V.Body, err)
				}
				out = append(out, e.V.Body)
			}
			return out
		}
		for name, c := range map[string]struct {
			got  []string
			want string
		}{
			"all":          {collect(history.Read(tx, "s", 0, 100)), "4 5 6 7 8 9 10"},
			"after":        {collect(history.Read(tx, "s", 8, 100)), "9 10"},
			"after all":    {collect(history.Read(tx, "s", 10, 100)), ""},
			"far after":    {collect(history.Read(tx, "s", 1<<63, 100)), ""},
			"limit":        {collect(history.Read(tx, "s", 5, 2)), "6 7"},
			"no limit":     {collect(history.Read(tx, "s", 5, 0)), ""},
			"latest":       {collect(history.Latest(tx, "s", 0, 3)), "10 9 8"},
			"before":       {collect(history.Latest(tx, "s", 6, 3)), "5 4"},
			"before first": {collect(history.Latest(tx, "s", 4, 3)), ""},
			"no stream":    {collect(history.Read(tx, "none", 0, 100)), ""},
		} {
			if diff := cmp.Diff(c.want, strings.Join(c.got, " ")); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
		return nil
	})
	update(t, db, func(tx *storage.Tx) error { return history.Trim(tx, "s", 0) })
	update(t, db, func(tx *storage.Tx) error {
		seq, err := history.Append(tx, "s", note{Body: "11"})
		if seq != 11 {
			t.Errorf("an emptied stream goes on at %d", seq)
		}
		return err
	})
}

func TestMeta(t *testing.T) {
	fs := vfs.NewMem()
	db := storagetest.Open(t, fs)
	update(t, db, func(tx *storage.Tx) error { return tx.PutMeta("data_key", []byte("file")) })
	closeDB(t, db)
	db = storagetest.Open(t, fs)
	view(t, db, func(tx *storage.Tx) error {
		got, err := tx.GetMeta("data_key")
		if string(got) != "file" {
			t.Errorf("%q", got)
		}
		if _, err := tx.GetMeta("none"); !errors.Is(err, storage.ErrNoRow) {
			t.Errorf("none: %v", err)
		}
		return err
	})
}

func TestAnotherKeyIsSaidToBeWrong(t *testing.T) {
	fs := vfs.NewMem()
	db := storagetest.Open(t, fs)
	update(t, db, func(tx *storage.Tx) error { return put(tx, "a", "x") })
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	k, err := crypto.NewDataKey()
	if err != nil {
		t.Fatal(err)
	}
	s, err := crypto.NewSealer(k)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Open(t.Context(), s); !errors.Is(err, storage.ErrWrongKey) {
		t.Errorf("%v, want ErrWrongKey", err)
	}
	db = storagetest.Open(t, fs)
	if diff := cmp.Diff(map[string]string{"a": "x"}, all(t, db)); diff != "" {
		t.Error(diff)
	}
}
