package profile

import (
	"context"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// The rhythm of a watch: how long after a change it waits for more of them, and
// how often it looks without any, because file systems lose changes.
const (
	settle = 150 * time.Millisecond
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
	watched := watch{w: w, have: map[string]bool{}}
	for _, f := range folders {
		watched.tree(f)
	}
	changed()
	ticks := time.NewTicker(rescan)
	defer ticks.Stop()
	quiet := time.NewTimer(time.Hour)
	defer quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-w.Events:
			if !ok {
				poll(ctx, changed)
				return
			}
			if e.Has(fsnotify.Create) {
				watched.tree(e.Name)
			}
			quiet.Reset(settle)
		case _ = <-w.Errors: // lost changes: look at everything
			quiet.Reset(settle)
		case <-quiet.C:
			changed()
		case <-ticks.C:
			for _, f := range folders {
				watched.tree(f)
			}
			changed()
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

// watch is the folders that are watched.
type watch struct {
	w    *fsnotify.Watcher
	have map[string]bool
}

// tree watches dir and the folders in it. Links are not followed. What is
// watched already stays; a folder that went away is watched anew when it comes
// back.
func (w *watch) tree(dir string) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return nil //nolint:nilerr // whoever looks there says what cannot be read
		case d.Name() == ".git" || d.Name() == "node_modules":
			return fs.SkipDir
		case len(w.have) >= maxWatched:
			return fs.SkipAll
		}
		if err := w.w.Add(path); err == nil {
			w.have[path] = true
		}
		return nil
	})
}
