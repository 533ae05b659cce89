package app

import (
	"fmt"
	"syscall"
)

const prSetDumpable = 4

// Harden makes files the process creates private and keeps its memory out of
// core dumps and debuggers of the same user. Call it first in main.
func Harden() error {
	syscall.Umask(0o077)
	if err := syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}); err != nil {
		return fmt.Errorf("app: no core dumps: %w", err)
	}
	if _, _, no := syscall.RawSyscall(syscall.SYS_PRCTL, prSetDumpable, 0, 0); no != 0 {
		return fmt.Errorf("app: not dumpable: %w", no)
	}
	return nil
}
