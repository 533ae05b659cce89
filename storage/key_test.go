package storage

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func FuzzKeys(f *testing.F) {
	f.Add("notes", "a", uint64(1))
	f.Add("n", "l/x", uint64(1<<63))
	f.Add("notes", "a\x00b", uint64(0))
	f.Fuzz(func(t *testing.T, table, id string, seq uint64) {
		if checkID(id) != nil || checkID(table) != nil || strings.ContainsAny(table, nul) {
			t.Skip()
		}
		row, stream := rowKey(table, id), streamKey(table, id)
		if a, b := names(row); a != table || b != id {
			t.Fatalf("%q is named %q %q", row, a, b)
		}
		if a, b := names(stream); a != table || b != id {
			t.Fatalf("%q is named %q %q", stream, a, b)
		}
		if pageOf(row) != pageOf(stream) && stream != eventStream {
			t.Fatalf("a row and its stream on two pages")
		}
		key := logRowKey(stream, seq)
		gotStream, gotSeq, ok := splitLogKey(key)
		if !ok || gotStream != stream || gotSeq != seq {
			t.Fatalf("%q comes back as %q %d %v", key, gotStream, gotSeq, ok)
		}
		for _, k := range []string{row, stream} {
			if _, _, ok := splitLogKey(k); ok {
				t.Fatalf("%q is taken for a log row", k)
			}
		}
		if key2 := logRowKey(stream, seq+1); seq+1 != 0 && key2 <= key {
			t.Fatal("numbers do not sort")
		}
		if !strings.HasPrefix(key, stream+nul) || key >= string(after(stream+nul)) {
			t.Fatal("a row lies outside its stream")
		}
		p1, k1 := place(row)
		p2, k2 := place(key)
		if p1+nul+k1 != row || p2+nul+k2 != key || p1 == p2 {
			t.Fatal("two rows share a place")
		}
	})
}

// FuzzSplitKey: any key that could be found in the files is named without a
// panic.
func FuzzSplitKey(f *testing.F) {
	f.Add("l/history\x00s\x0012345678")
	f.Add("l/\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")
	f.Add("")
	f.Fuzz(func(t *testing.T, key string) {
		_, _ = names(key)
		_ = pageOf(key)
		if stream, seq, ok := splitLogKey(key); ok && logRowKey(stream, seq) != key {
			t.Fatalf("%q comes back as %q", key, logRowKey(stream, seq))
		}
	})
}

func FuzzIndex(f *testing.F) {
	f.Add(sampleIndex().encode(), sampleIndex().pages[pageOf(rowKey("notes", "a"))].encode())
	f.Add([]byte{1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}, []byte{1, 200, 1})
	f.Fuzz(func(t *testing.T, root, pg []byte) {
		if ix, ok := decodeIndex(root); ok {
			if again, ok := decodeIndex(ix.encode()); !ok || !bytes.Equal(ix.encode(), again.encode()) {
				t.Fatal("the root does not come back")
			}
		}
		if es, ok := decodePage(pg); ok {
			if again, ok := decodePage((&page{entries: es}).encode()); !ok || !slices.Equal(es, again) {
				t.Fatal("the page does not come back")
			}
		}
	})
}

func sampleIndex() *index {
	ix := newIndex()
	ix.seq = 1 << 40
	for _, key := range []string{rowKey("notes", "a"), rowKey("notes", "b"), streamKey("history", "a"), eventStream} {
		ix.own(pageOf(key))
		ix.set(entry{key: key, rev: 7, first: 1, next: 300})
		ix.pages[pageOf(key)].rev = 9
	}
	return ix
}

func TestThePublishedIndexIsNeverChanged(t *testing.T) {
	ix := sampleIndex()
	before := string(ix.encode()) + string(ix.pages[pageOf(rowKey("notes", "a"))].encode())
	c := ix.clone()
	key := rowKey("notes", "a")
	c.own(pageOf(key))
	c.set(entry{key: key, rev: 100})
	c.unset(key)
	c.set(entry{key: rowKey("new", "a"), rev: 100})
	if before != string(ix.encode())+string(ix.pages[pageOf(key)].encode()) {
		t.Error("a clone's change shows in the original")
	}
	if c.counts["t/notes"] != 1 || c.counts["t/new"] != 1 || ix.counts["t/notes"] != 2 {
		t.Errorf("counts %v, before %v", c.counts, ix.counts)
	}
}

func TestBadTableNamesPanic(t *testing.T) {
	for _, name := range []string{"", "A", "a b", "a\x00", "_events", "1a", strings.Repeat("a", 33)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q was accepted", name)
				}
			}()
			NewTable[int](name)
		}()
	}
}

func TestPowersOfTen(t *testing.T) {
	for n, want := range map[uint64]bool{1: true, 2: false, 10: true, 20: false, 100: true, 110: false, 1000: true} {
		if powerOfTen(n) != want {
			t.Errorf("%d: %v", n, !want)
		}
	}
}
