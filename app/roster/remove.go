package roster

import (
	"context"
	"errors"
	"slices"
	"time"

	"callboard/app/fault"
	"callboard/storage"
)

// KeepDeleted is how long a deleted agent can be brought back.
const KeepDeleted = 30 * 24 * time.Hour

// ErrTwin refuses to bring an agent back beside one of the same file.
var ErrTwin = fault.New(fault.Conflict, "agent_twin", "not brought back: another agent of the same file is in the roster").
	Then("Delete that one first.")

// deleted is an agent that was taken out of the roster.
type deleted struct {
	Row row       `json:"row"`
	At  time.Time `json:"at"`
}

// Gone is a deleted agent. It can be brought back until Until.
type Gone struct {
	ID      string
	Name    string
	Deleted time.Time
	Until   time.Time
}

// Delete takes agents out of the roster, all or none, and keeps them, their
// history and their drafts for KeepDeleted. No file is touched. An agent that
// cannot be read is removed for good.
func (s *Service) Delete(ctx context.Context, ids []string) error {
	return s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		for _, id := range ids {
			r, rev, err := s.t.get(tx, id)
			var bad *storage.RowError
			switch {
			case errors.As(err, &bad):
				rev, err = bad.Rev, s.t.forget(tx, id)
			case err == nil:
				_, err = s.t.deleted.Set(tx, id, deleted{Row: r, At: s.cfg.Now()})
			}
			if err != nil {
				return err
			}
			if err := s.t.take(tx, id, rev); err != nil {
				return err
			}
		}
		return nil
	})
}

// Deleted are the agents that can be brought back, the latest first.
func (s *Service) Deleted(ctx context.Context) ([]Gone, error) {
	var out []Gone
	err := s.cfg.DB.View(ctx, func(tx *storage.Tx) error {
		for r, err := range s.t.deleted.All(tx) {
			var bad *storage.RowError
			if errors.As(err, &bad) {
				continue
			}
			if err != nil {
				return err
			}
			out = append(out, Gone{
				ID: r.ID, Name: r.V.Row.Agent.Identity.Name, Deleted: r.V.At, Until: r.V.At.Add(KeepDeleted),
			})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(out, func(a, b Gone) int { return b.Deleted.Compare(a.Deleted) })
	return out, nil
}

// BringBack puts deleted agents into the roster again as they were, all or
// none. It refuses with ErrTwin where their file has another agent by now, and
// with ErrNotFound where one was removed for good.
func (s *Service) BringBack(ctx context.Context, ids []string) error {
	return s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		have, err := s.sources(tx)
		if err != nil {
			return err
		}
		for _, id := range ids {
			d, rev, err := s.t.deleted.Get(tx, id)
			switch {
			case errors.Is(err, storage.ErrNoRow):
				return ErrNotFound
			case err != nil:
				return err
			case have[source(d.Row.Agent.Source)] != "":
				return ErrTwin
			}
			if err := s.t.deleted.Delete(tx, id, rev); err != nil {
				return err
			}
			if _, err := s.t.put(tx, 0, d.Row); err != nil {
				return err
			}
		}
		return nil
	})
}

// Purge removes deleted agents for good: those of ids, and with them every one
// whose time is over. It reports how many went.
func (s *Service) Purge(ctx context.Context, ids ...string) (int, error) {
	gone, err := s.Deleted(ctx)
	if err != nil {
		return 0, err
	}
	now := s.cfg.Now()
	gone = slices.DeleteFunc(gone, func(g Gone) bool { return now.Before(g.Until) && !slices.Contains(ids, g.ID) })
	if len(gone) == 0 {
		return 0, nil
	}
	err = s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		for _, g := range gone {
			if err := errors.Join(s.t.deleted.Drop(tx, g.ID), s.t.forget(tx, g.ID)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return len(gone), nil
}
