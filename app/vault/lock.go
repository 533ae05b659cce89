package vault

import (
	"context"
	"errors"
	"time"

	"callboard/app/event"
	"callboard/crypto"
)

// lockWait is how long Quiesce may take.
const lockWait = 10 * time.Second

// Lock ends what the vault is doing, has Quiesce end what others do, closes
// the store and drops the keys, in that order. The keys are dropped whatever
// is said on the way; that is returned (ErrLockSlow when Quiesce took longer
// than 10 s). An ended ctx does not keep the flush from happening. Locking
// twice is no error.
func (s *Service) Lock(ctx context.Context) error {
	s.mu.Lock()
	cut := s.cut
	s.mu.Unlock()
	if cut != nil {
		cut(crypto.ErrLocked)
		s.step("lock: the rest was cut")
	}
	s.op.Lock()
	defer s.op.Unlock()
	if _, open := s.opened(); !open {
		return nil
	}
	err := s.quiesce(context.WithoutCancel(ctx))
	return errors.Join(err, s.drop())
}

// quiesce waits for Config.Quiesce as long as it may take. One that does not
// heed its context is left to itself: from here on the store refuses it.
func (s *Service) quiesce(ctx context.Context) error {
	if s.cfg.Quiesce == nil {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, lockWait, ErrLockSlow)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- s.cfg.Quiesce(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ErrLockSlow
	}
}

// drop closes the store and forgets the keys.
func (s *Service) drop() error {
	err := s.cfg.DB.Close()
	s.mu.Lock()
	s.keys.sealer.Close()
	s.keys = nil
	s.mu.Unlock()
	s.cfg.Feed.Publish(event.Change{Kind: event.Vault})
	return err
}
