package agent_test

import (
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"callboard/app/agent"
)

func TestCallNeedsSee(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r agent.Reach
		ids := []string{"A", "B", "C", agent.Everyone}
		for range rapid.IntRange(0, 20).Draw(t, "steps") {
			do := rapid.SampledFrom([]agent.Action{agent.See, agent.Call}).Draw(t, "do")
			id, on := rapid.SampledFrom(ids).Draw(t, "id"), rapid.Bool().Draw(t, "on")
			before := r
			shown := slices.Clone(before.See.IDs)
			r = r.Allow(do, id, on)
			if !slices.Equal(shown, before.See.IDs) {
				t.Fatalf("Allow changed its receiver: %v", before)
			}
			if on && !r.May(do, id) {
				t.Fatalf("%s %s was given and is not there: %+v", do, id, r)
			}
			if everyone := r.See.All && do == agent.See || r.Call.All && do == agent.Call; !on && !everyone && r.May(do, id) {
				t.Fatalf("%s %s was taken and is still there: %+v", do, id, r)
			}
		}
		for _, id := range ids {
			if r.May(agent.Call, id) && !r.May(agent.See, id) {
				t.Fatalf("%s may be called and not seen: %+v", id, r)
			}
			if r.Call.Has(id) && !r.See.Has(id) {
				t.Fatalf("%s is in the calls and not in what is seen: %+v", id, r)
			}
		}
		wire, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back agent.Reach
		if err := json.Unmarshal(wire, &back); err != nil || !back.Equal(r) {
			t.Fatalf("%s came back as %+v (%v), was %+v", wire, back, err, r)
		}
	})
}

func TestReachOnTheWire(t *testing.T) {
	for wire, want := range map[string]bool{
		`{"see":"*","call":["B","A","B"]}`: true,
		`{"see":[],"call":[]}`:             true,
		`{}`:                               true,
		`{"see":"all"}`:                    false,
		`{"see":7}`:                        false,
		`{"see":["A",7]}`:                  false,
	} {
		var r agent.Reach
		if err := json.Unmarshal([]byte(wire), &r); (err == nil) != want {
			t.Errorf("%s: %v", wire, err)
		}
	}
	var r agent.Reach
	if err := json.Unmarshal([]byte(`{"see":"*","call":["B","A","B"]}`), &r); err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(r); err != nil || string(got) != `{"see":"*","call":["A","B"]}` {
		t.Errorf("%s %v", got, err)
	}
}

// TestNobodyIsLeftOutOfEveryone: a set of all agents has no exceptions, so a
// right that cannot be taken is not shown as taken.
func TestNobodyIsLeftOutOfEveryone(t *testing.T) {
	r := agent.Reach{}.Allow(agent.Call, agent.Everyone, true)
	if got := r.Allow(agent.Call, "A", false); !got.May(agent.Call, "A") || !got.Equal(r) {
		t.Errorf("%+v", got)
	}
}
