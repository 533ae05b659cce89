package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"callboard/app/settings"
)

const pair = `{
  "agent": {
    "alpha": { "description": "first", "prompt": "a" },
    "beta": { "description": "second", "prompt": "b" }
  }
}
`

// several links a repository whose two agents stand in one file.
func several(t *testing.T) (s *stage, file string) {
	t.Helper()
	s = newStage(t, settings.Light)
	file = "../pair/opencode.json" // beside the shop
	s.put(file, pair)
	s.enter()
	s.do("Import agents…")
	s.edit("Folder or file", "~/code/pair")
	s.press(fyne.KeyReturn)
	s.tap("Keep this folder linked")
	s.do("Import what was found")
	s.until("linked", func() bool { return s.w.linked.Any() })
	s.w.toasts.Dismiss()
	return s, file
}

// TestAnEditOfOneAgentLeavesTheOthersOfItsFileAlone: no proposal for them, no
// history, and edits of theirs that are under way can be saved and written.
func TestAnEditOfOneAgentLeavesTheOthersOfItsFileAlone(t *testing.T) {
	s, file := several(t)
	s.do("Next agent") // beta
	id := s.w.roster.Shown()
	s.edit("Description", "mine")
	for _, text := range []string{"1st", "2nd", "3rd"} {
		s.put(file, strings.Replace(pair, "first", text, 1))
		s.until(text, func() bool {
			for _, p := range s.w.linked.Proposals {
				return p.File.Agent.Identity.Description == text
			}
			return false
		})
	}
	if _, proposed := s.w.linked.Proposals[id]; proposed || len(s.w.linked.Proposals) != 1 {
		t.Errorf("proposals %v", s.w.linked.Proposals)
	}
	if h, err := s.app.Roster.History(t.Context(), id); err != nil || len(h) > 0 {
		t.Errorf("%d earlier states of an agent nobody touched: %v", len(h), err)
	}
	s.do("Save")
	s.wants("Saved, and written to opencode.json.")
	want := strings.NewReplacer("first", "3rd", "second", "mine").Replace(pair)
	if got, err := os.ReadFile(s.shop(file)); err != nil || string(got) != want {
		t.Errorf("the file is\n%s\n%v", got, err)
	}
}

// TestAKeyThatIsNoFieldIsAProposalToo: it may be what holds the agent back.
func TestAKeyThatIsNoFieldIsAProposalToo(t *testing.T) {
	s, file := several(t)
	s.put(file, strings.Replace(pair, `"prompt": "b"`, `"prompt": "b", "permission": { "bash": "allow" }`, 1))
	s.until("a proposal", func() bool { return len(s.w.linked.Proposals) == 1 })
	s.do("Next agent") // beta
	s.wants("changed outside")
}

func TestAnAgentThatLeavesItsFileIsSaidToBeGone(t *testing.T) {
	s, file := several(t)
	s.put(file, strings.Replace(strings.Replace(pair, ",\n    \"beta\"", "\n    \"gamma\"", 1), "\n    \"gamma\": { \"description\": \"second\", \"prompt\": \"b\" }", "", 1))
	s.until("beta is gone", func() bool { return len(s.w.linked.Proposals) == 1 })
	s.do("Next agent")
	s.wants("file gone", "The file no longer has this agent. The agent here stays as it is.")
}

// TestFilesThatNoScanReadsAreNotGone: an agent that was imported from another
// place of a linked repository is there as long as its file is.
func TestFilesThatNoScanReadsAreNotGone(t *testing.T) {
	s := newStage(t, settings.Light)
	odd := s.shop("prompts/odd.md")
	s.put("prompts/odd.md", "---\nname: odd\ndescription: d\ntools: Read\n---\nx\n")
	s.enter()
	for _, from := range []string{odd, "~/code/shop"} {
		s.do("Import agents…")
		s.edit("Folder or file", from)
		s.press(fyne.KeyReturn)
		if from != odd {
			s.tap("Keep this folder linked")
		}
		s.do("Import what was found")
	}
	s.until("linked", func() bool { return s.w.linked.Any() })
	if len(s.w.linked.Proposals) > 0 {
		t.Errorf("proposals %v", s.w.linked.Proposals)
	}
}

// TestSavingALinkedAgentWritesItThoughAnotherIsShown: the save takes a moment,
// and the next agent is chosen meanwhile.
func TestSavingALinkedAgentWritesItThoughAnotherIsShown(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.link()
	s.do("Next agent") // reviewer
	s.edit("Model", "sonnet")
	s.w.roster.Save()
	s.w.roster.Step(1)
	s.settle()
	if got, want := s.file("reviewer.md"), strings.Replace(reviewer, "opus", "sonnet", 1); got != want {
		t.Errorf("the file is\n%s", got)
	}
}

// TestADropWhileTheImporterLooksIsLookedInto: the look before it ends unseen.
func TestADropWhileTheImporterLooksIsLookedInto(t *testing.T) {
	s := newStage(t, settings.Light)
	s.put("../other/.codex/agents/planner.toml", "name = \"planner\"\ndescription = \"d\"\ndeveloper_instructions = \"x\"\n")
	s.enter()
	s.w.importAgents()
	s.w.importFrom(filepath.Join(s.dir, "code", "other"))
	s.settle()
	s.wants("planner", "1 new agent · ~/code/other/.codex/agents")
}
