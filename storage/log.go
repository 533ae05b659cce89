package storage

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
)

// Log is a typed log of sealed rows, each a T as JSON: rows are appended to
// streams and never changed, only trimmed from the oldest end. Within a stream
// the numbers go 1, 2, 3 … without a gap, so a row that vanished is noticed.
// A Log is a name, like a Table.
type Log[T any] struct{ name string }

// Entry is one row of a stream.
type Entry[T any] struct {
	Seq uint64
	V   T
}

// NewLog names a log, as NewTable.
func NewLog[T any](name string) Log[T] { return Log[T]{name: checkName(name)} }

// Append adds v at the end of the stream, which need not exist, and returns
// its number. Errors: ErrBadID.
func (l Log[T]) Append(tx *Tx, stream string, v T) (uint64, error) {
	if err := tx.writable(); err != nil {
		return 0, err
	}
	s, known, err := tx.stream(l.name, stream)
	if err != nil {
		return 0, err
	}
	plain, err := json.Marshal(v)
	if err != nil {
		return 0, fmt.Errorf("storage: encode a row of %s: %w", l.name, err)
	}
	if !known {
		s.rev, s.first, s.next = tx.rev, 1, 1
	}
	seq := s.next
	if err := tx.seal(logRowKey(s.key, seq), s.rev, plain); err != nil {
		return 0, err
	}
	s.next++
	tx.own(s.key)
	tx.idx.set(s)
	return seq, nil
}

// Bounds are the stream's oldest number and the one after its newest; both are
// equal when it has no rows and 0 when there is no such stream.
func (l Log[T]) Bounds(tx *Tx, stream string) (first, next uint64, err error) {
	s, _, err := tx.stream(l.name, stream)
	return s.first, s.next, err
}

// Read is at most limit rows with numbers above after, oldest first. A damaged
// row comes as a *RowError with its number in the Entry, and the loop goes on;
// any other error is the last item; rows that were discarded are left out. A
// stream that does not exist is empty.
func (l Log[T]) Read(tx *Tx, stream string, after uint64, limit int) iter.Seq2[Entry[T], error] {
	return l.read(tx, stream, func(s entry) (from, to uint64, step uint64) {
		from = min(max(s.first, satAdd(after, 1)), s.next)
		return from, min(s.next, satAdd(from, count(limit))), 1
	})
}

// Latest is at most limit rows with numbers below before (0 for no bound),
// newest first; otherwise as Read.
func (l Log[T]) Latest(tx *Tx, stream string, before uint64, limit int) iter.Seq2[Entry[T], error] {
	return l.read(tx, stream, func(s entry) (from, to uint64, step uint64) {
		end := s.next
		if before != 0 {
			end = min(end, before)
		}
		if end <= s.first {
			return 0, 0, 1
		}
		n := min(count(limit), end-s.first)
		return end - 1, end - 1 - n, math.MaxUint64 // a step of -1
	})
}

// Trim removes the oldest rows so that at most keep stay. Numbers go on.
func (l Log[T]) Trim(tx *Tx, stream string, keep int) error {
	if err := tx.writable(); err != nil {
		return err
	}
	s, known, err := tx.stream(l.name, stream)
	if err != nil || !known || s.next-s.first <= count(keep) {
		return err
	}
	first := s.next - count(keep)
	if err := tx.cut(s.key, s.first, first); err != nil {
		return err
	}
	s.first = first
	tx.own(s.key)
	tx.idx.set(s)
	return nil
}

// read yields the rows from, from+step … up to but not including to.
func (l Log[T]) read(tx *Tx, stream string, span func(entry) (from, to, step uint64)) iter.Seq2[Entry[T], error] {
	return func(yield func(Entry[T], error) bool) {
		s, c, err := l.open(tx, stream)
		if err != nil {
			yield(Entry[T]{}, err)
			return
		}
		if c == nil {
			return
		}
		defer c.close()
		from, to, step := span(s)
		for seq := from; seq != to; seq += step {
			row, err := readEntry[T](c, s, seq)
			if errors.Is(err, errDiscarded) {
				continue
			}
			if !yield(row, err) || onlyFatal(nil, err) != nil {
				return
			}
		}
	}
}

// open is the stream and a cursor over its rows, nil when there is no such
// stream.
func (l Log[T]) open(tx *Tx, stream string) (entry, *cursor, error) {
	s, known, err := tx.stream(l.name, stream)
	if err != nil || !known {
		return s, nil, err
	}
	c, err := tx.cursor(s.key + nul)
	return s, c, err
}

func readEntry[T any](c *cursor, s entry, seq uint64) (row Entry[T], err error) {
	row.Seq = seq
	key := logRowKey(s.key, seq)
	plain, err := c.fetch(key, s.rev)
	if err != nil {
		return row, err
	}
	if len(plain) == 0 { // JSON is never empty
		return row, errDiscarded
	}
	row.V, err = decode[T](c.tx, key, s.rev, plain)
	return row, err
}

// stream looks a stream up in the index; its key is set also when it is
// unknown.
func (tx *Tx) stream(log, stream string) (s entry, known bool, err error) {
	if err := tx.readable(); err != nil {
		return entry{}, false, err
	}
	if err := checkID(stream); err != nil {
		return entry{}, false, err
	}
	key := streamKey(log, stream)
	s, known = tx.idx.find(key)
	s.key = key
	return s, known, nil
}

// cut removes the rows first ≤ seq < next of the stream with this key.
func (tx *Tx) cut(stream string, first, next uint64) error {
	if err := tx.batch.DeleteRange([]byte(logRowKey(stream, first)), []byte(logRowKey(stream, next)), nil); err != nil {
		return fmt.Errorf("storage: trim: %w", err)
	}
	return nil
}

func count(n int) uint64 { return uint64(max(n, 0)) }

func satAdd(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}
