package roster_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/roster"
	"callboard/storage/storagetest"
)

func TestAllowIsOneStepAndUndone(t *testing.T) {
	s := service(storagetest.New(t))
	ids := add(t, s, named("a"), named("b"), named("c"))
	a, b, c := ids[0], ids[1], ids[2]
	done, err := s.Allow(t.Context(),
		roster.Grant{Caller: a, Target: b, Do: agent.Call, On: true},
		roster.Grant{Caller: a, Target: c, Do: agent.See, On: true},
		roster.Grant{Caller: b, Target: agent.Everyone, Do: agent.See, On: true},
		roster.Grant{Caller: c, Target: a, Do: agent.Call, On: false}) // changes nothing
	if err != nil || done.Len() != 2 {
		t.Fatalf("%d changed, %v", done.Len(), err)
	}
	may := func(from, to string, do agent.Action) bool { return get(t, s, from).Agent.Roster.May(do, to) }
	if !may(a, b, agent.Call) || !may(a, b, agent.See) || may(a, c, agent.Call) || !may(a, c, agent.See) || !may(b, c, agent.See) || may(b, c, agent.Call) {
		t.Error("the rights are not the ones that were given")
	}
	if e := get(t, s, a); e.Unwritten {
		t.Error("a right counts as an edit of the file")
	}
	if h, err := s.History(t.Context(), a); err != nil || len(h) != 1 {
		t.Errorf("%d earlier states, %v", len(h), err)
	}
	if err := s.Undo(t.Context(), done); err != nil {
		t.Fatal(err)
	}
	if may(a, b, agent.See) || may(b, c, agent.See) {
		t.Error("the rights are still there")
	}
	if err := s.Undo(t.Context(), done); !errors.Is(err, roster.ErrUndone) {
		t.Errorf("a second undo: %v", err)
	}
}

func TestAllowRefusesWhole(t *testing.T) {
	s := service(storagetest.New(t))
	a := add(t, s, named("a"))[0]
	grants := []roster.Grant{{Caller: a, Target: "x", Do: agent.See, On: true}, {Caller: "nobody", Target: a, Do: agent.See, On: true}}
	if _, err := s.Allow(t.Context(), grants...); !errors.Is(err, roster.ErrNotFound) {
		t.Errorf("a caller that is not there: %v", err)
	}
	grants = nil
	for i := range agent.MaxReach + 1 {
		grants = append(grants, roster.Grant{Caller: a, Target: fmt.Sprintf("%026d", i), Do: agent.See, On: true})
	}
	if _, err := s.Allow(t.Context(), grants...); fault.RuleOf(err) != "agent_invalid" {
		t.Errorf("more than the limit: %v", err)
	}
	if !get(t, s, a).Agent.Roster.IsZero() {
		t.Error("a refusal left rights behind")
	}
}

func TestAReimportKeepsTheRights(t *testing.T) {
	s := service(storagetest.New(t))
	a := add(t, s, named("a"))[0]
	if _, err := s.Allow(t.Context(), roster.Grant{Caller: a, Target: agent.Everyone, Do: agent.Call, On: true}); err != nil {
		t.Fatal(err)
	}
	e := get(t, s, a)
	read := named("a")
	read.Identity.Description = "changed on disk"
	if _, err := s.Import(t.Context(), []roster.Incoming{{Agent: read, ID: a, Revision: e.Revision}}); err != nil {
		t.Fatal(err)
	}
	if !get(t, s, a).Agent.Roster.May(agent.Call, "anybody") {
		t.Error("the file took the rights away, which it cannot say")
	}
}

func TestWhyCanANotCallB(t *testing.T) {
	s := service(storagetest.New(t))
	kept := named("kept")
	kept.Run.Provider = agent.None
	kept.Enabled = false
	off := named("off")
	off.Enabled = false
	ids := add(t, s, named("a"), named("b"), off, kept)
	a, b := ids[0], ids[1]
	first := func(caller, target string, do agent.Action) string {
		t.Helper()
		err := s.Authorise(t.Context(), caller, target, do)
		if err == nil {
			return ""
		}
		return fault.RuleOf(err)
	}
	allow := func(caller, target string, do agent.Action) {
		t.Helper()
		if _, err := s.Allow(t.Context(), roster.Grant{Caller: caller, Target: target, Do: do, On: true}); err != nil {
			t.Fatal(err)
		}
	}
	if got := first(a, a, agent.Call); got != "agent_self" {
		t.Error(got)
	}
	if got := first(a, b, agent.See); got != "target_not_seen" {
		t.Error(got)
	}
	allow(a, b, agent.See)
	if got := first(a, b, agent.See) + first(a, b, agent.Call); got != "target_not_callable" {
		t.Error(got)
	}
	allow(a, agent.Everyone, agent.Call)
	if got := first(a, b, agent.Call); got != "" {
		t.Error(got)
	}
	if got := first(a, ids[2], agent.Call) + " " + first(ids[2], a, agent.Call); got != "target_disabled caller_disabled" {
		t.Error(got)
	}
	if got := first(a, "nobody", agent.Call); got != "agent_not_found" {
		t.Error(got)
	}
	reasons, err := s.Why(t.Context(), a, ids[3])
	if err != nil {
		t.Fatal(err)
	}
	var rules []string
	for _, r := range reasons {
		if r.Err != nil {
			rules = append(rules, fault.RuleOf(r.Err))
		}
	}
	if diff := cmp.Diff([]string{"target_disabled", "target_never_run"}, rules); diff != "" {
		t.Error(diff)
	}
}

// TestCyclesAreThoseOfTheGraph compares with the closure of the graph, worked
// out by going every way.
func TestCyclesAreThoseOfTheGraph(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 8).Draw(t, "agents")
		all := make([]roster.Summary, n)
		for i := range all {
			all[i].ID = string(rune('A' + i))
			all[i].Enabled = rapid.IntRange(0, 4).Draw(t, "enabled") > 0
			targets := rapid.SliceOfDistinct(rapid.SampledFrom([]string{"A", "B", "C", "D", "E", "F", "G", "H"}), func(s string) string { return s })
			if rapid.IntRange(0, 5).Draw(t, "everyone") == 0 {
				all[i].Reach = all[i].Reach.Allow(agent.Call, agent.Everyone, true)
			} else {
				for _, id := range targets.Draw(t, "targets") {
					all[i].Reach = all[i].Reach.Allow(agent.Call, id, true)
				}
			}
		}
		reach := map[[2]string]bool{}
		for _, a := range all {
			for _, b := range all {
				reach[[2]string{a.ID, b.ID}] = a.Enabled && b.Enabled && a.ID != b.ID && a.Reach.May(agent.Call, b.ID)
			}
		}
		for _, k := range all {
			for _, i := range all {
				for _, j := range all {
					if reach[[2]string{i.ID, k.ID}] && reach[[2]string{k.ID, j.ID}] {
						reach[[2]string{i.ID, j.ID}] = true
					}
				}
			}
		}
		together := map[[2]string]bool{}
		for _, group := range roster.Cycles(all) {
			if len(group) < 2 {
				t.Fatalf("a circle of %q", group)
			}
			for _, a := range group {
				for _, b := range group {
					together[[2]string{a, b}] = true
				}
			}
		}
		for _, a := range all {
			for _, b := range all {
				if a.ID == b.ID {
					continue
				}
				k, back := [2]string{a.ID, b.ID}, [2]string{b.ID, a.ID}
				if want := reach[k] && reach[back]; together[k] != want {
					t.Fatalf("%s and %s in one circle: %v, want %v", a.ID, b.ID, together[k], want)
				}
			}
		}
	})
}
