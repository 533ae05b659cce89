// Package roster keeps the agents. It promises that a save is whole or not
// there, that a save over a revision the caller has not seen is refused, and
// that the state a save replaces stays as history. It never touches the files
// agents came from.
package roster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/storage"
)

// The rules of the roster.
var (
	ErrNotFound = fault.New(fault.NotFound, "agent_not_found", "this agent is not in the roster any more")
	ErrConflict = fault.New(fault.Conflict, "agent_conflict", "not saved: the agent was changed elsewhere since you opened it").
			Then("Copy what you want to keep, discard, and edit the newer version.")
	ErrDisabledReason = fault.New(fault.Conflict, "tools_uncertain", "the agent stays disabled while its tools cannot be read for certain").
				Then("Set its tools first.")
)

// Config is what a roster needs.
type Config struct {
	DB    *storage.DB
	Now   func() time.Time
	NewID func(time.Time) string
}

// Service is the roster of one store. Methods may be called from any
// goroutine; while the vault is locked they return its locked fault.
type Service struct {
	cfg Config
	t   tables
}

// NewService makes a roster. It reads nothing.
func NewService(cfg Config) *Service { return &Service{cfg: cfg, t: newTables()} }

// Entry is one agent with the revision an editor must hand back. Unwritten
// says that it differs from what its file was last known to say.
type Entry struct {
	Agent     agent.Agent
	Revision  uint64
	Unwritten bool
}

// Get is one agent, the caller's own copy.
func (s *Service) Get(ctx context.Context, id string) (Entry, error) {
	var e Entry
	err := s.cfg.DB.View(ctx, func(tx *storage.Tx) error {
		r, rev, err := s.t.get(tx, id)
		e = r.entry(rev)
		return err
	})
	if err != nil {
		return Entry{}, err
	}
	return e, nil
}

// SaveRequest is an edited agent and the revision the edit began from.
type SaveRequest struct {
	Agent    agent.Agent
	Revision uint64
}

// Save replaces an agent. It refuses an agent that breaks a limit, one that is
// enabled although nobody knows what its tools grant, and one whose stored
// revision is no longer req.Revision; then nothing is written. The source a
// save carries is ignored: only SetSource changes it.
func (s *Service) Save(ctx context.Context, req SaveRequest) (Entry, error) {
	return s.change(ctx, req.Agent.ID, req.Revision, func(old row) (row, error) {
		next := req.Agent.Clone()
		next.Source = old.Agent.Source
		old.Agent = next
		return old, allowed(next)
	})
}

// allowed refuses an agent that breaks a limit, and one that is enabled though
// nobody knows what its tools grant.
func allowed(a agent.Agent) error {
	if err := agent.Validate(a); err != nil {
		return err
	}
	if a.Enabled {
		if g := a.Grants(); !g.Certain {
			return fmt.Errorf("%w: %s", ErrDisabledReason, g.Doubt)
		}
	}
	return nil
}

// SetSource records that the agent was written to its file, which now holds
// src. revision is the one the write began from, as in Save.
func (s *Service) SetSource(ctx context.Context, id string, revision uint64, src agent.Source) (Entry, error) {
	return s.change(ctx, id, revision, func(old row) (row, error) {
		old.Agent.Source = &src
		old.InFile = digest(old.Agent)
		return old, nil
	})
}

// KeepOver records what the agent's file says now, as read, and leaves the agent
// as it is: where the two differ it is unwritten from then on. revision is the
// one the caller has seen, as in Save.
func (s *Service) KeepOver(ctx context.Context, id string, revision uint64, read agent.Agent) (Entry, error) {
	return s.change(ctx, id, revision, func(old row) (row, error) {
		old.Agent.Source = read.Clone().Source
		old.InFile = inFile(old.Agent, read)
		return old, nil
	})
}

// inFile is the digest of what a file says of an agent, in what a file can say.
func inFile(a, read agent.Agent) []byte {
	read.Run.Provider, read.Access.Dialect = a.Run.Provider, a.Access.Dialect
	return digest(read)
}

func (s *Service) change(ctx context.Context, id string, rev uint64, edit func(row) (row, error)) (Entry, error) {
	var e Entry
	err := s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		old, have, err := s.t.get(tx, id)
		if err != nil {
			return err
		}
		if have != rev {
			return fmt.Errorf("%w: revision %d is now %d", ErrConflict, rev, have)
		}
		next, err := edit(old)
		if err != nil {
			return err
		}
		next.Updated = s.cfg.Now()
		now, err := s.t.replace(tx, rev, old, next)
		e = next.entry(now)
		return err
	})
	if err != nil {
		return Entry{}, err
	}
	return e, nil
}

func (r row) entry(rev uint64) Entry {
	return Entry{Agent: r.Agent, Revision: rev, Unwritten: r.unwritten()}
}

// Version is one earlier state of an agent, without its source.
type Version struct {
	Revision uint64
	Replaced time.Time
	Agent    agent.Agent
}

// History is an agent's earlier states, newest first, at most 50. An agent
// that was never saved again has none. States that can no longer be read are
// left out; the store's damage report names them.
func (s *Service) History(ctx context.Context, id string) ([]Version, error) {
	var out []Version
	err := s.cfg.DB.View(ctx, func(tx *storage.Tx) error {
		for e, err := range s.t.history.Latest(tx, id, 0, keepVersions) {
			var bad *storage.RowError
			switch {
			case errors.As(err, &bad):
			case err != nil:
				return err
			default:
				out = append(out, Version{Revision: e.V.Revision, Replaced: e.V.Replaced, Agent: e.V.Row.Agent})
			}
		}
		return nil
	})
	return out, err
}
