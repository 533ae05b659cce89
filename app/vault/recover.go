package vault

import (
	"context"
	"errors"

	"callboard/app/event"
	"callboard/crypto"
	"callboard/crypto/secret"
)

// NewRecovery makes a recovery key for an open vault and returns it as text,
// this once: it is kept nowhere. It opens the home alone, so it belongs on
// paper or in another safe. An earlier one opens the home no longer, but still
// the backups of its time. The caller wipes it once the person has it. After
// an error the earlier one may or may not have been replaced.
func (s *Service) NewRecovery(ctx context.Context) (secret.Bytes, error) {
	ctx, end := s.begin(ctx)
	defer end()
	k, open := s.opened()
	if !open {
		return secret.Bytes{}, crypto.ErrLocked
	}
	wrapped, err := s.settledDataKey(ctx)
	if err != nil {
		return secret.Bytes{}, err
	}
	rec, err := crypto.NewIdentity(s.cfg.Now())
	if err != nil {
		return secret.Bytes{}, err
	}
	next, err := rewrap(wrapped, k.id, k.id, rec)
	if err != nil {
		return secret.Bytes{}, err
	}
	if err := s.replaceDataKey(ctx, next, rec.Recipient()); err != nil {
		return secret.Bytes{}, opening(err)
	}
	s.cfg.Feed.Publish(event.Change{Kind: event.Vault})
	return crypto.RecoveryKey(rec), nil
}

// rewrap is a new dek.age with the same data key, for id and rec, proved by
// opening it with both. by opens the old one.
func rewrap(wrapped []byte, by, id, rec crypto.Identity) ([]byte, error) {
	open := crypto.UnwrapDataKey
	key, err := open(wrapped, by)
	if err != nil {
		return nil, err
	}
	defer key.Wipe()
	next, err := crypto.WrapDataKey(key, id.Recipient(), rec.Recipient())
	if err != nil {
		return nil, err
	}
	first, err := open(next, id)
	if err != nil {
		return nil, ErrUnverified
	}
	first.Wipe()
	second, err := crypto.UnwrapWithRecovery(next, rec)
	if err != nil {
		return nil, ErrUnverified
	}
	second.Wipe()
	return next, nil
}

// RecoverRequest carries the recovery key as the person typed it, and how the
// home is to be protected from now on. The caller keeps ownership of both
// secrets and may wipe them afterwards.
type RecoverRequest struct {
	Key        secret.Bytes
	Protection Protection
	Passphrase secret.Bytes
}

// Recover opens a locked home with the recovery key alone, gives it a new
// identity under the chosen protection and leaves it open. The recovery key
// stays the same. The key that was lost opens the home no longer, should it
// turn up again. Refused for a wrong recovery key (ErrRecoveryKey) or where
// there is none (ErrNoRecovery), and then nothing is changed; a crash leaves
// the home as it was or as it shall be, and Recover can be tried again.
func (s *Service) Recover(ctx context.Context, req RecoverRequest) error {
	ctx, end := s.begin(ctx)
	defer end()
	if _, open := s.opened(); open {
		return ErrNotLocked
	}
	if err := choice(req.Protection, req.Passphrase); err != nil {
		return err
	}
	rec, err := crypto.ParseRecoveryKey(req.Key)
	if err != nil {
		return ErrRecoveryKey
	}
	if err := s.resumeRestore(); err != nil {
		return err
	}
	f, err := s.lostKey()
	if err != nil {
		return err
	}
	sealer, wrapped, err := recovered(f, rec)
	if err != nil {
		return err
	}
	if err := s.reprotect(ctx, f, rec, wrapped, sealer, req); err != nil {
		sealer.Close()
		return opening(err)
	}
	return nil
}

// recovered opens dek.age with the recovery key.
func recovered(f found, rec crypto.Identity) (*crypto.Sealer, []byte, error) {
	wrapped, err := readSmall(f.dataKey, ErrDataKeyMissing)
	if err != nil {
		return nil, nil, err
	}
	if crypto.Recipients(wrapped) < 2 {
		return nil, nil, ErrNoRecovery
	}
	key, err := crypto.UnwrapWithRecovery(wrapped, rec)
	if errors.Is(err, crypto.ErrDataKeyMismatch) {
		err = ErrRecoveryKey
	}
	if err != nil {
		return nil, nil, err
	}
	defer key.Wipe()
	sealer, err := crypto.NewSealer(key)
	return sealer, wrapped, err
}

// reprotect opens the store and gives the home its new identity. On an error
// the store is closed.
func (s *Service) reprotect(ctx context.Context, f found, rec crypto.Identity, wrapped []byte, sealer *crypto.Sealer, req RecoverRequest) error {
	id, err := crypto.NewIdentity(s.cfg.Now())
	if err != nil {
		return err
	}
	next, err := rewrap(wrapped, rec, id, rec)
	if err != nil {
		return err
	}
	if err := s.openStore(ctx, sealer, wrapped, f); err != nil {
		return err
	}
	err = s.replaceKey(ctx, newKey{id: id, to: req.Protection, pass: req.Passphrase, wrapped: next}, rec.Recipient())
	if err != nil {
		return errors.Join(err, s.cfg.DB.Close())
	}
	s.hold(keys{id: id, sealer: sealer, by: req.Protection})
	return nil
}

// replaceKey puts a new key and the dek.age that belongs to it in place of
// those that are there.
func (s *Service) replaceKey(ctx context.Context, r newKey, rec crypto.Recipient) error {
	var err error
	if r.from, err = s.lostKey(); err != nil {
		return err
	}
	if err := s.promise(ctx, r.wrapped, rec); err != nil {
		return err
	}
	if _, err := s.changeKey(ctx, r); err != nil {
		return err
	}
	s.settle(context.WithoutCancel(ctx), r.wrapped)
	return nil
}
