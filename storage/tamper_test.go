package storage_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/storage"
	"callboard/storage/storagetest"
)

func TestTamperingIsNoticedAndNamed(t *testing.T) {
	s := newScene(t)
	pageA := s.pageOf(t, "a")
	only := func(source map[string][]byte, keys ...string) map[string][]byte {
		out := map[string][]byte{}
		for _, k := range keys {
			if out[k] = source[k]; out[k] == nil {
				t.Fatalf("no key %q in the scene", k)
			}
		}
		return out
	}
	gone := func(keys ...string) map[string][]byte {
		out := map[string][]byte{}
		for _, k := range keys {
			out[k] = nil
		}
		return out
	}
	allPages := []string{rootKey}
	for key := range s.now {
		if strings.HasPrefix(key, "i/") {
			allPages = append(allPages, key)
		}
	}
	for name, c := range map[string]struct {
		poke   map[string][]byte
		atOpen string // damage known before anything was read
		damage string // damage known after everything was read
		reads  map[string]string
	}{
		"nothing": {},
		"row flipped": {
			poke: map[string][]byte{rowA: flipped(s.now[rowA], 2000)}, damage: "notes a row_corrupt", reads: map[string]string{"a": "row_corrupt"},
		},
		"row cut": {
			poke: map[string][]byte{rowA: s.now[rowA][:50]}, damage: "notes a row_corrupt", reads: map[string]string{"a": "row_corrupt"},
		},
		"row emptied": {
			poke: map[string][]byte{rowA: {}}, damage: "notes a row_corrupt", reads: map[string]string{"a": "row_corrupt"},
		},
		"rows swapped": {
			poke: map[string][]byte{rowA: s.now[rowB], rowB: s.now[rowA]}, damage: "notes a row_moved, notes b row_moved",
			reads: map[string]string{"a": "row_moved", "b": "row_moved"},
		},
		"row replayed": {
			poke: only(s.old, rowA), damage: "notes a row_moved", reads: map[string]string{"a": "row_moved"},
		},
		"row deleted": {
			poke: gone(rowA), atOpen: "notes a row_missing", damage: "notes a row_missing", reads: map[string]string{"a": "row_missing"},
		},
		"deleted row put back": {
			poke: only(s.old, rowGone), atOpen: "notes gone row_unknown", damage: "notes gone row_unknown",
		},
		"row under another name": {
			poke: map[string][]byte{"t/notes\x00z": s.now[rowA]}, atOpen: "notes z row_unknown", damage: "notes z row_unknown",
		},
		"row in another table": {
			poke: map[string][]byte{"t/other\x00a": s.now[rowA]}, atOpen: "other a row_unknown", damage: "other a row_unknown",
		},
		"history row flipped": {
			poke: map[string][]byte{histKey(3): flipped(s.now[histKey(3)], 99)}, damage: "history s/3 row_corrupt", reads: map[string]string{"s/3": "row_corrupt"},
		},
		"history rows swapped": {
			poke:   map[string][]byte{histKey(3): s.now[histKey(4)], histKey(4): s.now[histKey(3)]},
			damage: "history s/3 row_moved, history s/4 row_moved", reads: map[string]string{"s/3": "row_moved", "s/4": "row_moved"},
		},
		"history row deleted in the middle": {
			poke: gone(histKey(3)), atOpen: "history s/3 row_missing", damage: "history s/3 row_missing", reads: map[string]string{"s/3": "row_missing"},
		},
		"last history row deleted": {
			poke: gone(histKey(4)), atOpen: "history s/4 row_missing", damage: "history s/4 row_missing", reads: map[string]string{"s/4": "row_missing"},
		},
		"first history row deleted": {
			poke: gone(histKey(2)), atOpen: "history s/2 row_missing", damage: "history s/2 row_missing", reads: map[string]string{"s/2": "row_missing"},
		},
		"whole history deleted": {
			poke:   gone(histKey(2), histKey(3), histKey(4)),
			atOpen: "history s/2 row_missing, history s/3 row_missing, history s/4 row_missing",
			damage: "history s/2 row_missing, history s/3 row_missing, history s/4 row_missing",
			reads:  map[string]string{"s/2": "row_missing", "s/3": "row_missing", "s/4": "row_missing"},
		},
		"trimmed history row put back": {
			poke: only(s.old, histKey(1)), atOpen: "history s/1 row_unknown", damage: "history s/1 row_unknown",
		},
		"history row slipped in": {
			poke: map[string][]byte{histKey(5): s.now[histKey(4)]}, atOpen: "history s/5 row_unknown", damage: "history s/5 row_unknown",
		},
		"history of another stream": {
			poke: map[string][]byte{logKey("history", "z", 1): s.now[histKey(4)]}, atOpen: "history z/1 row_unknown", damage: "history z/1 row_unknown",
		},
		"not even a history key": {
			poke: map[string][]byte{"l/history\x00s": {1}}, atOpen: "history s row_unknown", damage: "history s row_unknown",
		},
		"event deleted": {
			poke: gone(eventKey(2)), atOpen: "_events all/2 row_missing", damage: "_events all/2 row_missing", reads: map[string]string{"event/2": "row_missing"},
		},
		"event flipped": {
			poke: map[string][]byte{eventKey(1): flipped(s.now[eventKey(1)], 700)}, damage: "_events all/1 row_corrupt", reads: map[string]string{"event/1": "row_corrupt"},
		},
		"index page flipped": {
			poke: map[string][]byte{pageA: flipped(s.now[pageA], 900)}, atOpen: "index PAGE row_corrupt", damage: "index PAGE row_corrupt",
		},
		"index page replayed": {
			poke: only(s.old, pageA), atOpen: "index PAGE row_moved", damage: "index PAGE row_moved",
		},
		"index page deleted": {
			poke: gone(pageA), atOpen: "index PAGE row_missing", damage: "index PAGE row_missing",
		},
		"index page and row deleted": {
			poke: gone(pageA, rowA), atOpen: "index PAGE row_missing, notes  row_missing", damage: "index PAGE row_missing, notes  row_missing",
			reads: map[string]string{"a": ""},
		},
		"index page and row replayed": {
			poke: only(s.old, pageA, rowA), atOpen: "index PAGE row_moved", damage: "index PAGE row_moved",
		},
		"index page and row flipped": {
			poke:   map[string][]byte{pageA: flipped(s.now[pageA], 900), rowA: flipped(s.now[rowA], 2000)},
			atOpen: "index PAGE row_corrupt, notes a row_corrupt", damage: "index PAGE row_corrupt, notes a row_corrupt",
			reads: map[string]string{"a": "row_corrupt"},
		},
		"root flipped": {
			poke: map[string][]byte{rootKey: flipped(s.now[rootKey], 3000)}, atOpen: "index root row_corrupt", damage: "index root row_corrupt",
		},
		"root deleted": {
			poke: gone(rootKey), atOpen: "index root row_missing", damage: "index root row_missing",
		},
		"root and index page deleted": {
			poke: gone(rootKey, pageA), atOpen: "index root row_missing", damage: "index root row_missing",
		},
		"root and all index pages deleted": {
			poke: gone(allPages...), atOpen: "index root row_missing", damage: "index root row_missing",
		},
		"index page of what is not saved again": {
			poke: gone(s.pageOf(t, "c")), atOpen: "index PAGE row_missing", damage: "index PAGE row_missing",
		},
		"canary flipped": {
			poke: map[string][]byte{canaryKey: flipped(s.now[canaryKey], 1000)}, atOpen: "index canary row_corrupt", damage: "index canary row_corrupt",
		},
		"canary deleted": {
			poke: gone(canaryKey), atOpen: "index canary row_missing", damage: "index canary row_missing",
		},
		"key name flipped": {
			poke: map[string][]byte{"m/\x00key id": []byte("other")},
		},
	} {
		t.Run(name, func(t *testing.T) {
			fs := copyStore(t, s.now)
			poke(t, fs, c.poke)
			var told []storage.Damage
			db := storage.New(storage.Options{Dir: storagetest.Dir, FS: fs, OnDamage: func(d storage.Damage) { told = append(told, d) }})
			if err := db.Open(t.Context(), storagetest.Sealer(t)); err != nil {
				t.Fatal(err)
			}
			defer closeDB(t, db)
			page := strings.TrimPrefix(pageA, "i/\x00")
			if strings.HasPrefix(name, "index page of what") {
				page = strings.TrimPrefix(s.pageOf(t, "c"), "i/\x00")
			}
			if diff := cmp.Diff(strings.ReplaceAll(c.atOpen, "PAGE", page), words(db.Damage())); diff != "" {
				t.Errorf("damage at open: %s", diff)
			}
			want := map[string]string{"a": "ok", "b": "ok", "c": "ok", "s/2": "ok", "s/3": "ok", "s/4": "ok"}
			maps.Copy(want, c.reads)
			maps.DeleteFunc(want, func(_, v string) bool { return v == "" })
			if diff := cmp.Diff(want, read(t, db)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(strings.ReplaceAll(c.damage, "PAGE", page), words(db.Damage())); diff != "" {
				t.Errorf("damage after reading: %s", diff)
			}
			if _, err := db.Verify(t.Context()); err != nil {
				t.Error(err)
			}
			if len(told) != len(db.Damage()) {
				t.Errorf("told of %d damages, there are %d", len(told), len(db.Damage()))
			}
			stillWorks(t, db)
			closeDB(t, db)
			if err := db.Open(t.Context(), storagetest.Sealer(t)); err != nil {
				t.Fatal(err)
			}
			if left := unmended(db); left != "" {
				t.Errorf("damage after the repair and a reopening: %s", left)
			}
		})
	}
}
