// Package models keeps the models a person configured, and tries one when the
// person says so. It promises that a key can be set, cleared and used but never
// read back, that it travels only to the site it was entered for, and that
// nothing is sent that a plan did not show first. It fetches nothing on its
// own.
package models

import (
	"context"
	"time"

	"callboard/app/fault"
	"callboard/app/model"
	"callboard/crypto/secret"
	"callboard/storage"
)

// The rules of models.
var (
	ErrNotFound = fault.New(fault.NotFound, "model_not_found", "this model is not there any more")
	ErrConflict = fault.New(fault.Conflict, "model_conflict", "not saved: the model was changed elsewhere since you opened it").
			Then("Copy what you want to keep, discard, and edit the newer version.")
	ErrKeyInvalid = fault.New(fault.Invalid, "key_invalid", "not saved: a key is one line of plain letters, digits and signs").
			Then("Copy the key again.")
	ErrKeyOtherEndpoint = fault.New(fault.Conflict, "key_other_endpoint", "nothing was sent: the key was entered for another address").
				Then("Enter the key for this address, or clear it.")
	ErrPlanOutdated = fault.New(fault.Conflict, "plan_outdated", "nothing was sent: the model changed since you saw what would be sent").
			Then("Look again, then test.")
)

// Client makes calls.
type Client interface {
	// Complete makes one call within ctx; what ends it is a *model.CallError.
	Complete(ctx context.Context, baseURL string, key secret.Bytes, r model.Request) (model.Answer, error)
	// Preview is what Complete would send.
	Preview(ctx context.Context, baseURL string, keyed bool, r model.Request) (model.Sending, error)
}

// Catalogue knows prices and limits. It fetches nothing.
type Catalogue interface {
	Lookup(baseURL, id string) (model.Known, bool)
	Nearest(baseURL, id string) []model.Known
	Search(query string, limit int) []model.Known
}

// Config is what the service needs. TestTime is how long one test may take with
// all its requests; 0 is a minute.
type Config struct {
	DB        *storage.DB
	Now       func() time.Time
	NewID     func(time.Time) string
	Client    Client
	Catalogue Catalogue
	TestTime  time.Duration
}

// Service is the models of one store. Methods may be called from any
// goroutine; while the vault is locked they return its locked fault.
type Service struct {
	cfg Config
	t   tables
}

// NewService makes the service. It reads nothing.
func NewService(cfg Config) *Service {
	if cfg.TestTime == 0 {
		cfg.TestTime = time.Minute
	}
	return &Service{cfg: cfg, t: newTables()}
}

// Entry is one model with the revision an editor must hand back. Its price is
// what holds now: the person's figures, declared zero, else the catalogue's,
// else unknown. KeySite is where its key belongs (scheme, host and port), empty
// without one; KeyFits says that this is where the model's address leads.
type Entry struct {
	Model    model.Model
	Revision uint64
	HasKey   bool
	KeySite  string
	KeyFits  bool
}

func (s *Service) entry(r row, rev uint64) Entry {
	m := r.Model
	if m.Price.State == model.Unknown {
		if k, ok := s.cfg.Catalogue.Lookup(m.BaseURL, m.Model); ok {
			m.Price = k.Price
		}
	}
	return Entry{
		Model: m, Revision: rev, HasKey: r.KeySite != "", KeySite: r.KeySite,
		KeyFits: r.KeySite != "" && r.KeySite == model.Site(m.BaseURL),
	}
}

// Get is one model.
func (s *Service) Get(ctx context.Context, id string) (Entry, error) {
	var e Entry
	err := s.cfg.DB.View(ctx, func(tx *storage.Tx) error {
		r, rev, err := s.t.get(tx, id)
		e = s.entry(r, rev)
		return err
	})
	if err != nil {
		return Entry{}, err
	}
	return e, nil
}

// SaveRequest is an edited model and the revision the edit began from: 0, and
// no ID, for a new one.
type SaveRequest struct {
	Model    model.Model
	Revision uint64
}

// Save adds or replaces a model. It refuses one that breaks a limit, and one
// whose stored revision is no longer req.Revision; then nothing is written. A
// price of the catalogue is not kept: it is looked up when the model is read.
// The person's own figures get the day they were entered. A key stays where it
// is, and is not used while the address leads to another site than its own.
func (s *Service) Save(ctx context.Context, req SaveRequest) (Entry, error) {
	if req.Revision == 0 && req.Model.ID == "" {
		return s.add(ctx, row{Model: req.Model})
	}
	return s.change(ctx, req.Model.ID, req.Revision, func(_ *storage.Tx, r *row) error {
		before := r.Model.Price
		r.Model = req.Model
		r.Model.Price = s.worded(req.Model.Price, before)
		return model.Validate(r.Model)
	})
}

func (s *Service) add(ctx context.Context, r row) (Entry, error) {
	r.Created = s.cfg.Now()
	r.Updated = r.Created
	if r.Model.ID == "" {
		r.Model.ID = s.cfg.NewID(r.Created)
	}
	r.Model.Price = s.worded(r.Model.Price, model.Price{})
	if err := model.Validate(r.Model); err != nil {
		return Entry{}, err
	}
	var e Entry
	err := s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		rev, err := s.t.put(tx, 0, r)
		e = s.entry(r, rev)
		return err
	})
	if err != nil {
		return Entry{}, err
	}
	return e, nil
}

// worded is a price as it is kept: what the catalogue says is left to it, and
// figures that are still those of before keep their day.
func (s *Service) worded(p, before model.Price) model.Price {
	if p.State != model.Priced {
		return p
	}
	if p.Source == model.Catalogue {
		return model.Price{State: model.Unknown}
	}
	p.Date = before.Date
	if p != before {
		p.Date = s.cfg.Now().Format(time.DateOnly)
	}
	return p
}

// SetEnabled switches a model on or off. revision is as in Save.
func (s *Service) SetEnabled(ctx context.Context, id string, revision uint64, on bool) (Entry, error) {
	return s.change(ctx, id, revision, func(_ *storage.Tx, r *row) error {
		r.Model.Enabled = on
		return nil
	})
}

// change edits a stored model. An edit that changes nothing is still a save.
func (s *Service) change(ctx context.Context, id string, rev uint64, edit func(*storage.Tx, *row) error) (Entry, error) {
	var e Entry
	err := s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		r, err := s.at(tx, id, rev)
		if err != nil {
			return err
		}
		if err := edit(tx, &r); err != nil {
			return err
		}
		r.Updated = s.cfg.Now()
		next, err := s.t.put(tx, rev, r)
		e = s.entry(r, next)
		return err
	})
	if err != nil {
		return Entry{}, err
	}
	return e, nil
}

// at is a model in the state of revision rev.
func (s *Service) at(tx *storage.Tx, id string, rev uint64) (row, error) {
	r, have, err := s.t.get(tx, id)
	if err == nil && have != rev {
		err = ErrConflict
	}
	return r, err
}

// Search is at most limit models of the catalogue that hold every word of
// query in their provider, id or name. Limit 0 is no limit.
func (s *Service) Search(query string, limit int) []model.Known {
	return s.cfg.Catalogue.Search(query, limit)
}

// Known is what the catalogue says of a model id at an address.
func (s *Service) Known(baseURL, id string) (model.Known, bool) {
	return s.cfg.Catalogue.Lookup(baseURL, id)
}

// Nearest is the models whose ids are closest to one the catalogue does not
// have, the closest first.
func (s *Service) Nearest(baseURL, id string) []model.Known {
	return s.cfg.Catalogue.Nearest(baseURL, id)
}
