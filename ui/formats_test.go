package ui

import (
	"path/filepath"
	"testing"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/settings"
)

func TestEachFormatIsEditedAndWrittenBack(t *testing.T) {
	const newly = "Says what is good about a change"
	s := newStage(t, settings.Light)
	s.enter()
	s.bringFormats()
	for _, tc := range []struct {
		file, was, runs, model string
		has, not               []string
	}{
		{".claude/agents/reviewer.md", said, "Claude Code", "sonnet", []string{"Model", "Effort"}, nil},
		{ofCodex, said, "Codex", "gpt-5.4", []string{"Model", "Effort"}, nil},
		{".opencode/agents/writer.md", "Writes the changelog", "opencode", "", []string{"Model", "The name is where the agent stands."}, []string{"Effort"}},
		{".opencode/agents/team/reviewer.md", said, "opencode", "anthropic/claude-sonnet-4-5", []string{"Model"}, []string{"Effort"}},
		{"opencode.jsonc", "Plans the work", "opencode", "", []string{"planner in ~/code/shop/opencode.jsonc"}, []string{"Effort"}},
		{".github/agents/reviewer.agent.md", said, "VS Code", "GPT-5.4", []string{"Model"}, []string{"Effort"}},
		{".gemini/agents/reviewer.md", said, "Gemini CLI", "gemini-3-pro", []string{"Model"}, []string{"Effort"}},
		{".cursor/agents/reviewer.md", said, "Cursor", "inherit", []string{"Model"}, []string{"Effort"}},
		{ofCAO, said, "CAO", "", []string{"Model"}, []string{"Effort"}},
		{".goose/recipes/review.yaml", said, "goose", "", []string{"Instructions"}, []string{"Effort", "Model"}},
		{".goose/recipes/ask.json", "Asks one question", "goose", "", []string{"Instructions"}, []string{"Effort", "Model"}},
	} {
		t.Run(tc.file, func(t *testing.T) {
			s.t = t
			before := s.inShop(tc.file)
			s.pick(tc.file)
			line := tc.runs + " · "
			if tc.model != "" {
				line += tc.model + " · "
			}
			s.wants(append(tc.has, line+"imported from ", filepath.Base(tc.file)+", as it will be written", "unchanged")...)
			for _, text := range s.Texts() {
				for _, label := range tc.not {
					if text == label {
						t.Errorf("a box for %s is shown", label)
					}
				}
			}
			s.lacks("Not run")
			s.edit("Description", newly)
			s.wants("1 span changed")
			s.write()
			s.wrote(tc.file, before, tc.was, newly)
			s.wants("unchanged")
		})
	}
}

func TestCodexIsBoundByItsSandboxMode(t *testing.T) {
	const file = ofCodex
	s := newStage(t, settings.Light)
	s.enter()
	s.bringFormats()
	before := s.inShop(file)
	s.pick(file)
	s.do("Tools")
	s.wants("Codex has no list of tools. Its sandbox mode bounds what commands may do.", "read-only", "Off: sandbox_mode read-only lets nothing be written.", "It may be used.")
	s.lacks("Tools, as the file states them", "Denied tools", "Leave the list out", "to Claude Code", "Claude Code's", "Nothing is granted")
	s.tap("Write files") // does nothing
	if s.w.edited() {
		t.Error("an atom could be ticked")
	}
	s.edit("Sandbox mode", "workspace")
	s.wants("Nothing is granted for certain", "Codex knows no sandbox_mode workspace. State one of its sandbox modes.", "Off while it is not known what its tools grant.")
	s.Type("-write")
	s.settle()
	s.wants("Partly: sandbox_mode workspace-write lets files be written in the workspace only.", "It may be used.")
	s.write()
	s.wrote(file, before, `sandbox_mode = "read-only"`, `sandbox_mode = "workspace-write"`)
	s.edit("Sandbox mode", "")
	s.wants("Codex's own default holds", "The file names no sandbox_mode, so what Codex's config or whoever starts it says holds. Nothing is granted here, and the agent stays off. State one of its sandbox modes.")
	s.write()
	s.wrote(file, before, "sandbox_mode = \"read-only\"\n", "")
	s.wants("tool's default")
}

func TestGeminisToolsAreTickedInItsOwnWords(t *testing.T) {
	const file = ".gemini/agents/reviewer.md"
	s := newStage(t, settings.Light)
	s.enter()
	s.bringFormats()
	before := s.inShop(file)
	s.pick(file)
	s.do("Tools")
	s.lacks("Denied tools", "to Claude Code", "Claude Code's", "Sandbox mode")
	s.tap("Write files")
	s.write()
	s.wrote(file, before, "  - glob\n", "  - glob\n  - replace\n  - write_file\n")
	s.pick(bare)
	s.wants("left out: Gemini CLI's own default", "Gemini CLI's own default holds",
		"It is not known here. Nothing is granted here, and the agent stays off. Tick what the agent needs.", "tool's default")
	s.edit("Tools, as the file states them", "no_such_tool")
	s.tap("Read files")
	s.wants("Not changed", "Nobody knows for certain what this tool list grants. Correct the tool list by hand first.", "Correct the tool list.")
	s.edit("Tools, as the file states them", "read_file")
	s.tap("Read files")
	s.wants("An empty list would mean all tools, or nobody knows what it means. Leave one tool in the list, or tick another one first.")
}

