package storage

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/cockroachdb/pebble/v2"

	"callboard/crypto"
)

// resealBatch is how many bytes are written at once.
const resealBatch = 4 << 20

// Reseal makes the store that to says, which must not be there, with every row
// of this one sealed anew by sealer for the same place and revision. The caller
// sees to it that nothing is saved meanwhile: this store may be open ReadOnly.
// A row that does not open ends it with a *RowError; ErrDiskFull says so before
// anything is written. On an error what was
// written of the new store is left to the caller.
func (db *DB) Reseal(ctx context.Context, to Options, sealer *crypto.Sealer) error {
	eng := db.eng.get()
	if eng == nil {
		return ErrLocked
	}
	if err := eng.enter(); err != nil {
		return err
	}
	defer eng.leave()
	to = to.withDefaults()
	free, err := to.FreeSpace(to.FS.PathDir(to.Dir))
	if need := eng.pdb.Metrics().DiskSpaceUsage() + to.MinFree; err == nil && free < need {
		return fmt.Errorf("%w: %d MB left, %d needed", ErrDiskFull, free>>20, need>>20)
	}
	h := newHealth(to.Log)
	pdb, err := openPebble(to, h)
	if err != nil {
		return err
	}
	err = eng.reseal(ctx, pdb, sealer)
	if err == nil {
		err = pdb.Flush()
	}
	if err = errors.Join(err, pdb.Close()); err == nil && h.failed() {
		err = ErrCommitUnknown
	}
	return err
}

func (e *engine) reseal(ctx context.Context, to *pebble.DB, sealer *crypto.Sealer) error {
	v := e.current()
	defer func() { _ = e.drop(v) }() // the snapshot was only read
	it, err := v.snap.NewIter(nil)
	if err != nil {
		return fmt.Errorf("storage: read: %w", err)
	}
	defer func() { _ = it.Close() }() // its error is looked at below
	b := to.NewBatch()
	for ok := it.First(); ok; ok = it.Next() {
		if ctx.Err() != nil {
			return errors.Join(context.Cause(ctx), b.Close())
		}
		if err := e.resealRow(string(it.Key()), it, b, sealer); err != nil {
			return errors.Join(err, b.Close())
		}
		if b.Len() < resealBatch {
			continue
		}
		if err := b.Commit(pebble.NoSync); err != nil {
			return fmt.Errorf("storage: write: %w", err)
		}
		b = to.NewBatch()
	}
	if err := it.Error(); err != nil {
		return errors.Join(ErrDamaged, b.Close())
	}
	if err := b.Commit(pebble.Sync); err != nil {
		return fmt.Errorf("storage: write: %w", err)
	}
	return nil
}

// resealRow puts the row at key into b, for the key of sealer.
func (e *engine) resealRow(key string, it *pebble.Iterator, b *pebble.Batch, sealer *crypto.Sealer) error {
	value, err := it.ValueAndErr()
	if err != nil {
		return e.unsealed(key, crypto.ErrRowCorrupt)
	}
	switch {
	case key == keyIDKey:
		value = []byte(sealer.KeyID())
	case strings.HasPrefix(key, metaPrefix):
	default:
		table, rest := place(key)
		plain, rev, err := e.sealer.OpenAny(table, rest, value)
		if errors.Is(err, ErrLocked) {
			return err
		}
		if err != nil {
			return e.unsealed(key, err)
		}
		if value, err = sealer.Seal(table, rest, rev, plain); err != nil {
			return err
		}
	}
	if err := b.Set([]byte(key), value, nil); err != nil {
		return fmt.Errorf("storage: write: %w", err)
	}
	return nil
}

func (e *engine) unsealed(key string, err error) *RowError {
	table, id := names(key)
	e.damage.note(key, err)
	return &RowError{Table: table, ID: id, Err: err}
}
