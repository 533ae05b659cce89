package servers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"callboard/storage"
)

// Config is what the service needs. Environ is the environment of this program
// as os.Environ gives it, of which a server gets a few names; Version is what
// servers are told.
type Config struct {
	DB      *storage.DB
	Now     func() time.Time
	NewID   func(time.Time) string
	Environ func() []string
	Version string
}

// Service keeps the tool servers of one store. Methods may be called from any
// goroutine; while the vault is locked they return its locked fault. mu guards
// the discoveries under way and is never held over the store or a server.
type Service struct {
	cfg Config
	t   tables

	mu      sync.Mutex
	runs    map[string]*run
	holding int // Quiesce calls that have not resumed
}

// NewService makes the service. It reads nothing.
func NewService(cfg Config) *Service {
	return &Service{cfg: cfg, t: newTables(), runs: map[string]*run{}}
}

// Entry is one server, the revision an editor must hand back, and what is known
// of it without asking it. Set names the values that are there. Consented is
// false also where what was agreed to is not what would be run now.
type Entry struct {
	Server    Server `json:"server"`
	Revision  uint64 `json:"revision"`
	Set       Names  `json:"set"`
	Consented bool   `json:"consented"`
	Known     Known  `json:"known"`
	Lacks     Code   `json:"lacks,omitempty"` // CommandMissing or ValueMissing: nothing could be run
	Looking   bool   `json:"looking"`         // a discovery is under way
}

// Ready reports whether the server may be used, and had its tools when it was
// last asked.
func (e Entry) Ready() bool {
	return e.Why() == ""
}

// Why is the code of what keeps the server from being ready, empty if nothing
// does.
func (e Entry) Why() Code {
	switch {
	case !e.Server.Enabled:
		return Disabled
	case e.Lacks != "":
		return e.Lacks
	case !e.Consented:
		return ConsentMissing
	case e.Known.State() == Unasked:
		return NotAsked
	}
	return e.Known.Code
}

// List is every readable server by name, and how many rows could not be read;
// those are in the store's damage report. It connects to nothing.
type List struct {
	Servers    []Entry `json:"servers"`
	Unreadable int     `json:"unreadable,omitempty"`
}

// List reads every server.
func (s *Service) List(ctx context.Context) (List, error) {
	var l List
	err := s.cfg.DB.View(ctx, func(tx *storage.Tx) error {
		for r, err := range s.t.servers.All(tx) {
			var e Entry
			if err == nil {
				e, err = s.entry(tx, r.V, r.Rev)
			}
			if _, bad := errors.AsType[*storage.RowError](err); bad {
				l.Unreadable++
				continue
			}
			if err != nil {
				return err
			}
			l.Servers = append(l.Servers, e)
		}
		return nil
	})
	if err != nil {
		return List{}, err
	}
	slices.SortFunc(l.Servers, func(a, b Entry) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Server.Name), strings.ToLower(b.Server.Name)), strings.Compare(a.Server.ID, b.Server.ID))
	})
	return l, nil
}

// Get is one server, the caller's own copy.
func (s *Service) Get(ctx context.Context, id string) (e Entry, err error) {
	err = s.cfg.DB.View(ctx, func(tx *storage.Tx) error {
		r, rev, err := s.t.get(tx, id)
		if err != nil {
			return err
		}
		e, err = s.entry(tx, r, rev)
		return err
	})
	return e, err
}

// entry gathers what the rows say of a server.
func (s *Service) entry(tx *storage.Tx, r row, rev uint64) (Entry, error) {
	st, err := s.standing(tx, r)
	if err != nil {
		return Entry{}, err
	}
	k, _, err := optional(tx, s.t.known, r.Server.ID)
	if _, bad := errors.AsType[*storage.RowError](err); err != nil && !bad {
		return Entry{}, err
	}
	return Entry{
		Server: r.Server, Revision: rev, Set: st.values.names(),
		Consented: st.plan.Consented, Known: k.of(r.Server), Lacks: lacks(st.plan), Looking: s.looking(r.Server.ID),
	}, nil
}

// SaveRequest is an edited server and the revision the edit began from; a new
// one has neither id nor revision.
type SaveRequest struct {
	Server   Server `json:"server"`
	Revision uint64 `json:"revision"`
}

