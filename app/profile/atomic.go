package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
)

// replace is one atomic write over a file.
type replace struct {
	service   *Service
	format    Format
	path      string
	change    Change
	overwrite bool
	root      *os.Root
}

func (r *replace) run() (err error) {
	r.root, err = openFolder(r.path)
	if err != nil {
		return err
	}
	defer r.root.Close() //nolint:errcheck // a folder handle holds no data
	name := filepath.Base(r.path)
	disk, err := r.compare(name)
	if err != nil || bytes.Equal(disk, r.change.After) {
		return err
	}
	if err := r.keep(disk); err != nil {
		return err
	}
	sweep(r.root, r.keep)
	temp, err := r.temp(name)
	if err != nil {
		return err
	}
	again, err := r.compare(name) // it may have changed while this write was under way
	done := err == nil && bytes.Equal(again, r.change.After)
	if err == nil && !done && !bytes.Equal(again, disk) {
		err = r.keep(again)
	}
	if err != nil || done {
		return errors.Join(err, gone(r.root.Remove(temp)))
	}
	if err := r.put(temp, name, again); err != nil {
		return err
	}
	return syncFolder(r.root)
}

func (r *replace) keep(data []byte) error {
	return r.service.keep(data, r.format, extension(r.path))
}

// put gives the new file its name and looks at what that displaced. If that is
// not want, which is in the backups, another program wrote it after the last
// compare: it goes to the backups too, or back to its place if it may not be
// displaced. Where two files cannot be exchanged, there is nothing to look at.
func (r *replace) put(temp, name string, want []byte) error {
	// From here on a name of its own: what has it may be another program's.
	old := oldName(temp)
	if err := r.root.Rename(temp, old); err != nil {
		return errors.Join(diskFault(err), gone(r.root.Remove(temp)))
	}
	err := swap(r.root, old, name)
	if noSwap(err) {
		if err = r.root.Rename(old, name); err == nil {
			return nil
		}
	}
	if err != nil {
		return errors.Join(diskFault(err), gone(r.root.Remove(old)))
	}
	quiet(r.root, old)
	out, err := readIn(r.root, old)
	if err == nil && !bytes.Equal(out, want) && !bytes.Equal(out, r.change.After) {
		err = ErrChanged
		if r.overwrite {
			err = r.keep(out)
		}
	}
	if err != nil {
		return r.undo(old, name, err)
	}
	_ = r.root.Remove(old) // the write is done; a later one removes what is left of it
	return nil
}

// undo puts back what put displaced and returns why. If yet another text is in
// its place by now, that one stays.
func (r *replace) undo(old, name string, why error) error {
	now, err := readIn(r.root, name)
	if err == nil && bytes.Equal(now, r.change.After) {
		if err := swap(r.root, old, name); err != nil {
			why = errors.Join(why, diskFault(err))
		}
	}
	quiet(r.root, old)
	out, err := readIn(r.root, old)
	if err == nil && !bytes.Equal(out, r.change.After) {
		err = r.keep(out)
	}
	if err != nil { // it is the only copy there is
		return errors.Join(why, fmt.Errorf("%w: what was in its place is now %s: %w", ErrWrite, old, err))
	}
	_ = syncFolder(r.root) // if it is not on the disk yet, the file is whole all the same
	return errors.Join(why, gone(r.root.Remove(old)))
}

// compare reads the file and refuses it unless it may be replaced.
func (r *replace) compare(name string) ([]byte, error) {
	disk, err := readIn(r.root, name)
	if err != nil {
		return nil, err
	}
	if r.overwrite || bytes.Equal(disk, r.change.Before) || bytes.Equal(disk, r.change.After) {
		return disk, nil
	}
	return nil, ErrChanged
}

// temp writes the new bytes to a file beside the old one, with its mode and
// owner where the system allows it, and makes sure they are on the disk.
func (r *replace) temp(name string) (string, error) {
	info, err := r.root.Lstat(name)
	if err != nil {
		return "", diskFault(err)
	}
	if info.Mode().Perm()&0o222 == 0 {
		return "", ErrReadOnly
	}
	f, temp, err := createTemp(r.root, 0o600)
	if err != nil {
		return "", diskFault(err)
	}
	own(f, info)
	err = f.Chmod(info.Mode().Perm())
	if err = errors.Join(err, fill(f, r.change.After)); err != nil {
		return "", errors.Join(diskFault(err), gone(r.root.Remove(temp)))
	}
	return temp, nil
}

// fill writes a new file and makes sure it is on the disk.
func fill(f *os.File, data []byte) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		err = diskFault(err)
	}
	return errors.Join(err, closed(f))
}

// createTemp makes a new file of a name people recognise as ours. Its old name
// is free too.
func createTemp(root *os.Root, mode fs.FileMode) (*os.File, string, error) {
	for n := 0; ; n++ {
		name := fmt.Sprintf(".callboard-%d-%d.tmp", os.Getpid(), n)
		f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err == nil {
			if _, is := root.Lstat(oldName(name)); errors.Is(is, fs.ErrNotExist) {
				return f, name, nil
			}
			err = errors.Join(fs.ErrExist, closed(f), gone(root.Remove(name)))
		}
		if !errors.Is(err, fs.ErrExist) || n == 1000 {
			return nil, "", err
		}
	}
}

