package ui

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"callboard/app/fault"
	"callboard/ui/loop"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// opens are the ends of the names of agent files. No other file is handed to
// the desktop, which might run it.
var opens = []string{".md", ".toml", ".json", ".jsonc", ".yaml", ".yml"}

// programs are the ends of folders that a desktop runs instead of showing.
var programs = []string{".app", ".appdir", ".bundle", ".prefpane", ".workflow"}

// The refusals of handing a file to the desktop.
var (
	errFileGone    = fault.New(fault.NotFound, "file_gone", "the file is gone")
	errNotOpened   = fault.New(fault.Denied, "not_an_agent_file", "only agent files are opened from here")
	errNotRevealed = fault.New(fault.Denied, "folder_is_program", "the folder of this file is a program, so it is not opened")
)

func (w *Window) inFile() bool { return w.atRoster() && w.roster.File() != "" }

// openFile has the desktop open the agent's file in what it has for such files.
func (w *Window) openFile() {
	w.handOver(w.roster.File(), func(path string) (string, error) {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return "", errFileGone
		}
		for _, p := range []string{path, real} {
			if !slices.Contains(opens, strings.ToLower(filepath.Ext(p))) {
				return "", errNotOpened
			}
		}
		return path, nil
	})
}

// revealFile has the desktop show the folder the agent's file is in.
func (w *Window) revealFile() {
	w.handOver(w.roster.File(), func(path string) (string, error) {
		dir := filepath.Dir(path)
		if slices.Contains(programs, strings.ToLower(filepath.Ext(dir))) {
			return "", errNotRevealed
		}
		return dir, nil
	})
}

// handOver gives what of makes of a file to the desktop, if the file is there.
func (w *Window) handOver(path string, of func(string) (string, error)) {
	loop.Go(w.loop, w.ctx, func(context.Context) (string, error) {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			return "", errFileGone
		}
		return of(path)
	}, func(path string, err error) {
		switch {
		case !w.open(): // locked meanwhile
		case err != nil:
			w.say(fault.Sentence(err), nil)
		case w.svc.OpenURL(fileURL(path)) != nil:
			w.say("Your desktop could not open "+words.Path(path, userDir())+".", nil)
		}
	})
}

// fileURL is the address of a path. One with a drive letter begins with a
// slash there.
func fileURL(path string) *url.URL {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return &url.URL{Scheme: "file", Path: path}
}

// dropped looks into a file or folder that was dropped on the roster or the
// importer. Of several it takes the first: no folder is guessed.
func (w *Window) dropped(_ fyne.Position, all []fyne.URI) {
	if _, asked := w.win.Canvas().Overlays().Top().(*widget.Sheet); asked || !w.atRoster() && !w.importing() {
		return
	}
	all = slices.DeleteFunc(slices.Clone(all), func(u fyne.URI) bool { return u == nil || u.Scheme() != "file" || u.Path() == "" })
	if len(all) == 0 {
		w.say("Only files and folders of this machine can be dropped.", nil)
		return
	}
	w.importFrom(filepath.FromSlash(all[0].Path()))
	if len(all) > 1 {
		w.say("Only "+all[0].Name()+" is looked into. To take several, drop the folder they are in.", nil)
	}
}
