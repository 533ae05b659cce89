package storage

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Checkpoint writes a whole store into dir, which must not exist: the last
// acknowledged state in files of its own, synced. Updates wait meanwhile; ctx
// is looked at before and after. On an error nothing is left in dir. Errors:
// ErrLocked, ErrDiskFull, ErrReadOnly when an earlier save was not confirmed,
// the context's cause, and what the disk says.
func (db *DB) Checkpoint(ctx context.Context, dir string) error {
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
	if eng.health.failed() {
		return ErrReadOnly
	}
	if err := eng.pdb.Checkpoint(dir, pebble.WithFlushedWAL()); err != nil {
		if vfs.IsNoSpaceError(err) {
			return fmt.Errorf("%w: %w", ErrDiskFull, err)
		}
		return fmt.Errorf("storage: checkpoint: %w", err)
	}
	if ctx.Err() != nil {
		return errors.Join(context.Cause(ctx), eng.opts.FS.RemoveAll(dir))
	}
	return nil
}

// Counts is the number of rows of every table and of every log, by name, as
// the sealed index has it: damaged and vanished rows count.
func (tx *Tx) Counts() (map[string]int, error) {
	if err := tx.readable(); err != nil {
		return nil, err
	}
	out := map[string]int{}
	for _, p := range tx.idx.pages {
		for _, e := range p.entries {
			table, _ := place(e.key)
			name := strings.TrimPrefix(strings.TrimPrefix(table, tablePrefix), logPrefix)
			if e.next == 0 {
				out[name]++
				continue
			}
			out[name] += int(e.next - e.first) //nolint:gosec // rows fit on a disk
		}
	}
	return out, nil
}
