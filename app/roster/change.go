package roster

import (
	"context"
	"errors"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/storage"
)

// ErrUndone refuses to take a change back over what was done since.
var ErrUndone = fault.New(fault.Conflict, "change_moved_on", "not taken back: an agent was changed since").
	Then("Change it by hand.")

// Change is what one call did to some agents; Undo takes it back. The zero
// value changed nothing.
type Change struct{ steps []step }

// Len is how many agents were changed.
func (c Change) Len() int { return len(c.steps) }

// step is one row a change wrote; before is nil for a new one.
type step struct {
	id     string
	rev    uint64
	before *row
}

// Undo takes a change back in one transaction: new agents go, changed ones are
// what they were. It refuses with ErrUndone, and does nothing, if any of them
// was changed since.
func (s *Service) Undo(ctx context.Context, done Change) error {
	return s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		for _, st := range done.steps {
			if err := s.undo(tx, st); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Service) undo(tx *storage.Tx, st step) error {
	now, rev, err := s.t.get(tx, st.id)
	switch {
	case errors.Is(err, ErrNotFound) || err == nil && rev != st.rev:
		return ErrUndone
	case err != nil:
		return err
	case st.before == nil:
		return errors.Join(s.t.take(tx, st.id, rev), s.t.forget(tx, st.id))
	}
	back := *st.before
	back.Updated = s.cfg.Now()
	_, err = s.t.replace(tx, rev, now, back)
	return err
}

// edit changes agents in one transaction, those in which change changes
// something. It may refuse one by an error, which refuses all.
func (s *Service) edit(ctx context.Context, ids []string, change func(*agent.Agent) error) (Change, error) {
	var out Change
	err := s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		for _, id := range ids {
			old, rev, err := s.t.get(tx, id)
			if err != nil {
				return err
			}
			next := old
			next.Agent = old.Agent.Clone()
			if err := change(&next.Agent); err != nil {
				return err
			}
			if len(agent.Diff(old.Agent, next.Agent)) == 0 {
				continue
			}
			next.Updated = s.cfg.Now()
			now, err := s.t.replace(tx, rev, old, next)
			if err != nil {
				return err
			}
			out.steps = append(out.steps, step{id, now, &old})
		}
		return nil
	})
	if err != nil {
		return Change{}, err
	}
	return out, nil
}

// SetEnabled turns agents on or off in one transaction. Those whose tools are
// not certain stay off; kept is how many.
func (s *Service) SetEnabled(ctx context.Context, ids []string, on bool) (done Change, kept int, err error) {
	done, err = s.edit(ctx, ids, func(a *agent.Agent) error {
		if on && !a.Grants().Certain {
			kept++
			return nil
		}
		a.Enabled = on
		return nil
	})
	return done, kept, err
}
