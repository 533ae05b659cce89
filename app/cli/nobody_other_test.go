//go:build !unix

package cli_test

// nobody is callboard: there is no user to change to.
func nobody() int { return callboard() }
