package profile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Folder is where the tool of a format looks for its files in a repository,
// relative to its root.
func (f Format) Folder() string { return filepath.FromSlash(specOf(f).folder) }

// Exported is a conversion that was written, with what it takes to take that
// back. Path is the real path of the file.
type Exported struct {
	Path   string
	made   string // the uppermost folder that was made for it, if any
	before []byte // nil where the file is new
	after  []byte
	format Format
}

// Export writes a conversion to path and makes the folders on the way to it. A
// file that is there is only written over with o.Overwrite, and then it goes to
// the backups first; one that holds just that is done. A link at path is
// refused, one on the way to it is followed. It refuses as Write does, and
// leaves no half a file.
func (s *Service) Export(ctx context.Context, c Conversion, path string, o WriteOptions) (Exported, error) {
	if err := context.Cause(ctx); err != nil {
		return Exported{}, err
	}
	made := firstMissing(filepath.Dir(path))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // a folder of a repository, as other tools make it
		return Exported{}, folderFault(err)
	}
	dir, err := realPath(filepath.Dir(path))
	if err != nil {
		return Exported{}, folderFault(err)
	}
	e := Exported{Path: filepath.Join(dir, filepath.Base(path)), made: made, after: c.Data, format: c.Format}
	err = create(e.Path, c.Data, 0o644)
	switch {
	case err == nil:
		return e, nil
	case !errors.Is(err, ErrExists):
		return Exported{}, err
	}
	disk, err := readTarget(e.Path)
	if err != nil {
		return Exported{}, err
	}
	switch {
	case bytes.Equal(disk, c.Data):
		e.before = disk
		return e, nil
	case !o.Overwrite:
		return Exported{}, ErrExists
	}
	e.before = disk
	if err := s.over(e.Path, c.Format, disk, c.Data); err != nil {
		return Exported{}, err
	}
	return e, nil
}

// folderFault is diskFault for a folder that cannot be made.
func folderFault(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) || errors.Is(err, syscall.ENOTDIR) {
		return fmt.Errorf("%w: %w", ErrNoFolder, reason(err))
	}
	return diskFault(err)
}

// over replaces a file that holds before by one that holds after.
func (s *Service) over(path string, format Format, before, after []byte) error {
	r := replace{service: s, format: format, path: path, change: Change{Before: before, After: after}}
	return r.run()
}

// firstMissing is the uppermost folder of dir that is not there, empty if all
// are.
func firstMissing(dir string) string {
	missing := ""
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); err == nil || at == filepath.Dir(at) {
			return missing
		}
		missing = at
	}
}

// UndoExport takes an export back: a new file goes, with the folders that were
// made for it and hold nothing else; one that was written over is what it was. It refuses with ErrChanged if the file says anything else by
// now, and then does nothing.
func (s *Service) UndoExport(ctx context.Context, e Exported) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	disk, err := readTarget(e.Path)
	if err != nil {
		return err
	}
	if !bytes.Equal(disk, e.after) {
		return ErrChanged
	}
	if e.before != nil {
		return s.over(e.Path, e.format, e.after, e.before)
	}
	root, err := openFolder(e.Path)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // a folder handle holds no data
	if err := root.Remove(filepath.Base(e.Path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", ErrWrite, reason(err))
	}
	if err := syncFolder(root); err != nil {
		return err
	}
	if e.made == "" {
		return nil
	}
	for at := filepath.Dir(e.Path); within(e.made, at); at = filepath.Dir(at) {
		if os.Remove(at) != nil {
			break // it holds something else by now
		}
	}
	return nil
}
