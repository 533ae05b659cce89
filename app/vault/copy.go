package vault

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"callboard/app/home"
)

// Progress is how far a backup or restore is, in bytes.
type Progress struct{ Done, Total int64 }

// copier copies files from one folder into another, inside both: links are
// neither followed nor copied.
type copier struct {
	from, to *os.Root
	tell     func(Progress)
	state    Progress
}

func newCopier(from, to string, tell func(Progress)) (_ *copier, err error) {
	c := &copier{tell: tell}
	if c.tell == nil {
		c.tell = func(Progress) {}
	}
	if c.from, err = os.OpenRoot(from); err != nil {
		return nil, home.Refusal(err)
	}
	if c.to, err = os.OpenRoot(to); err != nil {
		return nil, errors.Join(home.Refusal(err), c.from.Close())
	}
	return c, nil
}

func (c *copier) close() error { return errors.Join(c.from.Close(), c.to.Close()) }

// file copies one file, synced, mode 0600, and returns its SHA-256.
func (c *copier) file(ctx context.Context, name string) (string, error) {
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	name = filepath.FromSlash(name)
	if fi, err := c.from.Lstat(name); err != nil {
		return "", err
	} else if !fi.Mode().IsRegular() {
		return "", fs.ErrInvalid
	}
	in, err := c.from.Open(name)
	if err != nil {
		return "", err
	}
	defer in.Close() //nolint:errcheck // read only
	if err := c.to.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return "", home.Refusal(err)
	}
	out, err := c.to.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", home.Refusal(err)
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, sum), in)
	if err := errors.Join(err, out.Sync(), out.Close()); err != nil {
		return "", home.Refusal(err)
	}
	c.state.Done += n
	c.tell(c.state)
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// expect adds a file to what is to be copied.
func (c *copier) expect(name string) {
	if fi, err := c.from.Lstat(filepath.FromSlash(name)); err == nil {
		c.state.Total += fi.Size()
	}
}

// size is how many bytes the files below dir have.
func (c *copier) size(dir string) (n int64, err error) {
	names, err := regular(c.from, dir)
	for _, name := range names {
		if fi, err := c.from.Lstat(filepath.FromSlash(name)); err == nil {
			n += fi.Size()
		}
	}
	return n, err
}

// regular are the regular files of dir, by path with slashes below root; a
// folder that is not there has none.
func regular(root *os.Root, dir string) ([]string, error) {
	var out []string
	err := fs.WalkDir(root.FS(), dir, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && d.Type().IsRegular() {
			out = append(out, path.Clean(name))
		}
		return err
	})
	return out, err
}

// sumIn is the SHA-256 of a file as the disk gives it back.
func sumIn(root *os.Root, name string) (string, error) {
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), errors.Join(err, f.Close())
}

// syncTree makes the names in dir and in every folder below it durable.
func syncTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return home.SyncDir(path)
		}
		return err
	})
}
