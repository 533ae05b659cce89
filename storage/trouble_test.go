package storage_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"callboard/app/event"
	"callboard/app/fault"
	"callboard/storage"
	"callboard/storage/storagetest"
)

func TestANearlyFullDiskRefusesTheSave(t *testing.T) {
	free := uint64(1 << 30)
	db := storage.New(storage.Options{
		Dir: storagetest.Dir, FS: vfs.NewMem(),
		FreeSpace: func(string) (uint64, error) { return free, nil },
	})
	if err := db.Open(t.Context(), storagetest.Sealer(t)); err != nil {
		t.Fatal(err)
	}
	defer closeDB(t, db)
	update(t, db, func(tx *storage.Tx) error { return put(tx, "a", "x") })
	free = 12 << 20
	err := db.Update(t.Context(), func(*storage.Tx) error { t.Error("it ran"); return nil })
	if !errors.Is(err, storage.ErrDiskFull) || fault.Sentence(err) != "Not saved: the disk is nearly full: 12 MB left. Free some space, then save again." {
		t.Errorf("%v: %s", err, fault.Sentence(err))
	}
	if got := all(t, db); got["a"] != "x" {
		t.Errorf("reading stopped: %v", got)
	}
	free = 1 << 30
	update(t, db, func(tx *storage.Tx) error { return put(tx, "a", "y") })
}

// trap is a disk whose log file can be made to hang or fail.
type trap struct {
	vfs.FS
	hang atomic.Pointer[chan struct{}]
}

func (f *trap) Unwrap() vfs.FS { return f.FS }

func (f *trap) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := f.FS.Create(name, c)
	if err != nil {
		return nil, err
	}
	return &trapFile{file, f}, nil
}

type trapFile struct {
	vfs.File
	f *trap
}

func (t *trapFile) wait() {
	if c := t.f.hang.Load(); c != nil {
		<-*c
	}
}

func (t *trapFile) Sync() error                       { t.wait(); return t.File.Sync() }
func (t *trapFile) SyncData() error                   { t.wait(); return t.File.SyncData() }
func (t *trapFile) SyncTo(length int64) (bool, error) { t.wait(); return t.File.SyncTo(length) }

