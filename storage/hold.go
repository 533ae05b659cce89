package storage

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/gofrs/flock"
)

// Hold takes the lock file for this process and writes its number into it, for
// work on the folder of a store that is not open yet. A loser changes nothing
// and is told who won (ErrHeld). The caller closes what it returns; an empty
// path holds nothing.
func Hold(path string) (io.Closer, error) {
	if path == "" {
		return io.NopCloser(nil), nil
	}
	if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
		return nil, fmt.Errorf("storage: make the lock folder: %w", err)
	}
	l := flock.New(path, flock.SetPermissions(fileMode))
	won, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("storage: lock: %w", err)
	}
	if !won {
		return nil, heldBy(path)
	}
	if err := os.WriteFile(path, []byte(strconv.Itoa(os.Getpid())+"\n"), fileMode); err != nil {
		return nil, errors.Join(fmt.Errorf("storage: write the lock file: %w", err), l.Close())
	}
	return l, nil
}

func heldBy(path string) error {
	b, err := os.ReadFile(path) //nolint:gosec // our own lock file
	if err != nil {
		return ErrHeld
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return ErrHeld
	}
	return fmt.Errorf("%w: process %d", ErrHeld, pid)
}

// isHeld recognises Pebble's own lock: another process answers EAGAIN, this
// one only words.
func isHeld(err error) bool {
	return errors.Is(err, syscall.EAGAIN) || strings.Contains(err.Error(), "lock held by current process")
}
