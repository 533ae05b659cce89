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
	resume, err := s.quiesce(context.WithoutCancel(ctx))
	defer resume()
	return errors.Join(err, s.drop())
}

// quiesce waits for Config.Quiesce as long as it may take. One that does not
// heed its context is left to itself: from here on the store refuses it.
// What it returns is to be called in the end.
func (s *Service) quiesce(ctx context.Context) (resume func(), err error) {
	if s.cfg.Quiesce == nil {
		return func() {}, nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, lockWait, ErrLockSlow)
	defer cancel()
	type answer struct {
		resume func()
		err    error
	}
	done := make(chan answer, 1)
	go func() {
		resume, err := s.cfg.Quiesce(ctx)
		done <- answer{resume, err}
	}()
	select {
	case a := <-done:
		return a.resume, a.err
	case <-ctx.Done():
		return func() { go func() { (<-done).resume() }() }, ErrLockSlow
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
