package profile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

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
// is the folder that was read, which is the chosen one or the .claude/agents in
// it. Cut says that a bound was reached and not everything is listed.
type Listing struct {
	Folder  string
	Files   []File
	Skipped []Skipped
	Cut     bool
}

// Skipped is a file or folder that is not in Files, and why. Unreadable is
// false where nothing is wrong: Markdown that is no agent, a link to a file
// that is listed.
type Skipped struct {
	Path       string
	Rule       string
	Text       string
	Unreadable bool
}

// ScanOption changes how Scan works.
type ScanOption func(*walk)

// WithProgress has Scan call f after every file with the number of files seen
// so far, in the goroutine that called Scan.
func WithProgress(f func(files int)) ScanOption { return func(w *walk) { w.progress = f } }

// Scan reads every Markdown file under path, or the one file at path. Where
// path is a repository root or a .claude folder its .claude/agents is read
// instead, unless a link leads from there out of path (ErrLinkOutside). It
// follows no link out of the folder, reads a file once however many
// links lead to it, opens no pipe or device and does not look into .git. One
// bad file never stops the others. It fails when the folder cannot be read at
// all or ctx ends.
func Scan(ctx context.Context, path string, opts ...ScanOption) (Listing, error) {
	w := walk{progress: func(int) {}, seen: map[string]bool{}}
	for _, o := range opts {
		o(&w)
	}
	info, err := os.Stat(path)
	if err != nil {
		return Listing{}, fmt.Errorf("%w: %w", ErrFolder, reason(err))
	}
	if !info.IsDir() {
		err = w.one(ctx, path)
	} else {
		err = w.chosen(ctx, path)
	}
	if err != nil {
		return Listing{}, err
	}
	slices.SortFunc(w.out.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(w.out.Skipped, func(a, b Skipped) int { return strings.Compare(a.Path, b.Path) })
	sameNames(w.out.Files)
	return w.out, nil
}

// chosen lists the folder of agents that a person means by path, which may be
// a link itself. What leads from there to another folder is not followed: an
// edit would end up in a place that nobody chose.
func (w *walk) chosen(ctx context.Context, path string) error {
	base, err := realPath(path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFolder, reason(err))
	}
	dir, err := realPath(agentsFolder(base, filepath.Base(path) == ".claude"))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFolder, reason(err))
	}
	if !within(base, dir) {
		return fmt.Errorf("%w: its folder of agents is in another place", ErrLinkOutside)
	}
	return w.folder(ctx, dir)
}

// agentsFolder is the folder of agents in dir, else dir.
func agentsFolder(dir string, claude bool) string {
	for _, sub := range []string{filepath.Join(".claude", "agents"), "agents"} {
		if sub == "agents" && !claude && filepath.Base(dir) != ".claude" {
			continue
		}
		if info, err := os.Stat(filepath.Join(dir, sub)); err == nil && info.IsDir() {
			return filepath.Join(dir, sub)
		}
	}
	return dir
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

// FoldName is name as Callboard compares names: NFC and without case.
func FoldName(name string) string {
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(name)))
}

// sameNames warns about agents whose names Callboard or Claude Code cannot
// tell apart.
func sameNames(files []File) {
	by := map[string][]int{}
	for i, f := range files {
		n := FoldName(f.Agent.Identity.Name)
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
			files[i].add(Warning, files[i].nameLine, "same_name", "Another file here has an agent of the same name: "+other+". Claude Code keeps one of them and drops the other without a word.")
			files[i].sort()
		}
	}
}
