// Package vault makes, opens and locks one home, changes how it is opened, and
// copies it away and back. It promises that the store is open exactly while
// the vault is unlocked, that a refusal writes nothing (but for finishing what
// was cut off, once the key has opened), and that a home is either not there,
// whole, or plainly named as broken: never half made, never with two keys of
// our own making, and never quietly made anew over somebody's data.
//
// It cannot help who lost both the key and the recovery key, and it cannot
// take back what was given away: a copy of the home made earlier still opens
// with the passphrase it had then.
package vault

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"callboard/app/event"
	"callboard/app/home"
	"callboard/crypto"
	"callboard/crypto/secret"
	"callboard/storage"
)

// Protection is how the identity is kept.
type Protection string

// Passphrase keeps it in key.age; Keyring in the keyring of the system, which
// key.keyring names; File keeps it readable in key.txt, for people who rely on
// their disk's own encryption.
const (
	Passphrase Protection = "passphrase"
	Keyring    Protection = "keyring"
	File       Protection = "file"
)

// State is what can be done with the home.
type State string

// New can only be initialised, Locked only unlocked, Broken neither. Locked
// and Broken can be recovered when there is a recovery key.
const (
	New    State = "new"
	Locked State = "locked"
	Open   State = "open"
	Broken State = "broken"
)

// MinPassphrase is the shortest passphrase accepted when one is chosen, in
// runes.
const MinPassphrase = 8

// OldBackups is what a person is told after the passphrase or the protection
// was changed.
const OldBackups = "Backups made before still open with the old passphrase."

// Damage is one bad row, or a bad part of the store's index.
type Damage = storage.Damage

// Status is what a person is told before and after unlocking. Problem is set
// when State is Broken; Damage lists rows the open store found bad. Recovery
// says that there is a recovery key: without one, a forgotten passphrase or a
// keyring that was emptied cannot be helped, which is worth a warning where
// Protection is Keyring.
type Status struct {
	State      State
	Protection Protection
	Recovery   bool
	Problem    error
	Damage     []Damage
}

// Config is what a vault needs. WorkFactor is the scrypt exponent for new
// keys, crypto.WorkFactor in the product. Quiesce, if there is one, ends what
// still needs the keys before Lock drops them; its context ends after 10 s. It
// may use the store, but of the vault only Status. What it returns lets such work
// begin again and is called once the keys are gone.
type Config struct {
	Home       home.Home
	DB         *storage.DB
	Store      storage.Options
	Feed       *event.Feed
	Log        *slog.Logger
	Now        func() time.Time
	WorkFactor int
	Quiesce    func(context.Context) (resume func(), err error)
}

// Service is the vault of one home. Methods may be called from any goroutine.
// What changes the home or the keys runs one at a time under op, and Lock cuts
// it short; mu guards what Status reads. Lock order: op, then mu.
type Service struct {
	cfg  Config
	ring *ring
	step func(name string) // told before each step that a crash can follow

	op sync.Mutex

	mu   sync.Mutex
	keys *keys                   // nil while locked
	cut  context.CancelCauseFunc // ends the operation under op
}

// keys are what an open vault holds in memory.
type keys struct {
	id     crypto.Identity
	sealer *crypto.Sealer
	by     Protection
}

// NewService makes a vault; it touches nothing on disk. cfg.DB must be a store
// handle on cfg.Home.Store() made from cfg.Store.
func NewService(cfg Config) *Service {
	return &Service{cfg: cfg, ring: newRing(), step: func(string) {}}
}

// Status looks at the home without changing it.
func (s *Service) Status(context.Context) Status {
	if k, open := s.opened(); open {
		return Status{State: Open, Protection: k.by, Recovery: hasRecovery(s.cfg.Home.DataKey()), Damage: s.cfg.DB.Damage()}
	}
	f, err := s.locate()
	switch {
	case err == nil:
		return Status{State: Locked, Protection: f.by, Recovery: hasRecovery(f.dataKey)}
	case errors.Is(err, ErrNone):
		return Status{State: New}
	default:
		return Status{State: Broken, Recovery: hasRecovery(s.cfg.Home.DataKey()), Problem: err}
	}
}

// Verify opens every row of an open vault and returns all damage there is.
func (s *Service) Verify(ctx context.Context) ([]Damage, error) { return s.cfg.DB.Verify(ctx) }

// Discard removes rows that Status or Verify listed for good and returns the
// damage that is left. A row that turns out whole is not touched, and neither
// is one that was not listed. It cannot be undone: tell the person first.
func (s *Service) Discard(ctx context.Context, bad []Damage) ([]Damage, error) {
	return s.cfg.DB.Discard(ctx, bad)
}

func (s *Service) opened() (keys, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys == nil {
		return keys{}, false
	}
	return *s.keys, true
}

// begin waits for op and holds it until end; Lock ends the context.
func (s *Service) begin(ctx context.Context) (_ context.Context, end func()) {
	s.op.Lock()
	ctx, cut := context.WithCancelCause(ctx)
	s.mu.Lock()
	s.cut = cut
	s.mu.Unlock()
	return ctx, func() {
		s.mu.Lock()
		s.cut = nil
		s.mu.Unlock()
		cut(nil)
		s.op.Unlock()
	}
}

// choice says whether a new home or a change may be protected so.
func choice(p Protection, pass secret.Bytes) error {
	switch p {
	case File, Keyring:
		return nil
	case Passphrase:
		return longEnough(pass)
	default:
		return ErrProtection
	}
}

// hasRecovery reports whether the dek.age at path names a recovery key.
func hasRecovery(path string) bool {
	wrapped, err := readSmall(path, ErrDataKeyMissing)
	return err == nil && crypto.Recipients(wrapped) > 1
}
