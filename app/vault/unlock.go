package vault

import (
	"context"
	"errors"

	"callboard/app/event"
	"callboard/app/home"
	"callboard/crypto"
	"callboard/crypto/secret"
	"callboard/storage"
)

// UnlockRequest carries the passphrase; it is read only under Passphrase
// protection. The caller keeps ownership and may wipe it afterwards.
type UnlockRequest struct{ Passphrase secret.Bytes }

// Unlock opens the home. Nothing on disk changes before the key has opened and
// the data key fits it, but for finishing a restore. Unlocking an open vault is
// no error. With scrypt it takes about half a second of one core; ctx is
// looked at before and after. Under Keyring protection it may have to wait for
// the person, at most a minute; it ends with ctx.
func (s *Service) Unlock(ctx context.Context, req UnlockRequest) error {
	ctx, end := s.begin(ctx)
	defer end()
	if _, open := s.opened(); open {
		return nil
	}
	if err := s.resumeRestore(); err != nil {
		return err
	}
	f, err := s.locate()
	if err != nil {
		return err
	}
	id, err := s.readForm(ctx, f.key, f.by, req.Passphrase)
	if err != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	sealer, wrapped, err := s.readDataKey(f, id)
	if err != nil {
		return err
	}
	if err := s.finish(ctx, f, keys{id: id, sealer: sealer, by: f.by}, wrapped); err != nil {
		sealer.Close()
		return err
	}
	return nil
}

// finish moves a staged home in and opens it.
func (s *Service) finish(ctx context.Context, f found, k keys, wrapped []byte) error {
	if err := s.moveHomeIn(f.at); err != nil {
		return err
	}
	return s.open(ctx, f, k, wrapped)
}

// open opens the store and holds the keys. On an error nothing stays open.
func (s *Service) open(ctx context.Context, f found, k keys, wrapped []byte) error {
	if err := s.openStore(ctx, k.sealer, wrapped, f); err != nil {
		return err
	}
	s.hold(k)
	return nil
}

// openStore opens the store, holds dek.age against the store's copy, and then
// finishes or takes away what was cut off. On an error the store is closed.
func (s *Service) openStore(ctx context.Context, sealer *crypto.Sealer, wrapped []byte, f found) error {
	if there, err := home.Exists(s.cfg.Home.Store()); err != nil {
		return err
	} else if !there {
		return ErrStoreMissing
	}
	if err := s.cfg.DB.Open(ctx, sealer); err != nil {
		return opening(err)
	}
	err := s.compareCopy(ctx, wrapped)
	if err == nil && f.change != nil {
		_, err = s.finishChange(ctx, f.change)
	}
	if err != nil {
		return errors.Join(err, s.cfg.DB.Close())
	}
	s.sweep(ctx)
	s.sweepRestore()
	s.settle(ctx, wrapped)
	return nil
}

// hold makes the vault open with these keys.
func (s *Service) hold(k keys) {
	s.mu.Lock()
	s.keys = &k
	s.mu.Unlock()
	s.cfg.Feed.Publish(event.Change{Kind: event.Vault})
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

// readDataKey reads dek.age from where the key was found; moving a staged home
// in may have been cut off when it was in the home already.
func (s *Service) readDataKey(f found, id crypto.Identity) (*crypto.Sealer, []byte, error) {
	wrapped, err := readSmall(f.dataKey, ErrDataKeyMissing)
	if errors.Is(err, ErrDataKeyMissing) && f.at != s.cfg.Home {
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