// Save adds or replaces a server. It refuses one that breaks a limit or has the
// name of another, and one whose stored revision is no longer req.Revision;
// then nothing is written. Values whose names are gone go too. What was agreed
// to holds on only if what would be run stays the same. A discovery of it that
// is under way is ended.
func (s *Service) Save(ctx context.Context, req SaveRequest) (Entry, error) {
	next := req.Server.Clone()
	if err := Validate(next); err != nil {
		return Entry{}, err
	}
	now := s.cfg.Now()
	return s.update(ctx, func(tx *storage.Tx) (string, error) {
		r, rev := row{Created: now}, uint64(0)
		if next.ID == "" {
			next.ID = s.cfg.NewID(now)
		} else {
			var err error
			if r, rev, err = s.t.get(tx, next.ID); err != nil {
				return "", err
			}
		}
		if rev != req.Revision {
			return "", ErrConflict
		}
		r.Server, r.Updated = next, now
		if err := s.keepNamed(tx, next); err != nil {
			return "", err
		}
		return next.ID, s.t.save(tx, rev, r)
	})
}

// Enable allows a server to be used, or stops that and ends a discovery of it
// that is under way.
func (s *Service) Enable(ctx context.Context, id string, on bool) (Entry, error) {
	return s.update(ctx, func(tx *storage.Tx) (string, error) {
		r, rev, err := s.t.get(tx, id)
		if err != nil || r.Server.Enabled == on {
			return id, err
		}
		r.Server.Enabled, r.Updated = on, s.cfg.Now()
		return id, s.t.save(tx, rev, r)
	})
}

// update runs an edit of one server in a transaction, ends what was under way
// with it and returns it as it is then.
func (s *Service) update(ctx context.Context, edit func(*storage.Tx) (string, error)) (e Entry, err error) {
	id := ""
	err = s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		var err error
		if id, err = edit(tx); err != nil {
			return err
		}
		r, rev, err := s.t.get(tx, id)
		if err != nil {
			return err
		}
		e, err = s.entry(tx, r, rev)
		return err
	})
	if err != nil {
		return Entry{}, err
	}
	s.end(id, ErrChanged)
	return e, nil
}

// Deleted is a server that was taken out, for Undo. It holds the server's
// values: drop it when the vault locks.
type Deleted struct {
	row    row
	values values
	known  Known
}

// Format shows none of it, whatever the verb: values must not be printed.
func (d Deleted) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("deleted tool server")) }

// Name is what the server was called.
func (d Deleted) Name() string { return d.row.Server.Name }

// Delete takes a server out with its values, its consent and its tools, and
// ends a discovery of it that is under way. revision is as in Save.
func (s *Service) Delete(ctx context.Context, id string, revision uint64) (d Deleted, err error) {
	err = s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		r, rev, err := s.t.get(tx, id)
		if err != nil {
			return err
		}
		if rev != revision {
			return ErrConflict
		}
		d.row = r
		if d.values, _, err = optional(tx, s.t.values, id); err != nil && !isDamage(err) {
			return err
		}
		if d.known, _, err = optional(tx, s.t.known, id); err != nil && !isDamage(err) {
			return err
		}
		err = errors.Join(
			drop(tx, s.t.values, id), drop(tx, s.t.consents, id), drop(tx, s.t.known, id), s.t.servers.Delete(tx, id, rev),
		)
		if err != nil {
			return err
		}
		return changed(tx, id)
	})
	if err != nil {
		return Deleted{}, err
	}
	s.end(id, ErrChanged)
	return d, nil
}

// Undo puts a deleted server back with its values and its known tools. It needs
// a new consent. It refuses if the server is there, or its name is taken.
func (s *Service) Undo(ctx context.Context, d Deleted) (Entry, error) {
	return s.update(ctx, func(tx *storage.Tx) (string, error) {
		id := d.row.Server.ID
		if _, _, err := s.t.get(tx, id); !errors.Is(err, ErrNotFound) {
			return id, cmp.Or(err, error(ErrConflict))
		}
		if !d.values.empty() {
			if _, err := put(tx, s.t.values, id, d.values); err != nil {
				return id, err
			}
		}
		if !d.known.Tried.IsZero() {
			if _, err := put(tx, s.t.known, id, d.known); err != nil {
				return id, err
			}
		}
		return id, s.t.save(tx, 0, d.row)
	})
}

func isDamage(err error) bool {
	_, bad := errors.AsType[*storage.RowError](err)
	return bad
}
