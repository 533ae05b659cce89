package vault

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"callboard/app/event"
	"callboard/app/home"
	"callboard/crypto"
	"callboard/crypto/secret"
	"callboard/storage"
)

// maxKeyFile bounds what is read as a key file, in bytes.
const maxKeyFile = 64 << 10

// UnlockRequest carries the passphrase; it is not read under File protection.
// The caller keeps ownership and may wipe it afterwards.
type UnlockRequest struct{ Passphrase secret.Bytes }

// Unlock opens the home. Nothing on disk changes before the key has opened and
// the data key fits it. Unlocking an open vault is no error. With scrypt it
// takes about half a second of one core; ctx is looked at before and after.
func (s *Service) Unlock(ctx context.Context, req UnlockRequest) error {
	s.op.Lock()
	defer s.op.Unlock()
	if _, open := s.opened(); open {
		return nil
	}
	at, p, err := s.locate()
	if err != nil {
		return err
	}
	id, err := readIdentity(at, p, req.Passphrase)
	if err != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	sealer, wrapped, err := s.readDataKey(at, id)
	if err != nil {
		return err
	}
	if err := s.finish(ctx, at, sealer, wrapped, p); err != nil {
		sealer.Close()
		return err
	}
	return nil
}

// finish moves a staged home in and opens it.
func (s *Service) finish(ctx context.Context, at home.Home, sealer *crypto.Sealer, wrapped []byte, p Protection) error {
	if err := s.settle(at); err != nil {
		return err
	}
	return s.open(ctx, sealer, wrapped, p)
}

// open opens the store and holds dek.age against the store's copy. On an error
// nothing stays open.
func (s *Service) open(ctx context.Context, sealer *crypto.Sealer, wrapped []byte, p Protection) error {
	if there, err := home.Exists(s.cfg.Home.Store()); err != nil {
		return err
	} else if !there {
		return ErrStoreMissing
	}
	if err := s.cfg.DB.Open(ctx, sealer); err != nil {
		return opening(err)
	}
	if err := s.compareCopy(ctx, wrapped); err != nil {
		return errors.Join(err, s.cfg.DB.Close())
	}
	s.mu.Lock()
	s.sealer, s.protection = sealer, p
	s.mu.Unlock()
	s.cfg.Feed.Publish(event.Change{Kind: event.Vault})
	return nil
}

func (s *Service) compareCopy(ctx context.Context, wrapped []byte) error {
	return s.cfg.DB.View(ctx, func(tx *storage.Tx) error {
		kept, err := tx.GetMeta(dataKeyMeta)
		if err == nil && !bytes.Equal(kept, wrapped) {
			err = ErrDataKeyDiffers
		}
		return err
	})
}

// opening puts what kept the store from being opened or made into words for a
// person: nothing was being saved, and the store knows no rights.
func opening(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	err = home.Refusal(err)
	if errors.Is(err, storage.ErrDiskFull) || errors.Is(err, home.ErrDiskFull) {
		return ErrNoRoom
	}
	return err
}

func readIdentity(at home.Home, p Protection, pass secret.Bytes) (crypto.Identity, error) {
	if p == Passphrase {
		file, err := readSmall(at.KeyAge(), ErrKeyMissing)
		if err != nil {
			return crypto.Identity{}, err
		}
		return crypto.OpenIdentity(file, pass)
	}
	fi, err := os.Lstat(at.KeyText())
	if err != nil {
		return crypto.Identity{}, home.Refusal(err)
	}
	if fi.Mode().Perm()&0o077 != 0 {
		return crypto.Identity{}, ErrKeyExposed
	}
	plain, err := readSmall(at.KeyText(), ErrKeyMissing)
	if err != nil {
		return crypto.Identity{}, err
	}
	hidden := secret.New(plain)
	defer hidden.Wipe()
	return crypto.ParseIdentity(hidden)
}

// readDataKey reads dek.age from where the key was found; a settle cut off
// after its second move has it in the home already.
func (s *Service) readDataKey(at home.Home, id crypto.Identity) (*crypto.Sealer, []byte, error) {
	wrapped, err := readSmall(at.DataKey(), ErrDataKeyMissing)
	if errors.Is(err, ErrDataKeyMissing) && at != s.cfg.Home {
		wrapped, err = readSmall(s.cfg.Home.DataKey(), ErrDataKeyMissing)
	}
	if err != nil {
		return nil, nil, err
	}
	key, err := crypto.UnwrapDataKey(wrapped, id)
	if err != nil {
		return nil, nil, err
	}
	defer key.Wipe()
	sealer, err := crypto.NewSealer(key)
	return sealer, wrapped, err
}

func readSmall(path string, gone error) ([]byte, error) {
	fi, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, gone
	case err != nil:
		return nil, home.Refusal(err)
	case !fi.Mode().IsRegular() || fi.Size() > maxKeyFile:
		return nil, fmt.Errorf("%w: %s", crypto.ErrKeyCorrupt, fi.Name())
	}
	data, err := os.ReadFile(path) //nolint:gosec // the home's own file
	if err != nil {
		return nil, home.Refusal(err)
	}
	return data, nil
}
