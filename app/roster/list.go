package roster

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"callboard/app/agent"
	"callboard/storage"
)

// Summary is what a list shows of one agent.
type Summary struct {
	ID          string
	Name        string
	Description string
	Provider    agent.Provider
	Model       string
	Enabled     bool
	Certain     bool   // what its tools grant is known
	OwnDefault  bool   // it is not, because its file leaves that to its tool's own default
	Format      string // of the file it came from, empty without one
	Path        string // of that file
	Key         string // in it, where it keeps several agents
	Unwritten   bool   // it differs from the file it came from
	SameName    bool   // another agent's name is equal but for case or form

	name string // Name, folded, to sort by and to find twins
	key  string // name, description and model, folded, for search
}

// List is every readable agent by name, and how many rows could not be read;
// those are in the store's damage report.
type List struct {
	Agents     []Summary
	Unreadable int
}

// List reads every agent.
func (s *Service) List(ctx context.Context) (List, error) {
	var l List
	err := s.cfg.DB.View(ctx, func(tx *storage.Tx) error {
		for r, err := range s.t.agents.All(tx) {
			var bad *storage.RowError
			switch {
			case errors.As(err, &bad):
				l.Unreadable++
			case err != nil:
				return err
			default:
				l.Agents = append(l.Agents, summarise(r.V))
			}
		}
		return nil
	})
	if err != nil {
		return List{}, err
	}
	slices.SortFunc(l.Agents, func(a, b Summary) int {
		return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.ID, b.ID))
	})
	for i := 1; i < len(l.Agents); i++ {
		for j := i - 1; j >= 0 && l.Agents[j].name == l.Agents[i].name; j-- {
			if l.Agents[j].Format == l.Agents[i].Format || l.Agents[j].Format == "" || l.Agents[i].Format == "" {
				l.Agents[i].SameName, l.Agents[j].SameName = true, true
			}
		}
	}
	return l, nil
}

func summarise(r row) Summary {
	a := r.Agent
	g := a.Grants()
	s := Summary{
		ID: a.ID, Name: a.Identity.Name, Description: a.Identity.Description,
		Provider: a.Run.Provider, Model: a.Run.Model,
		Enabled: a.Enabled, Certain: g.Certain, OwnDefault: g.OwnDefault, Unwritten: r.unwritten(),
		name: agent.Fold(a.Identity.Name),
		key:  agent.Fold(a.Identity.Name + "\n" + a.Identity.Description + "\n" + a.Run.Model + "\n" + string(a.Words().Dialect)),
	}
	if a.Source != nil {
		s.Format, s.Path, s.Key = a.Source.Format, a.Source.Path, a.Source.Key
	}
	return s
}

// Filter keeps the agents whose name, description or model hold every word of
// query, case and Unicode form aside. The order stays.
func Filter(all []Summary, query string) []Summary {
	words := strings.Fields(agent.Fold(query))
	if len(words) == 0 {
		return all
	}
	var out []Summary
	for _, s := range all {
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(s.key, w) }) {
			out = append(out, s)
		}
	}
	return out
}
