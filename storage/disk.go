package storage

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// privateFS is the real disk with modes that do not depend on the umask: 0600
// for files, 0700 for folders. Pebble asks for 0644 and 0755.
type privateFS struct{ vfs.FS }

const (
	fileMode = 0o600
	dirMode  = 0o700
)

// Unwrap is the disk below.
func (p privateFS) Unwrap() vfs.FS { return p.FS }

// Create makes a private file.
func (p privateFS) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := p.FS.Create(name, c)
	return private(name, f, err)
}

// OpenReadWrite opens or makes a private file.
func (p privateFS) OpenReadWrite(name string, c vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	f, err := p.FS.OpenReadWrite(name, c, opts...)
	return private(name, f, err)
}

// ReuseForWrite renames and opens a private file.
func (p privateFS) ReuseForWrite(from, to string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := p.FS.ReuseForWrite(from, to, c)
	return private(to, f, err)
}

// errNoLinks makes Pebble copy.
var errNoLinks = errors.New("storage: files are copied, not linked")

// Link refuses: a checkpoint is a copy, so that what later happens to the
// store's own files does not happen to it.
func (p privateFS) Link(_, _ string) error { return errNoLinks }

// Lock takes a lock file and makes it private.
func (p privateFS) Lock(name string) (io.Closer, error) {
	l, err := p.FS.Lock(name)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(name, fileMode); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// MkdirAll makes private folders and takes from an existing one what others
// may do with it. A folder that its owner closed stays closed.
func (p privateFS) MkdirAll(dir string, _ os.FileMode) error {
	if err := p.FS.MkdirAll(dir, dirMode); err != nil {
		return err
	}
	fi, err := os.Stat(dir)
	if err != nil {
		return err
	}
	mode := fi.Mode().Perm()
	if mode&^dirMode == 0 {
		return nil
	}
	return os.Chmod(dir, mode&dirMode)
}

// openRoom is the room that opening takes beside what its log files hold.
const openRoom = 2 << 20

// roomToOpen refuses to open or make a store on a disk without the room to
// write out what its log files hold: Pebble would try again for good.
func (o Options) roomToOpen() error {
	dir := o.Dir
	names, err := o.FS.List(dir)
	if err != nil { // most likely it is not there yet
		dir = o.FS.PathDir(dir)
	}
	free, err := o.FreeSpace(dir)
	if err != nil {
		return nil //nolint:nilerr // opening says what is wrong with the folder
	}
	need := uint64(openRoom)
	for _, name := range names {
		if fi, err := o.FS.Stat(o.FS.PathJoin(o.Dir, name)); err == nil && filepath.Ext(name) == logExt {
			need += uint64(max(fi.Size(), 0))
		}
	}
	if free < min(need, o.MinFree) {
		return fmt.Errorf("%w: %d MB left", ErrDiskFull, free>>20)
	}
	return nil
}

func private(name string, f vfs.File, err error) (vfs.File, error) {
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(name, fileMode); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// diskSpace asks fs itself; a disk that cannot say has room.
func diskSpace(fs vfs.FS) func(string) (uint64, error) {
	return func(dir string) (uint64, error) {
		u, err := fs.GetDiskUsage(dir)
		if errors.Is(err, vfs.ErrUnsupported) {
			return math.MaxUint64, nil
		}
		return u.AvailBytes, err
	}
}
