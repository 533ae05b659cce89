package roster

import (
	"bytes"
	"context"
	"errors"

	"callboard/app/agent"
	"callboard/storage"
)

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
	err := s.fresh(ctx, s.cfg.DB.View, func(tx *storage.Tx) error {
		have, err := s.sources(tx)
		if err != nil {
			return err
		}
		for i, a := range read {
			id := have[source(a.Source)]
			if id == "" {
				out[i] = Match{State: Fresh}
				continue
			}
			r, rev, err := s.t.get(tx, id)
			if err != nil {
				return err
			}
			out[i] = match(r, rev, a)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// fresh runs work over summaries that hold, which it makes anew first where
// they do not.
func (s *Service) fresh(ctx context.Context, run func(context.Context, func(*storage.Tx) error) error, work func(*storage.Tx) error) error {
	err := run(ctx, work)
	if errors.Is(err, errStale) {
		if err := s.mend(ctx); err != nil {
			return err
		}
		err = run(ctx, work)
	}
	return err
}

func match(r row, rev uint64, read agent.Agent) Match {
	m := Match{State: Same, Stored: r.entry(rev)}
	same := bytes.Equal(r.Agent.Source.Original, read.Source.Original)
	if read.Source.Own != "" && read.Source.Own == r.Agent.Source.Own {
		same = true
	}
	switch {
	case same && r.unwritten():
		m.State = Edited
	case !same && r.unwritten():
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
// in the order given.
type Imported struct {
	IDs     []string
	Updated []string
	Change  Change // all of it
}

// Import adds and updates agents in one transaction: all of them or none. A new
// agent whose source is already in the roster is left out, never doubled, and
// gets a fresh id. An updated one becomes what its file says, is enabled only
// if it was and its tools are certain, and what it was stays in its history. An
// agent that breaks a limit, or was saved since it was compared, refuses the
// whole import, so callers leave those out first.
func (s *Service) Import(ctx context.Context, in []Incoming) (Imported, error) {
	var out Imported
	err := s.fresh(ctx, s.cfg.DB.Update, func(tx *storage.Tx) (err error) {
		out, err = s.take(tx, in)
		return err
	})
	if err != nil {
		return Imported{}, err
	}
	return out, nil
}

func (s *Service) take(tx *storage.Tx, in []Incoming) (Imported, error) {
	var out Imported
	have, err := s.sources(tx)
	if err != nil {
		return out, err
	}
	for _, x := range in {
		from := source(x.Agent.Source)
		switch {
		case x.ID != "":
			err = s.renew(tx, x, &out)
		case from == "" || have[from] == "":
			have[from], err = s.bring(tx, x.Agent, &out)
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// bring adds a new agent and returns its id.
func (s *Service) bring(tx *storage.Tx, a agent.Agent, out *Imported) (string, error) {
	a = a.Clone()
	if err := allowed(a); err != nil {
		return "", err
	}
	now := s.cfg.Now()
	a.ID = s.cfg.NewID(now)
	r := row{Agent: a, Created: now, Updated: now}
	if a.Source != nil {
		r.InFile = digest(a)
	}
	rev, err := s.t.put(tx, 0, r)
	out.IDs = append(out.IDs, a.ID)
	out.Change.steps = append(out.Change.steps, step{id: a.ID, rev: rev})
	return a.ID, err
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
	next.Agent.Roster = old.Agent.Roster
	next.Updated, next.InFile = s.cfg.Now(), digest(next.Agent)
	if err := allowed(next.Agent); err != nil {
		return err
	}
	now, err := s.t.replace(tx, rev, old, next)
	out.Updated = append(out.Updated, x.ID)
	out.Change.steps = append(out.Change.steps, step{id: x.ID, rev: now, before: &old})
	return err
}

// source names the file, and the place in it, that an agent comes from.
func source(src *agent.Source) string {
	if src == nil {
		return ""
	}
	return src.Format + "\x00" + src.Path + "\x00" + src.Key
}

// sources are the ids of the stored agents that came from a file, by it.
func (s *Service) sources(tx *storage.Tx) (map[string]string, error) {
	have := map[string]string{}
	for r, err := range s.t.all(tx) {
		if err != nil {
			return nil, err
		}
		if r.V.Format != "" {
			have[source(&agent.Source{Format: r.V.Format, Path: r.V.Path, Key: r.V.Key})] = r.ID
		}
	}
	return have, nil
}
