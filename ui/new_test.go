package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/settings"
	"callboard/assets"
)

func (s *stage) count() int {
	s.t.Helper()
	l, err := s.app.Roster.List(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return len(l.Agents)
}

func TestEveryStarterIsSound(t *testing.T) {
	for _, x := range assets.Starters() {
		f, err := profile.Read(agent.Source{Format: string(profile.ClaudeCode), Path: "/" + x.Name + ".md", Original: []byte(x.Text)})
		if err != nil || len(f.Problems) > 0 || !f.Certain || !f.Agent.Enabled {
			t.Errorf("%s: %+v, certain %v, enabled %v, %v", x.Name, f.Problems, f.Certain, f.Agent.Enabled, err)
		}
		if len(agent.Check(f.Agent)) > 0 || f.Agent.Identity.Name != x.Name || len(f.Agent.Identity.Instructions) < 400 {
			t.Errorf("%s: %+v", x.Name, f.Agent.Identity)
		}
	}
}

func TestANewAgentBeginsFromAStarter(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.wants("No agents yet. Import the ones your tools already have, or write a new one.")
	s.tap("New agent…")
	s.wants("New agent", "You review one change and report what would break.")
	s.press(fyne.KeyDown)
	s.wants("You write tests that fail when the code is wrong")
	s.press(fyne.KeyReturn)
	s.wants("tester created. It is in no file until you export it.", "tester.md, as Export would write it", "not in a file")
	if a := s.shownAgent().Agent; a.Source != nil || !a.Enabled || a.Identity.Name != "tester" || !a.Grants().Certain {
		t.Errorf("%+v", a)
	}
	s.Type("test-maker") // the name is chosen
	s.settle()
	s.do("Save")
	if a := s.shownAgent().Agent; a.Identity.Name != "test-maker" {
		t.Errorf("the name is %q", a.Identity.Name)
	}
	s.lacks("Write to file…", "not written")
	if s.w.fileBehind() || s.w.inFile() {
		t.Error("it has a file")
	}
	s.do("Undo")
	s.wants("Not taken back: the agent was changed since.")
}

func TestANewAgentIsTakenBack(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent")
	s.do("Find an agent")
	s.Type("reviewer")
	s.do("New agent…")
	s.tap("Create")
	s.wants("reviewer-2 created.", "You review one change and report what would break.")
	s.edit("Description", "half a thought")
	s.do("Undo")
	s.wants("Not taken back: it has edits that are not saved. Discard them first.", "half a thought")
	s.w.roster.Discard()
	s.settle()
	s.do("New agent…")
	s.press(fyne.KeyEnd)
	s.tap("Create")
	s.wants("new-agent created.")
	if a := s.shownAgent().Agent; !a.Enabled || strings.Join(a.Access.Tools.Tokens, " ") != "Read Grep Glob" {
		t.Errorf("%+v", a)
	}
	s.do("Undo")
	s.wants("The new agent is taken back.", "You review one change and report what would break.")
	if n := s.count(); n != 6 {
		t.Errorf("%d agents", n)
	}
	if name := s.shownAgent().Agent.Identity.Name; name != "reviewer-2" {
		t.Errorf("%q is shown", name)
	}
}

func TestANewAgentIsExported(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.do("New agent…")
	s.tap("Create")
	s.tap("Export…")
	s.wants("Export reviewer", "The agent here stays as it is.", "~/code/shop/.claude/agents/reviewer.md")
}

func TestDuplicateAndUndo(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	s.do("Next agent")
	was := s.shownAgent().Agent
	s.edit("Model", "sonnet")
	s.do("Duplicate")
	s.wants("reviewer copy made. It is disabled, and in no file until you export it.")
	a := s.shownAgent().Agent
	if d := agent.Diff(was, a); a.Source != nil || a.Enabled || a.Identity.Name != "reviewer copy" || a.Run.Model != "sonnet" ||
		a.Words().Dialect != was.Words().Dialect || len(d) != 3 {
		t.Errorf("%+v differs in %v", a, d)
	}
	s.do("Duplicate")
	if a := s.shownAgent().Agent; a.Identity.Name != "reviewer copy 2" {
		t.Errorf("the name is %q", a.Identity.Name)
	}
	s.do("Undo")
	s.wants("The new agent is taken back.")
	if n := s.count(); n != 6 {
		t.Errorf("%d agents", n)
	}
	if s.shownAgent().Agent.Identity.Name != "reviewer copy" {
		t.Error("the one it was made of is not shown")
	}
	s.edit("Name", strings.Repeat("x", agent.MaxName))
	s.do("Duplicate")
	if a := s.shownAgent().Agent; a.Identity.Name != strings.Repeat("x", agent.MaxName-5)+" copy" {
		t.Errorf("the name is %q", a.Identity.Name)
	}
	s.edit("Name", "")
	s.do("Duplicate")
	s.wants("Not duplicated: correct what is wrong in it first.")
}

func TestTheDuplicateOfEachFormatIsShownInItsWords(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bringFormats()
	for _, file := range []string{ofCodex, ".gemini/agents/reviewer.md", ".cursor/agents/reviewer.md", ".goose/recipes/review.yaml", "opencode.jsonc"} {
		s.pick(file)
		was := s.shownAgent().Agent
		s.do("Duplicate")
		a := s.shownAgent().Agent
		if a.Words().Dialect != was.Words().Dialect || a.Source != nil {
			t.Errorf("%s: %+v", file, a)
		}
		s.wants(profile.Format(was.Source.Format).Label(), "as Export would write it")
		s.lacks("Not run")
		s.do("Undo")
	}
}

func TestPicturesOfNew(t *testing.T) {
	for _, look := range []settings.Theme{settings.Light, settings.Dark} {
		t.Run(string(look), func(t *testing.T) {
			s := newStage(t, look)
			s.enter()
			s.bring()
			s.w.toasts.Dismiss()
			s.do("New agent…")
			s.Golden("new-" + string(look))
			s.tap("Create")
			s.w.toasts.Dismiss()
			s.Golden("created-" + string(look))
		})
	}
}
