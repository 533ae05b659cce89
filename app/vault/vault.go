// Package vault makes, opens and locks one home. It promises that the store is
// open exactly while the vault is unlocked, that a refusal writes nothing (but
// for finishing a home whose making was cut off, once its key has opened), and
// that a home is either not there, whole, or plainly named as broken: never
// half made and never quietly made anew over somebody's data.
package vault

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"callboard/app/event"
	"callboard/app/fault"
	"callboard/app/home"
	"callboard/crypto"
	"callboard/storage"
)

// Protection is how the identity is kept.
type Protection string

// Passphrase keeps it in key.age; File keeps it readable in key.txt, for
// people who rely on their disk's own encryption.
const (
	Passphrase Protection = "passphrase"
	File       Protection = "file"
)

// State is what can be done with the home.
type State string

// New can only be initialised, Locked only unlocked, Broken neither.
const (
	New    State = "new"
	Locked State = "locked"
	Open   State = "open"
	Broken State = "broken"
)

// The rules of making and opening a home.
var (
	ErrExists = fault.New(fault.Conflict, "vault_exists", "this home already has a key").
			Then("Unlock it, or set CALLBOARD_HOME to another folder.")
	ErrNone = fault.New(fault.NotFound, "vault_missing", "there is no Callboard home here yet").
		Then("Make one with callboard init, or start the window.")
	ErrShort = fault.New(fault.Invalid, "passphrase_short", "the passphrase is too short").
			Then("Use at least 8 characters.")
	ErrProtection = fault.New(fault.Invalid, "protection_unknown", "this kind of protection is not known").
			Then("Choose passphrase or file.")
	ErrTwoKeys = fault.New(fault.Conflict, "two_keys", "this home has both key.age and key.txt").
			Then("Move the one that does not belong here out of the folder.")
	ErrKeyMissing = fault.New(fault.Unavailable, "key_missing", "the key file is gone, and without it the store cannot be read").
			Then("Put key.age or key.txt back from a backup.")
	ErrDataKeyMissing = fault.New(fault.Unavailable, "data_key_missing", "the data key file dek.age is gone, and without it the store cannot be read").
				Then("Put dek.age back from a backup.")
	ErrStoreMissing = fault.New(fault.Unavailable, "store_missing", "the key is here but the store folder is gone").
			Then("Put the store folder back from a backup.")
	ErrKeyExposed = fault.New(fault.Denied, "key_exposed", "the key file key.txt can be read by other users of this computer").
			Then("Run chmod 600 on it, then try again.")
	ErrDataKeyDiffers = fault.New(fault.Unavailable, "data_key_differs", "the data key file dek.age is not the one this store was made with").
				Then("Put the right dek.age back from a backup.")
	ErrNoRoom = fault.New(fault.Unavailable, "disk_full", "there is too little room on the disk").
			Then("Free some space, then try again.")
)

// MinPassphrase is the shortest passphrase accepted when one is chosen, in
// runes.
const MinPassphrase = 8

// Status is what a person is told before and after unlocking. Problem is set
// when State is Broken; Damage lists rows the open store found bad.
type Status struct {
	State      State
	Protection Protection
	Problem    error
	Damage     []storage.Damage
}

// Config is what a vault needs. WorkFactor is the scrypt exponent for new
// keys, crypto.WorkFactor in the product.
type Config struct {
	Home       home.Home
	DB         *storage.DB
	Store      storage.Options
	Feed       *event.Feed
	Log        *slog.Logger
	Now        func() time.Time
	WorkFactor int

	// Quiesce ends work that must not outlive the open store, before Lock closes
	// it. What each returns lets such work begin again, and is called after.
	Quiesce []func(context.Context) (resume func())
}

// Service is the vault of one home. Methods may be called from any goroutine.
// Init, Unlock and Lock run one at a time under op; mu guards what Status
// reads. Lock order: op, then mu.
type Service struct {
	cfg Config

	op sync.Mutex

	mu         sync.Mutex
	sealer     *crypto.Sealer
	protection Protection
}

// NewService makes a vault; it touches nothing on disk. cfg.DB must be a store
// handle on cfg.Home.Store() made from cfg.Store.
func NewService(cfg Config) *Service { return &Service{cfg: cfg} }

// Status looks at the home without changing it.
func (s *Service) Status(context.Context) Status {
	if p, open := s.opened(); open {
		return Status{State: Open, Protection: p, Damage: s.cfg.DB.Damage()}
	}
	_, p, err := s.locate()
	switch {
	case err == nil:
		return Status{State: Locked, Protection: p}
	case errors.Is(err, ErrNone):
		return Status{State: New}
	default:
		return Status{State: Broken, Problem: err}
	}
}

// Verify opens every row of an open vault and returns all damage there is.
func (s *Service) Verify(ctx context.Context) ([]storage.Damage, error) { return s.cfg.DB.Verify(ctx) }

// Lock ends what works on the store, closes it and drops the keys. Locking twice is no error.
func (s *Service) Lock(ctx context.Context) error {
	s.op.Lock()
	defer s.op.Unlock()
	if _, open := s.opened(); !open {
		return nil
	}
	for _, quiesce := range s.cfg.Quiesce {
		defer quiesce(ctx)()
	}
	err := s.cfg.DB.Close()
	s.mu.Lock()
	s.sealer.Close()
	s.sealer = nil
	s.mu.Unlock()
	s.cfg.Feed.Publish(event.Change{Kind: event.Vault})
	return err
}

func (s *Service) opened() (Protection, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.protection, s.sealer != nil
}

// locate finds the key: in the home, or in the staging folder of an Init that
// was cut off after its last write there. It reads names only.
func (s *Service) locate() (home.Home, Protection, error) {
	for _, h := range []home.Home{s.cfg.Home, s.cfg.Home.Staging()} {
		p, found, err := keyIn(h)
		if err != nil || found {
			return h, p, err
		}
	}
	for _, left := range []string{s.cfg.Home.Store(), s.cfg.Home.DataKey()} {
		switch there, err := home.Exists(left); {
		case err != nil:
			return home.Home{}, "", err
		case there:
			return home.Home{}, "", ErrKeyMissing
		}
	}
	return home.Home{}, "", ErrNone
}

func keyIn(h home.Home) (Protection, bool, error) {
	pass, err := home.Exists(h.KeyAge())
	if err != nil {
		return "", false, err
	}
	plain, err := home.Exists(h.KeyText())
	switch {
	case err != nil:
		return "", false, err
	case pass && plain:
		return "", false, ErrTwoKeys
	case pass:
		return Passphrase, true, nil
	case plain:
		return File, true, nil
	default:
		return "", false, nil
	}
}
