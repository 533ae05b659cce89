package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"callboard/app/settings"
)

func TestAFileChangedOnDiskIsTakenOverAndGivenBack(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.outside("reviewer.md", strings.Replace(reviewer, "tools: Read, Grep, Glob, Bash, Agent", "tools: Read, Grep, Glob, Bash, Agent, WebFetch", 1))
	s.do("Import agents…")
	s.wants("1 changed on disk · 4 in the roster already", "Update 1 agent", "changed on disk")
	s.tap("reviewer")
	s.wants("Importing takes the file's version; Undo brings yours back.", "It may do more than before", "The file now also grants fetch from the web.")
	s.Golden("reimport-light")
	s.do("Import what was found")
	s.wants("1 agent updated from the files.")
	s.do("Next agent")
	s.do("Tools")
	s.wants("Read, Grep, Glob, Bash, Agent, WebFetch")
	s.do("Undo")
	s.wants("The import is taken back.", "Read, Grep, Glob, Bash, Agent")
	if s.Shows("Read, Grep, Glob, Bash, Agent, WebFetch") {
		t.Error("the file's version is still there")
	}
}

// TestAnAgentChangedInBothIsLeftOutUnlessAskedFor: taking the file's version
// over would push the person's edits into the history.
func TestAnAgentChangedInBothIsLeftOutUnlessAskedFor(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent")
	s.edit("Model", "sonnet")
	s.do("Save")
	s.outside("reviewer.md", strings.Replace(reviewer, "what breaks", "what is wrong", 1))
	s.do("Import agents…")
	s.tap("reviewer")
	s.wants("changed in both", "Changed here and on disk")
	if s.w.importer.Ready() {
		t.Error("it would be taken over unasked")
	}
	s.tap("Import this one")
	s.wants("Update 1 agent")
	s.do("Import what was found")
	s.wants("1 agent updated from the files.", "Reads a diff and finds what is wrong")
}

func TestAnImportOfNewAgentsIsOneUndo(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.wants("docs-writer", "sql-tuner")
	s.do("Undo")
	s.wants("The import is taken back.", "No agents yet.")
	if l, err := s.app.Roster.List(t.Context()); err != nil || len(l.Agents) > 0 {
		t.Errorf("%+v %v", l, err)
	}
}

// TestTheImportSaysWhichOfOneNameWins: of the person's own, the project's and a
// plugin's reviewer Claude Code uses the project's.
func TestTheImportSaysWhichOfOneNameWins(t *testing.T) {
	s := newStage(t, settings.Light)
	for _, at := range []string{".claude/agents", ".claude/plugins/p/agents"} {
		path := filepath.Join(s.dir, at, "reviewer.md")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("---\nname: reviewer\ndescription: another\n---\nx\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s.enter()
	s.do("Import agents…")
	s.wants("7 new agents", "shadowed", "Claude Code · yours", "Claude Code · from a plugin")
	s.tap("Claude Code · yours")
	s.wants("Not the one Claude Code uses", "Claude Code uses another file instead: ~/code/shop/.claude/agents/reviewer.md.")
	s.Golden("shadowed-light")
	s.tap("Claude Code · from a plugin")
	s.wants("Not yours to write")
}

func TestAnEmptyBoxLooksEverywhereAndANamedFolderOnlyThere(t *testing.T) {
	s := newStage(t, settings.Light)
	other := filepath.Join(s.dir, "code", "other", ".codex", "agents")
	if err := os.MkdirAll(other, 0o755); err != nil {
		t.Fatal(err)
	}
	text := "name = \"planner\"\ndescription = \"d\"\ndeveloper_instructions = \"x\"\n"
	if err := os.WriteFile(filepath.Join(other, "planner.toml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s.enter()
	s.do("Import agents…")
	if s.Shows("planner") {
		t.Error("a folder nobody named was read")
	}
	s.edit("Folder or file", "~/code/other")
	s.press(fyne.KeyReturn)
	s.wants("planner", "1 new agent · ~/code/other/.codex/agents")
	s.edit("Folder or file", "")
	s.press(fyne.KeyReturn)
	s.wants("in the folders of your tools", "reviewer")
}
