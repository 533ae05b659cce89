package ui

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"callboard/app/settings"
	"callboard/app/tool"
)

// outside writes a file as another program would.
func (s *stage) outside(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.agents(), name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// until plays the window until ok, which the watch brings about.
func (s *stage) until(what string, ok func() bool) {
	s.t.Helper()
	for range 200 {
		s.settle()
		if ok() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.t.Fatalf("never: %s: %q", what, s.Texts())
}

// link imports the shop's agents and links their folder.
func (s *stage) link() {
	s.t.Helper()
	s.do("Import agents…")
	s.edit("Folder or file", s.agents())
	s.press(fyne.KeyReturn)
	s.tap("Keep this folder linked")
	s.do("Import what was found")
	s.until("linked", func() bool { return s.w.linked.Any() })
	s.w.toasts.Dismiss()
}

// TestTheNamedFolderIsLinked: not only the one folder of agents that is in it
// now.
func TestTheNamedFolderIsLinked(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.do("Import agents…")
	s.edit("Folder or file", "~/code/shop/.claude/agents/reviewer.md")
	s.press(fyne.KeyReturn)
	if s.Shows("Keep this folder linked") {
		t.Error("a file can be linked")
	}
	s.edit("Folder or file", "~/code/shop")
	s.press(fyne.KeyReturn)
	s.tap("Keep this folder linked")
	s.do("Import what was found")
	s.until("linked", func() bool { return s.w.linked.Any() })
	s.put(".codex/agents/new.toml", "name = \"new\"\ndescription = \"d\"\ndeveloper_instructions = \"x\"\n")
	s.until("an agent of another tool", func() bool { return len(s.w.linked.Fresh) == 1 })
}

func TestALinkedFolderIsEditedInPlace(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.link()
	s.do("Next agent") // reviewer
	s.edit("Model", "sonnet")
	s.do("Save")
	s.wants("Saved, and written to reviewer.md.")
	if got, want := s.file("reviewer.md"), strings.Replace(reviewer, "opus", "sonnet", 1); got != want {
		t.Errorf("the file is\n%s", got)
	}
	s.until("no proposal", func() bool { return len(s.w.linked.Proposals) == 0 })
	if s.Shows("not written to its file") {
		t.Error("the agent is said to be unwritten")
	}
}

func TestAnOutsideEditIsAProposalUntilItIsAccepted(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.link()
	s.do("Next agent") // reviewer
	s.outside("reviewer.md", strings.Replace(strings.Replace(reviewer, "Agent", "Agent, Write, Edit", 1), "what breaks", "what is wrong", 1))
	s.until("a proposal", func() bool { return s.w.changedOutside() })
	s.wants("changed outside", "The file's version may do more", "It also grants write files. Callboard keeps its version until you accept it.")
	id := s.w.roster.Shown()
	e, err := s.app.Roster.Get(t.Context(), id)
	if err != nil || e.Agent.Grants().Level(tool.FSWrite) != tool.Off || e.Agent.Identity.Description != "Reads a diff and finds what breaks" {
		t.Errorf("in force before it is accepted: %+v %v", e.Agent, err)
	}
	s.do("Compare with the file…")
	s.wants("reviewer.md was changed outside", "It may do more than before", "Later")
	s.Golden("proposal-light")
	s.press(fyne.KeyReturn) // a widening needs the button itself
	if e, _ = s.app.Roster.Get(t.Context(), id); e.Agent.Grants().Level(tool.FSWrite) != tool.Off {
		t.Error("accepted by Enter")
	}
	s.tap("Accept")
	s.wants("Callboard has the file's version now.", "Reads a diff and finds what is wrong")
	if e, err = s.app.Roster.Get(t.Context(), id); err != nil || e.Agent.Grants().Level(tool.FSWrite) != tool.On || e.Unwritten {
		t.Errorf("after: %+v %v", e.Agent, err)
	}
	s.until("no proposal", func() bool { return len(s.w.linked.Proposals) == 0 })
	s.do("Undo")
	s.until("the proposal is back", func() bool { return s.w.changedOutside() })
	if e, _ = s.app.Roster.Get(t.Context(), id); e.Agent.Grants().Level(tool.FSWrite) != tool.Off {
		t.Error("the undo left the file's version in force")
	}
}

func TestAnOutsideEditOfAnEditedAgentIsNotWrittenOver(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.link()
	s.do("Next agent") // reviewer
	theirs := strings.Replace(reviewer, "what breaks", "what is wrong", 1)
	s.edit("Model", "sonnet")
	s.outside("reviewer.md", theirs)
	s.do("Save")
	s.wants("The file on disk changed")
	s.press(fyne.KeyEscape)
	if s.file("reviewer.md") != theirs {
		t.Error("their edit is gone")
	}
	s.until("a proposal", func() bool { return s.w.changedOutside() })
	s.do("Compare with the file…")
	s.wants("The agent was edited here too.")
}

func TestAProposalCanBeRefused(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.link()
	s.do("Next agent") // reviewer
	s.outside("reviewer.md", strings.Replace(reviewer, "what breaks", "what is wrong", 1))
	s.until("a proposal", func() bool { return s.w.changedOutside() })
	s.do("Compare with the file…")
	s.tap("Keep mine")
	s.until("no proposal", func() bool { return len(s.w.linked.Proposals) == 0 })
	s.wants("Reads a diff and finds what breaks", "not written to its file")
	s.do("Write to file…")
	if s.file("reviewer.md") != reviewer {
		t.Errorf("the file is\n%s", s.file("reviewer.md"))
	}
}

// TestLockingTakesASheetAway: what it shows is private, and Enter must not
// accept it afterwards.
func TestLockingTakesASheetAway(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.link()
	s.do("Next agent") // reviewer
	s.outside("reviewer.md", strings.Replace(reviewer, "what breaks", "what is wrong", 1))
	s.until("a proposal", func() bool { return s.w.changedOutside() })
	s.do("Compare with the file…")
	s.wants("reviewer.md was changed outside")
	s.do("Lock")
	if s.w.open() || s.Shows("what is wrong") || s.Shows("was changed outside") {
		t.Errorf("after locking it shows %q", s.Texts())
	}
	s.press(fyne.KeyReturn)
	if s.w.open() {
		t.Error("opened by Enter")
	}
}

func TestNewAndMissingFilesOfALinkedFolder(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.link()
	s.outside("added.md", "---\nname: added\ndescription: d\n---\nx\n")
	s.until("the new one", func() bool { return len(s.w.linked.Fresh) == 1 })
	s.wants("1 new agent in linked folders")
	s.tap("Look")
	s.wants("1 new agent ·", "ready")
	s.do("Back to the roster")
	if err := os.Remove(filepath.Join(s.agents(), "sql-tuner.md")); err != nil {
		t.Fatal(err)
	}
	s.until("the missing one", func() bool { return s.Shows("file gone") })
	if l, err := s.app.Roster.List(t.Context()); err != nil || len(l.Agents) != 5 {
		t.Errorf("an agent went with its file: %+v %v", l, err)
	}
}

func TestFoldersAreLinkedAndDropped(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Folders…")
	s.wants("No folder was added yet.")
	s.edit("Add a folder", "~/nowhere")
	s.press(fyne.KeyReturn)
	s.wants("The file or folder cannot be read")
	s.edit("Add a folder", "~/code/shop")
	s.press(fyne.KeyReturn)
	s.wants("~/code/shop", "Linked", "Remove")
	s.Golden("folders-light")
	s.until("linked", func() bool { return s.w.linked.Any() })
	s.tap("Remove")
	s.until("dropped", func() bool { return !s.w.linked.Any() })
	s.wants("No folder was added yet.")
}

// watches counts the watches that run in this program.
func watches() int {
	all := make([]byte, 1<<20)
	return strings.Count(string(all[:runtime.Stack(all, true)]), "profile.Watch(")
}

func TestLockingEndsTheWatch(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.link()
	if n := watches(); n != 1 {
		t.Fatalf("%d watches run before", n)
	}
	s.do("Lock")
	for range 100 {
		if watches() == 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if n := watches(); n > 0 {
		t.Errorf("%d watches run on", n)
	}
	if s.w.linked.Any() || s.Shows("changed outside") {
		t.Error("a locked window follows files")
	}
}
