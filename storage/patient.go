package storage

import (
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// patientFS keeps a full disk from ending the process: when Pebble begins a
// new log file and cannot make it, or cannot write the end of the old one, it
// panics without the lock it then unlocks, which no recover can catch. So
// once the store runs, a log file that cannot be made or written makes the
// store read-only, and the operation is repeated until the disk has room. The
// save that met it is answered with ErrCommitUnknown at once.
//
// A failed sync is passed on: repeating one proves nothing. Where a sync fails
// in just that moment the process still ends, as by a kill.
type patientFS struct {
	vfs.FS
	dir     string // the store's own folder; a checkpoint's log files are not meant
	health  *health
	running *atomic.Bool
}

const (
	logExt   = ".log"
	patience = 100 * time.Millisecond
)

// Unwrap is the disk below.
func (p patientFS) Unwrap() vfs.FS { return p.FS }

// Create makes a file; a log file once there is room.
func (p patientFS) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := p.FS.Create(name, c)
	for err != nil && p.waits(name) {
		f, err = p.FS.Create(name, c)
	}
	return p.file(name, f, err)
}

// ReuseForWrite reuses a log file, or makes a new one once there is room.
func (p patientFS) ReuseForWrite(from, to string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := p.FS.ReuseForWrite(from, to, c)
	for err != nil && p.waits(to) {
		if f, err = p.FS.Create(to, c); err == nil {
			_ = p.Remove(from) // it may have been renamed before the failure
		}
	}
	return p.file(to, f, err)
}

func (p patientFS) file(name string, f vfs.File, err error) (vfs.File, error) {
	if err != nil || filepath.Ext(name) != logExt {
		return f, err
	}
	return patientFile{File: f, name: name, fs: p}, nil
}

// waits makes the store read-only and sleeps, if name is a log file in the
// folder of a store that runs.
func (p patientFS) waits(name string) bool {
	if filepath.Ext(name) != logExt || filepath.Dir(name) != filepath.Clean(p.dir) || !p.running.Load() {
		return false
	}
	p.health.fail("write the log")
	time.Sleep(patience)
	return true
}

type patientFile struct {
	vfs.File
	name string
	fs   patientFS
}

// Write writes all of b, once there is room.
func (f patientFile) Write(b []byte) (int, error) {
	n, err := f.File.Write(b)
	for err != nil && f.fs.waits(f.name) {
		var more int
		more, err = f.File.Write(b[n:])
		n += more
	}
	return n, err
}
