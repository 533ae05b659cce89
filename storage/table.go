package storage

import (
	"encoding/json"
	"fmt"
	"iter"
)

// Table is a typed table of sealed rows, each a T as JSON under an id of 1 to
// 128 printable ASCII characters. Ids are not encrypted. A Table is a name: it
// has no state and may be copied and used from any goroutine.
type Table[T any] struct{ name string }

// Row is one row of a table. Rev grows with every save of the store; it says
// which state of the row this is and nothing else.
type Row[T any] struct {
	ID  string
	Rev uint64
	V   T
}

// NewTable names a table. A name that is not a-z, 0-9 and underscores panics.
func NewTable[T any](name string) Table[T] { return Table[T]{name: checkName(name)} }

// Get is the row and its revision. Errors: ErrNoRow, ErrBadID, *RowError.
func (t Table[T]) Get(tx *Tx, id string) (v T, rev uint64, err error) {
	e, known, err := tx.entry(t.name, id)
	if err != nil {
		return v, 0, err
	}
	if !known {
		return v, 0, ErrNoRow
	}
	plain, err := tx.fetch(e.key, e.rev)
	if err != nil {
		return v, 0, err
	}
	v, err = decode[T](tx, e.key, e.rev, plain)
	return v, e.rev, err
}

// Put saves v as the next state of the row whose revision is rev, or as a new
// row when rev is 0. It does not read the old row, so a damaged one can be
// replaced. Errors: ErrConflict when the row has another revision (or exists,
// for 0), ErrNoRow when it is gone, ErrBadID.
func (t Table[T]) Put(tx *Tx, id string, rev uint64, v T) (uint64, error) {
	if err := tx.writable(); err != nil {
		return 0, err
	}
	e, known, err := tx.entry(t.name, id)
	if err != nil {
		return 0, err
	}
	if err := expect(known, e.rev, rev); err != nil {
		return 0, err
	}
	plain, err := json.Marshal(v)
	if err != nil {
		return 0, fmt.Errorf("storage: encode a row of %s: %w", t.name, err)
	}
	if err := tx.seal(e.key, tx.rev, plain); err != nil {
		return 0, err
	}
	tx.own(e.key)
	tx.idx.set(entry{key: e.key, rev: tx.rev})
	return tx.rev, nil
}

// Delete removes the row whose revision is rev. Rev 0 removes a row that was
// put there behind the program's back, if there is one. Errors as Put.
func (t Table[T]) Delete(tx *Tx, id string, rev uint64) error {
	if err := tx.writable(); err != nil {
		return err
	}
	e, known, err := tx.entry(t.name, id)
	if err != nil {
		return err
	}
	if err := expect(known, e.rev, rev); err != nil {
		return err
	}
	if err := tx.batch.Delete([]byte(e.key), nil); err != nil {
		return fmt.Errorf("storage: delete: %w", err)
	}
	tx.own(e.key)
	tx.idx.unset(e.key)
	return nil
}

// Has reports whether there is such a row, damaged or not. Errors: ErrBadID.
func (t Table[T]) Has(tx *Tx, id string) (bool, error) {
	_, known, err := tx.entry(t.name, id)
	return known, err
}

// Set saves v as the next state of the row, whatever its revision, or as a new
// row. It is for rows that follow from others, which nobody edits. Errors:
// ErrBadID.
func (t Table[T]) Set(tx *Tx, id string, v T) (uint64, error) {
	e, _, err := tx.entry(t.name, id)
	if err != nil {
		return 0, err
	}
	return t.Put(tx, id, e.rev, v)
}

// Drop removes the row, whatever its revision; where there is none it does
// nothing. Errors: ErrBadID.
func (t Table[T]) Drop(tx *Tx, id string) error {
	e, known, err := tx.entry(t.name, id)
	if err != nil || !known {
		return err
	}
	return t.Delete(tx, id, e.rev)
}

// All is every row in the order of ids, as they are when the loop begins. A
// damaged row comes as a *RowError with its ID in the Row, and the loop goes
// on; any other error is the last item.
func (t Table[T]) All(tx *Tx) iter.Seq2[Row[T], error] {
	return func(yield func(Row[T], error) bool) {
		if err := tx.readable(); err != nil {
			yield(Row[T]{}, err)
			return
		}
		prefix := rowKey(t.name, "")
		c, err := tx.cursor(prefix)
		if err != nil {
			yield(Row[T]{}, err)
			return
		}
		defer c.close()
		for _, e := range tx.idx.under(prefix) {
			row := Row[T]{ID: e.key[len(prefix):], Rev: e.rev}
			plain, err := c.fetch(e.key, e.rev)
			if err == nil {
				row.V, err = decode[T](tx, e.key, e.rev, plain)
			}
			if !yield(row, err) || (err != nil && !isRowError(err)) {
				return
			}
		}
	}
}

// Count is the number of rows, from the sealed index: damaged and vanished
// rows count.
func (t Table[T]) Count(tx *Tx) int {
	return int(tx.idx.counts[tablePrefix+t.name]) //nolint:gosec // rows fit in memory
}

// entry looks a row up in the index; its key is set also when it is unknown.
func (tx *Tx) entry(table, id string) (e entry, known bool, err error) {
	if err := tx.readable(); err != nil {
		return entry{}, false, err
	}
	if err := checkID(id); err != nil {
		return entry{}, false, err
	}
	key := rowKey(table, id)
	e, known = tx.idx.find(key)
	e.key = key
	return e, known, nil
}

func expect(known bool, is, want uint64) error {
	switch {
	case known && is != want:
		return ErrConflict
	case !known && want != 0:
		return ErrNoRow
	}
	return nil
}

func decode[T any](tx *Tx, key string, rev uint64, plain []byte) (v T, err error) {
	if json.Unmarshal(plain, &v) != nil { // its text may quote the row
		var none T
		return none, tx.bad(key, rev, ErrRowFormat)
	}
	return v, nil
}
