package vault

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/zalando/go-keyring"

	"callboard/crypto/secret"
)

const (
	// ringService is what the entries of the system keyring are filed under.
	ringService = "callboard"
	// ringWait is how long the keyring may take: a person may have to type its
	// password first.
	ringWait = time.Minute
	// tidyWait is how long it may take to give up an entry: nobody waits for
	// that, so it is not worth a prompt.
	tidyWait = 5 * time.Second
)

// ring is the keyring of the system. A call to it may wait for a person and
// cannot be taken back, so each runs on its own and is waited for only as long
// as the context and wait allow; the next call waits until it is over, so that
// never more than one is left behind.
type ring struct {
	wait time.Duration
	busy chan struct{}
}

func newRing() *ring { return &ring{wait: ringWait, busy: make(chan struct{}, 1)} }

// get is the secret of an entry, which the caller wipes. Errors:
// ErrKeyringMissing, ErrKeyringEntry, ErrKeyringLocked, the context's cause.
func (r *ring) get(ctx context.Context, entry string) (secret.Bytes, error) {
	text, err := r.call(ctx, func() (string, error) { return keyring.Get(ringService, entry) })
	return secret.FromString(text), err
}

// set makes the entry. The caller must read it back: a keyring whose prompt
// was sent away says that all went well.
func (r *ring) set(ctx context.Context, entry string, value secret.Bytes) error {
	text := string(value.Reveal())
	_, err := r.call(ctx, func() (string, error) { return "", keyring.Set(ringService, entry, text) })
	return err
}

// remove takes the entry away, within tidyWait whether or not ctx has ended.
// One that is not there is no error.
func (r *ring) remove(ctx context.Context, entry string) error {
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), tidyWait, ErrKeyringLocked)
	defer cancel()
	_, err := r.call(ctx, func() (string, error) { return "", keyring.Delete(ringService, entry) })
	if errors.Is(err, ErrKeyringEntry) {
		return nil
	}
	return err
}

type ringAnswer struct {
	text string
	err  error
}

func (r *ring) call(ctx context.Context, do func() (string, error)) (string, error) {
	if !ringReachable() {
		return "", ErrKeyringMissing
	}
	ctx, cancel := context.WithTimeoutCause(ctx, r.wait, ErrKeyringLocked)
	defer cancel()
	select {
	case r.busy <- struct{}{}:
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	done := make(chan ringAnswer, 1)
	go func() {
		defer func() { <-r.busy }()
		text, err := do()
		done <- ringAnswer{text, err}
	}()
	select {
	case a := <-done:
		return a.text, ringFault(a.err)
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// ringReachable keeps the library from starting a message bus of its own where
// there is none: that would outlive the program.
func ringReachable() bool {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" || os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return true
	}
	run := filepath.Join("/run/user", strconv.Itoa(os.Getuid()))
	for _, name := range []string{"bus", "dbus-session"} {
		if _, err := os.Stat(filepath.Join(run, name)); err == nil {
			return true
		}
	}
	return false
}

// ringFault puts what the keyring said into our words. Its own are not passed
// on: nobody knows what they quote.
func ringFault(err error) error {
	var dial *net.OpError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, keyring.ErrNotFound):
		return ErrKeyringEntry
	case errors.Is(err, keyring.ErrUnsupportedPlatform), errors.As(err, &dial),
		strings.Contains(err.Error(), "not provided by any .service"):
		return ErrKeyringMissing
	default:
		return ErrKeyringLocked
	}
}