func TestADiskThatHangs(t *testing.T) {
	disk := &trap{FS: vfs.NewMem()}
	db := storage.New(storage.Options{Dir: storagetest.Dir, FS: disk, CommitTimeout: 100 * time.Millisecond})
	s := storagetest.Sealer(t)
	if err := db.Open(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	update(t, db, func(tx *storage.Tx) error { return put(tx, "a", "old") })
	sub := db.Feed().Subscribe()
	defer sub.Close()
	if _, err := sub.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	freed := make(chan struct{})
	disk.hang.Store(&freed)

	err := db.Update(t.Context(), func(tx *storage.Tx) error {
		return errors.Join(put(tx, "a", "new"), tx.Emit(event.Change{Kind: event.Agent, ID: "a"}))
	})
	if !errors.Is(err, storage.ErrCommitUnknown) {
		t.Errorf("save: %v, want ErrCommitUnknown", err)
	}
	if err := db.Update(t.Context(), func(*storage.Tx) error { return nil }); !errors.Is(err, storage.ErrReadOnly) {
		t.Errorf("next save: %v, want ErrReadOnly", err)
	}
	if got := all(t, db); got["a"] != "old" {
		t.Errorf("what was not confirmed is shown: %v", got)
	}
	soon, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if b, err := sub.Next(soon); err == nil {
		t.Errorf("what was not confirmed was announced: %v", b)
	}
	if err := db.Close(); !errors.Is(err, storage.ErrCommitUnknown) {
		t.Errorf("close: %v, want ErrCommitUnknown", err)
	}
	if err := db.View(t.Context(), func(*storage.Tx) error { return nil }); !errors.Is(err, storage.ErrLocked) {
		t.Errorf("view while closing: %v, want ErrLocked", err)
	}
	if err := db.Open(t.Context(), s); !errors.Is(err, storage.ErrCommitUnknown) {
		t.Errorf("open while closing: %v, want ErrCommitUnknown", err)
	}

	disk.hang.Store(nil)
	close(freed)
	eventually(t, db.Close) // the disk is back: the files get closed
	if err := db.Open(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	defer closeDB(t, db)
	if got := all(t, db); got["a"] != "new" || len(db.Damage()) != 0 {
		t.Errorf("after the disk came back: %v, damage %v", got, db.Damage())
	}
}

// A disk that is full or broken under the running store: no end of the
// process, no panic, an honest answer, and the acknowledged rows are there
// once it has room again.
func TestADiskThatFails(t *testing.T) {
	for name, c := range map[string]struct {
		when func(op errorfs.Op) bool
		err  error
		size int // of the row that meets the failure
	}{
		"log write full": {func(op errorfs.Op) bool { return isWAL(op) && op.Kind == errorfs.OpFileWrite }, syscall.ENOSPC, 1},
		"log sync fails": {func(op errorfs.Op) bool { return isWAL(op) && isSync(op) }, syscall.EIO, 1},
		// A row as large as the memtable makes Pebble begin a new log file.
		"no new log":             {func(op errorfs.Op) bool { return op.Kind == errorfs.OpCreate || op.Kind == errorfs.OpReuseForWrite }, syscall.ENOSPC, 400 << 10},
		"all writes full":        {func(op errorfs.Op) bool { return op.Kind == errorfs.OpFileWrite || op.Kind == errorfs.OpCreate }, syscall.ENOSPC, 1},
		"all writes full, large": {func(op errorfs.Op) bool { return op.Kind == errorfs.OpFileWrite || op.Kind == errorfs.OpCreate }, syscall.ENOSPC, 400 << 10},
	} {
		t.Run(name, func(t *testing.T) {
			var broken atomic.Bool
			mem := vfs.NewMem()
			inject := errorfs.InjectorFunc(func(op errorfs.Op) error {
				if broken.Load() && c.when(op) {
					return c.err
				}
				return nil
			})
			var log lockedBuffer
			db := storage.New(storage.Options{
				Dir: storagetest.Dir, FS: vfs.OnDiskFull(errorfs.Wrap(mem, inject), func() {}),
				CommitTimeout: 300 * time.Millisecond, Log: slog.New(slog.NewTextHandler(&log, nil)),
			})
			s := storagetest.Sealer(t)
			if err := db.Open(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			update(t, db, func(tx *storage.Tx) error { return put(tx, "a", "old") })
			broken.Store(true)
			err := db.Update(t.Context(), func(tx *storage.Tx) error { return put(tx, "a", strings.Repeat("secret words", c.size)) })
			if !errors.Is(err, storage.ErrCommitUnknown) {
				t.Errorf("save: %v, want ErrCommitUnknown", err)
			}
			if err := db.Update(t.Context(), func(*storage.Tx) error { return nil }); !errors.Is(err, storage.ErrReadOnly) {
				t.Errorf("next save: %v, want ErrReadOnly", err)
			}
			if got := all(t, db); got["a"] != "old" {
				t.Errorf("what was not confirmed is shown: %v", got)
			}
			start := make(chan error, 1)
			go func() { start <- db.Close() }()
			if err := <-start; err != nil && !errors.Is(err, storage.ErrCommitUnknown) {
				t.Logf("close: %v", err)
			}
			broken.Store(false)
			eventually(t, func() error { return db.Open(t.Context(), s) })
			if got := all(t, db)["a"]; got != "old" && got != strings.Repeat("secret words", c.size) {
				t.Errorf("after the disk has room: %.20q", got)
			}
			update(t, db, func(tx *storage.Tx) error { return put(tx, "a", "newest") })
			closeDB(t, db)
			if strings.Contains(log.String(), "secret") || !strings.Contains(log.String(), "read-only") {
				t.Errorf("log: %s", log.String())
			}
		})
	}
}

// A flush that fails over and over must neither flood the log nor stop saves
// that still have room in the log file.
func TestAFlushThatFails(t *testing.T) {
	var broken atomic.Bool
	inject := errorfs.InjectorFunc(func(op errorfs.Op) error {
		if broken.Load() && strings.HasSuffix(op.Path, ".sst") && op.Kind == errorfs.OpCreate {
			return syscall.ENOSPC
		}
		return nil
	})
	var log lockedBuffer
	db := storage.New(storage.Options{
		Dir: storagetest.Dir, FS: errorfs.Wrap(vfs.NewMem(), inject),
		CommitTimeout: time.Second, Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	s := storagetest.Sealer(t)
	if err := db.Open(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	broken.Store(true)
	var err error
	for i := 0; err == nil && i < 100; i++ { // 4 MiB a memtable: the third one blocks
		err = db.Update(t.Context(), func(tx *storage.Tx) error { return put(tx, "a", strings.Repeat("x", 300<<10)) })
	}
	if !errors.Is(err, storage.ErrCommitUnknown) {
		t.Errorf("save: %v, want ErrCommitUnknown", err)
	}
	if n := strings.Count(log.String(), "\n"); n > 20 {
		t.Errorf("%d lines in the log", n)
	}
	broken.Store(false)
	eventually(t, db.Close)
	if err := db.Open(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	closeDB(t, db)
}

// eventually repeats do for at most ten seconds until it works.
func eventually(t *testing.T, do func() error) {
	t.Helper()
	var err error
	for range 1000 {
		if err = do(); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal(err)
}

func isWAL(op errorfs.Op) bool { return strings.HasSuffix(op.Path, ".log") }

func isSync(op errorfs.Op) bool {
	return op.Kind == errorfs.OpFileSync || op.Kind == errorfs.OpFileSyncData || op.Kind == errorfs.OpFileSyncTo
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

var _ io.Writer = (*lockedBuffer)(nil)

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
