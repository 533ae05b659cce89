package ui

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"callboard/app/profile"
	"callboard/app/roster"
	"callboard/app/settings"
)

// shownAgent is the shown agent as it is stored.
func (s *stage) shownAgent() roster.Entry {
	s.t.Helper()
	e, err := s.app.Roster.Get(s.t.Context(), s.w.roster.Shown())
	if err != nil {
		s.t.Fatal(err)
	}
	return e
}

// exportTo opens the export of the shown agent for a tool.
func (s *stage) exportTo(f profile.Format) {
	s.t.Helper()
	s.do("Export…")
	s.press(fyne.KeyHome)
	for _, other := range profile.Formats() {
		if other == f {
			return
		}
		s.press(fyne.KeyRight)
	}
}

// exists reports whether a file of the shop is there.
func (s *stage) exists(rel string) bool {
	_, err := os.Lstat(s.shop(rel))
	return err == nil
}

// exportPath is where the reviewer goes in the shop.
func exportPath(f profile.Format) string {
	return filepath.Join(f.Folder(), profile.FileName(f, "reviewer"))
}

func TestAnAgentIsExportedToEveryOtherTool(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent") // reviewer
	before := s.shownAgent()
	a := before.Agent
	for _, f := range profile.Formats()[1:] {
		t.Run(string(f), func(t *testing.T) {
			s.t = t
			made, err := profile.Convert(a, f)
			if err != nil {
				t.Fatal(err)
			}
			rel := exportPath(f)
			s.exportTo(f)
			s.wants("Export reviewer", "~/code/shop/"+rel, filepath.Base(rel)+", as it will be written")
			for _, fate := range made.Report {
				s.wants(string(fate.Outcome), fate.Field)
				if fate.Text != "" {
					s.wants(fate.Text)
				}
			}
			if made.Widens() {
				s.press(fyne.KeyReturn)
				s.tap("Write")
				if s.exists(rel) {
					t.Fatal("written without the tick, although it widens")
				}
				s.tap("Write it although it may do more there")
				s.tap("Write")
			} else {
				s.lacks("may do more there")
				s.press(fyne.KeyReturn)
			}
			s.wants("Written to ~/code/shop/" + rel + ". The agent here stays as it is.")
			if got := s.inShop(rel); got != string(made.Data) {
				t.Errorf("the file is\n%s\nwant\n%s", got, made.Data)
			}
			s.do("Undo")
			s.wants("The export is taken back.")
			if s.exists(rel) {
				t.Error("the file is still there")
			}
		})
	}
	s.t = t
	if after := s.shownAgent(); after.Revision != before.Revision || s.file("reviewer.md") != reviewer {
		t.Error("the agent or its file changed")
	}
}

func TestAnExportTakesTheDraftAndSaysSo(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent")
	s.edit("Description", "Half a thought")
	s.exportTo(profile.Gemini)
	s.wants("with the edits that are not saved yet")
	s.press(fyne.KeyReturn)
	if got := s.inShop(exportPath(profile.Gemini)); !strings.Contains(got, "Half a thought") {
		t.Errorf("the file is\n%s", got)
	}
	if !s.w.edited() {
		t.Error("the draft was saved")
	}
}

func TestAnExportWithAProblemSaysWhich(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.edit("Name", "")
	s.do("Export…")
	s.wants("Not exported")
	s.lacks("What becomes of it")
}

func TestAnExportOverAFileShowsWhatItReplaces(t *testing.T) {
	rel := exportPath(profile.Gemini)
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent")
	s.put(rel, "# mine\n")
	s.exportTo(profile.Gemini)
	s.press(fyne.KeyReturn)
	s.wants("A file of this name is already there.", "what Overwrite would change", "- # mine")
	s.press(fyne.KeyReturn)
	s.FocusField("File")
	s.press(fyne.KeyReturn) // Enter must not overwrite
	if s.inShop(rel) != "# mine\n" {
		t.Fatal("Enter wrote over somebody's file")
	}
	s.tap("Overwrite")
	s.wants("Written to ")
	if !strings.Contains(s.inShop(rel), "kind: local") {
		t.Errorf("the file is\n%s", s.inShop(rel))
	}
	backups, err := os.ReadDir(s.app.Home.Backups())
	if err != nil || len(backups) != 1 {
		t.Fatalf("backups %v %v", backups, err)
	}
	if kept, _ := os.ReadFile(filepath.Join(s.app.Home.Backups(), backups[0].Name())); string(kept) != "# mine\n" {
		t.Errorf("the backup is %q", kept)
	}
	s.do("Undo")
	if s.inShop(rel) != "# mine\n" {
		t.Error("the undo did not bring the file back")
	}
}