func TestToolsThatAreEditedInTheFile(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bringFormats()
	s.do("Tools")
	for _, tc := range []struct {
		file string
		has  []string
		not  []string
	}{
		{"opencode.jsonc", []string{"opencode's tools are edited in the file.", "cannot be read for certain"}, []string{"Leave the list out"}},
		{".opencode/agents/team/reviewer.md", []string{"left out: opencode's own default", "opencode's own default holds"}, nil},
		{".goose/recipes/review.yaml", []string{"goose's tools are edited in the file.", "@docs/find"}, []string{"Leave the list out"}},
		{".cursor/agents/reviewer.md", []string{"Cursor has no list of tools. Read only keeps the agent from writing.", "Cursor's own default holds", "Off: the file says readonly, so nothing is written."}, []string{"Tools, as the file states them", "Leave the list out"}},
	} {
		s.pick(tc.file)
		s.wants(tc.has...)
		s.lacks(append(tc.not, "Denied tools", "to Claude Code", "Claude Code's")...)
		s.tap("Write files")
		if s.w.edited() {
			t.Errorf("%s: an atom could be ticked", tc.file)
		}
	}
}

func TestCursorTakesTrueOrFalse(t *testing.T) {
	const file = ".cursor/agents/reviewer.md"
	s := newStage(t, settings.Light)
	s.enter()
	s.bringFormats()
	before := s.inShop(file)
	s.pick(file)
	s.do("Tools")
	s.edit("Read only", "maybe")
	s.wants("It is neither true nor false. Type true or false, or leave it empty.")
	s.do("Profile")
	s.do("Save")
	s.wants("Not saved", "Read only") // it turns to where the problem is
	s.edit("Read only", "false")
	s.lacks("neither true nor false")
	s.write()
	s.wrote(file, before, "readonly: true", "readonly: false")
}

func TestARoleIsWhatCAOGivesWithoutAList(t *testing.T) {
	const file = ofCAO
	s := newStage(t, settings.Light)
	s.enter()
	s.bringFormats()
	before := s.inShop(file)
	s.pick(file)
	s.do("Tools")
	s.lacks("Denied tools", "to Claude Code", "Claude Code's")
	s.tap("Leave the list out")
	s.wants("left out: what the role gives", "Off: the role reviewer has no tool for it.")
	s.edit("Role", "supervisor")
	s.wants("Off: the role supervisor has no tool for it.")
	s.write()
	s.wrote(file, before, "allowedTools: [\"fs_read\", \"fs_list\", \"@cao-mcp-server\"]\n", "", "role: reviewer", "role: supervisor")
}

func TestAllToolsAreThoseOfTheFilesOwnTool(t *testing.T) {
	const file = ".github/agents/reviewer.agent.md"
	s := newStage(t, settings.Light)
	s.enter()
	s.bringFormats()
	s.pick(file)
	s.do("Tools")
	s.tap("Leave the list out")
	s.wants("left out: all tools, to VS Code")
	s.tap("Write files")
	s.wants("Not changed", "This kind of file has no way to deny one tool. List the tools instead.")
	s.lacks("to Claude Code", "Claude Code's", "Denied tools")
}

func TestAFileOfAPluginIsNotWritten(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	text := "---\nname: planner\ndescription: Plans\ntools: Read\n---\nPlan.\n"
	f, err := profile.Read(agent.Source{
		Format: string(profile.ClaudeCode), Path: filepath.Join(s.dir, ".claude/plugins/x/agents/planner.md"), ReadOnly: true, Original: []byte(text),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.give(f.Agent)
	s.wants("file not yours to write", "The file is not yours to write", "planner.md, as it would be written")
	s.edit("Description", "Plans less")
	if s.w.fileBehind() {
		t.Error("it can be written")
	}
	s.do("Save")
	if s.w.edited() || s.w.fileBehind() {
		t.Error("it is not saved, or can be written")
	}
	s.lacks("not written to its file")
	s.wants("Plans less")
}

func TestAHiddenBoxGivesTheKeyboardUp(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bringFormats()
	s.pick(".claude/agents/reviewer.md")
	s.FocusField("Effort")
	s.w.roster.Step(-100)
	s.settle()
	if e, err := s.app.Roster.Get(t.Context(), s.w.roster.Shown()); err != nil || e.Agent.Source.Format != string(profile.Goose) {
		t.Fatalf("%+v %v", e.Agent.Source, err)
	}
	if f := s.Focused(); f != nil {
		t.Errorf("%T has the keyboard", f)
	}
}

func TestPicturesOfFormats(t *testing.T) {
	for _, look := range []settings.Theme{settings.Light, settings.Dark} {
		t.Run(string(look), func(t *testing.T) {
			s := newStage(t, look)
			name := func(screen string) string { return screen + "-" + string(look) }
			s.enter()
			s.bringFiles(ofCodex, ofCAO, "opencode.jsonc", ".goose/recipes/review.yaml", ".opencode/agents/writer.md")
			s.do("Tools")
			s.pick(ofCodex)
			s.Golden(name("tools-codex"))
			s.pick(bare)
			s.Golden(name("tools-gemini"))
			s.do("Profile")
			s.pick(ofCodex)
			s.edit("Description", "Says what is good about a change")
			s.Golden(name("profile-codex"))
		})
	}
}
