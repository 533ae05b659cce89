package ui

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	fynestorage "fyne.io/fyne/v2/storage"

	"callboard/app/settings"
)

// recordURLs notes what would be handed to the desktop.
func (s *stage) recordURLs() *[]string {
	var got []string
	s.w.svc.OpenURL = func(u *url.URL) error {
		got = append(got, u.String())
		return nil
	}
	return &got
}

func TestTheFileIsOpenedAndRevealed(t *testing.T) {
	s := newStage(t, settings.Light)
	got := s.recordURLs()
	s.enter()
	s.bring()
	s.do("Next agent")
	s.do("Open in my editor")
	s.do("Reveal in folder")
	if want := []string{"file://" + s.agents() + "/reviewer.md", "file://" + s.agents()}; !slices.Equal(*got, want) {
		t.Errorf("got %q, want %q", *got, want)
	}
	if err := os.Remove(filepath.Join(s.agents(), "reviewer.md")); err != nil {
		t.Fatal(err)
	}
	for _, action := range []string{"Open in my editor", "Reveal in folder"} {
		*got = nil
		s.do(action)
		s.wants("The file is gone.")
		if len(*got) > 0 {
			t.Errorf("%s: %q", action, *got)
		}
		s.w.toasts.Dismiss()
	}
}

func TestNoOtherFileIsOpened(t *testing.T) {
	s := newStage(t, settings.Light)
	got := s.recordURLs()
	s.enter()
	s.bring()
	s.do("Next agent")
	a := s.shownAgent().Agent
	s.put("run.desktop", "[Desktop Entry]\n")
	s.put("tool.app/reviewer.md", reviewer)
	if err := os.Symlink(s.shop("run.desktop"), s.shop("link.md")); err != nil {
		t.Fatal(err)
	}
	for _, rel := range []string{"run.desktop", "link.md", "tool.app/reviewer.md"} {
		x := a.Clone()
		x.Identity.Name, x.Source.Path = "aaa-"+filepath.Base(rel), s.shop(rel)
		s.give(x)
	}
	s.do("Previous agent")
	s.do("Previous agent")
	for range 3 {
		s.do("Previous agent")
	}
	for range 3 {
		path := s.shownAgent().Agent.Source.Path
		if filepath.Base(path) == "reviewer.md" {
			s.do("Reveal in folder")
			s.wants("The folder of this file is a program, so it is not opened.")
		} else {
			s.do("Open in my editor")
			s.wants("Only agent files are opened from here.")
		}
		s.w.toasts.Dismiss()
		s.do("Next agent")
	}
	if len(*got) > 0 {
		t.Errorf("opened %q", *got)
	}
	s.w.svc.OpenURL = func(*url.URL) error { return errors.New("no") }
	s.do("Next agent")
	s.do("Open in my editor")
	s.wants("Your desktop could not open ~/code/shop/.claude/agents/")
}

func TestFileURLs(t *testing.T) {
	for path, want := range map[string]string{"/a b/c#d?.md": "file:///a%20b/c%23d%3F.md", "C:/x.md": "file:///C:/x.md"} {
		if got := fileURL(path).String(); got != want {
			t.Errorf("%q is %q, want %q", path, got, want)
		}
	}
}

func (s *stage) drop(paths ...string) {
	s.t.Helper()
	var all []fyne.URI
	for _, p := range paths {
		all = append(all, fynestorage.NewFileURI(p))
	}
	s.w.dropped(fyne.Position{}, all)
	s.settle()
}

func TestDroppedFilesAreLookedInto(t *testing.T) {
	s := newStage(t, settings.Light)
	s.drop(s.agents()) // there is no vault yet
	s.lacks("Import agents")
	s.enter()
	s.drop(s.agents())
	s.wants("~/code/shop/.claude/agents", "5 new agents")
	s.drop(filepath.Join(s.agents(), "reviewer.md"))
	s.wants("~/code/shop/.claude/agents/reviewer.md", "1 new agent")
	s.lacks("docs-writer")
	s.drop(filepath.Join(s.agents(), "sql-tuner.md"), filepath.Join(s.agents(), "reviewer.md"))
	s.wants("Only sql-tuner.md is looked into. To take several, drop the folder they are in.", "1 new agent")
	s.do("Back to the roster")
	web, err := fynestorage.ParseURI("https://example.org/x.md")
	if err != nil {
		t.Fatal(err)
	}
	s.w.dropped(fyne.Position{}, []fyne.URI{web})
	s.settle()
	s.wants("Only files and folders of this machine can be dropped.")
	s.do("New agent…")
	s.drop(s.agents()) // a sheet waits for its answer
	s.press(fyne.KeyEscape)
	if s.w.importing() {
		t.Error("a drop went past a sheet")
	}
	s.do("Lock")
	s.drop(s.agents())
	s.wants("Callboard is locked")
	s.lacks("reviewer", "shop")
}

func TestEveryKeyDoesItsAction(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	for _, x := range []struct {
		title string
		key   fyne.KeyName
		mod   fyne.KeyModifier
	}{
		{"New agent…", fyne.KeyN, ctrl},
		{"Export…", fyne.KeyE, ctrlShift},
		{"Duplicate", fyne.KeyD, ctrl},
		{"Open in my editor", fyne.KeyO, ctrlShift},
		{"Reveal in folder", fyne.KeyJ, ctrlShift},
	} {
		n := 0
		for item, a := range s.w.items {
			shortcut, ok := item.Shortcut.(fyne.KeyboardShortcut)
			if ok && shortcut.Key() == x.key && shortcut.Mod() == x.mod {
				n++
				if a.title != x.title || item.Label != x.title || !item.Disabled && x.title != "New agent…" {
					t.Errorf("%s is %q, disabled %v", shortcut.ShortcutName(), item.Label, item.Disabled)
				}
				item.Action() // nothing is shown to act on
				s.settle()
				s.press(fyne.KeyEscape)
			}
		}
		if n != 1 {
			t.Errorf("%s has its key %d times", x.title, n)
		}
	}
	if s.count() != 0 {
		t.Error("an action acted on nothing")
	}
}
