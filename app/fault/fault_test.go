package fault_test

import (
	"errors"
	"fmt"
	"testing"

	"callboard/app/fault"
)

func TestSentence(t *testing.T) {
	held := fault.New(fault.Conflict, "held", "the home is open in another program").Then("Close it there, then try again.")
	for name, tc := range map[string]struct {
		err  error
		want string
	}{
		"nil":               {nil, ""},
		"bare":              {held, "The home is open in another program. Close it there, then try again."},
		"wrapped by detail": {fmt.Errorf("%w: process %d", held, 42), "The home is open in another program: process 42. Close it there, then try again."},
		"without next step": {fault.New(fault.Invalid, "x", "élan is missing"), "Élan is missing."},
		"not a fault":       {errors.New("boom"), "Unexpected: boom."},
	} {
		t.Run(name, func(t *testing.T) {
			if got := fault.Sentence(tc.err); got != tc.want {
				t.Errorf("Sentence = %q, want %q", got, tc.want)
			}
		})
	}
}

func TestKindAndRuleFollowTheChain(t *testing.T) {
	base := fault.New(fault.TooLarge, "too_long", "it is too long")
	err := fmt.Errorf("save: %w", fmt.Errorf("%w: 9 bytes", base))
	if fault.KindOf(err) != fault.TooLarge || fault.RuleOf(err) != "too_long" || !errors.Is(err, base) {
		t.Errorf("got %s %s", fault.KindOf(err), fault.RuleOf(err))
	}
	if fault.KindOf(errors.New("x")) != fault.Internal || fault.RuleOf(errors.New("x")) != "internal" {
		t.Error("an error without a fault must be internal")
	}
	if errors.Is(base.Then("n"), base) {
		t.Error("Then makes a new identity")
	}
}
