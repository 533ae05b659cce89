package profile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/storage"
)

// The refusals of a write. None of them leaves a changed file behind.
var (
	ErrNoSource = fault.New(fault.Invalid, "no_source", "the agent has no file to write back to")
	ErrNotYours = fault.New(fault.Denied, "file_not_yours", "the file belongs to a plugin or to this machine's administrator").
			Then("Convert the agent into a folder of your own, or save it elsewhere.")
	ErrChanged = fault.New(fault.Conflict, "file_changed", "the file was changed on disk since it was read").
			Then("Compare the two, save elsewhere, or overwrite it.")
	ErrMissing = fault.New(fault.NotFound, "file_missing", "the file is no longer there").
			Then("Save elsewhere, or put it back.")
	ErrIsLink = fault.New(fault.Conflict, "file_is_link", "the file has become a link").
			Then("Save elsewhere, or put a plain file back.")
	ErrReadOnly = fault.New(fault.Denied, "read_only_folder", "the file or its folder is read-only").
			Then("Save elsewhere, or change the permissions.")
	ErrDiskFull = fault.New(fault.Unavailable, "disk_full", "the disk is full").
			Then("The old file is unchanged. Free some space, then try again.")
	ErrUnreadable = fault.New(fault.Denied, "file_unreadable", "the file may not be read").
			Then("Change its permissions, then try again.")
	ErrNoFolder = fault.New(fault.NotFound, "folder_missing", "the folder is not there").
			Then("Choose another folder.")
	ErrExists = fault.New(fault.Conflict, "file_exists", "a file of this name is already there").
			Then("Choose another name.")
	ErrBackup = fault.New(fault.Unavailable, "backup_failed", "what the write would displace could not be kept").
			Then("Nothing was written. Check the backups folder.")
	ErrWrite     = fault.New(fault.Unavailable, "write_failed", "the file could not be written")
	ErrNotSynced = fault.New(fault.Unavailable, "not_synced", "the file was replaced, but the system did not confirm that it is on the disk").
			Then("Check the disk, then look at the file.")
)

// Config is what a Service needs. Backups is the folder for displaced bytes; it
// is made when first needed, for this user only. Now gives the time in their
// names. DB and NewID are only needed for the folders a person added.
type Config struct {
	Backups string
	Now     func() time.Time
	DB      *storage.DB
	NewID   func(time.Time) string
}

// Service writes agent files back. Its methods may be called from any
// goroutine; two writes of one file at once are told apart by the compare
// before the replace, not by a lock.
type Service struct{ cfg Config }

// New makes a Service. It touches no disk.
func New(cfg Config) *Service { return &Service{cfg: cfg} }

// State is how the file on disk compares with what an agent was read from.
type State string

// Same is the bytes the agent was read from, Written those the plan would
// write.
const (
	Same    State = "same"
	Changed State = "changed"
	Missing State = "missing"
	Written State = "already_written"
)

// Plan is one write, not yet done. Disk is what the file holds now, nil if it
// is missing.
type Plan struct {
	Path   string
	Change Change
	Disk   []byte
	State  State

	source agent.Source
}

// WriteOptions changes what Write refuses. Overwrite writes over a file that
// was changed; what it displaces goes to the backups first, as with any write.
type WriteOptions struct{ Overwrite bool }

// Preview says what writing a to its own file would do and reads that file. It
// writes nothing.
func (s *Service) Preview(ctx context.Context, a agent.Agent) (Plan, error) {
	if err := context.Cause(ctx); err != nil {
		return Plan{}, err
	}
	if a.Source == nil || a.Source.Path == "" || specOf(Format(a.Source.Format)) == unknownSpec {
		return Plan{}, ErrNoSource
	}
	if a.Source.ReadOnly {
		return Plan{}, ErrNotYours
	}
	disk, readErr := readTarget(a.Source.Path)
	if readErr != nil && !errors.Is(readErr, ErrMissing) {
		return Plan{}, readErr
	}
	src := *a.Source
	if readErr == nil && onlyAround(src, disk) {
		src.Original = disk
	}
	c, err := Patch(src, a)
	if err != nil {
		return Plan{}, err
	}
	p := Plan{Path: src.Path, Change: c, Disk: disk, State: Missing, source: src}
	if readErr == nil {
		p.State = state(disk, c)
	}
	return p, nil
}

