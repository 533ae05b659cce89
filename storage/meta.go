package storage

import (
	"bytes"
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

// DeleteMeta forgets what PutMeta kept, if anything.
func (tx *Tx) DeleteMeta(name string) error {
	if err := tx.writable(); err != nil {
		return err
	}
	if err := tx.batch.Delete([]byte(metaPrefix+checkName(name)), nil); err != nil {
		return fmt.Errorf("storage: delete: %w", err)
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
