package profile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"callboard/app/fault"
	"callboard/app/profile/document"
	"callboard/app/profile/frontmatter"
	"callboard/app/profile/jsondoc"
	"callboard/app/profile/tomldoc"
)

// walk is the part of a scan that stays in one folder.
type walk struct {
	*scan
	root  *os.Root
	base  string // real path of root
	sure  bool   // only files in a tool's own folder count
	seen  map[string]bool
	links []string
}

// one lists the single file at path. The person chose it, so a link is
// followed; the listing has the real path.
func (s *scan) one(ctx context.Context, path string) error {
	path, err := realPath(path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFolder, reason(err))
	}
	w, err := s.open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer w.root.Close() //nolint:errcheck // only read from
	if s.out.Folder == "" {
		s.out.Folder = w.base
	}
	w.file(filepath.Base(path))
	return stopped(ctx)
}

// folder lists dir, which is a path without links.
func (s *scan) folder(ctx context.Context, dir string, sure bool) error {
	w, err := s.open(dir)
	if err != nil {
		return err
	}
	defer w.root.Close() //nolint:errcheck // only read from
	w.sure = sure
	entries, err := fs.ReadDir(w.root.FS(), ".")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFolder, reason(err))
	}
	w.seen["."] = true
	w.entries(ctx, ".", entries, 0)
	for len(w.links) > 0 { // after the real files, so that those keep their place
		link := w.links[0]
		w.links = w.links[1:]
		w.link(ctx, link)
	}
	return stopped(ctx)
}

func stopped(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

func (s *scan) open(dir string) (*walk, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFolder, reason(err))
	}
	return &walk{scan: s, root: root, base: dir, seen: map[string]bool{}}, nil
}

// realPath is the absolute path of a file without links.
func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("path: %w", err)
	}
	return filepath.EvalSymlinks(abs)
}

func (w *walk) dir(ctx context.Context, rel string) {
	if w.seen[rel] {
		return
	}
	w.seen[rel] = true
	entries, err := fs.ReadDir(w.root.FS(), filepath.ToSlash(rel))
	if err != nil {
		w.skip(rel, "folder_unreadable", "The folder cannot be read: "+reason(err).Error()+".", true)
		return
	}
	w.entries(ctx, rel, entries, strings.Count(filepath.ToSlash(rel), "/")+1)
}

func (w *walk) entries(ctx context.Context, rel string, entries []fs.DirEntry, depth int) {
	for _, e := range entries {
		if ctx.Err() != nil || w.full() {
			return
		}
		path := filepath.Join(rel, e.Name())
		takes := w.takes(path)
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			w.links = append(w.links, path)
		case e.IsDir() && e.Name() != ".git" && (!w.sure || e.Name() != "node_modules"):
			if depth >= MaxDepth {
				w.out.Cut = true
				w.skip(path, "too_deep", fmt.Sprintf("Folders more than %d levels down are not read.", MaxDepth), true)
				continue
			}
			w.dir(ctx, path)
		case takes && e.Type().IsRegular():
			w.file(path)
		case takes && !e.IsDir():
			w.skip(path, ErrSpecial.Rule(), "This is no regular file. It was not opened.", true)
		}
	}
}

// takes reports whether a file of that name is read.
func (w *walk) takes(rel string) bool {
	path := filepath.Join(w.base, rel)
	if w.sure {
		_, sure := formatAt(path)
		return sure && candidate(path)
	}
	return candidate(path)
}

// full reports whether a bound is reached and notes that the listing is cut.
func (w *walk) full() bool {
	if w.files >= MaxFiles || w.bytes >= MaxScanBytes {
		w.out.Cut = true
	}
	return w.out.Cut && (w.files >= MaxFiles || w.bytes >= MaxScanBytes)
}

// link reads what a link in the folder leads to, unless that is outside or
// listed already.
func (w *walk) link(ctx context.Context, rel string) {
	if ctx.Err() != nil || w.full() {
		return
	}
	takes := w.takes(rel)
	target, err := realPath(filepath.Join(w.base, rel))
	if err != nil {
		if takes {
			w.skip(rel, "link_broken", "The link leads nowhere: "+reason(err).Error()+".", true)
		}
		return
	}
	inside, err := filepath.Rel(w.base, target)
	if err != nil || !filepath.IsLocal(inside) {
		w.skip(rel, ErrLinkOutside.Rule(), "The link leads out of the chosen folder. It is not followed.", takes)
		return
	}
	info, err := w.root.Lstat(inside)
	switch {
	case err != nil:
		w.skip(rel, "link_broken", "The link cannot be followed: "+reason(err).Error()+".", true)
	case w.seen[inside]:
		w.skip(rel, "link_twice", "The link leads to something that is listed already.", false)
	case info.IsDir():
		w.dir(ctx, inside)
	case info.Mode().IsRegular() && (takes || w.takes(inside)):
		w.file(inside)
	case takes:
		w.skip(rel, ErrSpecial.Rule(), "The link leads to no regular file. It was not opened.", true)
	}
}

// file reads one regular file of the root.
func (w *walk) file(rel string) {
	if w.seen[rel] {
		return
	}
	w.seen[rel] = true
	w.files++
	defer func() { w.progress(w.files) }()
	path := filepath.Join(w.base, rel)
	data, err := readFile(w.root, rel)
	w.bytes += int64(len(data))
	var found []File
	if err == nil {
		found, err = readAs(path, data, w.format)
	}
	if err != nil {
		w.out.Skipped = append(w.out.Skipped, Skipped{path, lineOf(err), ruleOf(err), sentence(err), true})
		return
	}
	for _, f := range found {
		if !f.IsAgent {
			w.skip(rel, "not_an_agent", "The file has no front matter, so it is not an agent.", false)
			continue
		}
		f.Origin = w.origin
		f.Agent.Source.ReadOnly = w.origin.ReadOnly || notYours(f.Path)
		w.out.Files = append(w.out.Files, f)
	}
}

func ruleOf(err error) string {
	if isFault(err) {
		return fault.RuleOf(err)
	}
	return "file_unreadable"
}

// lineOf is the line a file cannot be read from, 0 if that is not known.
func lineOf(err error) int {
	if n := max(tomldoc.Line(err), jsondoc.Line(err), frontmatter.Line(err)); n > 0 {
		return n
	}
	if errors.Is(err, frontmatter.ErrOpen) || errors.Is(err, frontmatter.ErrBlockSize) {
		return 1
	}
	return 0
}

func isFault(err error) bool {
	_, ok := errors.AsType[*fault.Error](err)
	return ok
}

func (w *walk) skip(rel, rule, text string, unreadable bool) {
	w.scan.skip(filepath.Join(w.base, rel), rule, text, unreadable)
}

func (s *scan) skip(path, rule, text string, unreadable bool) {
	s.out.Skipped = append(s.out.Skipped, Skipped{path, 0, rule, text, unreadable})
}

// readFile reads a regular file, and no more of it than an agent file may have.
// It never waits on a pipe.
func readFile(root *os.Root, rel string) (data []byte, err error) {
	f, err := root.OpenFile(rel, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrSpecial
	}
	if info.Size() > document.MaxFile {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", document.ErrTooLarge, info.Size(), document.MaxFile)
	}
	data, err = io.ReadAll(io.LimitReader(f, document.MaxFile+1))
	return slices.Clip(data), err
}

// sentence is err for a person who does not know its path yet.
func sentence(err error) string {
	if isFault(err) {
		return fault.Sentence(err)
	}
	return "The file cannot be read: " + reason(err).Error() + "."
}
