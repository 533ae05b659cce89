package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	if err := r.service.keep(disk, r.format, extension(r.path)); err != nil {
		return err
	}
	temp, err := r.temp(name)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, gone(r.root.Remove(temp)))
		}
	}()
	again, err := r.compare(name)
	if err != nil {
		return err
	}
	if !bytes.Equal(again, disk) { // changed while this write was under way
		if !r.overwrite {
			return ErrChanged
		}
		if err := r.service.keep(again, r.format, extension(r.path)); err != nil {
			return err
		}
	}
	if err := r.root.Rename(temp, name); err != nil {
		return diskFault(err)
	}
	return syncFolder(r.root)
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
func (r *replace) temp(name string) (temp string, err error) {
	info, err := r.root.Lstat(name)
	if err != nil {
		return "", diskFault(err)
	}
	if info.Mode().Perm()&0o222 == 0 {
		return "", ErrReadOnly
	}
	f, temp, err := createTemp(r.root)
	if err != nil {
		return "", diskFault(err)
	}
	defer func() {
		err = errors.Join(err, closed(f))
		if err != nil {
			err = errors.Join(err, gone(r.root.Remove(temp)))
		}
	}()
	if _, err := f.Write(r.change.After); err != nil {
		return temp, diskFault(err)
	}
	own(f, info)
	if err := f.Chmod(info.Mode().Perm()); err != nil {
		return temp, diskFault(err)
	}
	if err := f.Sync(); err != nil {
		return temp, diskFault(err)
	}
	return temp, nil
}

// createTemp makes a new file that only its owner can read, of a name people
// recognise as ours.
func createTemp(root *os.Root) (*os.File, string, error) {
	for n := 0; ; n++ {
		name := fmt.Sprintf(".callboard-%d-%d.tmp", os.Getpid(), n)
		f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) && n < 1000 {
			continue
		}
		return f, name, err
	}
}

// create writes a new file and never over an old one.
func create(path string, data []byte, mode fs.FileMode) (err error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNoFolder
	}
	if err != nil {
		return diskFault(err)
	}
	defer root.Close() //nolint:errcheck // a folder handle holds no data
	name := filepath.Base(path)
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return diskFault(err)
	}
	defer func() {
		err = errors.Join(err, closed(f))
		if err != nil {
			err = errors.Join(err, gone(root.Remove(name)))
		}
	}()
	if _, err := f.Write(data); err != nil {
		return diskFault(err)
	}
	if err := f.Sync(); err != nil {
		return diskFault(err)
	}
	return syncFolder(root)
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
