package roster_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"callboard/app/agent"
	"callboard/app/ident"
	"callboard/app/roster"
	"callboard/storage/storagetest"
)

func names(t *testing.T, s *roster.Service) []string {
	t.Helper()
	l, err := s.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, a := range l.Agents {
		out = append(out, a.Name)
	}
	return out
}

func TestADeletedAgentComesBackAsItWas(t *testing.T) {
	s := service(storagetest.New(t))
	ids := add(t, s, named("a"), named("b"), named("c"))
	e := get(t, s, ids[0])
	next := e.Agent.Clone()
	next.Identity.Description = "edited"
	e, err := s.Save(t.Context(), roster.SaveRequest{Agent: next, Revision: e.Revision})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Allow(t.Context(), roster.Grant{Caller: ids[2], Target: ids[0], Do: agent.Call, On: true}); err != nil {
		t.Fatal(err)
	}
	before := get(t, s, ids[0])
	if err := s.Delete(t.Context(), ids[:2]); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"c"}, names(t, s)); diff != "" {
		t.Error(diff)
	}
	if _, err := s.Get(t.Context(), ids[0]); !errors.Is(err, roster.ErrNotFound) {
		t.Errorf("a deleted agent is read: %v", err)
	}
	if _, err := s.Save(t.Context(), roster.SaveRequest{Agent: next, Revision: e.Revision}); !errors.Is(err, roster.ErrNotFound) {
		t.Errorf("a deleted agent is saved: %v", err)
	}
	gone, err := s.Deleted(t.Context())
	if err != nil || len(gone) != 2 || gone[0].Until.Sub(gone[0].Deleted) != roster.KeepDeleted {
		t.Fatalf("%+v %v", gone, err)
	}
	if err := s.BringBack(t.Context(), ids[:2]); err != nil {
		t.Fatal(err)
	}
	after := get(t, s, ids[0])
	after.Revision = before.Revision
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
	if h, err := s.History(t.Context(), ids[0]); err != nil || len(h) != 1 || h[0].Agent.Identity.Description != "about a" {
		t.Errorf("history %+v %v", h, err)
	}
	if !get(t, s, ids[2]).Agent.Roster.May(agent.Call, ids[0]) {
		t.Error("who may call it was lost")
	}
	if err := s.BringBack(t.Context(), ids[:1]); !errors.Is(err, roster.ErrNotFound) {
		t.Errorf("brought back twice: %v", err)
	}
}

func TestATwinKeepsADeletedAgentAway(t *testing.T) {
	s := service(storagetest.New(t))
	first := add(t, s, named("a"), named("b"))
	if err := s.Delete(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	second := add(t, s, named("a")) // the same file again
	if len(second) != 1 || second[0] == first[0] {
		t.Fatalf("%q", second)
	}
	if err := s.BringBack(t.Context(), []string{first[1], first[0]}); !errors.Is(err, roster.ErrTwin) {
		t.Errorf("%v", err)
	}
	if got := names(t, s); len(got) != 1 {
		t.Errorf("half of a refusal: %q", got)
	}
}

func TestPurgeAfterThirtyDays(t *testing.T) {
	at := time.Unix(1e9, 0).UTC()
	s := roster.NewService(roster.Config{DB: storagetest.New(t), NewID: ident.New, Now: func() time.Time { return at }})
	ids := add(t, s, named("old"), named("new"), named("chosen"), named("stays"))
	for _, id := range ids[:3] {
		if err := s.Delete(t.Context(), []string{id}); err != nil {
			t.Fatal(err)
		}
		at = at.Add(24 * time.Hour)
	}
	at = at.Add(roster.KeepDeleted - 3*24*time.Hour - time.Second)
	if n, err := s.Purge(t.Context()); n != 0 || err != nil {
		t.Errorf("a second early: %d %v", n, err)
	}
	at = at.Add(time.Second)
	if n, err := s.Purge(t.Context(), ids[2]); n != 2 || err != nil {
		t.Errorf("on time: %d %v", n, err)
	}
	gone, err := s.Deleted(t.Context())
	if err != nil || len(gone) != 1 || gone[0].Name != "new" {
		t.Errorf("%+v %v", gone, err)
	}
	if err := s.BringBack(t.Context(), ids[:1]); !errors.Is(err, roster.ErrNotFound) {
		t.Errorf("purged and back: %v", err)
	}
	if got := names(t, s); len(got) != 1 || got[0] != "stays" {
		t.Errorf("%q", got)
	}
}

func TestSetEnabledOfMany(t *testing.T) {
	s := service(storagetest.New(t))
	off, unclear := named("off"), named("unclear")
	off.Enabled, unclear.Enabled = false, false
	unclear.Access.Dialect = "nobody knows"
	ids := add(t, s, named("on"), off, unclear)
	done, kept, err := s.SetEnabled(t.Context(), ids, true)
	if err != nil || done.Len() != 1 || kept != 1 {
		t.Errorf("%d changed, %d kept, %v", done.Len(), kept, err)
	}
	if !get(t, s, ids[1]).Agent.Enabled || get(t, s, ids[2]).Agent.Enabled {
		t.Error("the wrong ones are on")
	}
	if err := s.Undo(t.Context(), done); err != nil || get(t, s, ids[1]).Agent.Enabled {
		t.Errorf("not undone: %v", err)
	}
	if done, _, err = s.SetEnabled(t.Context(), ids, false); err != nil || done.Len() != 1 {
		t.Errorf("%d turned off, %v", done.Len(), err)
	}
}

func TestDraftsAreKeptUntilDropped(t *testing.T) {
	s := service(storagetest.New(t))
	ids := add(t, s, named("a"), named("b"))
	e := get(t, s, ids[0])
	edit := e.Agent.Clone()
	edit.Identity.Name = "" // breaks a limit, as half of an edit does
	d := roster.Draft{Base: e.Agent, Revision: e.Revision, Agent: edit, Typed: map[agent.Field]string{agent.Tools: "Bash("}}
	if err := s.KeepDraft(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	d.Agent.Identity.Name = "later"
	if err := s.KeepDraft(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	got, err := s.Drafts(t.Context())
	if err != nil || len(got) != 1 {
		t.Fatalf("%+v %v", got, err)
	}
	d.Base.Source, d.Agent.Source, d.Kept = nil, nil, got[0].Kept
	if diff := cmp.Diff(d, got[0]); diff != "" {
		t.Error(diff)
	}
	if get(t, s, ids[0]).Revision != e.Revision {
		t.Error("a draft saved something")
	}
	if err := s.Delete(t.Context(), ids[:1]); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Drafts(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("the draft of a deleted agent: %+v %v", got, err)
	}
	if err := s.KeepDraft(t.Context(), d); !errors.Is(err, roster.ErrNotFound) {
		t.Errorf("a draft of a deleted agent is kept: %v", err)
	}
	if err := s.BringBack(t.Context(), ids[:1]); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Drafts(t.Context()); err != nil || len(got) != 1 {
		t.Errorf("the draft did not come back: %+v %v", got, err)
	}
	if err := errors.Join(s.DropDraft(t.Context(), ids[0]), s.DropDraft(t.Context(), ids[0])); err != nil {
		t.Error(err)
	}
	if got, err := s.Drafts(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("%+v %v", got, err)
	}
}
