package roster

import (
	"context"
	"errors"

	"callboard/app/agent"
	"callboard/storage"
)

// Imported says what became of an import. IDs are the new agents in the order
// given.
type Imported struct {
	IDs []string
}

// Import adds agents as read from their files, in one transaction: all of them
// or none. An agent whose
// source (format and path) is already in the roster is left out, never doubled.
// Agents get fresh ids; one that breaks a limit refuses the whole import, so
// callers leave those out first.
func (s *Service) Import(ctx context.Context, agents []agent.Agent) (Imported, error) {
	var out Imported
	err := s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		have, err := s.sources(tx)
		if err != nil {
			return err
		}
		for _, a := range agents {
			if a.Source != nil && have[source(a)] {
				continue
			}
			a = a.Clone()
			if err := allowed(a); err != nil {
				return err
			}
			now := s.cfg.Now()
			a.ID = s.cfg.NewID(now)
			if _, err := s.t.add(tx, row{Agent: a, Created: now, Updated: now, InFile: digest(a)}); err != nil {
				return err
			}
			have[source(a)] = true
			out.IDs = append(out.IDs, a.ID)
		}
		return nil
	})
	if err != nil {
		return Imported{}, err
	}
	return out, nil
}

// Known reports which of the sources are in the roster already.
func (s *Service) Known(ctx context.Context, agents []agent.Agent) ([]bool, error) {
	out := make([]bool, len(agents))
	err := s.cfg.DB.View(ctx, func(tx *storage.Tx) error {
		have, err := s.sources(tx)
		for i, a := range agents {
			out[i] = a.Source != nil && have[source(a)]
		}
		return err
	})
	return out, err
}

func source(a agent.Agent) string {
	if a.Source == nil {
		return ""
	}
	return a.Source.Format + "\x00" + a.Source.Path
}

func (s *Service) sources(tx *storage.Tx) (map[string]bool, error) {
	have := map[string]bool{}
	for r, err := range s.t.agents.All(tx) {
		var bad *storage.RowError
		if errors.As(err, &bad) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if r.V.Agent.Source != nil {
			have[source(r.V.Agent)] = true
		}
	}
	return have, nil
}
