package storage

import (
	"context"
	"fmt"
	"strings"
)

// Discard removes what is left of damaged rows for good, in one commit, and
// returns what stays in Damage. Each row is judged again first: one that turns
// out whole is left alone, and so is anything that is not in Damage. A row of
// a log cannot go without a gap, so an empty sealed row takes its place, which
// readers skip. Damage of the files themselves stays. Errors as Update.
func (db *DB) Discard(ctx context.Context, bad []Damage) ([]Damage, error) {
	keys := db.damage.keys(bad)
	if len(keys) == 0 {
		return db.Damage(), nil
	}
	var gone []string
	err := db.Update(ctx, func(tx *Tx) error {
		for _, key := range keys {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			removed, err := tx.discard(key)
			if err != nil {
				return err
			}
			if removed {
				gone = append(gone, key)
			}
		}
		// The canary goes along, so that there is something to commit and with it
		// the index is sealed anew.
		return tx.seal(canaryKey, 0, []byte(canaryText))
	})
	if err == nil {
		db.damage.forget(gone)
	}
	return db.Damage(), err
}

// discard removes the row at key unless it is whole, and says whether its
// damage is over.
func (tx *Tx) discard(key string) (bool, error) {
	table, rest := place(key)
	switch {
	case key == filesKey:
		return false, nil
	case !strings.HasPrefix(table, tablePrefix) && !strings.HasPrefix(table, logPrefix):
		return true, nil // a part of the index: this save seals it anew
	case rest == "":
		return true, nil // fewer rows than the root had: it counts anew
	}
	if stream, seq, ok := splitLogKey(key); ok {
		return true, tx.discardEntry(key, stream, seq)
	}
	e, known := tx.idx.find(key)
	known = known && e.next == 0 // a slipped-in key may have a stream's name
	if known {
		bad, err := tx.broken(key, e.rev)
		if err != nil || !bad {
			return !bad, err
		}
	}
	if err := tx.batch.Delete([]byte(key), nil); err != nil {
		return false, fmt.Errorf("storage: discard: %w", err)
	}
	if known {
		tx.own(key)
		tx.idx.unset(key)
	}
	return true, nil
}

func (tx *Tx) discardEntry(key, stream string, seq uint64) error {
	s, known := tx.idx.find(stream)
	if !known || seq < s.first || seq >= s.next {
		if err := tx.batch.Delete([]byte(key), nil); err != nil {
			return fmt.Errorf("storage: discard: %w", err)
		}
		return nil
	}
	bad, err := tx.broken(key, s.rev)
	if err != nil || !bad {
		return err
	}
	return tx.seal(key, s.rev, nil)
}

// broken judges the row at key. What does not decode opens all the same, so
// the book's word counts there.
func (tx *Tx) broken(key string, rev uint64) (bool, error) {
	if tx.eng.damage.rule(key) == ErrRowFormat.Rule() {
		return true, nil
	}
	_, err := tx.fetch(key, rev)
	if isRowError(err) {
		return true, nil
	}
	return false, err
}
