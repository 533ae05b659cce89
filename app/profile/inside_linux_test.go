package profile

import (
	"os"
	"testing"
)

// Step is one of the two things a write asks of the system: to exchange two
// files of a folder, or to give the first another name.
type Step func(root *os.Root, a, b string) error

// StandInForSwap has by do what the system does at the moment of a replace;
// by is given the real thing.
func StandInForSwap(t *testing.T, by func(system Step) Step) {
	was := swap
	t.Cleanup(func() { swap = was })
	swap = by(was)
}

// StandInForLink is the same for the moment a new file gets its name.
func StandInForLink(t *testing.T, by func(system Step) Step) {
	was := link
	t.Cleanup(func() { link = was })
	link = by(was)
}
