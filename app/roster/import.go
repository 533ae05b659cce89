package roster

import (
	"bytes"
	"context"
	"errors"

	"callboard/app/agent"
	"callboard/app/event"
	"callboard/app/fault"
	"callboard/storage"
)

// ErrUndone refuses to take an import back over what was done since.
var ErrUndone = fault.New(fault.Conflict, "import_moved_on", "not taken back: an agent of this import was changed since").
	Then("Change it by hand.")

// State is how an agent as read from its file compares with the roster.
type State string

// The states. Same is a file that says what it said; Edited is such a file
// whose agent has edits that were not written to it. Changed is a file that was
// changed on disk, Both one whose agent was edited here too.
const (
	Fresh   State = "new"
	Same    State = "same"
	Edited  State = "edited"
	Changed State = "changed"
	Both    State = "both"
)

// Match is one file's agent compared with the roster. Stored is the agent of
// that file, zero where it is new. In a file that keeps several agents only
// what it says of this one counts: the bytes around it are others' business.
type Match struct {
	State  State
	Stored Entry
}

// Match compares agents as read from their files with the agents of the same
// files, which are those of the same format, path and key.
func (s *Service) Match(ctx context.Context, read []agent.Agent) ([]Match, error) {
	out := make([]Match, len(read))
	err := s.cfg.DB.View(ctx, func(tx *storage.Tx) error {
		have, err := s.sources(tx)
		for i, a := range read {
			out[i] = match(have, a)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func match(have map[string]known, read agent.Agent) Match {
	k, ok := have[source(read)]
	if !ok || read.Source == nil {
		return Match{State: Fresh}
	}
	m := Match{State: Same, Stored: k.row.entry(k.rev)}
	same := bytes.Equal(k.row.Agent.Source.Original, read.Source.Original)
	if read.Source.Own != "" && read.Source.Own == k.row.Agent.Source.Own {
		same = true
	}
	switch {
	case same && k.row.unwritten():
		m.State = Edited
	case !same && k.row.unwritten():
		m.State = Both
	case !same:
		m.State = Changed
	}
	return m
}

// Incoming is one agent as read from its file. ID and Revision name the agent
// it takes the place of; a new one has neither.
type Incoming struct {
	Agent    agent.Agent
	ID       string
	Revision uint64
}

// Newcomers are agents to add.
func Newcomers(agents ...agent.Agent) []Incoming {
	out := make([]Incoming, len(agents))
	for i, a := range agents {
		out[i] = Incoming{Agent: a}
	}
	return out
}

// Imported says what became of an import: the new agents and the updated ones,
// in the order given. Undo takes all of it back.
type Imported struct {
	IDs     []string
	Updated []string

	steps []step
}

// step is one row an import wrote; before is nil for a new one.
type step struct {
	id     string
	rev    uint64
	before *row
}

// Import adds and updates agents in one transaction: all of them or none. A new
// agent whose source is already in the roster is left out, never doubled, and
// gets a fresh id. An updated one becomes what its file says, is enabled only
// if it was and its tools are certain, and what it was stays in its history. An
// agent that breaks a limit, or was saved since it was compared, refuses the
// whole import, so callers leave those out first.
func (s *Service) Import(ctx context.Context, in []Incoming) (Imported, error) {
	var out Imported
	err := s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		have, err := s.sources(tx)
		if err != nil {
			return err
		}
		for _, x := range in {
			if x.ID != "" {
				err = s.renew(tx, x, &out)
			} else if _, twin := have[source(x.Agent)]; !twin {
				err = s.bring(tx, x.Agent, &out)
				have[source(x.Agent)] = known{}
				delete(have, "")
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Imported{}, err
	}
	return out, nil
}

// bring adds a new agent.
func (s *Service) bring(tx *storage.Tx, a agent.Agent, out *Imported) error {
	a = a.Clone()
	if err := allowed(a); err != nil {
		return err
	}
	now := s.cfg.Now()
	a.ID = s.cfg.NewID(now)
	r := row{Agent: a, Created: now, Updated: now}
	if a.Source != nil {
		r.InFile = digest(a)
	}
	rev, err := s.t.add(tx, r)
	out.IDs = append(out.IDs, a.ID)
	out.steps = append(out.steps, step{id: a.ID, rev: rev})
	return err
}

// renew gives a stored agent what its file says.
func (s *Service) renew(tx *storage.Tx, x Incoming, out *Imported) error {
	old, rev, err := s.t.get(tx, x.ID)
	if err != nil {
		return err
	}
	if rev != x.Revision {
		return ErrConflict
	}
	next := old
	next.Agent = x.Agent.Clone()
	next.Agent.ID = x.ID
	next.Agent.Enabled = old.Agent.Enabled && next.Agent.Enabled
	next.Updated, next.InFile = s.cfg.Now(), digest(next.Agent)
	if err := allowed(next.Agent); err != nil {
		return err
	}
	now, err := s.t.replace(tx, rev, old, next)
	out.Updated = append(out.Updated, x.ID)
	out.steps = append(out.steps, step{id: x.ID, rev: now, before: &old})
	return err
}

// Undo takes an import back in one transaction: new agents go, updated ones are
// what they were. It refuses with ErrUndone, and does nothing, if any of them
// was changed since.
func (s *Service) Undo(ctx context.Context, done Imported) error {
	return s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		for _, st := range done.steps {
			now, rev, err := s.t.get(tx, st.id)
			switch {
			case errors.Is(err, ErrNotFound) || err == nil && rev != st.rev:
				return ErrUndone
			case err != nil:
				return err
			case st.before == nil:
				err = s.t.remove(tx, st.id, rev)
			default:
				back := *st.before
				back.Updated = s.cfg.Now()
				_, err = s.t.replace(tx, rev, now, back)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// known is a stored agent that came from a file.
type known struct {
	row row
	rev uint64
}

func source(a agent.Agent) string {
	if a.Source == nil {
		return ""
	}
	return a.Source.Format + "\x00" + a.Source.Path + "\x00" + a.Source.Key
}

func (s *Service) sources(tx *storage.Tx) (map[string]known, error) {
	have := map[string]known{}
	for r, err := range s.t.agents.All(tx) {
		var bad *storage.RowError
		if errors.As(err, &bad) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if r.V.Agent.Source != nil {
			have[source(r.V.Agent)] = known{r.V, r.Rev}
		}
	}
	return have, nil
}

// remove takes an agent out of the roster. Its history goes with it.
func (t tables) remove(tx *storage.Tx, id string, rev uint64) error {
	if err := t.agents.Delete(tx, id, rev); err != nil {
		return err
	}
	if err := t.history.Trim(tx, id, 0); err != nil {
		return err
	}
	return tx.Emit(event.Change{Kind: event.Agent, ID: id})
}
