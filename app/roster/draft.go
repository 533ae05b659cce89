package roster

import (
	"context"
	"errors"
	"time"

	"callboard/app/agent"
	"callboard/storage"
)

// Draft is an edit that was not saved yet. Base is the agent it began from, and
// Revision the one that had. Typed are texts that could not be taken into the
// agent, by field. Neither agent has its source: an edit cannot change that.
type Draft struct {
	Base     agent.Agent
	Revision uint64
	Agent    agent.Agent
	Typed    map[agent.Field]string
	Kept     time.Time // when KeepDraft stored it
}

// draft is the stored form.
type draft struct {
	Base     agent.Agent            `json:"base"`
	Revision uint64                 `json:"revision"`
	Agent    agent.Agent            `json:"agent"`
	Typed    map[agent.Field]string `json:"typed,omitempty"`
	Kept     time.Time              `json:"kept"`
}

// KeepDraft stores an edit, sealed, over an earlier one of the same agent. It
// may break every limit but one: an agent that is not in the roster has no
// draft (ErrNotFound). It tells nobody: a draft is its editor's own.
func (s *Service) KeepDraft(ctx context.Context, d Draft) error {
	d.Base.Source, d.Agent.Source, d.Kept = nil, nil, s.cfg.Now()
	return s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		if _, _, err := s.t.get(tx, d.Agent.ID); err != nil {
			return err
		}
		_, err := s.t.drafts.Set(tx, d.Agent.ID, draft(d))
		return err
	})
}

// DropDraft removes the draft of an agent, if there is one.
func (s *Service) DropDraft(ctx context.Context, id string) error {
	return s.cfg.DB.Update(ctx, func(tx *storage.Tx) error { return s.t.drafts.Drop(tx, id) })
}

// Drafts are the edits that were kept of agents that are in the roster. Drafts
// that cannot be read are left out; the store's damage report names them.
func (s *Service) Drafts(ctx context.Context) ([]Draft, error) {
	var out []Draft
	err := s.cfg.DB.View(ctx, func(tx *storage.Tx) error {
		for r, err := range s.t.drafts.All(tx) {
			var bad *storage.RowError
			if errors.As(err, &bad) {
				continue
			}
			if err != nil {
				return err
			}
			if _, _, err := s.t.get(tx, r.ID); err == nil {
				out = append(out, Draft(r.V))
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