// onlyAround reports whether a file of several agents was changed only around
// this one: then an edit is laid over what the file holds now.
func onlyAround(src agent.Source, disk []byte) bool {
	if src.Key == "" || bytes.Equal(src.Original, disk) {
		return false
	}
	_, was, err := open(src)
	if err != nil {
		return false
	}
	now := src
	now.Original = disk
	_, is, err := open(now)
	return err == nil && kept(was, src.Original, is, disk)
}

func state(disk []byte, c Change) State {
	switch string(disk) {
	case string(c.Before):
		return Same
	case string(c.After):
		return Written
	}
	return Changed
}

// readTarget reads the file a write would replace.
func readTarget(path string) ([]byte, error) {
	root, err := openFolder(path)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // only read from
	return readIn(root, filepath.Base(path))
}

// openFolder opens the folder of path. A link anywhere on the way is refused:
// it would redirect the write.
func openFolder(path string) (*os.Root, error) {
	dir := filepath.Dir(path)
	is, err := realPath(dir)
	if err != nil {
		return nil, diskFault(err)
	}
	if is != dir {
		return nil, fmt.Errorf("%w: its folder leads elsewhere", ErrIsLink)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, diskFault(err)
	}
	return root, nil
}

// readIn reads one file of a folder that is no link.
func readIn(root *os.Root, name string) ([]byte, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, diskFault(err)
	}
	if info.Mode()&os.ModeSymlink != 0 {
		return nil, ErrIsLink
	}
	data, err := readFile(root, name)
	if errors.Is(err, fs.ErrPermission) {
		return nil, ErrUnreadable
	}
	if err != nil {
		return nil, diskFault(err)
	}
	return data, nil
}

// Write does what plan says and returns the agent's new source, whose bytes are
// what was written. It reads the file again right before the replace and
// refuses if it is not what the plan was made from; if it is already what would
// be written, nothing is done. What it displaces is in the backups before the
// file changes. The replace is atomic: after a crash at any point the file is
// the old one or the new one, whole.
func (s *Service) Write(ctx context.Context, plan Plan, o WriteOptions) (agent.Source, error) {
	if err := context.Cause(ctx); err != nil {
		return agent.Source{}, err
	}
	r := replace{service: s, format: Format(plan.source.Format), path: plan.Path, change: plan.Change, overwrite: o.Overwrite}
	if err := r.run(); err != nil {
		return agent.Source{}, err
	}
	return plan.after(plan.Path)
}

// SaveElsewhere writes what plan would write to a new file at path and returns
// the source it is there, under its real path. It never writes over a file; one
// that is there and holds just that is done.
func (s *Service) SaveElsewhere(ctx context.Context, plan Plan, path string) (agent.Source, error) {
	if err := context.Cause(ctx); err != nil {
		return agent.Source{}, err
	}
	dir, err := realPath(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return agent.Source{}, ErrNoFolder
	}
	if err != nil {
		return agent.Source{}, fmt.Errorf("%w: %w", ErrWrite, reason(err))
	}
	to := filepath.Join(dir, filepath.Base(path))
	err = create(to, plan.Change.After, 0o644)
	if errors.Is(err, ErrExists) && holds(to, plan.Change.After) {
		err = nil
	}
	if err != nil {
		return agent.Source{}, err
	}
	return plan.after(to)
}

// holds reports whether a plain file of just these bytes is at path.
func holds(path string, data []byte) bool {
	have, err := readTarget(path)
	return err == nil && bytes.Equal(have, data)
}

// after is what the agent's source is once the plan is written to path.
func (p Plan) after(path string) (agent.Source, error) {
	src := p.source
	src.Path, src.Original = path, p.Change.After
	f, err := Read(src)
	if err != nil {
		return agent.Source{}, err
	}
	return *f.Agent.Source, nil
}
