package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"callboard/app/settings"
	"callboard/app/vault"
)

func TestFromNothingToOneSpanWrittenBack(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.wants("No agents yet. Import the ones your tools already have, or write a new one.", "Unlocked")
	s.do("Import agents…")
	s.wants("5 new agents · 1 cannot be imported", "tools unclear", "no agent", "broken")
	s.do("Import what was found")
	s.wants("5 agents imported. The files stay as they are.", "docs-writer")
	s.do("Find an agent")
	s.Type("reviewer")
	s.press(fyne.KeyDown, fyne.KeyHome)
	s.wants("reviewer.md, as it will be written", "unchanged")
	s.edit("Model", "sonnet")
	s.wants("1 span changed", "1 field changed, not saved", "draft")
	s.do("Save")
	s.wants("not written to its file")
	s.do("Write to file…")
	s.wants("Write reviewer.md", "1 place in the file changes.")
	s.press(fyne.KeyReturn)
	s.wants("Written to reviewer.md.")
	if got, want := s.file("reviewer.md"), strings.Replace(reviewer, "opus", "sonnet", 1); got != want {
		t.Errorf("the file is\n%s", got)
	}
	if s.file("sql-tuner.md") != shop["sql-tuner.md"] {
		t.Error("another file changed")
	}
	backups, err := os.ReadDir(s.app.Home.Backups())
	if err != nil || len(backups) != 1 {
		t.Fatalf("backups %v %v", backups, err)
	}
	if kept, err := os.ReadFile(filepath.Join(s.app.Home.Backups(), backups[0].Name())); err != nil || string(kept) != reviewer {
		t.Errorf("the backup is %q %v", kept, err)
	}
	if title := s.w.win.Title(); title != AppName {
		t.Errorf("the title is %q", title)
	}
}

func TestDiscardCanBeUndone(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.edit("Description", "something else")
	s.do("Discard changes")
	s.wants("Changes discarded", "Turns a change into user words")
	if s.w.edited() {
		t.Error("still edited")
	}
	s.do("Undo")
	s.wants("something else")
	if !s.w.edited() {
		t.Error("the undo brought nothing back")
	}
}

func TestEditsStayWithTheirAgentWhileAnotherIsShown(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.edit("Description", "half a thought")
	s.do("Next agent")
	if s.w.edited() || s.Shows("half a thought") {
		t.Error("the edit moved to the next agent")
	}
	s.do("Previous agent")
	s.wants("half a thought", "1 field changed, not saved")
}

func TestProblemsStandBesideTheirField(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.edit("Name", strings.Repeat("x", 129))
	s.wants("Too long: 129 characters, at most 128.")
	if s.w.fileBehind() {
		t.Error("a broken draft can be written")
	}
	s.do("Save") // does nothing
	if e, err := s.app.Roster.Get(t.Context(), s.w.roster.Shown()); err != nil || e.Agent.Identity.Name != "docs-writer" {
		t.Errorf("saved %q %v", e.Agent.Identity.Name, err)
	}
}

func TestToolsAreTickedOneByOne(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent") // reviewer
	s.do("Tools")
	s.wants("Run commands, also through subagents", "On: Bash.", "Agent starts subagents, which can run commands. Callboard counts it as execute_bash.")
	s.tap("Write files")
	s.do("Save")
	s.do("Write to file…")
	s.press(fyne.KeyReturn)
	if got, want := s.file("reviewer.md"), strings.Replace(reviewer, "Bash, Agent", "Bash, Agent, Edit, Write", 1); got != want {
		t.Errorf("the file is\n%s", got)
	}
	s.tap("Run commands, also through subagents")
	s.wants("Read, Grep, Glob, Edit, Write")
}

func TestATextThatCannotBeReadIsNotSaved(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent")
	s.do("Tools")
	s.edit("Denied tools", "Bash(")
	s.wants("The tool list cannot be read for certain.")
	s.do("Save") // does nothing
	if e, err := s.app.Roster.Get(t.Context(), s.w.roster.Shown()); err != nil || len(e.Agent.Access.Denied) != 0 {
		t.Errorf("saved %q %v", e.Agent.Access.Denied, err)
	}
	s.Type("rm *)")
	s.settle()
	s.do("Save")
	if e, err := s.app.Roster.Get(t.Context(), s.w.roster.Shown()); err != nil || strings.Join(e.Agent.Access.Denied, "") != "Bash(rm *)" {
		t.Errorf("saved %q %v", e.Agent.Access.Denied, err)
	}
}

func TestUnclearToolsComeDisabledAndCanBeSetRight(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Find an agent")
	s.Type("test-doctor")
	s.press(fyne.KeyDown, fyne.KeyHome)
	s.do("Tools")
	s.wants("Nothing is granted for certain", "Off while it is not known what its tools grant.")
	s.do("Enable or disable the agent")
	if s.w.edited() {
		t.Error("it could be enabled")
	}
	s.tap("Read files")
	s.do("Enable or disable the agent")
	s.wants("It may be used.")
	s.do("Save")
	e, err := s.app.Roster.Get(t.Context(), s.w.roster.Shown())
	if err != nil || !e.Agent.Enabled || strings.Join(e.Agent.Access.Tools.Tokens, " ") != "Read" {
		t.Errorf("%+v %v", e.Agent.Access, err)
	}
}

