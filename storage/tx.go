package storage

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/cockroachdb/pebble/v2"

	"callboard/app/event"
	"callboard/crypto"
)

// Tx is the view of the store inside one View or Update. It belongs to the
// function it was handed to, for one goroutine at a time; afterwards every
// operation on it returns an error.
type Tx struct {
	eng     *engine
	r       reader
	batch   *pebble.Batch // nil in a View
	idx     *index        // in an Update: own clone once something was written
	rev     uint64        // the revision this Update gives
	touched [pageCount + 1]bool
	keys    []string // what was written, for the damage report
	changes []event.Change
	cursors []*cursor // open ones
	ended   bool
}

// reader is what a snapshot and an indexed batch have in common.
type reader interface {
	Get(key []byte) ([]byte, io.Closer, error)
	NewIter(o *pebble.IterOptions) (*pebble.Iterator, error)
}

// View runs fn on the last acknowledged state, which does not change under it
// and does not keep others from writing. It returns what fn returns, ErrLocked
// when the store is not open, or the context's cause.
func (db *DB) View(ctx context.Context, fn func(*Tx) error) (err error) {
	eng := db.eng.get()
	if eng == nil {
		return ErrLocked
	}
	if err := eng.enter(); err != nil {
		return err
	}
	defer eng.leave()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	v := eng.current()
	defer func() { err = errors.Join(err, eng.drop(v)) }()
	tx := &Tx{eng: eng, r: v.snap, idx: v.idx}
	defer tx.end()
	return fn(tx)
}

// Update runs fn alone and then commits what it wrote, in one piece, synced.
// It must not be called inside fn. When fn fails or panics, or the context
// ends before the commit began, nothing is written; once it began it is waited
// for. Errors: what fn returns, ErrLocked, ErrDiskFull, ErrReadOnly,
// ErrCommitUnknown, the context's cause.
func (db *DB) Update(ctx context.Context, fn func(*Tx) error) error {
	eng := db.eng.get()
	if eng == nil {
		return ErrLocked
	}
	if err := eng.enter(); err != nil {
		return err
	}
	defer eng.leave()
	if err := take(ctx, eng.write); err != nil {
		return err
	}
	defer release(eng.write)
	if err := eng.room(); err != nil {
		return err
	}
	changes, err := eng.update(ctx, fn)
	if err != nil {
		return err
	}
	db.feed.Publish(changes...)
	return nil
}

// room says whether a save may begin.
func (e *engine) room() error {
	if e.health.failed() || e.opts.ReadOnly {
		return ErrReadOnly
	}
	free, err := e.opts.FreeSpace(e.opts.Dir)
	if err != nil {
		return fmt.Errorf("storage: ask for free space: %w", err)
	}
	if free < e.opts.MinFree {
		return fmt.Errorf("%w: %d MB left", ErrDiskFull, free>>20)
	}
	return nil
}

// update runs fn and commits. The caller holds write.
func (e *engine) update(ctx context.Context, fn func(*Tx) error) (_ []event.Change, err error) {
	idx := e.cur.idx // only the holder of write changes cur
	b := e.pdb.NewIndexedBatch()
	tx := &Tx{eng: e, r: b, batch: b, idx: idx, rev: idx.seq + 1}
	committing := false
	defer func() {
		tx.end()
		if !committing {
			err = errors.Join(err, b.Close())
		}
	}()
	if err := fn(tx); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if b.Empty() {
		return nil, nil
	}
	if err := tx.sealIndex(); err != nil {
		return nil, err
	}
	tx.end()
	committing = true
	if err := e.commit(b); err != nil {
		return nil, err
	}
	e.noCanary = false
	e.damage.mend(tx.keys, tx.idx)
	return tx.changes, e.publish(tx.idx)
}

// end makes the transaction useless and closes readings that were left open,
// which iter.Pull can do.
func (tx *Tx) end() {
	tx.ended = true
	for len(tx.cursors) > 0 {
		tx.cursors[0].close()
	}
}

// readable and writable guard every operation.
func (tx *Tx) readable() error {
	if tx.ended {
		return errEnded
	}
	return nil
}

func (tx *Tx) writable() error {
	if tx.ended {
		return errEnded
	}
	if tx.batch == nil {
		return errInView
	}
	return nil
}

// own makes the page of key the transaction's own, before it is changed.
func (tx *Tx) own(key string) {
	if tx.keys == nil {
		tx.idx = tx.idx.clone()
	}
	tx.keys = append(tx.keys, key)
	if n := pageOf(key); !tx.touched[n] {
		tx.touched[n] = true
		tx.idx.own(n)
	}
}

// sealIndex adds the touched pages and the root to the batch.
func (tx *Tx) sealIndex() error {
	if tx.keys == nil { // only meta values were written
		tx.idx = tx.idx.clone()
	}
	tx.idx.seq = tx.rev
	for n, p := range tx.idx.pages[:pageCount] {
		if !tx.touched[n] && !p.stale {
			continue
		}
		p = &page{rev: tx.rev, entries: p.entries}
		tx.idx.pages[n] = p
		if err := tx.seal(pageKey(n), tx.rev, p.encode()); err != nil {
			return err
		}
	}
	if err := tx.sealCanary(); err != nil {
		return err
	}
	return tx.seal(rootKey, 0, tx.idx.encode())
}

// seal puts one sealed row into the batch.
func (tx *Tx) seal(key string, rev uint64, plain []byte) error {
	table, rest := place(key)
	sealed, err := tx.eng.sealer.Seal(table, rest, rev, plain)
	if err != nil {
		return err
	}
	if err := tx.batch.Set([]byte(key), sealed, nil); err != nil {
		return fmt.Errorf("storage: write: %w", err)
	}
	return nil
}

// fetch opens the row at key, which the index knows under rev. Damage comes as
// a *RowError and is noted.
func (tx *Tx) fetch(key string, rev uint64) ([]byte, error) {
	r := tx.r
	if tx.batch != nil && tx.batch.Empty() {
		r = tx.eng.pdb // the same answer, without laying an empty batch over it
	}
	value, closer, err := r.Get([]byte(key))
	plain, err := tx.open(key, rev, value, err)
	if closer != nil {
		err = errors.Join(err, closer.Close())
	}
	return plain, err
}

// open judges what reading key gave.
func (tx *Tx) open(key string, rev uint64, value []byte, err error) ([]byte, error) {
	switch {
	case errors.Is(err, pebble.ErrNotFound):
		return nil, tx.bad(key, rev, ErrRowMissing)
	case pebble.IsCorruptionError(err):
		return nil, tx.bad(key, rev, crypto.ErrRowCorrupt)
	case err != nil:
		return nil, fmt.Errorf("storage: read: %w", err)
	}
	table, rest := place(key)
	plain, err := tx.eng.sealer.Open(table, rest, rev, value)
	if errors.Is(err, ErrLocked) {
		return nil, err
	}
	if err != nil {
		return nil, tx.bad(key, rev, err)
	}
	return plain, nil
}

// bad notes damage and is the error for it.
func (tx *Tx) bad(key string, rev uint64, err error) *RowError {
	table, id := names(key)
	tx.eng.damage.note(key, err)
	return &RowError{Table: table, ID: id, Rev: rev, Err: err}
}
