package roster

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"callboard/app/agent"
	"callboard/app/tool"
	"callboard/storage"
)

// Summary is what a list shows of one agent.
type Summary struct {
	ID          string
	Name        string
	Description string
	Provider    agent.Provider
	Dialect     tool.Dialect // whose words its tools are written in
	Model       string
	Enabled     bool
	Certain     bool        // what its tools grant is known
	OwnDefault  bool        // it is not, because its file leaves that to its tool's own default
	Tools       []string    // what they grant, as tool.Grants.Effective lists it
	Reach       agent.Reach // which agents it may see and call
	Format      string      // of the file it came from, empty without one
	Path        string      // of that file
	Key         string      // in it, where it keeps several agents
	Unwritten   bool        // it differs from the file it came from
	SameName    bool        // another agent's name is equal but for case or form
	Updated     time.Time   // when it was last saved

	name string // Name, folded, to sort by and to find twins
	key  string // all that search looks at, folded
}

// List is every agent by name but those found damaged, and how many those are;
// the store's damage report names them. Lists do not open agents: that one is
// damaged is found when it is read, or by the vault's Verify.
type List struct {
	Agents     []Summary
	Unreadable int
}

// List reads the summary of every agent. Summaries that are missing or damaged
// are made anew first.
func (s *Service) List(ctx context.Context) (List, error) {
	var l List
	err := s.fresh(ctx, s.cfg.DB.View, func(tx *storage.Tx) (err error) {
		l, err = s.list(tx)
		return err
	})
	if err != nil {
		return List{}, err
	}
	slices.SortFunc(l.Agents, byName)
	markTwins(l.Agents)
	return l, nil
}

// errStale says that summaries must be made anew.
var errStale = errors.New("roster: summaries are stale")

func (s *Service) list(tx *storage.Tx) (List, error) {
	damaged := s.damaged()
	l := List{Unreadable: len(damaged)}
	for r, err := range s.t.all(tx) {
		switch {
		case err != nil:
			return l, err
		case damaged[r.ID]:
		case r.V.Bad:
			l.Unreadable++
		default:
			l.Agents = append(l.Agents, r.V.public(r.ID))
		}
	}
	return l, nil
}

// all is every summary, or errStale where they are not those of the agents.
func (t tables) all(tx *storage.Tx) iter.Seq2[storage.Row[summary], error] {
	return func(yield func(storage.Row[summary], error) bool) {
		if t.summaries.Count(tx) != t.agents.Count(tx) {
			yield(storage.Row[summary]{}, errStale)
			return
		}
		for r, err := range t.summaries.All(tx) {
			var bad *storage.RowError
			if errors.As(err, &bad) {
				err = errStale
			}
			if err == nil {
				err = t.fits(tx, r)
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

func (t tables) fits(tx *storage.Tx, r storage.Row[summary]) error {
	there, err := t.agents.Has(tx, r.ID)
	if err == nil && (!there || r.V.Form != summaryForm) {
		err = errStale
	}
	return err
}

// damaged are the agents the store has found bad.
func (s *Service) damaged() map[string]bool {
	out := map[string]bool{}
	for _, d := range s.cfg.DB.Damage() {
		if d.Table == agentsTable {
			out[d.ID] = true
		}
	}
	return out
}

func (v summary) public(id string) Summary {
	return Summary{
		ID: id, Name: v.Name, Description: v.Description, Provider: v.Provider, Dialect: v.Dialect, Model: v.Model,
		Enabled: v.Enabled, Certain: v.Certain, OwnDefault: v.OwnDefault, Tools: v.Tools, Reach: v.Reach,
		Format: v.Format, Path: v.Path, Key: v.Key, Unwritten: v.Unwritten, Updated: v.Updated,
		name: agent.Fold(v.Name), key: v.searched(),
	}
}

// searched is everything that search looks at.
func (v summary) searched() string {
	state := "disabled"
	if v.Enabled {
		state = "enabled"
	}
	parts := []string{v.Name, v.Description, v.Model, string(v.Dialect), state}
	return agent.Fold(strings.Join(append(parts, v.Tools...), "\n"))
}

func byName(a, b Summary) int {
	return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.ID, b.ID))
}

// markTwins points out equal names, in a list by name, where one tool or none
// has both.
func markTwins(all []Summary) {
	for i := 1; i < len(all); i++ {
		for j := i - 1; j >= 0 && all[j].name == all[i].name; j-- {
			if all[j].Format == all[i].Format || all[j].Format == "" || all[i].Format == "" {
				all[i].SameName, all[j].SameName = true, true
			}
		}
	}
}

// Filter keeps the agents whose name, description, model, tool, granted tools
// or state hold every word of query, case and Unicode form aside. The order
// stays.
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
