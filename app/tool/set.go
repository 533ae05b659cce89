package tool

import (
	"fmt"
	"slices"

	"callboard/app/fault"
)

// ErrDeniedByWildcard refuses to tick an atom that only a wide denial keeps
// off, because taking that denial away would widen other tools too.
var ErrDeniedByWildcard = fault.New(fault.Conflict, "denied_by_wildcard", "every tool is denied by *").
	Then("Edit the denied tools by hand.")

// ErrDialect refuses to edit a tool list whose words nobody has written down.
var ErrDialect = fault.New(fault.Invalid, "tools_dialect_unknown", "the tools of this kind of agent cannot be edited here")

// Set turns one atom on or off and returns the new list and denials; the
// arguments are not changed. It adds and removes only tokens of that atom, so
// no other atom's level and no server changes. Where taking the last token
// would leave an empty list, which some tools read as "all", the token stays
// and is denied instead.
func Set(d Dialect, tools List, denied []string, a Atom, on bool) (List, []string, error) {
	if d != ClaudeCode {
		return tools, denied, ErrDialect
	}
	if Resolve(d, tools, denied).Level(a) == wanted(on) {
		return tools, denied, nil
	}
	if on {
		return claudeOn(tools, denied, a)
	}
	l, den := claudeOff(tools, denied, a)
	return l, den, nil
}

func wanted(on bool) Level {
	if on {
		return On
	}
	return Off
}

func claudeOn(tools List, denied []string, a Atom) (List, []string, error) {
	if slices.Contains(denied, Wildcard) {
		return tools, denied, fmt.Errorf("%w: %s stays off", ErrDeniedByWildcard, a)
	}
	primary := claudeNames(a, true)
	keep := slices.DeleteFunc(slices.Clone(denied), func(t string) bool {
		name, _ := base(t)
		return slices.Contains(primary, name)
	})
	if tools.Stated == Omitted || tools.Wildcard() {
		return tools, keep, nil
	}
	tokens := slices.Clone(tools.Tokens)
	for _, p := range primary {
		if !slices.Contains(tokens, p) {
			tokens = append(tokens, p)
		}
	}
	return Of(tokens...), keep, nil
}

func claudeOff(tools List, denied []string, a Atom) (List, []string) {
	names := claudeNames(a, false)
	if tools.Stated == Omitted || tools.Wildcard() {
		return tools, appendMissing(denied, names)
	}
	rest := slices.DeleteFunc(slices.Clone(tools.Tokens), func(t string) bool {
		name, _ := base(t)
		return slices.Contains(names, name)
	})
	if len(rest) > 0 {
		return Of(rest...), denied
	}
	var had []string
	for _, t := range tools.Tokens {
		name, _ := base(t)
		had = appendMissing(had, []string{name})
	}
	return tools, appendMissing(denied, had)
}

func appendMissing(to, names []string) []string {
	out := slices.Clone(to)
	for _, n := range names {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}
