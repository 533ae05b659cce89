package profile_test

import (
	"strings"
	"time"

	"callboard/app/tool"
)

// ordinary is how long reading and editing ordinary text of 200 kB takes on a
// machine that does nothing else.
const ordinary = 50 * time.Millisecond

// tooLong reports whether work took longer than limit. What does is judged
// again by the machine as it is at that moment: it may take as many times longer
// as ordinary work takes longer.
func tooLong(took, limit time.Duration) bool {
	if took <= limit {
		return false
	}
	now := time.Duration(1 << 62)
	for range 3 {
		now = min(now, ordinaryWork())
	}
	return float64(took)/float64(limit) > float64(max(now, ordinary))/float64(ordinary)
}

func ordinaryWork() time.Duration {
	text := []byte("---\nname: a\ndescription: d\n" + strings.Repeat("<example>\nuser: \"a: b\n\n", 200_000/24) + "\n---\nBody\n")
	start := time.Now()
	f, err := readClaude(drawnPath, text)
	if err != nil {
		panic(err)
	}
	next := f.Agent.Clone()
	next.Identity.Description, next.Access.Tools = "new", tool.Of("Read")
	_, _ = patchClaude(text, drawnPath, next)
	return time.Since(start)
}
