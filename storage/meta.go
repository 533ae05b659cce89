package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/cockroachdb/pebble/v2"
)

// PutMeta keeps value under name as it is, not sealed: it is for files that
// are encrypted already, like the copy of dek.age.
func (tx *Tx) PutMeta(name string, value []byte) error {
	if err := tx.writable(); err != nil {
		return err
	}
	if err := tx.batch.Set([]byte(metaPrefix+checkName(name)), value, nil); err != nil {
		return fmt.Errorf("storage: write: %w", err)
	}
	return nil
}

// GetMeta is a copy of what PutMeta kept, or ErrNoRow. Nothing vouches for it.
func (tx *Tx) GetMeta(name string) ([]byte, error) {
	if err := tx.readable(); err != nil {
		return nil, err
	}
	return raw(tx.r, metaPrefix+checkName(name))
}

// ReadMeta is GetMeta on a store that is not open and whose key is not at
// hand, so that a lost dek.age can be had back from it. It changes nothing but
// the lock file. Errors: ErrNoRow also when there is no store, ErrHeld,
// ErrOpen.
func (db *DB) ReadMeta(ctx context.Context, name string) (_ []byte, err error) {
	if err := take(ctx, db.life); err != nil {
		return nil, err
	}
	defer release(db.life)
	if db.eng.get() != nil {
		return nil, ErrOpen
	}
	if is, err := db.exists(); err != nil || !is {
		return nil, errors.Join(err, ErrNoRow)
	}
	held, err := Hold(db.opts.LockFile)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, held.Close()) }()
	h := newHealth(db.opts.Log)
	pdb, err := pebble.Open(db.opts.Dir, &pebble.Options{FS: db.opts.FS, ReadOnly: true, Logger: h, EventListener: h.listener()})
	if err != nil {
		return nil, openError(err)
	}
	defer func() { err = errors.Join(err, pdb.Close()) }()
	return raw(pdb, metaPrefix+checkName(name))
}

// Exists reports whether there is a store in Dir, open or not.
func (db *DB) Exists() (bool, error) { return db.exists() }

func (db *DB) exists() (bool, error) {
	if _, err := db.opts.FS.Stat(db.opts.Dir); err != nil {
		return false, nil //nolint:nilerr // a folder that cannot be seen is no store
	}
	seen, err := pebble.Peek(db.opts.Dir, db.opts.FS)
	if err != nil {
		return false, openError(err)
	}
	return seen.Exists, nil
}

type getter interface {
	Get(key []byte) ([]byte, io.Closer, error)
}

// raw is a copy of the value at key as it is stored.
func raw(r getter, key string) ([]byte, error) {
	v, c, err := r.Get([]byte(key))
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, ErrNoRow
	}
	if err != nil {
		return nil, fmt.Errorf("storage: read: %w", err)
	}
	return bytes.Clone(v), c.Close()
}