func TestAnExportIsNotTakenBackOverAChange(t *testing.T) {
	rel := exportPath(profile.Gemini)
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent")
	s.exportTo(profile.Gemini)
	s.press(fyne.KeyReturn)
	s.put(rel, "changed\n")
	s.do("Undo")
	s.wants("Not taken back: the file was changed since.")
	if s.inShop(rel) != "changed\n" {
		t.Error("the change is lost")
	}
}

func TestAnExportNeedsAPlaceOfItsOwn(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent")
	s.exportTo(profile.ClaudeCode)
	s.wants("~/code/shop/.claude/agents/reviewer-copy.md")
	for path, why := range map[string]string{
		"reviewer.md":                            "Give the whole path.",
		"~/code/shop/.claude/agents/reviewer.md": "This is the file the agent came from.",
		"~/code/shop":                            "A file for Claude Code ends in .md. Give such a name.",
		"~/code/shop/README.md/reviewer.md":      "The folder is not there",
		"~/code/shop/taken.md":                   "This is no regular file.",
	} {
		s.put("README.md", "A shop.\n")
		s.put("taken.md/x", "")
		s.edit("File", path)
		s.press(fyne.KeyReturn)
		s.wants(why, "Export reviewer")
	}
	if s.file("reviewer.md") != reviewer {
		t.Error("the agent's file changed")
	}
	s.edit("File", "~/elsewhere/deep/reviewer.md")
	s.press(fyne.KeyReturn)
	s.wants("Written to ~/elsewhere/deep/reviewer.md.")
	s.do("Export…")
	s.press(fyne.KeyEscape)
	s.lacks("Export reviewer")
}

func TestAnExportGoesToTheRepository(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent")
	if err := os.MkdirAll(filepath.Join(s.dir, "code/.git"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.exportTo(profile.Cursor)
	s.wants("~/code/.cursor/agents/reviewer.md")
}

func TestAnAgentOfThePersonIsExportedForThePerson(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	path := filepath.Join(s.dir, ".claude/agents/mine.md")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(reviewer), 0o644); err != nil {
		t.Fatal(err)
	}
	found, err := profile.Scan(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	s.give(found.Files[0].Agent)
	for f, want := range map[profile.Format]string{
		profile.Codex: "~/.codex/agents/reviewer.toml", profile.OpenCode: "~/.config/opencode/agents/reviewer.md",
		profile.VSCode: "~/.copilot/agents/reviewer.agent.md", profile.Goose: "~/.config/goose/recipes/reviewer.yaml",
		profile.CAO: "~/.aws/cli-agent-orchestrator/agent-store/reviewer.md",
	} {
		s.exportTo(f)
		s.wants(want)
		s.press(fyne.KeyEscape)
	}
}

func TestLockingTakesTheExportAway(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent")
	s.w.roster.Export() // its answer comes after the lock
	s.w.lock()
	s.settle()
	s.lacks("Export reviewer", "You review one change")
	s.Type("correct horse")
	s.press(fyne.KeyReturn)
	s.do("Export…")
	s.w.lockNow()
	s.settle()
	s.lacks("You review one change", "What becomes of it")
}

func TestPicturesOfExport(t *testing.T) {
	for _, look := range []settings.Theme{settings.Light, settings.Dark} {
		t.Run(string(look), func(t *testing.T) {
			s := newStage(t, look)
			s.enter()
			s.bring()
			s.do("Next agent")
			s.w.toasts.Dismiss()
			s.exportTo(profile.Codex)
			s.Golden("export-" + string(look))
			s.press(fyne.KeyEscape)
			s.exportTo(profile.Gemini)
			s.Golden("export-gemini-" + string(look))
			s.press(fyne.KeyEscape)
			old := bytes.ReplaceAll([]byte(reviewer), []byte("five"), []byte("nine"))
			s.put(exportPath(profile.OpenCode), string(old))
			s.exportTo(profile.OpenCode)
			s.tap("Write it although it may do more there")
			s.tap("Write")
			s.Golden("export-there-" + string(look))
		})
	}
}
