package ui

import (
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"

	"callboard/app/settings"
)

func TestPictures(t *testing.T) {
	for _, look := range []settings.Theme{settings.Light, settings.Dark} {
		t.Run(string(look), func(t *testing.T) {
			s := newStage(t, look)
			name := func(screen string) string { return screen + "-" + string(look) }
			s.enter()
			s.Golden(name("empty"))
			s.do("Import agents…")
			s.tap("security-scout")
			s.Golden(name("import"))
			s.edit("Folder or file", "~/code")
			s.do("Choose a folder…")
			s.Golden(name("folder"))
			s.press(fyne.KeyEscape)
			s.edit("Folder or file", "~/code/shop")
			s.press(fyne.KeyReturn)
			s.do("Import what was found")
			s.w.toasts.Dismiss()
			s.do("Next agent")
			s.edit("Model", "sonnet")
			s.Golden(name("profile"))
			if look == settings.Light {
				s.Golden("../../.github/screenshot")
			}
			s.do("Write to file…")
			s.Golden(name("write"))
			s.press(fyne.KeyEscape)
			s.do("Tools")
			s.Golden(name("tools"))
			s.edit("Denied tools", "Bash(")
			s.Golden(name("tools-problem"))
			s.do("Profile")
			s.edit("Name", "")
			s.Golden(name("profile-problem"))
			s.do("Quit")
			s.Golden(name("unsaved"))
			s.press(fyne.KeyEscape)
			if err := os.WriteFile(filepath.Join(s.agents(), "reviewer.md"), []byte("mine\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			s.do("Discard changes")
			s.w.toasts.Dismiss()
			s.edit("Effort", "high")
			s.do("Write to file…")
			s.Golden(name("changed-on-disk"))
		})
	}
}
