//go:build unix

package cli_test

import (
	"fmt"
	"os"
	"syscall"
)

// nobodyID is an ordinary user's id.
const nobodyID = 65534

// nobody is callboard run by an ordinary user: root drops its rights first.
func nobody() int {
	if os.Geteuid() == 0 {
		for _, drop := range []error{syscall.Setgroups(nil), syscall.Setgid(nobodyID), syscall.Setuid(nobodyID)} {
			if drop != nil {
				fmt.Fprintln(os.Stderr, drop)
				return 71
			}
		}
	}
	return callboard()
}
