package editor

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/profile"
	"callboard/ui/loop"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// offer is the agent in one format, not written yet: its file, what became of
// each thing, and where it would go; err says why there is none.
type offer struct {
	to    profile.Format
	made  profile.Conversion
	err   error
	path  string
	lines []widget.CodeLine
}

// Export shows the draft's agent in the other tools' formats, and writes the
// one that the person chooses.
func (e *Editor) Export() {
	d := e.draft
	if d == nil || e.busy {
		return
	}
	if problems := d.Problems(); len(problems) > 0 {
		e.point("Not exported", problems[0])
		return
	}
	a, start, userDir := d.Agent.Clone(), e.cfg.Start, e.cfg.UserDir
	e.setBusy(true)
	loop.Go(e.cfg.Loop, e.cfg.Context, func(context.Context) ([]offer, error) {
		return offers(a, start, userDir), nil
	}, func(all []offer, _ error) {
		e.setBusy(false)
		if d == e.draft {
			newExportSheet(e, a, all).open()
		}
	})
}

// offers are the agent in every format. It asks the disk.
func offers(a agent.Agent, start, userDir string) []offer {
	root := exportRoot(a.Source, start, userDir)
	var out []offer
	for _, f := range profile.Formats() {
		o := offer{to: f}
		o.made, o.err = profile.Convert(a, f)
		name := o.made.Name
		if o.err != nil {
			name = profile.FileName(f, a.Identity.Name)
		}
		o.path = filepath.Join(root, folderIn(root, userDir, f), name)
		if a.Source != nil && sameFile(o.path, a.Source.Path) {
			o.path = beside(o.path, "-copy")
		}
		o.lines = plainLines(o.made.Data)
		slices.SortStableFunc(o.made.Report, func(a, b profile.Fate) int { return cmp.Compare(weight(a), weight(b)) })
		out = append(out, o)
	}
	return out
}

// weight sorts what a person should see first to the front.
func weight(f profile.Fate) int {
	if f.Widens {
		return 0
	}
	return map[profile.Outcome]int{profile.Dropped: 1, profile.Capped: 1, profile.Mapped: 2, profile.Kept: 3}[f.Outcome]
}

func folderIn(root, userDir string, f profile.Format) string {
	if root == userDir {
		return f.UserFolder()
	}
	return f.Folder()
}

// exportRoot is the repository the agent's file is in, or what stands for one:
// the folder that holds its tool's folder. For an agent without a file of its
// own it is the one the program was started in.
func exportRoot(src *agent.Source, start, userDir string) string {
	if src != nil && !src.ReadOnly {
		if root, ok := profile.Repository(filepath.Dir(src.Path)); ok {
			return root
		}
	}
	if start == "" {
		return userDir
	}
	root, _ := profile.Repository(start)
	return cmp.Or(root, start)
}

func sameFile(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// The refusals of an export that only this sheet knows.
var (
	errOwnFile = fault.New(fault.Conflict, "own_file", "this is the file the agent came from").
			Then("Choose another name, or close this and use Write to file.")
	errHidden = fault.New(fault.Conflict, "file_exists", "a file of this name is already there, and cannot be shown").
			Then("Choose another name.")
)

// tried is what came of an export: the file, or the one that is in its way.
type tried struct {
	done  profile.Exported
	there bool
	diff  []widget.CodeLine // what overwriting it would change
}

// export writes a conversion unless a file is in its way.
func (e *Editor) export(ctx context.Context, src *agent.Source, made profile.Conversion, path string, over bool) (tried, error) {
	if src != nil && sameFile(path, src.Path) {
		return tried{}, errOwnFile
	}
	done, err := e.cfg.Files.Export(ctx, made, path, profile.WriteOptions{Overwrite: over})
	if !errors.Is(err, profile.ErrExists) {
		return tried{done: done}, err
	}
	before, err := peek(path)
	if err != nil {
		return tried{}, err
	}
	return tried{there: true, diff: DiffCode(before, made.Data)}, nil
}

// maxPeek is the longest file that is shown as a diff.
const maxPeek = 1 << 20

// peek reads a plain file that is in the way.
func peek(path string) ([]byte, error) {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return nil, errHidden
	}
	f, err := os.Open(path) //nolint:gosec // the file the person named
	if err != nil {
		return nil, errHidden
	}
	defer f.Close() //nolint:errcheck // only read from
	data, err := io.ReadAll(io.LimitReader(f, maxPeek+1))
	if err != nil || len(data) > maxPeek || bytes.IndexByte(data, 0) >= 0 {
		return nil, errHidden
	}
	return data, nil
}

// exported says that it is done; the message can undo it.
func (e *Editor) exported(path string, done profile.Exported) {
	e.cfg.Say("Written to "+words.Path(path, e.cfg.UserDir)+". The agent here stays as it is.", func() {
		loop.Go(e.cfg.Loop, e.cfg.Context, func(ctx context.Context) (struct{}, error) {
			return struct{}{}, e.cfg.Files.UndoExport(ctx, done)
		}, func(_ struct{}, err error) {
			switch {
			case err == nil:
				e.cfg.Say("The export is taken back.", nil)
			case errors.Is(err, profile.ErrChanged):
				e.cfg.Say("Not taken back: the file was changed since.", nil)
			case errors.Is(err, profile.ErrMissing):
				e.cfg.Say("Not taken back: the file is gone already.", nil)
			default:
				e.cfg.Say(fault.Sentence(err), nil)
			}
		})
	})
}
