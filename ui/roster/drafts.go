package roster

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"callboard/app/fault"
	"callboard/app/roster"
	"callboard/ui/editor"
	"callboard/ui/loop"
	"callboard/ui/words"
)

// keepAfter is how long an edit waits before it is kept, with those that come
// meanwhile.
const keepAfter = time.Second

// keeper keeps the drafts in the roster, so that a crash loses a second of
// typing at most.
type keeper struct {
	kept    map[string]int // the edits of each draft that are stored
	waiting bool
	working bool
	turn    int // of the vault: what an earlier one had waiting is not kept
}

// keepSoon has the drafts kept in a moment.
func (s *Screen) keepSoon() {
	if s.keeper.waiting {
		return
	}
	s.keeper.waiting = true
	turn := s.keeper.turn
	s.cfg.Loop.Keep(s.cfg.Context, func(ctx context.Context) {
		timer := time.NewTimer(keepAfter)
		defer timer.Stop()
		select {
		case <-ctx.Done():
		case <-timer.C:
			s.cfg.Loop.Post(func() {
				if turn == s.keeper.turn {
					s.keeper.waiting = false
					s.keep()
				}
			})
		}
	})
}

// keep stores what was edited since it was stored last, one round at a time.
func (s *Screen) keep() {
	if s.keeper.working {
		s.keepSoon()
		return
	}
	work := s.Keeping()
	if work == nil {
		return
	}
	s.keeper.working = true
	turn := s.keeper.turn
	loop.Go(s.cfg.Loop, s.cfg.Context, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, work(ctx)
	}, func(_ struct{}, err error) {
		s.keeper.working = false
		if err != nil && turn == s.keeper.turn {
			clear(s.keeper.kept)
			s.cfg.Say("Edits are not kept against a crash: "+fault.Sentence(err), nil)
		}
	})
}

// Keeping is what must be done to keep the drafts as they are now, nil for
// nothing. It may be called from any goroutine, once.
func (s *Screen) Keeping() func(context.Context) error {
	var keep []roster.Draft
	var drop []string
	for id := range s.keeper.kept {
		if d := s.drafts[id]; d == nil || !d.Dirty() {
			drop = append(drop, id)
			delete(s.keeper.kept, id)
		}
	}
	for id, d := range s.drafts {
		if n, known := s.keeper.kept[id]; d.Dirty() && (!known || n != d.Edits()) {
			keep = append(keep, d.Kept())
			s.keeper.kept[id] = d.Edits()
		}
	}
	if len(keep) == 0 && len(drop) == 0 {
		return nil
	}
	return func(ctx context.Context) error { return store(ctx, s.cfg.Roster, keep, drop) }
}

func store(ctx context.Context, service Service, keep []roster.Draft, drop []string) error {
	var errs []error
	for _, d := range keep {
		if err := service.KeepDraft(ctx, d); !errors.Is(err, roster.ErrNotFound) { // deleted meanwhile
			errs = append(errs, err)
		}
	}
	for _, id := range drop {
		errs = append(errs, service.DropDraft(ctx, id))
	}
	return errors.Join(errs...)
}

// Resume brings back the edits that were not saved when the vault was locked or
// the program ended.
func (s *Screen) Resume() {
	turn := s.keeper.turn
	loop.Go(s.cfg.Loop, s.cfg.Context, s.resume, func(back map[string]*editor.Draft, err error) {
		if turn != s.keeper.turn {
			return
		}
		if err != nil {
			s.cfg.Say("Edits that were not saved cannot be read: "+fault.Sentence(err), nil)
			return
		}
		for id, d := range back {
			if old := s.drafts[id]; old == nil || !old.Dirty() {
				s.drafts[id] = d
				s.keeper.kept[id] = d.Edits()
			}
		}
		if len(back) == 0 {
			return
		}
		s.filter()
		s.again(back)
	})
}

// again shows that drafts are back.
func (s *Screen) again(back map[string]*editor.Draft) {
	if d := back[s.want]; d != nil {
		s.show(d)
	}
	text := words.Count(len(back), "agent") + " with edits that were not saved."
	if len(back) == 1 {
		for _, d := range back {
			text = "Edits of " + d.Base.Agent.Identity.Name + " that were not saved are here again."
		}
	}
	s.cfg.Say(text, nil)
}

func (s *Screen) resume(ctx context.Context) (map[string]*editor.Draft, error) {
	kept, err := s.cfg.Roster.Drafts(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]*editor.Draft{}
	for _, k := range kept {
		e, err := s.cfg.Roster.Get(ctx, k.Agent.ID)
		if err != nil {
			continue // a damaged one: the list says so
		}
		out[k.Agent.ID] = editor.Resume(e, k)
	}
	return out, nil
}

// Unsaved names the agents with edits that are not saved.
func (s *Screen) Unsaved() []string {
	var out []string
	for _, d := range maps.All(s.drafts) {
		if d.Dirty() {
			out = append(out, d.Base.Agent.Identity.Name)
		}
	}
	slices.Sort(out)
	return out
}
