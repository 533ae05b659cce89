package profile_test

import (
	"bytes"
	"strings"

	"pgregory.net/rapid"

	"callboard/app/agent"
	"callboard/app/profile"
)

// tightEntry checks that one token of a list over several lines changes no
// other line of it.
func tightEntry(t *rapid.T, x extent, e drawnEdit, c profile.Change) {
	t.Helper()
	limit := map[string]int{"added": 1, "one replaced": 1, "taken": 1}[e.how]
	old := string(c.Before[x.start:x.end])
	left := e.next.Access.Tools.Tokens
	if e.field == agent.Denied {
		left = e.next.Access.Denied
	}
	if limit == 0 || len(left) == 0 {
		return
	}
	if !strings.Contains(old, "\n-") && !strings.Contains(old, "\n -") {
		return // no block list
	}
	if gone, added := changedLines(c.Before, c.After); gone > limit || added > limit {
		t.Fatalf("%s %s: %d lines out, %d in\n%q\n%q", e.field, e.how, gone, added, c.Before, c.After)
	}
}

// changedLines counts lines between the equal lines at both ends.
func changedLines(before, after []byte) (gone, added int) {
	a, b := bytes.SplitAfter(before, []byte("\n")), bytes.SplitAfter(after, []byte("\n"))
	for len(a) > 0 && len(b) > 0 && bytes.Equal(a[0], b[0]) {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && bytes.Equal(a[len(a)-1], b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a), len(b)
}

// tightBody checks that an edit of one line changes no other line.
func tightBody(t *rapid.T, d drawn, e drawnEdit, c profile.Change) {
	t.Helper()
	if e.how == "all" || d.want.Identity.Instructions == "" {
		return
	}
	// An edit of the last line may also change where the file ends.
	if gone, added := changedLines(c.Before, c.After); gone > 2 || added > 3 || gone+added > 4 {
		t.Fatalf("body %s: %d lines out, %d in\n%q\n%q", e.how, gone, added, c.Before, c.After)
	}
}