// oldName is what a temporary file is called while it may be what a write
// displaced.
func oldName(temp string) string { return strings.TrimSuffix(temp, ".tmp") + ".old.tmp" }

var tempName = regexp.MustCompile(`^\.callboard-([1-9][0-9]{0,8})-(?:0|[1-9][0-9]*)(\.old)?\.tmp$`)

// At most this many files are removed by one write, among this many names.
const (
	mostSwept = 100
	mostNames = 10_000
)

// sweep removes the temporary files of processes that ended in the middle of a
// write. One that may be what a write displaced is given to keep first, and
// stays if that fails or is nil.
func sweep(root *os.Root, keep func([]byte) error) {
	d, err := root.Open(".")
	if err != nil {
		return
	}
	names, _ := d.Readdirnames(mostNames) // what cannot be read is not removed
	_ = d.Close()
	swept := 0
	for _, name := range names {
		part := tempName.FindStringSubmatch(name)
		if part == nil || swept == mostSwept {
			continue
		}
		pid, err := strconv.Atoi(part[1])
		if err != nil || runs(pid) {
			continue
		}
		info, err := root.Lstat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		swept++
		if part[2] == "" || keepFile(root, name, keep) {
			_ = root.Remove(name) // the next write tries again
		}
	}
}

// keepFile reports whether keep has what the file holds.
func keepFile(root *os.Root, name string, keep func([]byte) error) bool {
	if keep == nil {
		return false
	}
	data, err := readIn(root, name)
	return err == nil && keep(data) == nil
}

// runs reports whether there is a process of that id, or may be.
func runs(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return !errors.Is(err, noProcess)
	}
	err = p.Signal(syscall.Signal(0))
	_ = p.Release() // it is not waited for
	return !errors.Is(err, os.ErrProcessDone)
}

// noProcess is how Windows says that an id is no process's; elsewhere finding
// one never fails.
const noProcess = syscall.Errno(87)

// create writes a new file, whole or not at all, and never over an old one.
// Where a file cannot have two names, a crash may leave a part of it.
func create(path string, data []byte, mode fs.FileMode) error {
	root, err := os.OpenRoot(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNoFolder
	}
	if err != nil {
		return diskFault(err)
	}
	defer root.Close() //nolint:errcheck // a folder handle holds no data
	name := filepath.Base(path)
	if _, err := root.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			return ErrExists
		}
		return diskFault(err)
	}
	sweep(root, nil)
	f, temp, err := createTemp(root, mode)
	if err != nil {
		return diskFault(err)
	}
	err = fill(f, data)
	if err == nil {
		err = link(root, temp, name)
	}
	if noLink(err) {
		err = createInPlace(root, name, data, mode)
	}
	if err != nil {
		return errors.Join(diskFault(err), gone(root.Remove(temp)))
	}
	_ = root.Remove(temp) // the file is there; a later write removes what is left of it
	return syncFolder(root)
}

func createInPlace(root *os.Root, name string, data []byte, mode fs.FileMode) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return diskFault(err)
	}
	if err := fill(f, data); err != nil {
		return errors.Join(err, gone(root.Remove(name)))
	}
	return nil
}

// What a write asks of the system; tests stand in for it.
var (
	swap = exchange
	link = (*os.Root).Link
)

// noSwap reports whether err may mean that files cannot be exchanged here. A
// folder that takes no change at all says the same to a rename.
func noSwap(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) || errors.Is(err, fs.ErrPermission)
}

// noLink reports whether err means that a file cannot have two names here. The
// folder took a new file just before, so a refusal is of links; the number is
// how Windows says it of some file systems.
func noLink(err error) bool {
	return !isFault(err) && (errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) ||
		errors.Is(err, syscall.EMLINK) || errors.Is(err, syscall.EXDEV) || errors.Is(err, syscall.Errno(1)))
}

func closed(f *os.File) error {
	if err := f.Close(); err != nil {
		return diskFault(err)
	}
	return nil
}

// gone is nil when what was to be removed is not there.
func gone(err error) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("%w: a temporary file stayed behind: %w", ErrWrite, reason(err))
}

// syncFolder makes sure a new name is on the disk. Some file systems cannot
// and say so with EINVAL, which is no failure.
func syncFolder(root *os.Root) error {
	d, err := root.Open(".")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNotSynced, reason(err))
	}
	err = d.Sync()
	if err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		err = fmt.Errorf("%w: %w", ErrNotSynced, reason(err))
	} else {
		err = nil
	}
	return errors.Join(err, closed(d))
}

// diskFault puts what the system said into one of the refusals of a write.
func diskFault(err error) error {
	if isFault(err) {
		return err
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		err = l.Err
	}
	rule := ErrWrite
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		rule = ErrMissing
	case errors.Is(err, fs.ErrExist):
		rule = ErrExists
	case errors.Is(err, syscall.ELOOP):
		rule = ErrIsLink
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		rule = ErrReadOnly
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		rule = ErrDiskFull
	}
	return fmt.Errorf("%w: %w", rule, reason(err))
}
