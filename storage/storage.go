// Package storage is the only place that touches Pebble. It promises that what
// Update acknowledged is on the disk, that a failed Update left nothing, that
// every value is sealed by the vault's data key, and that a row which was
// flipped, cut, swapped, replayed, deleted or slipped in behind the program's
// back is noticed and named, while the other rows go on working.
//
// How rows are guarded: each is sealed for its table, id and revision, and a
// sealed index (see index.go) knows the revision of every row. Revisions are
// numbers of commits, so no two states of a row ever share one, not even when
// its id is deleted and made again.
//
// It refuses to be opened twice, to answer while closed (ErrLocked), to write
// on a nearly full disk, and to guess about a commit that the disk did not
// confirm: that is ErrCommitUnknown, and the store reads only until it is
// opened again. What it cannot notice is a whole store put back to an earlier
// state, every file of it.
package storage

import (
	"context"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"callboard/app/event"
	"callboard/crypto"
)

// Options says where and how a store lives. Only Dir is needed.
type Options struct {
	// Dir is the store's folder. It is created 0700 when it is missing.
	Dir string
	// MustExist refuses (ErrDamaged) to make a store where none is, also where a
	// file that names its parts is gone: a new one would sweep the old away.
	MustExist bool
	// ReadOnly reads a store that must be there and changes none of its files,
	// but for Pebble's lock file; every Update answers ErrReadOnly.
	ReadOnly bool
	// FS is the disk; nil is the real one, with private file modes.
	FS vfs.FS
	// LockFile is taken with flock before anything is written and holds the
	// process number. Empty leaves only Pebble's own lock. It is always on the
	// real disk.
	LockFile string
	// Log gets what no caller can be told. nil discards.
	Log *slog.Logger
	// FreeSpace is the room left for dir in bytes; nil asks FS.
	FreeSpace func(dir string) (uint64, error)
	// MinFree is the room below which Update refuses; 0 is 64 MiB.
	MinFree uint64
	// CommitTimeout is how long a commit may take before its fate is called
	// unknown, and how long Close waits for the disk; 0 is 10 s.
	CommitTimeout time.Duration
	// OnDamage is told of each damaged row once. It must not call the store.
	OnDamage func(Damage)
}

const (
	defaultMinFree       = 64 << 20
	defaultCommitTimeout = 10 * time.Second
)

func (o Options) withDefaults() Options {
	if o.FS == nil {
		o.FS = privateFS{vfs.Default}
		if abs, err := filepath.Abs(o.Dir); err == nil {
			o.Dir = abs
		}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.FreeSpace == nil {
		o.FreeSpace = diskSpace(o.FS)
	}
	if o.MinFree == 0 {
		o.MinFree = defaultMinFree
	}
	if o.CommitTimeout == 0 {
		o.CommitTimeout = defaultCommitTimeout
	}
	return o
}

// DB is a handle on one store. It is open exactly while the vault is unlocked;
// everything else answers ErrLocked. All methods may be called from any
// goroutine.
type DB struct {
	opts   Options
	feed   event.Feed
	damage damageBook
	life   chan struct{} // held by Open and Close, one at a time
	eng    engineRef
}

// New makes a handle that is not open.
func New(opts Options) *DB {
	opts = opts.withDefaults()
	return &DB{opts: opts, damage: damageBook{tell: opts.OnDamage}, life: make(chan struct{}, 1)}
}

// Feed is where changes are announced, from the first Open to the end of the
// program: it stays usable across Close. The store never closes it.
func (db *DB) Feed() *event.Feed { return &db.feed }

// Open creates the store in Dir or opens the one that is there, checks that
// sealer has its key, and looks for damage, which it reports in Damage and
// does not return. The sealer must stay usable until Close; the caller owns
// it. Errors: ErrHeld, ErrWrongKey, ErrDiskFull, ErrDamaged (the files
// themselves), ErrOpen when it is open, ErrCommitUnknown while the disk still
// keeps an earlier Close waiting.
func (db *DB) Open(ctx context.Context, sealer *crypto.Sealer) error {
	if err := take(ctx, db.life); err != nil {
		return err
	}
	defer release(db.life)
	if old := db.eng.get(); old != nil {
		if old.enter() == nil {
			old.leave()
			return ErrOpen
		}
		if !old.closed() {
			return ErrCommitUnknown
		}
		db.eng.set(nil)
	}
	db.damage.reset()
	eng, err := openEngine(ctx, db.opts, sealer, &db.damage)
	if err != nil {
		return err
	}
	db.eng.set(eng)
	return nil
}

// Close ends the store: new work is refused with ErrLocked, work under way is
// waited for. When the disk does not answer within CommitTimeout it returns
// ErrCommitUnknown, and Open is refused until the disk does. Closing a closed
// store does nothing.
func (db *DB) Close() error {
	db.life <- struct{}{}
	defer release(db.life)
	eng := db.eng.get()
	if eng == nil {
		return nil
	}
	err := eng.close()
	if eng.closed() {
		db.eng.set(nil)
	}
	return err
}

// take waits for the one token of c.
func take(ctx context.Context, c chan struct{}) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case c <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func release(c chan struct{}) { <-c }
