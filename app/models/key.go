package models

import (
	"bytes"
	"context"

	"callboard/app/model"
	"callboard/crypto/secret"
	"callboard/storage"
)

// MaxKey is the longest key, in bytes.
const MaxKey = 4096

// SetKey keeps key for the site the model's address leads to, in place of an
// earlier one. White space around it is left out. The key stays the caller's,
// who wipes it. revision is as in Save. No method gives a key back.
func (s *Service) SetKey(ctx context.Context, id string, revision uint64, key secret.Bytes) (Entry, error) {
	plain := bytes.TrimSpace(key.Reveal())
	if !goodKey(plain) {
		return Entry{}, ErrKeyInvalid
	}
	return s.change(ctx, id, revision, func(tx *storage.Tx, r *row) error {
		r.KeySite = model.Site(r.Model.BaseURL)
		return s.t.setKey(tx, id, r.KeySite, secret.New(plain))
	})
}

// ClearKey forgets a model's key. revision is as in Save.
func (s *Service) ClearKey(ctx context.Context, id string, revision uint64) (Entry, error) {
	return s.change(ctx, id, revision, func(tx *storage.Tx, r *row) error {
		r.KeySite = ""
		return s.t.dropKey(tx, id)
	})
}

// goodKey is what a header can carry.
func goodKey(key []byte) bool {
	return len(key) > 0 && len(key) <= MaxKey && !bytes.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' })
}