func TestAFileThatChangedIsNotWrittenOver(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent")
	s.edit("Model", "sonnet")
	other := strings.Replace(reviewer, "five", "nine", 1)
	if err := os.WriteFile(filepath.Join(s.agents(), "reviewer.md"), []byte(other), 0o644); err != nil {
		t.Fatal(err)
	}
	s.do("Write to file…")
	s.wants("The file on disk changed", "Save elsewhere as")
	s.press(fyne.KeyReturn) // Enter must not overwrite
	if s.file("reviewer.md") != other {
		t.Fatal("Enter wrote over somebody's change")
	}
	s.press(fyne.KeyEscape)
	s.do("Write to file…")
	s.edit("Save elsewhere as", filepath.Join(s.agents(), "copy.md"))
	s.press(fyne.KeyReturn)
	if s.file("reviewer.md") != other || s.file("copy.md") != strings.Replace(reviewer, "opus", "sonnet", 1) {
		t.Error("save elsewhere wrote the wrong file")
	}
	s.wants("The agent belongs to that file now.")
}

func TestOverwriteKeepsWhatItReplaces(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent")
	s.edit("Model", "sonnet")
	if err := os.WriteFile(filepath.Join(s.agents(), "reviewer.md"), []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.do("Write to file…")
	s.tap("Overwrite")
	if got := s.file("reviewer.md"); got != strings.Replace(reviewer, "opus", "sonnet", 1) {
		t.Errorf("the file is\n%s", got)
	}
	backups, err := os.ReadDir(s.app.Home.Backups())
	if err != nil || len(backups) != 1 {
		t.Fatalf("backups %v %v", backups, err)
	}
	if kept, _ := os.ReadFile(filepath.Join(s.app.Home.Backups(), backups[0].Name())); string(kept) != "mine\n" {
		t.Errorf("the backup is %q", kept)
	}
}

func TestAFileThatIsGone(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent")
	s.edit("Model", "sonnet")
	if err := os.Remove(filepath.Join(s.agents(), "reviewer.md")); err != nil {
		t.Fatal(err)
	}
	s.do("Write to file…")
	s.wants("The file is gone")
	s.tap("Save elsewhere")
	if got := s.file("reviewer.md"); got != strings.Replace(reviewer, "opus", "sonnet", 1) {
		t.Errorf("the file is\n%s", got)
	}
}

func TestLockingAsksForUnsavedEditsAndForgetsEverything(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent")
	s.edit("Description", "half a thought")
	s.do("Lock")
	s.wants("reviewer has changes that are not saved. They are kept as drafts", "Lock Callboard")
	s.press(fyne.KeyEscape)
	s.wants("half a thought")
	s.do("Lock")
	s.press(fyne.KeyReturn)
	s.wants("Callboard is locked")
	for _, private := range []string{"reviewer", "half a thought", "You review one change"} {
		if s.Shows(private) {
			t.Errorf("%q is shown while locked", private)
		}
	}
	if st := s.app.Vault.Status(t.Context()); st.State != vault.Locked {
		t.Errorf("%+v", st)
	}
	s.Type("correct horse")
	s.press(fyne.KeyReturn)
	s.wants("reviewer", "Turns a change into user words")
}

func TestASecondImportMakesNoTwins(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Import agents…")
	s.wants("0 new agents · 5 in the roster already · 1 cannot be imported")
	s.w.importer.Import() // nothing to bring in
	s.settle()
	s.do("Back to the roster")
	l, err := s.app.Roster.List(t.Context())
	if err != nil || len(l.Agents) != 5 {
		t.Errorf("%d agents %v", len(l.Agents), err)
	}
}

func TestOneFileCanBeLeftOut(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.do("Import agents…")
	s.tap("reviewer")
	s.tap("Import this one")
	s.wants("left out", "Import 4 agents")
	s.do("Import what was found")
	l, err := s.app.Roster.List(t.Context())
	if err != nil || len(l.Agents) != 4 {
		t.Errorf("%d agents %v", len(l.Agents), err)
	}
}

func TestEveryActionHasItsOwnKey(t *testing.T) {
	seen := map[string]string{}
	for _, a := range actions() {
		key := string(a.key) + " " + string(rune('0'+a.mod))
		if a.key == "" || a.mod == 0 {
			t.Errorf("%q has no key", a.title)
		}
		if other := seen[key]; other != "" {
			t.Errorf("%q and %q share a key", a.title, other)
		}
		seen[key] = a.title
	}
}

func TestLongInstructionsAreShownButNotTypedIn(t *testing.T) {
	s := newStage(t, settings.Light)
	long := "---\nname: aaa-long\ndescription: d\n---\n" + strings.Repeat("One line of many.\n", 3000)
	if err := os.WriteFile(filepath.Join(s.agents(), "long.md"), []byte(long), 0o644); err != nil {
		t.Fatal(err)
	}
	s.enter()
	s.bring()
	s.wants("aaa-long", "Read only here, because they are longer than 48 KiB.", "One line of many.")
	s.edit("Description", "something else")
	s.do("Write to file…")
	s.press(fyne.KeyReturn)
	if got, want := s.file("long.md"), strings.Replace(long, "description: d", "description: something else", 1); got != want {
		t.Error("another byte of the long file changed")
	}
	s.do("Next agent")
	if s.Shows("One line of many.") || s.Shows("Read only here") {
		t.Error("the long text is still shown")
	}
}

func TestWhatWasUnderWayIsNotShownAfterLocking(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent")
	s.edit("Model", "sonnet")
	s.do("Save")
	s.w.roster.WriteToFile() // its answer comes after the lock
	s.w.lock()
	s.settle()
	s.wants("Callboard is locked")
	if s.Shows("You review one change") || s.Shows("Write reviewer.md") {
		t.Errorf("private text after locking: %q", s.Texts())
	}
	s.Type("correct horse")
	s.press(fyne.KeyReturn)
	s.w.importAgents() // its look comes after the lock
	s.w.lock()
	s.settle()
	if s.Shows("docs-writer") {
		t.Errorf("private text after locking: %q", s.Texts())
	}
}
