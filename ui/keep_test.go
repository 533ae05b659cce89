package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"callboard/app/agent"
	"callboard/app/roster"
	"callboard/app/settings"
)

func TestEnterDoesNotDiscard(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.edit("Description", "half a thought")
	s.do("Lock")
	s.press(fyne.KeyReturn)
	if s.w.open() {
		t.Fatal("the vault is open")
	}
	s.Type("correct horse")
	s.press(fyne.KeyReturn)
	s.wants("half a thought", "Edits of docs-writer that were not saved are here again.")
	if !s.w.edited() {
		t.Error("the edit is not a draft any more")
	}
	s.do("Save")
	s.do("Lock")
	s.Type("correct horse")
	s.press(fyne.KeyReturn)
	if s.w.edited() || s.Shows("were not saved") {
		t.Errorf("a saved edit came back as a draft: %q", s.Texts())
	}
}

// TestACrashKeepsTheDraft looks at the store as a crash would leave it a second
// after the last key.
func TestACrashKeepsTheDraft(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.edit("Description", "half a thought")
	s.do("Tools")
	s.edit("Denied tools", "Bash(")
	kept := func() []roster.Draft {
		all, err := s.app.Roster.Drafts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	s.until("the draft is kept", func() bool {
		all := kept()
		return len(all) == 1 && all[0].Typed[agent.Denied] == "Bash("
	})
	if got := kept()[0].Agent.Identity.Description; got != "half a thought" {
		t.Errorf("the draft says %q", got)
	}
	s.do("Discard changes")
	s.until("the draft is dropped", func() bool { return len(kept()) == 0 })
	s.do("Undo")
	s.until("it is kept again", func() bool { return len(kept()) == 1 })
}

func TestUndoWalksAcrossFields(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent")
	s.edit("Description", "two words")
	s.edit("Model", "sonnet")
	s.do("Tools")
	s.tap("Fetch from the web")
	s.do("Access")
	s.Canvas().Unfocus()
	draft := func() agent.Agent { return s.w.roster.Draft().Agent }
	if !slices.Contains(draft().Access.Tools.Tokens, "WebFetch") {
		t.Fatalf("not ticked: %v", draft().Access)
	}
	s.do("Undo the edit")
	s.wants("What it may do")
	if slices.Contains(draft().Access.Tools.Tokens, "WebFetch") {
		t.Error("the tick was not taken back")
	}
	s.do("Undo the edit")
	if got := draft(); got.Run.Model == "sonnet" || got.Identity.Description != "two words" {
		t.Errorf("after two steps: %q %q", got.Run.Model, got.Identity.Description)
	}
	s.do("Redo the edit")
	if got := draft().Run.Model; got != "sonnet" {
		t.Errorf("redone: %q", got)
	}
	for range 10 {
		s.do("Undo the edit")
	}
	if s.w.edited() {
		t.Errorf("something is left: %q", s.w.roster.Draft().Changed())
	}
	s.w.roster.Find()
	s.Type("abc")
	s.do("Undo the edit")
	if s.w.edited() {
		t.Error("the key of the search box went to the agent")
	}
}

func TestUndoOfADiscardFindsItsAgentAgain(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.edit("Description", "half a thought")
	s.do("Discard changes")
	s.do("Next agent")
	s.do("Undo")
	if s.w.edited() {
		t.Error("the undo edited the agent that is shown")
	}
	s.do("Previous agent")
	s.wants("half a thought")
}

func TestWhatIsTypedWhileAnAgentIsReadIsKept(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.w.roster.Step(1)
	s.w.roster.Step(-1) // its answer comes after the typing
	s.FocusField("Description")
	s.Type("!")
	s.settle()
	if !s.w.edited() {
		t.Errorf("what was typed is gone: %q", s.Texts())
	}
}

func TestTheCoveredGateTakesNoKeys(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.Canvas().Unfocus()
	s.press(fyne.KeyTab)
	if s.Shows("Protect your agents") {
		t.Error("the gate is still in the window")
	}
	s.press(fyne.KeyReturn) // the rail, not a hidden button
	if !s.w.open() {
		t.Error("a key went to the covered gate")
	}
}

func TestOnlyEnablingChangesNoFile(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent")
	s.do("Enable or disable the agent")
	s.do("Write to file…")
	s.wants("reviewer.md says this already.")
	if s.file("reviewer.md") != reviewer {
		t.Error("the file changed")
	}
}

func TestSavingWithAProblemSaysWhich(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Tools")
	s.edit("Denied tools", "Bash(")
	s.do("Next agent")
	s.do("Previous agent")
	s.wants("Bash(")
	s.do("Profile")
	s.do("Save")
	s.wants("Not saved", "The tool list cannot be read for certain.", "Denied tools")
}

func TestSaveElsewhereTellsWhyNot(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent")
	s.edit("Model", "sonnet")
	if err := os.WriteFile(filepath.Join(s.agents(), "reviewer.md"), []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.do("Write to file…")
	s.edit("Save elsewhere as", filepath.Join(s.agents(), "sql-tuner.md"))
	s.press(fyne.KeyReturn)
	s.wants("A file of this name is already there", "The file on disk changed")
	if s.file("sql-tuner.md") != shop["sql-tuner.md"] {
		t.Error("another file was written over")
	}
}

func TestWalkingToAFolder(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.do("Import agents…")
	s.edit("Folder or file", filepath.Join(s.dir, "code", "nowhere"))
	s.do("Choose a folder…")
	s.wants("Choose a folder", "~/code", "shop", "has agents")
	s.tap("Up")
	s.wants("code")
	s.tap("code")
	s.tap("Open")
	s.tap("shop")
	s.tap("Look here")
	s.wants("5 new agents · 1 cannot be imported")
	s.do("Choose a folder…")
	s.press(fyne.KeyEscape)
	s.wants("5 new agents")
}

func TestASearchIsOpenedByKeyboard(t *testing.T) {
	for _, keys := range [][]fyne.KeyName{{fyne.KeyReturn}, {fyne.KeyDown}, {fyne.KeyReturn, fyne.KeyReturn}, {fyne.KeyDown, fyne.KeyDown}, {fyne.KeyDown, fyne.KeySpace}} {
		s := newStage(t, settings.Light)
		s.enter()
		s.bring()
		s.do("Find an agent")
		s.Type("tuner")
		s.press(keys...)
		if name := s.w.roster.Shown(); name == "" || !s.Shows("Explains slow queries and proposes indexes") {
			t.Errorf("%v does not open the match: %q", keys, s.Texts())
		}
		s.FocusField("Name")
	}
}

func TestADescriptionOfSeveralLinesHasRoom(t *testing.T) {
	s := newStage(t, settings.Light)
	text := "---\nname: aaa\ndescription: |\n  First line.\n  Second line.\nmodel: opus\n---\nDo.\n"
	if err := os.WriteFile(filepath.Join(s.agents(), "aaa.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s.enter()
	s.bring()
	s.FocusField("Description")
	s.Type("Zero. ")
	s.settle()
	s.Golden("description-light")
	s.do("Write to file…")
	s.press(fyne.KeyReturn)
	if got, want := s.file("aaa.md"), strings.Replace(text, "First", "Zero. First", 1); got != want {
		t.Errorf("the file is\n%s", got)
	}
	s.do("Next agent")
	s.wants("Turns a change into user words")
}
