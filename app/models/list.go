package models

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"callboard/app/agent"
	"callboard/storage"
)

// List is every readable model by name, and how many rows could not be read;
// those are in the store's damage report.
type List struct {
	Models     []Entry
	Unreadable int
}

// List reads every model. It opens no key.
func (s *Service) List(ctx context.Context) (List, error) {
	var l List
	err := s.cfg.DB.View(ctx, func(tx *storage.Tx) error {
		for r, err := range s.t.models.All(tx) {
			var bad *storage.RowError
			switch {
			case errors.As(err, &bad):
				l.Unreadable++
			case err != nil:
				return err
			default:
				l.Models = append(l.Models, s.entry(r.V, r.Rev))
			}
		}
		return nil
	})
	if err != nil {
		return List{}, err
	}
	slices.SortFunc(l.Models, func(a, b Entry) int {
		return cmp.Or(strings.Compare(agent.Fold(a.Model.Name), agent.Fold(b.Model.Name)), strings.Compare(a.Model.ID, b.Model.ID))
	})
	return l, nil
}

// Deleted is a model that Delete took out, for Undo.
type Deleted struct{ row row }

// Delete takes a model out, and its key for good: Undo brings the model back
// without it. revision is as in Save.
func (s *Service) Delete(ctx context.Context, id string, revision uint64) (Deleted, error) {
	var d Deleted
	err := s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		r, err := s.at(tx, id, revision)
		if err != nil {
			return err
		}
		r.KeySite = ""
		d.row = r
		return s.t.remove(tx, id, revision)
	})
	if err != nil {
		return Deleted{}, err
	}
	return d, nil
}

// Undo brings a deleted model back under its id, without a key. It refuses with
// ErrConflict when it is back already.
func (s *Service) Undo(ctx context.Context, d Deleted) (Entry, error) {
	var e Entry
	err := s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		rev, err := s.t.put(tx, 0, d.row)
		if errors.Is(err, storage.ErrConflict) {
			return ErrConflict
		}
		e = s.entry(d.row, rev)
		return err
	})
	if err != nil {
		return Entry{}, err
	}
	return e, nil
}
