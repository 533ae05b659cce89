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
	"callboard/app/profile/frontmatter"
)

// walk is one scan, for one goroutine.
type walk struct {
	progress func(int)
	root     *os.Root
	base     string // real path of root
	seen     map[string]bool
	files    int
	bytes    int64
	links    []string
	out      Listing
}

// one lists the single file at path. The person chose it, so a link is
// followed; the listing has the real path.
func (w *walk) one(ctx context.Context, path string) error {
	path, err := realPath(path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFolder, reason(err))
	}
	if err := w.open(filepath.Dir(path)); err != nil {
		return err
	}
	defer w.root.Close() //nolint:errcheck // only read from
	w.file(filepath.Base(path))
	return stopped(ctx)
}

// folder lists dir, which is a path without links.
func (w *walk) folder(ctx context.Context, dir string) error {
	if err := w.open(dir); err != nil {
		return err
	}
	defer w.root.Close() //nolint:errcheck // only read from
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

func (w *walk) open(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrFolder, reason(err))
	}
	w.root, w.base = root, dir
	w.out.Folder = dir
	return nil
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
		md := strings.HasSuffix(strings.ToLower(e.Name()), ".md")
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			w.links = append(w.links, path)
		case e.IsDir() && e.Name() != ".git":
			if depth >= MaxDepth {
				w.out.Cut = true
				w.skip(path, "too_deep", fmt.Sprintf("Folders more than %d levels down are not read.", MaxDepth), true)
				continue
			}
			w.dir(ctx, path)
		case md && e.Type().IsRegular():
			w.file(path)
		case md && !e.IsDir():
			w.skip(path, ErrSpecial.Rule(), "This is no regular file. It was not opened.", true)
		}
	}
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
	md := strings.HasSuffix(strings.ToLower(rel), ".md")
	target, err := realPath(filepath.Join(w.base, rel))
	if err != nil {
		if md {
			w.skip(rel, "link_broken", "The link leads nowhere: "+reason(err).Error()+".", true)
		}
		return
	}
	inside, err := filepath.Rel(w.base, target)
	if err != nil || !filepath.IsLocal(inside) {
		w.skip(rel, ErrLinkOutside.Rule(), "The link leads out of the chosen folder. It is not followed.", md)
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
	case info.Mode().IsRegular() && (md || strings.HasSuffix(strings.ToLower(inside), ".md")):
		w.file(inside)
	case md:
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
	var f File
	if err == nil {
		f, err = Read(path, data)
	}
	switch {
	case err != nil:
		rule := "file_unreadable"
		if isFault(err) {
			rule = fault.RuleOf(err)
		}
		w.skip(rel, rule, sentence(err), true)
	case !f.IsAgent:
		w.skip(rel, "not_an_agent", "The file has no front matter, so it is not an agent.", false)
	default:
		w.out.Files = append(w.out.Files, f)
	}
}

func isFault(err error) bool {
	_, ok := errors.AsType[*fault.Error](err)
	return ok
}

func (w *walk) skip(rel, rule, text string, unreadable bool) {
	w.out.Skipped = append(w.out.Skipped, Skipped{filepath.Join(w.base, rel), rule, text, unreadable})
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
	if info.Size() > frontmatter.MaxFile {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", frontmatter.ErrTooLarge, info.Size(), frontmatter.MaxFile)
	}
	data, err = io.ReadAll(io.LimitReader(f, frontmatter.MaxFile+1))
	return slices.Clip(data), err
}

// sentence is err for a person who does not know its path yet.
func sentence(err error) string {
	if isFault(err) {
		return fault.Sentence(err)
	}
	return "The file cannot be read: " + reason(err).Error() + "."
}
