package profile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"callboard/app/agent"
	"callboard/app/fault"
)

// The bounds of one scan. Beyond them the listing is cut and says so.
const (
	MaxDepth     = 32
	MaxFiles     = 10_000
	MaxScanBytes = 256 << 20
)

// The refusals of Scan itself; what is wrong with one file is in the listing.
var (
	ErrFolder = fault.New(fault.NotFound, "folder_unreadable", "the file or folder cannot be read").
			Then("Check that it exists and that you may read it.")
	ErrLinkOutside = fault.New(fault.Denied, "link_outside", "the link leads out of the chosen folder").
			Then("Choose the folder it leads to instead.")
	ErrSpecial = fault.New(fault.Invalid, "file_special", "this is no regular file")
)

// Listing is what a scan found. Files are in the order of their paths. Folder
// is the folder that was read: the chosen one, or where one tool alone has a
// folder in it, that. Cut says that a bound was reached and not everything is listed.
type Listing struct {
	Folder  string
	Files   []File
	Skipped []Skipped
	Cut     bool
}

// Skipped is a file or folder that is not in Files, and why. Line is where, 0
// if it is about the whole of it. Unreadable is false where nothing is wrong:
// Markdown that is no agent, a link to a file that is listed.
type Skipped struct {
	Path       string
	Line       int
	Rule       string
	Text       string
	Unreadable bool
}

// ScanOption changes how Scan works.
type ScanOption func(*scan)

// WithProgress has Scan call f after every file with the number of files seen
// so far, in the goroutine that called Scan.
func WithProgress(f func(files int)) ScanOption { return func(s *scan) { s.progress = f } }

// WithTree has Scan look for the tools' own folders everywhere below a
// repository, and not only in its root.
func WithTree() ScanOption { return func(s *scan) { s.tree = true } }

// scan is one Scan, for one goroutine.
type scan struct {
	progress func(int)
	tree     bool
	origin   Origin // of what is being read
	format   Format // of its files, where the place says so
	files    int
	bytes    int64
	out      Listing
}

// Scan reads every agent file under path, or the one file at path. Where path
// is a repository in which a tool has a folder of agents, or such a tool's own
// folder, those folders are read instead, unless a link leads from there out of
// path (ErrLinkOutside, where it is the only one). It follows no link out of a
// folder, reads a file once however many links lead to it, opens no pipe or
// device and does not look into .git. One bad file never stops the others. It
// fails when the folder cannot be read at all or ctx ends.
func Scan(ctx context.Context, path string, opts ...ScanOption) (Listing, error) {
	s := scan{progress: func(int) {}}
	for _, o := range opts {
		o(&s)
	}
	info, err := os.Stat(path)
	if err != nil {
		return Listing{}, fmt.Errorf("%w: %w", ErrFolder, reason(err))
	}
	if !info.IsDir() {
		err = s.one(ctx, path)
	} else {
		err = s.chosen(ctx, path)
	}
	if err != nil {
		return Listing{}, err
	}
	s.finish()
	return s.out, nil
}

// chosen lists the folders of agents that a person means by path, which may be
// a link itself. What leads from there to another folder is not followed: an
// edit would end up in a place that nobody chose.
func (s *scan) chosen(ctx context.Context, path string) error {
	base, err := realPath(path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFolder, reason(err))
	}
	places := placesIn(base, filepath.Base(path))
	s.out.Folder = base
	s.origin = Origin{Scope: Chosen, Folder: base}
	switch {
	case len(places) == 0:
		return s.folder(ctx, base, false)
	case s.tree:
		return s.folder(ctx, base, true)
	}
	for _, p := range places {
		err = s.place(ctx, base, filepath.Join(base, p))
		if errors.Is(err, ErrLinkOutside) && len(places) > 1 {
			s.skip(filepath.Join(base, p), ErrLinkOutside.Rule(), "The link leads out of the chosen folder. It is not followed.", true)
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// place lists one tool's folder, or file, in base.
func (s *scan) place(ctx context.Context, base, path string) error {
	at, err := realPath(path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFolder, reason(err))
	}
	if !within(base, at) {
		return fmt.Errorf("%w: its folder of agents is in another place", ErrLinkOutside)
	}
	s.origin = Origin{Scope: Project, Folder: at, Root: base}
	info, err := os.Stat(at)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFolder, reason(err))
	}
	if !info.IsDir() {
		return s.one(ctx, at)
	}
	if s.out.Folder == base && len(placesIn(base, filepath.Base(base))) == 1 {
		s.out.Folder = at
	}
	return s.folder(ctx, at, false)
}

// within reports whether path is base or in it. Both are without links.
func within(base, path string) bool {
	rel, err := filepath.Rel(base, path)
	return err == nil && filepath.IsLocal(rel)
}

// reason is err without the path that the sentence names already.
func reason(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// sameNames warns about agents whose names Callboard or their own tool cannot
// tell apart.
func sameNames(files []File) {
	by := map[string][]int{}
	for i, f := range files {
		n := f.Origin.Folder + "\x00" + string(f.Format) + "\x00" + agent.Fold(f.Agent.Identity.Name)
		by[n] = append(by[n], i)
	}
	for _, group := range by {
		if len(group) < 2 {
			continue
		}
		for _, i := range group {
			other := files[group[0]].Path
			if i == group[0] {
				other = files[group[1]].Path
			}
			files[i].add(Warning, files[i].nameLine, "same_name", "Another file here has an agent of the same name: "+other+". "+sameNameTo(files[i].Format))
			files[i].sort()
		}
	}
}

// sameNameTo says what a tool makes of two agents of one name.
func sameNameTo(f Format) string {
	words := map[Format]string{
		ClaudeCode: "Claude Code keeps one of them and drops the other without a word.",
		Codex:      "Codex loads no agent at all then.",
	}
	return cmp.Or(words[f], f.Label()+" may keep only one of them.")
}
