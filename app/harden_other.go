//go:build !linux

package app

// Harden does nothing here: this platform's ways to keep memory out of dumps
// are not used yet.
func Harden() error { return nil }
