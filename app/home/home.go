// Package home is the one folder Callboard keeps on disk: where it is, what
// lies where in it, and how a small file in it is replaced so that a crash
// leaves the old bytes or the new ones. The folder is 0700 and its files 0600.
package home

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/adrg/xdg"

	"callboard/app/fault"
)

// What the disk can refuse, in words for a person.
var (
	ErrDiskFull = fault.New(fault.Unavailable, "disk_full", "not saved: the disk is full").
			Then("Free some space, then try again.")
	ErrNotAllowed = fault.New(fault.Denied, "home_not_allowed", "this user may not read or write Callboard's folder").
			Then("Give yourself the folder (chown, chmod 700) or set CALLBOARD_HOME to another one.")
	ErrNoFolder = fault.New(fault.Unavailable, "home_unusable", "Callboard's folder cannot be used").
			Then("Check the path, or set CALLBOARD_HOME to another folder.")
)

// Home is the folder at Dir, an absolute path. It is a value; methods may be
// called from any goroutine.
type Home struct{ Dir string }

// Locate finds the home: override if it is not empty, else env's
// CALLBOARD_HOME, else the platform's data folder. It touches nothing.
func Locate(override string, env func(string) string) (Home, error) {
	dir := override
	if dir == "" {
		dir = env("CALLBOARD_HOME")
	}
	if dir == "" {
		dir = filepath.Join(xdg.DataHome, "callboard")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return Home{}, fmt.Errorf("%w: %w", ErrNoFolder, err)
	}
	return Home{Dir: abs}, nil
}

// Settings is the file of plain operator settings.
func (h Home) Settings() string { return filepath.Join(h.Dir, "settings.json") }

// KeyAge is the identity under a passphrase.
func (h Home) KeyAge() string { return filepath.Join(h.Dir, "key.age") }

// KeyText is the identity without one.
func (h Home) KeyText() string { return filepath.Join(h.Dir, "key.txt") }

// KeyRing names the entry of the system keyring that holds the identity.
func (h Home) KeyRing() string { return filepath.Join(h.Dir, "key.keyring") }

// KeyChange says which change of the key is under way.
func (h Home) KeyChange() string { return filepath.Join(h.Dir, "key.change") }

// DataKey is the data key, wrapped to the identity.
func (h Home) DataKey() string { return filepath.Join(h.Dir, "dek.age") }

// Store is the database folder.
func (h Home) Store() string { return filepath.Join(h.Dir, "store") }

// StoreLock is the file whose holder may open the store.
func (h Home) StoreLock() string { return filepath.Join(h.Dir, "locks", "store.lock") }

// Backups holds every file that a write displaced.
func (h Home) Backups() string { return filepath.Join(h.Dir, "backups") }

// Ephemeral holds the files of throw-away agents.
func (h Home) Ephemeral() string { return filepath.Join(h.Dir, "ephemeral") }

// Run holds what is true only while the program runs.
func (h Home) Run() string { return filepath.Join(h.Dir, "run") }

// Restoring is the same layout for a backup on its way in, and RestoreChange
// says that it is whole and being moved.
func (h Home) Restoring() Home { return Home{Dir: filepath.Join(h.Dir, "restore")} }

// RestoreChange is the file that Restoring speaks of.
func (h Home) RestoreChange() string { return filepath.Join(h.Dir, "restore.change") }

// Staging is the same layout for a home that is being made.
func (h Home) Staging() Home { return Home{Dir: filepath.Join(h.Dir, "new")} }

// Create makes the folder, with the mode it should have, if it is not there.
func (h Home) Create() error {
	if err := os.MkdirAll(h.Dir, 0o700); err != nil {
		return Refusal(err)
	}
	return nil
}

// Exists reports whether something is at path. An answer the system refuses to
// give is an error, not a no.
func Exists(path string) (bool, error) {
	switch _, err := os.Lstat(path); {
	case err == nil:
		return true, nil
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	default:
		return false, Refusal(err)
	}
}

// WriteFile replaces the file at path by data, mode 0600: a temporary file
// beside it, fsync, rename, fsync of the folder. On an error the old file is
// as it was and no temporary file is left.
func WriteFile(path string, data []byte) (err error) {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, ".callboard-*.tmp")
	if err != nil {
		if p, ok := errors.AsType[*fs.PathError](err); ok {
			p.Path = dir // the temporary name says nothing to anybody
		}
		return Refusal(err)
	}
	defer func() {
		if err != nil {
			_ = f.Close() // a second Close only repeats the first error
			_ = os.Remove(f.Name())
			err = Refusal(err)
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return SyncDir(dir)
}

// StageFile writes data at path, mode 0600 and synced, over whatever was left
// there. A crash may leave a part of it, so path must be a name that counts for
// nothing until it is renamed.
func StageFile(path string, data []byte) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Refusal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // a file of the home
	if err != nil {
		return Refusal(err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return Refusal(errors.Join(err, os.Remove(path)))
	}
	return SyncDir(filepath.Dir(path))
}

// SyncDir makes the names in dir durable.
func SyncDir(dir string) error {
	d, err := os.Open(dir) //nolint:gosec // a folder of the home
	if err != nil {
		return Refusal(err)
	}
	err = d.Sync()
	return Refusal(errors.Join(err, d.Close()))
}

// Refusal puts the system's no into this package's words: full disk, missing
// rights, or a folder that cannot be used. Of what the system said only the
// path stays in the text, and the reason where the words do not hold it; the
// chain keeps it all.
func Refusal(err error) error {
	var known *fault.Error
	path, reason := where(err)
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return refusal{ErrDiskFull.Error(), ErrDiskFull, err}
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return refusal{join(ErrNotAllowed.Error(), path), ErrNotAllowed, err}
	default:
		return refusal{join(ErrNoFolder.Error(), path, reason), ErrNoFolder, err}
	}
}

// refusal is a rule and the system error behind it, in words for a person.
type refusal struct {
	text  string
	rule  *fault.Error
	cause error
}

func (r refusal) Error() string   { return r.text }
func (r refusal) Unwrap() []error { return []error{r.rule, r.cause} }

// where takes a system error apart: which path, and why.
func where(err error) (path, reason string) {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Path, p.Err.Error()
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		return l.New, l.Err.Error()
	}
	if err != nil {
		reason = err.Error()
	}
	return "", reason
}

func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ": ")
}
