// Package instance keeps one program at a home. It promises that of several
// starts one has the claim until it ends, however it ends, and that the others
// can ask it to show itself or to stop. They talk over a socket in run/ that
// only this user may open; nothing private goes over it.
package instance

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"callboard/app/fault"
	"callboard/app/home"
	"callboard/storage"
)

// Role is what the program at a home is.
type Role string

// The roles.
const (
	Window   Role = "window"
	Headless Role = "headless"
)

// The rules of this package.
var (
	ErrTaken = fault.New(fault.Conflict, "instance_taken", "Callboard already runs on this home").
			Then("Use that one, or end it first.")
	ErrSilent = fault.New(fault.Unavailable, "instance_silent", "the Callboard that runs on this home does not answer").
			Then("End it, then try again.")
	ErrStays = fault.New(fault.Unavailable, "instance_stays", "the other Callboard has not stopped in time").
			Then("End it, then try again.")
)

const (
	answerTime = 5 * time.Second  // for one question
	stopTime   = 20 * time.Second // for the other to end: it may take ten to lock
	maxLine    = 200
	look       = 50 * time.Millisecond
)

// Holder is the program that has the claim.
type Holder struct {
	Role Role
	PID  int
}

// Config says at which home, as what, and what the others may ask for. Raise
// and Stop are called on goroutines of the claim, one at a time; Stop has the
// program end, and returns at once.
type Config struct {
	Home  home.Home
	Role  Role
	Log   *slog.Logger
	Raise func()
	Stop  func()
}

// Claim is the right to be the program at a home, until Close.
type Claim struct {
	cfg    Config
	held   io.Closer
	listen net.Listener // nil where a socket cannot be made
	path   string
	work   sync.WaitGroup
	asked  sync.Mutex
}

func lockFile(h home.Home) string { return filepath.Join(filepath.Dir(h.StoreLock()), "instance.lock") }
func socket(h home.Home) string   { return filepath.Join(h.Run(), "callboard.sock") }

// Take takes the claim, or refuses with ErrTaken. The home's folder must be
// there. Where the system makes no socket, as for a path of more than a hundred
// bytes, the claim holds all the same; only asking does not work.
func Take(cfg Config) (*Claim, error) {
	held, err := storage.Hold(lockFile(cfg.Home))
	if fault.RuleOf(err) == storage.ErrHeld.Rule() {
		return nil, ErrTaken
	}
	if err != nil {
		return nil, home.Refusal(err)
	}
	c := &Claim{cfg: cfg, held: held, path: socket(cfg.Home)}
	if err := c.open(); err != nil {
		cfg.Log.Warn("a second start cannot reach this one", slog.Any("err", err))
		return c, nil
	}
	c.work.Add(1)
	go func() {
		defer c.work.Done()
		c.serve()
	}()
	return c, nil
}

// open makes the socket; one that is left over from a program that was killed
// is removed, which is safe under the lock.
func (c *Claim) open() error {
	if err := os.MkdirAll(filepath.Dir(c.path), 0o700); err != nil {
		return err
	}
	if err := os.Remove(c.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	l, err := net.Listen("unix", c.path) //nolint:noctx // it waits for nobody
	if err != nil {
		return err
	}
	if err := os.Chmod(c.path, 0o600); err != nil {
		return errors.Join(err, l.Close())
	}
	c.listen = l
	return nil
}

func (c *Claim) serve() {
	for {
		conn, err := c.listen.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(look) // too many open files, say
			continue
		}
		c.work.Add(1)
		go func() {
			defer c.work.Done()
			c.answer(conn)
		}()
	}
}

// answer answers one question.
func (c *Claim) answer(conn net.Conn) {
	defer conn.Close()                                                  //nolint:errcheck // nothing is left to say
	patience := time.AfterFunc(answerTime, func() { _ = conn.Close() }) // twice closed is closed
	defer patience.Stop()
	line, err := bufio.NewReader(io.LimitReader(conn, maxLine)).ReadString('\n')
	if err != nil {
		return
	}
	c.asked.Lock()
	defer c.asked.Unlock()
	word := strings.TrimSpace(line)
	switch {
	case word == "raise" && c.cfg.Raise != nil:
		c.cfg.Raise()
	case word == "stop" && c.cfg.Stop != nil:
		c.cfg.Stop()
	case word == "who":
	default:
		_, _ = fmt.Fprintln(conn, "no")
		return
	}
	_, _ = fmt.Fprintln(conn, "callboard", c.cfg.Role, os.Getpid())
}

// Close gives the claim up. A nil claim has nothing to give up.
func (c *Claim) Close() error {
	if c == nil {
		return nil
	}
	var err error
	if c.listen != nil {
		err = c.listen.Close() // removes the socket
		c.work.Wait()
	}
	return errors.Join(err, c.held.Close())
}

// Who is the program at a home.
func Who(ctx context.Context, h home.Home) (Holder, error) { return ask(ctx, h, "who") }

// Raise asks the program at a home to show itself.
func Raise(ctx context.Context, h home.Home) (Holder, error) { return ask(ctx, h, "raise") }

// Stop asks the program at a home to end and waits until it has, at most 20
// seconds (ErrStays).
func Stop(ctx context.Context, h home.Home) error {
	if _, err := ask(ctx, h, "stop"); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, stopTime, ErrStays)
	defer cancel()
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	for {
		held, err := storage.Hold(lockFile(h))
		if err == nil {
			return held.Close()
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
		}
	}
}

func ask(ctx context.Context, h home.Home, word string) (Holder, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", socket(h))
	if err != nil {
		return Holder{}, fmt.Errorf("%w: %w", ErrSilent, err)
	}
	defer conn.Close()                                          //nolint:errcheck // the answer is read
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })() // twice closed is closed
	if _, err := fmt.Fprintln(conn, word); err != nil {
		return Holder{}, fmt.Errorf("%w: %w", ErrSilent, err)
	}
	var who Holder
	if _, err := fmt.Fscanf(io.LimitReader(conn, maxLine), "callboard %s %d\n", &who.Role, &who.PID); err != nil {
		return Holder{}, fmt.Errorf("%w: %w", ErrSilent, err)
	}
	return who, nil
}
