package roster_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"callboard/app/agent"
	"callboard/app/roster"
	"callboard/storage"
	"callboard/storage/storagetest"
)

var noFolds = cmpopts.IgnoreUnexported(roster.Summary{})

// TestSummariesAreMadeAnew takes the small rows away, or makes them old: the
// list is the same, and so is what a second import takes for a twin.
func TestSummariesAreMadeAnew(t *testing.T) {
	small := storage.NewTable[json.RawMessage]("agent_summaries")
	for name, spoil := range map[string]func(*storage.Tx, string) error{
		"missing": small.Drop,
		"of an old form": func(tx *storage.Tx, id string) error {
			_, err := small.Set(tx, id, json.RawMessage(`{"form":0}`))
			return err
		},
		"no summary": func(tx *storage.Tx, id string) error { _, err := small.Set(tx, id, json.RawMessage(`[]`)); return err },
		"of nobody": func(tx *storage.Tx, id string) error {
			if err := small.Drop(tx, id); err != nil {
				return err
			}
			_, err := small.Set(tx, "nobody", json.RawMessage(`{"form":1}`))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := storagetest.New(t)
			s := service(db)
			ids := add(t, s, named("a"), named("b"), named("c"))
			before, err := s.List(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if err := db.Update(t.Context(), func(tx *storage.Tx) error { return spoil(tx, ids[1]) }); err != nil {
				t.Fatal(err)
			}
			if got := add(t, s, named("b")); len(got) != 0 {
				t.Errorf("a twin of %q", got)
			}
			after, err := s.List(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, after, noFolds); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestSummaryFollowsEverySave compares what lists say with the agent itself.
func TestSummaryFollowsEverySave(t *testing.T) {
	s := service(storagetest.New(t))
	id := add(t, s, named("a"))[0]
	look := func() roster.Summary {
		t.Helper()
		l, err := s.List(t.Context())
		if err != nil || len(l.Agents) != 1 {
			t.Fatalf("%+v %v", l, err)
		}
		return l.Agents[0]
	}
	if got := look(); got.Unwritten || !got.Enabled || got.Path != "/r/a.md" || len(got.Tools) == 0 {
		t.Errorf("%+v", got)
	}
	e := get(t, s, id)
	next := e.Agent.Clone()
	next.Identity.Name, next.Enabled = "renamed", false
	if _, err := s.Save(t.Context(), roster.SaveRequest{Agent: next, Revision: e.Revision}); err != nil {
		t.Fatal(err)
	}
	if got := look(); got.Name != "renamed" || got.Enabled || !got.Unwritten {
		t.Errorf("%+v", got)
	}
	if _, err := s.Allow(t.Context(), roster.Grant{Caller: id, Target: "x", Do: agent.Call, On: true}); err != nil {
		t.Fatal(err)
	}
	if got := look(); !got.Reach.May(agent.Call, "x") {
		t.Errorf("%+v", got.Reach)
	}
}
