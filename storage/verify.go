package storage

import "context"

// Verify opens every row there is and returns all damage, as Damage does
// afterwards. It reads the last acknowledged state and takes about 25 µs a row.
func (db *DB) Verify(ctx context.Context) ([]Damage, error) {
	err := db.View(ctx, func(tx *Tx) error {
		for _, prefix := range []string{tablePrefix, logPrefix} {
			if err := tx.verify(ctx, prefix); err != nil {
				return err
			}
		}
		return nil
	})
	return db.Damage(), err
}

func (tx *Tx) verify(ctx context.Context, prefix string) error {
	c, err := tx.cursor(prefix)
	if err != nil {
		return err
	}
	defer c.close()
	for _, e := range tx.idx.under(prefix) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := c.verify(e); err != nil {
			return err
		}
	}
	return nil
}

// verify opens the row or the rows of e; damage is noted by fetch.
func (c *cursor) verify(e entry) error {
	if e.next == 0 {
		return onlyFatal(c.fetch(e.key, e.rev))
	}
	for seq := e.first; seq < e.next; seq++ {
		if err := onlyFatal(c.fetch(logRowKey(e.key, seq), e.rev)); err != nil {
			return err
		}
	}
	return nil
}

func onlyFatal(_ []byte, err error) error {
	if isRowError(err) {
		return nil
	}
	return err
}
