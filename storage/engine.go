package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"callboard/crypto"
)

// engine is one opening of the store. Lock order: write, then mu.
type engine struct {
	opts   Options
	sealer *crypto.Sealer
	damage *damageBook
	health *health
	pdb    *pebble.DB
	held   io.Closer
	write  chan struct{}  // held by the one Update that runs
	news   sync.WaitGroup // commits on their way to the disk
	ended  chan struct{}  // closed once everything is shut

	mu       sync.Mutex
	cur      *view
	noCanary bool // the next save writes it again
	users    int
	closing  bool
	idle     chan struct{} // closed when closing and the last user left
	shutErr  error
}

// view is the last acknowledged state: a snapshot and the index that belongs
// to it. Readers share it; the engine holds one reference. refs is guarded by
// the engine's mu.
type view struct {
	snap *pebble.Snapshot
	idx  *index
	refs int
}

type engineRef struct {
	mu  sync.Mutex
	eng *engine
}

func (r *engineRef) get() *engine {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.eng
}

func (r *engineRef) set(e *engine) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.eng = e
}

func openEngine(ctx context.Context, opts Options, sealer *crypto.Sealer, damage *damageBook) (_ *engine, err error) {
	e := &engine{
		opts: opts, sealer: sealer, damage: damage, health: newHealth(opts.Log),
		write: make(chan struct{}, 1), ended: make(chan struct{}), idle: make(chan struct{}),
	}
	if err := opts.roomToOpen(); err != nil && !opts.ReadOnly {
		return nil, err
	}
	if e.held, err = Hold(opts.LockFile); err != nil {
		return nil, err
	}
	var running atomic.Bool
	e.opts.FS = patientFS{FS: opts.FS, dir: opts.Dir, health: e.health, running: &running}
	if e.pdb, err = openPebble(e.opts, e.health); err != nil {
		return nil, errors.Join(err, e.held.Close())
	}
	running.Store(true)
	idx, err := e.load(ctx)
	if err != nil {
		return nil, errors.Join(err, e.close())
	}
	e.cur = &view{snap: e.pdb.NewSnapshot(), idx: idx, refs: 1}
	return e, nil
}

// openPebble makes or opens the files. Which of the two is decided by looking
// first, so that a store is never made where one was expected to be read.
func openPebble(opts Options, h *health) (*pebble.DB, error) {
	if !opts.ReadOnly {
		if err := opts.FS.MkdirAll(opts.Dir, dirMode); err != nil {
			return nil, fmt.Errorf("storage: make the store's folder: %w", err)
		}
	}
	seen, err := pebble.Peek(opts.Dir, opts.FS)
	if err != nil {
		return nil, openError(err)
	}
	o := &pebble.Options{
		FS:                 opts.FS,
		FormatMajorVersion: pebble.FormatValueSeparation,
		Logger:             h,
		EventListener:      h.listener(),
		ReadOnly:           opts.ReadOnly,
		ErrorIfExists:      !seen.Exists && !opts.ReadOnly,
		ErrorIfNotExists:   seen.Exists || opts.MustExist || opts.ReadOnly,
	}
	o.ApplyCompressionSettings(func() pebble.DBCompressionSettings { return pebble.DBCompressionNone })
	pdb, err := pebble.Open(opts.Dir, o)
	if err != nil {
		return nil, openError(err)
	}
	return pdb, nil
}

func openError(err error) error {
	switch {
	case isHeld(err):
		return ErrHeld
	case vfs.IsNoSpaceError(err):
		return ErrDiskFull
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("storage: open: %w", err)
	}
	return ErrDamaged // a file is cut, gone or not what it was; its inner name helps nobody
}

// enter registers a user; leave must follow.
func (e *engine) enter() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closing {
		return ErrLocked
	}
	e.users++
	return nil
}

func (e *engine) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.users--; e.users == 0 && e.closing {
		close(e.idle)
	}
}

// current hands out the last acknowledged state; drop must follow.
func (e *engine) current() *view {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.cur.refs++
	return e.cur
}

func (e *engine) drop(v *view) error {
	e.mu.Lock()
	v.refs--
	last := v.refs == 0
	e.mu.Unlock()
	if !last {
		return nil
	}
	return v.snap.Close()
}

// publish makes the state after a commit the current one.
func (e *engine) publish(idx *index) error {
	v := &view{snap: e.pdb.NewSnapshot(), idx: idx, refs: 1}
	e.mu.Lock()
	old := e.cur
	e.cur = v
	e.mu.Unlock()
	return e.drop(old)
}

// commit writes the batch, which it takes over, and waits for the disk at most
// CommitTimeout. Any failure leaves the outcome unknown: Pebble may have
// written the batch before it failed.
func (e *engine) commit(b *pebble.Batch) error {
	done := make(chan error, 1)
	e.news.Go(func() { done <- e.apply(b) })
	t := time.NewTimer(e.opts.CommitTimeout)
	defer t.Stop()
	select {
	case err := <-done:
		if err != nil {
			e.health.fail("commit failed")
			return fmt.Errorf("%w: %w", ErrCommitUnknown, err)
		}
		return nil
	case <-e.health.gaveUp:
		return ErrCommitUnknown
	case <-t.C:
		e.health.fail("commit timed out")
		return ErrCommitUnknown
	}
}

func (e *engine) apply(b *pebble.Batch) (err error) {
	defer func() {
		if p := recover(); p != nil { // Pebble panics when its log cannot be written
			err = fmt.Errorf("storage: pebble panicked: %v", p)
		}
	}()
	if err := b.Commit(pebble.Sync); err != nil {
		return err
	}
	if e.health.failed() { // Pebble reports a failed commit to Fatalf and returns nil
		return errors.New("storage: pebble gave up")
	}
	return b.Close()
}

// close refuses new users, waits for those inside, and shuts the files. The
// disk has CommitTimeout for that.
func (e *engine) close() error {
	e.mu.Lock()
	first := !e.closing
	e.closing = true
	if first && e.users == 0 {
		close(e.idle)
	}
	e.mu.Unlock()
	<-e.idle
	if first {
		go e.shut() // ends with close(ended); a hung disk must not hang the caller
	}
	t := time.NewTimer(e.opts.CommitTimeout)
	defer t.Stop()
	select {
	case <-e.ended:
		return e.shutErr
	case <-t.C:
		return ErrCommitUnknown
	}
}

func (e *engine) shut() {
	defer close(e.ended)
	e.news.Wait()
	defer func() {
		if p := recover(); p != nil { // after a failed commit Pebble's own state may be in pieces
			e.shutErr = errors.Join(fmt.Errorf("storage: close: %v", p), e.held.Close())
		}
	}()
	var err error
	if e.cur != nil { // nil when the opening failed
		err = e.drop(e.cur)
	}
	if perr := e.pdb.Close(); perr != nil && !e.health.failed() {
		err = errors.Join(err, fmt.Errorf("storage: close: %w", perr))
	}
	e.shutErr = errors.Join(err, e.held.Close())
}

func (e *engine) closed() bool {
	select {
	case <-e.ended:
		return true
	default:
		return false
	}
}
