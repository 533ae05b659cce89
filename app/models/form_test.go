package models

import (
	"slices"
	"testing"

	"callboard/app/model"
)

// TestEveryCourseEnds: an endpoint that says what it refuses is understood in
// at most four requests, whatever it takes and whichever field it looks at
// first; and no course asks twice or leaves what the plan shows.
func TestEveryCourseEnds(t *testing.T) {
	fields := []model.TokenField{model.MaxTokens, model.MaxCompletionTokens}
	modes := model.Schema.Below()
	for set := range 1 << 5 {
		takes := func(n int) bool { return set>>n&1 == 1 }
		for _, from := range forms(model.Model{TokenField: model.MaxTokens, JSONMode: model.Schema}) {
			for _, fieldFirst := range []bool{true, false} {
				judge := func(f Form) (bool, model.Blame) {
					field, mode := takes(slices.Index(fields, f.TokenField)), takes(2+slices.Index(modes, f.JSONMode))
					switch {
					case field && mode:
						return true, ""
					case !field && (fieldFirst || mode):
						return false, model.BlameTokenField
					}
					return false, model.BlameJSONMode
				}
				m := model.Model{TokenField: from.TokenField, JSONMode: from.JSONMode}
				can := slices.ContainsFunc(forms(m), func(f Form) bool { good, _ := judge(f); return good })
				seen := walk(t, m, judge)
				last, _ := judge(seen[len(seen)-1])
				if last != can || can && len(seen) > MaxRequests {
					t.Errorf("takes %05b, from %v: %v", set, from, seen)
				}
			}
		}
	}
}

// walk is the forms of a course in turn, up to the one that is taken.
func walk(t *testing.T, m model.Model, judge func(Form) (bool, model.Blame)) []Form {
	t.Helper()
	var seen []Form
	for c := begin(m); ; {
		if slices.Contains(seen, c.now) || !slices.Contains(forms(m), c.now) {
			t.Fatalf("from %v: %v, then %v", m, seen, c.now)
		}
		seen = append(seen, c.now)
		good, blame := judge(c.now)
		if good || !c.step(blame) {
			return seen
		}
	}
}
