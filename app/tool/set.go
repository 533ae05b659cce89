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

// ErrDialect refuses to edit a tool list whose words nobody has written down,
// or that does not exist.
var ErrDialect = fault.New(fault.Invalid, "tools_dialect_unknown", "the tools of this kind of agent cannot be edited here")

// ErrNoDenials refuses to take one tool away from a list that grants them all.
var ErrNoDenials = fault.New(fault.Conflict, "tools_no_denials", "this kind of file has no way to deny one tool").
	Then("List the tools instead.")

// ErrLastTool refuses to empty a list where an empty one does not mean none.
var ErrLastTool = fault.New(fault.Conflict, "tools_last", "an empty list would mean all tools, or nobody knows what it means").
	Then("Leave one tool in the list, or tick another one first.")

// ErrAlsoServer refuses to take away a token that is also a tool server.
var ErrAlsoServer = fault.New(fault.Conflict, "tools_also_server", "what keeps this on is a tool server, which ticking does not take away").
	Then("Take the server out of the tool list by hand.")

// ErrNotCertain refuses to tick in a list that nobody can read for certain.
var ErrNotCertain = fault.New(fault.Conflict, "tools_not_certain", "nobody knows for certain what this tool list grants").
	Then("Correct the tool list by hand first.")

// Set turns one atom on or off and returns the new access; what acc holds is
// not changed. It adds and removes only tokens of that atom, so no other
// atom's level and no server changes; where that cannot be done it refuses.
// Where taking the last token would leave an empty list, which some tools read
// as "all", the token stays and is denied, if the file can deny.
func Set(acc Access, a Atom, on bool) (Access, error) {
	k, ok := kindOf(acc.Dialect)
	switch {
	case !ok || !k.facts.Edits:
		return acc, editInstead(k.facts.Bound)
	case Resolve(acc).Level(a) == wanted(on):
		return acc, nil
	}
	edit := k.plain
	if k.facts.Denies {
		edit = k.denying
	}
	next, err := edit(acc.Clone(), a, on)
	if err != nil {
		return acc, err
	}
	return next, nil
}

// editInstead names the key that bounds the agent where no list does.
func editInstead(bound string) error {
	if bound == "" {
		return ErrDialect
	}
	return fmt.Errorf("%w: edit %s instead", ErrDialect, bound)
}

func wanted(on bool) Level {
	if on {
		return On
	}
	return Off
}

// denying is Set for files that can deny tools.
func (k kind) denying(acc Access, a Atom, on bool) (Access, error) {
	var err error
	if on {
		acc.Tools, acc.Denied, err = k.allow(acc.Tools, acc.Denied, a)
	} else {
		acc.Tools, acc.Denied = k.deny(acc.Tools, acc.Denied, a)
	}
	return acc, err
}

func (k kind) allow(tools List, denied []string, a Atom) (List, []string, error) {
	if slices.Contains(denied, Wildcard) {
		return tools, denied, fmt.Errorf("%w: %s stays off", ErrDeniedByWildcard, a)
	}
	primary := k.words.names(a, true)
	keep := slices.DeleteFunc(denied, func(t string) bool {
		name, _ := base(t)
		return slices.Contains(primary, name)
	})
	if k.all(tools) {
		return tools, keep, nil
	}
	return Of(appendMissing(tools.Tokens, primary)...), keep, nil
}

func (k kind) deny(tools List, denied []string, a Atom) (List, []string) {
	names := k.words.names(a, false)
	if k.all(tools) {
		return tools, appendMissing(denied, names)
	}
	var rest, had []string
	for _, t := range tools.Tokens {
		hit, _ := k.words.touching(t, a)
		if len(hit) == 0 {
			rest = append(rest, t)
		}
		had = appendMissing(had, hit)
	}
	if len(rest) > 0 || k.facts.Empty == Nothing {
		return Of(rest...), denied
	}
	return tools, appendMissing(denied, had)
}

// all reports whether a list grants everything.
func (k kind) all(l List) bool {
	return l.Stated == Omitted && k.facts.Omitted == All || l.Wildcard()
}

// plain is Set for files that only list tools. A list left out becomes the
// role's list, where the dialect has roles.
func (k kind) plain(acc Access, a Atom, on bool) (Access, error) {
	r, d := k.reading(acc)
	switch {
	case d.why != "" && acc.Tools.Stated == Listed, len(acc.Denied) > 0:
		return acc, ErrNotCertain
	case r.give.all: // then a is on, and is to go off
		return acc, ErrNoDenials
	case on:
		acc.Tools = Of(appendMissing(r.tokens, k.words.names(a, true))...)
		return acc, nil
	}
	rest, err := k.take(r.tokens, a)
	if err != nil {
		return acc, err
	}
	if len(rest) == 0 && k.facts.Empty != Nothing {
		return acc, ErrLastTool
	}
	acc.Tools = Of(rest...)
	return acc, nil
}

// take is tokens without those of an atom. A token for several atoms is
// replaced by its other names.
func (k kind) take(tokens []string, a Atom) ([]string, error) {
	var out []string
	for _, t := range tokens {
		hit, rest := k.words.touching(t, a)
		switch {
		case len(hit) == 0:
			out = appendMissing(out, []string{t})
		case k.words.read(t).server != "":
			return nil, fmt.Errorf("%w: %s", ErrAlsoServer, t)
		default:
			out = appendMissing(out, rest)
		}
	}
	return out, nil
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
