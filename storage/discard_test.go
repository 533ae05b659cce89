package storage_test

import (
	"maps"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"callboard/storage"
	"callboard/storage/storagetest"
)

func TestDiscardRemovesWhatIsBadAndNothingElse(t *testing.T) {
	s := newScene(t)
	for name, c := range map[string]struct {
		poke  map[string][]byte
		reads map[string]string // after the discard; "" for gone
	}{
		"row flipped":           {map[string][]byte{rowA: flipped(s.now[rowA], 2000)}, map[string]string{"a": ""}},
		"rows swapped":          {map[string][]byte{rowA: s.now[rowB], rowB: s.now[rowA]}, map[string]string{"a": "", "b": ""}},
		"row deleted":           {map[string][]byte{rowA: nil}, map[string]string{"a": ""}},
		"row slipped in":        {map[string][]byte{"t/notes\x00z": s.now[rowA]}, nil},
		"row of another table":  {map[string][]byte{"t/other\x00a": s.now[rowA]}, nil},
		"history row flipped":   {map[string][]byte{histKey(3): flipped(s.now[histKey(3)], 99)}, map[string]string{"s/3": ""}},
		"history row deleted":   {map[string][]byte{histKey(4): nil}, map[string]string{"s/4": ""}},
		"history row put back":  {map[string][]byte{histKey(1): s.old[histKey(1)]}, nil},
		"history slipped in":    {map[string][]byte{histKey(5): s.now[histKey(4)]}, nil},
		"history of nobody":     {map[string][]byte{logKey("history", "z", 1): s.now[histKey(4)]}, nil},
		"not even a history":    {map[string][]byte{"l/history\x00s": {1}}, nil},
		"event flipped":         {map[string][]byte{eventKey(1): flipped(s.now[eventKey(1)], 700)}, nil},
		"index page flipped":    {map[string][]byte{s.pageOf(t, "a"): flipped(s.now[s.pageOf(t, "a")], 900)}, nil},
		"index page and a gone": {map[string][]byte{s.pageOf(t, "a"): nil, rowA: nil}, map[string]string{"a": ""}},
		"root deleted":          {map[string][]byte{rootKey: nil}, nil},
		"canary flipped":        {map[string][]byte{canaryKey: flipped(s.now[canaryKey], 1000)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			fs := copyStore(t, s.now)
			poke(t, fs, c.poke)
			db := storagetest.Open(t, fs)
			found, err := db.Verify(t.Context())
			if err != nil || len(found) == 0 {
				t.Fatalf("found %v %v", found, err)
			}
			if left, err := db.Discard(t.Context(), found); err != nil || len(left) > 0 {
				t.Errorf("left %v %v", left, err)
			}
			want := map[string]string{"a": "ok", "b": "ok", "c": "ok", "s/2": "ok", "s/3": "ok", "s/4": "ok"}
			maps.Copy(want, c.reads)
			maps.DeleteFunc(want, func(_, v string) bool { return v == "" })
			for range 2 { // and after a reopening
				if diff := cmp.Diff(want, read(t, db)); diff != "" {
					t.Error(diff)
				}
				if bad, err := db.Verify(t.Context()); err != nil || len(bad) > 0 {
					t.Errorf("still bad: %v %v", bad, err)
				}
				closeDB(t, db)
				if err := db.Open(t.Context(), storagetest.Sealer(t)); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestDiscardLeavesWholeRows(t *testing.T) {
	s := newScene(t)
	db := storagetest.Open(t, s.fs)
	made := []storage.Damage{
		{Table: "notes", ID: "a", Rule: "row_corrupt"},
		{Table: "history", ID: "s/3", Rule: "row_missing"},
		{Table: "index", ID: "root", Rule: "row_corrupt"},
	}
	if left, err := db.Discard(t.Context(), made); err != nil || len(left) > 0 {
		t.Errorf("left %v %v", left, err)
	}
	want := map[string]string{"a": "ok", "b": "ok", "c": "ok", "s/2": "ok", "s/3": "ok", "s/4": "ok"}
	if diff := cmp.Diff(want, read(t, db)); diff != "" {
		t.Error(diff)
	}
}

// A row that was saved again since it was listed is whole.
func TestDiscardAfterARepairLeavesTheNewRow(t *testing.T) {
	s := newScene(t)
	fs := copyStore(t, s.now)
	poke(t, fs, map[string][]byte{rowA: flipped(s.now[rowA], 2000)})
	db := storagetest.Open(t, fs)
	found, err := db.Verify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stillWorks(t, db)
	if _, err := db.Discard(t.Context(), found); err != nil {
		t.Fatal(err)
	}
	if got := read(t, db)["a"]; got == "" {
		t.Error("the repaired row is gone")
	}
}

func TestDiscardCrash(t *testing.T) {
	s := newScene(t)
	fs := copyStore(t, s.now)
	poke(t, fs, map[string][]byte{rowA: flipped(s.now[rowA], 2000), histKey(3): nil})
	mem := vfs.NewCrashableMem()
	if _, err := vfs.Clone(fs, mem, storagetest.Dir, storagetest.Dir, vfs.CloneSync); err != nil {
		t.Fatal(err)
	}
	db := storagetest.Open(t, mem)
	found, err := db.Verify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Discard(t.Context(), found); err != nil {
		t.Fatal(err)
	}
	after := storagetest.Open(t, mem.CrashClone(vfs.CrashCloneCfg{}))
	if bad, err := after.Verify(t.Context()); err != nil || len(bad) > 0 {
		t.Errorf("an acknowledged discard came back: %v %v", bad, err)
	}
}
