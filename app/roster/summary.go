package roster

import (
	"context"
	"errors"
	"time"

	"callboard/app/agent"
	"callboard/app/tool"
	"callboard/storage"
)

// summaryForm grows when what a summary says, or how tools are read, changes:
// summaries of another form are made anew.
const summaryForm = 1

// summary is the small row that lists read in place of an agent. Bad is one
// whose agent cannot be read.
type summary struct {
	Form        int            `json:"form"`
	Bad         bool           `json:"bad,omitempty"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Provider    agent.Provider `json:"provider"`
	Dialect     tool.Dialect   `json:"dialect,omitempty"`
	Model       string         `json:"model"`
	Enabled     bool           `json:"enabled"`
	Certain     bool           `json:"certain"`
	OwnDefault  bool           `json:"own_default,omitempty"`
	Tools       []string       `json:"tools,omitempty"`
	Reach       agent.Reach    `json:"reach,omitzero"`
	Format      string         `json:"format,omitempty"`
	Path        string         `json:"path,omitempty"`
	Key         string         `json:"key,omitempty"`
	Unwritten   bool           `json:"unwritten,omitempty"`
	Updated     time.Time      `json:"updated"`
}

func summarise(r row) summary {
	a := r.Agent
	g := a.Grants()
	s := summary{
		Form: summaryForm,
		Name: a.Identity.Name, Description: a.Identity.Description,
		Provider: a.Run.Provider, Dialect: a.Words().Dialect, Model: a.Run.Model,
		Enabled: a.Enabled, Certain: g.Certain, OwnDefault: g.OwnDefault,
		Tools: g.Effective(), Reach: a.Roster,
		Unwritten: r.unwritten(), Updated: r.Updated,
	}
	if a.Source != nil {
		s.Format, s.Path, s.Key = a.Source.Format, a.Source.Path, a.Source.Key
	}
	return s
}

// mend makes every summary anew, and drops those whose agent is gone.
func (s *Service) mend(ctx context.Context) error {
	return s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		for r, err := range s.t.summaries.All(tx) {
			if err := errors.Join(rowsOnly(err), s.t.summaries.Drop(tx, r.ID)); err != nil {
				return err
			}
		}
		for r, err := range s.t.agents.All(tx) {
			if err := s.t.sum(tx, r, err); err != nil {
				return err
			}
		}
		return nil
	})
}

// sum writes the summary of an agent, which may be one that cannot be read.
func (t tables) sum(tx *storage.Tx, r storage.Row[row], err error) error {
	now := summary{Form: summaryForm, Bad: true}
	if err == nil {
		now = summarise(r.V)
	} else if err := rowsOnly(err); err != nil {
		return err
	}
	_, err = t.summaries.Set(tx, r.ID, now)
	return err
}

// rowsOnly is err, but nil where it is about one damaged row.
func rowsOnly(err error) error {
	var bad *storage.RowError
	if errors.As(err, &bad) {
		return nil
	}
	return err
}
