package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"callboard/app/profile"
)

// trips is what a corpus came to.
type trips struct {
	files, agents, differ, edits, failed, unread int
	refused                                      map[string]int
	last                                         string
}

// roundTrip writes every agent back in memory and ends with 2 if a file could
// not be read, 1 if one came back otherwise.
func (c *checkCmd) roundTrip(r *run) error {
	sum := trips{refused: map[string]int{}}
	err := profile.RoundTrips(r.ctx, c.Paths, func(rep profile.Report) error {
		sum.add(rep)
		if c.JSON {
			return object(r.p.Stdout, rep)
		}
		switch {
		case rep.RoundTrip == nil:
			problems(r, rep)
		case len(rep.RoundTrip.Failed) > 0:
			say(r.p.Stdout, place(rep)+": "+strings.Join(rep.RoundTrip.Failed, " "))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !c.JSON {
		say(r.p.Stdout, sum.String())
	}
	return ended(sum.code())
}

func (s *trips) add(rep profile.Report) {
	if rep.Path != s.last {
		s.files++
		s.last = rep.Path
	}
	t := rep.RoundTrip
	if t == nil {
		s.unread++
		return
	}
	s.agents++
	s.edits += t.Edits
	if !rep.Identical {
		s.differ++
	}
	if len(t.Failed) > 0 {
		s.failed++
	}
	for rule, n := range t.Refused {
		s.refused[rule] += n
	}
}

func (s *trips) code() int {
	switch {
	case s.unread > 0:
		return Usage
	case s.failed > 0:
		return Failed
	}
	return OK
}

func (s *trips) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s: ", amount(s.files, "file"), count(s.agents))
	if s.differ == 0 {
		b.WriteString("all identical; ")
	} else {
		fmt.Fprintf(&b, "%d not identical; ", s.differ)
	}
	b.WriteString(amount(s.edits, "edit"))
	if s.failed == 0 {
		b.WriteString(", all one span; ")
	} else {
		fmt.Fprintf(&b, ", %s failed; ", count(s.failed))
	}
	n := 0
	var rules []string
	for _, rule := range slices.Sorted(maps.Keys(s.refused)) {
		n += s.refused[rule]
		rules = append(rules, fmt.Sprintf("%s %d", rule, s.refused[rule]))
	}
	fmt.Fprintf(&b, "%d refused", n)
	if n > 0 {
		b.WriteString(" (" + strings.Join(rules, ", ") + ")")
	}
	if s.unread > 0 {
		fmt.Fprintf(&b, "; %s not read", amount(s.unread, "file"))
	}
	return b.String() + "."
}

func amount(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
