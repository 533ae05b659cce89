package profile

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// The rhythm of a watch: how long after a change it waits for more of them, and
// how often it looks without any, because file systems lose changes.
const (
	settle = 150 * time.Millisecond
	latest = time.Second // and how long it waits at most
	rescan = 20 * time.Second
	// maxWatched is how many folders are watched. Beyond it only the regular
	// look is left.
	maxWatched = 2_000
)

// Watch calls changed after something may have changed in one of the folders,
// until ctx ends: soon after the system says so, and every twenty seconds in
// any case. changed is called in one goroutine, never twice at once, and first
// right away. A folder that is not there, or cannot be watched, is looked at
// only every twenty seconds. It returns when ctx ends.
func Watch(ctx context.Context, folders []string, changed func()) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		poll(ctx, changed)
		return
	}
	defer w.Close() //nolint:errcheck // nothing was written
	watched := watch{w: w}
	watched.folders(folders)
	changed()
	ticks := time.NewTicker(rescan)
	defer ticks.Stop()
	quiet := time.NewTimer(time.Hour)
	defer quiet.Stop()
	limit := time.NewTimer(time.Hour)
	defer limit.Stop()
	waiting := false // something changed and was not told yet
	tell := func() {
		waiting = false
		quiet.Stop()
		limit.Stop()
		watched.folders(folders) // some of them may be new
		changed()
	}
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-w.Events:
			if !ok {
				poll(ctx, changed)
				return
			}
			if matters(e.Name) {
				if !waiting {
					limit.Reset(latest)
				}
				waiting = true
				quiet.Reset(settle)
			}
		case <-w.Errors: //nolint:errcheck // changes were lost: look at everything
			quiet.Reset(settle)
		case <-quiet.C:
			tell()
		case <-limit.C:
			tell()
		case <-ticks.C:
			tell()
		}
	}
}

// poll is a watch without the system's help.
func poll(ctx context.Context, changed func()) {
	ticks := time.NewTicker(rescan)
	defer ticks.Stop()
	for {
		changed()
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
	}
}

// matters reports whether a change of that name can be one of agents: of a file
// that may hold some, or of a folder, whose name rarely has an ending.
func matters(path string) bool {
	return extension(filepath.Base(path)) == "" || candidate(path) || strings.HasPrefix(filepath.Base(path), ".")
}

// watch is the folders that are watched.
type watch struct {
	w    *fsnotify.Watcher
	left int // how many more folders may be
}

// folders watches what a scan of each folder reads, and the folders on the way
// there. What is watched already stays; a folder that went away is watched anew
// when it comes back.
func (w *watch) folders(folders []string) {
	w.left = maxWatched
	for _, dir := range folders {
		places := placesIn(dir, filepath.Base(dir))
		if len(places) == 0 {
			w.tree(dir)
			continue
		}
		w.one(dir)
		for _, p := range places {
			for up := filepath.Dir(p); up != "."; up = filepath.Dir(up) {
				w.one(filepath.Join(dir, up))
			}
			w.tree(filepath.Join(dir, p))
		}
	}
}

func (w *watch) one(dir string) {
	if w.left > 0 && w.w.Add(dir) == nil {
		w.left--
	}
}

// tree watches dir and the folders in it. Links are not followed.
func (w *watch) tree(dir string) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return nil //nolint:nilerr // whoever looks there says what cannot be read
		case d.Name() == ".git" || d.Name() == "node_modules":
			return fs.SkipDir
		case w.left <= 0:
			return fs.SkipAll
		}
		w.one(path)
		return nil
	})
}
