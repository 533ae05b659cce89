package storage

import (
	"errors"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"
)

// cursor reads many rows by key. A damaged block of a file fails only the rows
// in it: each seek starts afresh.
type cursor struct {
	tx *Tx
	it *pebble.Iterator
}

func (tx *Tx) cursor(prefix string) (*cursor, error) {
	it, err := tx.r.NewIter(&pebble.IterOptions{LowerBound: []byte(prefix), UpperBound: after(prefix)})
	if err != nil {
		return nil, fmt.Errorf("storage: read: %w", err)
	}
	c := &cursor{tx: tx, it: it}
	tx.cursors = append(tx.cursors, c)
	return c, nil
}

// fetch opens the row at key, as Tx.fetch.
func (c *cursor) fetch(key string, rev uint64) ([]byte, error) {
	if err := c.tx.readable(); err != nil {
		return nil, err
	}
	if !c.it.SeekGE([]byte(key)) {
		return c.tx.open(key, rev, nil, orNotFound(c.it.Error()))
	}
	if string(c.it.Key()) != key {
		return c.tx.open(key, rev, nil, pebble.ErrNotFound)
	}
	value, err := c.it.ValueAndErr()
	return c.tx.open(key, rev, value, err)
}

// close ends the cursor; a second time it does nothing. What a seek failed
// with was reported by fetch.
func (c *cursor) close() {
	if i := slices.Index(c.tx.cursors, c); i >= 0 {
		c.tx.cursors = slices.Delete(c.tx.cursors, i, i+1)
		_ = c.it.Close()
	}
}

func orNotFound(err error) error {
	if err == nil {
		return pebble.ErrNotFound
	}
	return err
}

// after is the first key that does not begin with prefix.
func after(prefix string) []byte {
	b := []byte(prefix)
	b[len(b)-1]++ // our prefixes end in NUL or a slash
	return b
}

// isRowError tells damage of one row from errors that end a reading.
func isRowError(err error) bool {
	_, ok := errors.AsType[*RowError](err)
	return ok
}
