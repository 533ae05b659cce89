package storage_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"

	"callboard/app/event"
	"callboard/storage"
	"callboard/storage/storagetest"
)

// A save is what the program does most: one agent of 2 KiB, one history row of
// the same, one event. The baseline is the same bytes, bare, in one synced
// batch of the same Pebble. Both run in turns so that they meet the same disk;
// the ratio is the metric.
func BenchmarkSave(b *testing.B) {
	for _, rows := range []int{20, 1000, 20_000} {
		b.Run(fmt.Sprintf("of=%d", rows), func(b *testing.B) { benchSave(b, rows) })
	}
}

func benchSave(b *testing.B, rows int) {
	home := b.TempDir()
	db := storage.New(realDisk(home))
	if err := db.Open(b.Context(), storagetest.Sealer(b)); err != nil {
		b.Fatal(err)
	}
	defer closeDB(b, db)
	bare, err := pebble.Open(filepath.Join(home, "bare"), &pebble.Options{FormatMajorVersion: pebble.FormatValueSeparation, Logger: quiet{}})
	if err != nil {
		b.Fatal(err)
	}
	defer bare.Close()
	v := note{Body: strings.Repeat("x", 2048)}
	revs := fill(b, db, rows, v)
	id := func(i int) string { return fmt.Sprintf("%026d", i%rows) }
	plain, err := json.Marshal(v)
	if err != nil {
		b.Fatal(err)
	}
	ours := func(i int) {
		update(b, db, func(tx *storage.Tx) (err error) {
			n := i % rows
			revs[n], err = notes.Put(tx, id(i), revs[n], v)
			_, logErr := history.Append(tx, id(i), v)
			return errors.Join(err, logErr, tx.Emit(event.Change{Kind: event.Agent, ID: id(i)}))
		})
	}
	theirs := func(i int) {
		batch := bare.NewBatch()
		err := errors.Join(
			batch.Set([]byte("t"+id(i)), plain, nil), batch.Set([]byte(fmt.Sprint("l", i)), plain, nil),
			batch.Set([]byte(fmt.Sprint("e", i)), bytes.Repeat([]byte("x"), 50), nil), batch.Commit(pebble.Sync), batch.Close())
		if err != nil {
			b.Fatal(err)
		}
	}
	compare(b, ours, theirs)
}

// compare times both in turns and reports a, b and a/b.
func compare(b *testing.B, x, y func(i int)) {
	xs, ys := make([]int64, 0, b.N), make([]int64, 0, b.N)
	i := 0
	for b.Loop() {
		xs = append(xs, timed(func() { x(i) }))
		ys = append(ys, timed(func() { y(i) }))
		i++
	}
	mx, my := median(xs), median(ys)
	b.ReportMetric(float64(mx), "ours-ns")
	b.ReportMetric(float64(my), "bare-ns")
	b.ReportMetric(float64(mx)/float64(my), "ratio")
	b.ReportMetric(0, "ns/op") // both together: says nothing
}

// fill makes rows notes and returns their revisions.
func fill(b *testing.B, db *storage.DB, rows int, v note) []uint64 {
	b.Helper()
	revs := make([]uint64, rows)
	for from := 0; from < rows; from += 1000 {
		update(b, db, func(tx *storage.Tx) error {
			for i := from; i < min(from+1000, rows); i++ {
				rev, err := notes.Put(tx, fmt.Sprintf("%026d", i), 0, v)
				if err != nil {
					return err
				}
				revs[i] = rev
			}
			return nil
		})
	}
	return revs
}

// Reading: one row in a View, a list of 1,000, and opening a store of 10,000.
func BenchmarkRead(b *testing.B) {
	home := b.TempDir()
	db := storage.New(realDisk(home))
	s := storagetest.Sealer(b)
	if err := db.Open(b.Context(), s); err != nil {
		b.Fatal(err)
	}
	fill(b, db, 10_000, note{Body: strings.Repeat("x", 1024)})
	small := storage.NewTable[note]("small")
	update(b, db, func(tx *storage.Tx) error {
		for i := range 1000 {
			if _, err := small.Put(tx, fmt.Sprintf("%026d", i), 0, note{Body: "x"}); err != nil {
				return err
			}
		}
		return nil
	})
	b.Run("get", func(b *testing.B) {
		for b.Loop() {
			view(b, db, func(tx *storage.Tx) error { _, _, err := notes.Get(tx, fmt.Sprintf("%026d", 17)); return err })
		}
	})
	b.Run("list=1000", func(b *testing.B) {
		for b.Loop() {
			view(b, db, func(tx *storage.Tx) error {
				for _, err := range small.All(tx) {
					if err != nil {
						return err
					}
				}
				return nil
			})
		}
	})
	b.Run("open=11000", func(b *testing.B) {
		for b.Loop() {
			closeDB(b, db)
			if err := db.Open(b.Context(), s); err != nil {
				b.Fatal(err)
			}
		}
	})
	closeDB(b, db)
}
