package ui

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/roster"
)

// formats is one agent of each format, as their tools' repositories have them.
const formats = "../app/profile/testdata/formats"

const (
	ofCodex = ".codex/agents/reviewer.toml"
	ofCAO   = "cli-agent-orchestrator/agent-store/code_reviewer.md"
	bare    = ".gemini/agents/helper.md" // leaves its tools to Gemini CLI
)

const said = "Reads a diff and says what is wrong with it"

// bringFormats copies the agents of each format into the shop and imports them.
func (s *stage) bringFormats() {
	s.t.Helper()
	var all []string
	err := filepath.WalkDir(formats, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(formats, path)
		all = append(all, rel)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.bringFiles(all...)
}

// bringFiles copies some of them, leaves a Gemini CLI agent beside them that
// names no tools, and imports all that.
func (s *stage) bringFiles(rel ...string) {
	s.t.Helper()
	if err := os.RemoveAll(s.shop("")); err != nil {
		s.t.Fatal(err)
	}
	for _, name := range rel {
		data, err := os.ReadFile(filepath.Join(formats, name))
		if err != nil {
			s.t.Fatal(err)
		}
		s.put(name, string(data))
	}
	s.put(bare, "---\nname: helper\ndescription: Answers what was asked\nmodel: gemini-3-pro\n---\n\nAnswer.\n")
	var agents []agent.Agent
	for _, folder := range []string{"", filepath.Dir(ofCAO)} { // CAO's is no part of a repository
		found, err := profile.Scan(s.t.Context(), s.shop(folder))
		if err != nil {
			s.t.Fatal(err)
		}
		for _, f := range found.Files {
			agents = append(agents, f.Agent)
		}
	}
	s.give(agents...)
}

// give puts agents into the roster as an import does.
func (s *stage) give(agents ...agent.Agent) {
	s.t.Helper()
	if _, err := s.app.Roster.Import(s.t.Context(), roster.Newcomers(agents...)); err != nil {
		s.t.Fatal(err)
	}
	s.w.roster.Reload(nil)
	s.settle()
}

func (s *stage) shop(rel string) string { return filepath.Join(s.dir, "code/shop", rel) }

func (s *stage) put(rel, text string) {
	s.t.Helper()
	path := s.shop(rel)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) inShop(rel string) string {
	s.t.Helper()
	data, err := os.ReadFile(s.shop(rel))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}

// pick shows the agent of a file of the shop, in the way the keys do.
func (s *stage) pick(rel string) {
	s.t.Helper()
	l, err := s.app.Roster.List(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	for range l.Agents {
		s.do("Previous agent")
	}
	for range l.Agents {
		e, err := s.app.Roster.Get(s.t.Context(), s.w.roster.Shown())
		if err != nil {
			s.t.Fatal(err)
		}
		if e.Agent.Source.Path == s.shop(rel) {
			return
		}
		s.do("Next agent")
	}
	s.t.Fatalf("no agent of %s among %q", rel, s.Texts())
}

// write saves and writes to the file.
func (s *stage) write() {
	s.t.Helper()
	s.do("Save")
	if s.w.edited() || !s.w.fileBehind() {
		s.t.Errorf("not saved, or not to be written: %q", s.Texts())
	}
	s.do("Write to file…")
	s.press(fyne.KeyReturn)
	s.wants("Written to ")
	s.w.toasts.Dismiss()
}

// wrote checks that a file is as it was but for the replaced stretches.
func (s *stage) wrote(rel, was string, pairs ...string) {
	s.t.Helper()
	want := was
	for i := 0; i < len(pairs); i += 2 {
		if strings.Count(want, pairs[i]) != 1 {
			s.t.Fatalf("%q is not once in\n%s", pairs[i], want)
		}
		want = strings.Replace(want, pairs[i], pairs[i+1], 1)
	}
	if got := s.inShop(rel); got != want {
		s.t.Errorf("%s is\n%s\nwant\n%s", rel, got, want)
	}
}

// lacks fails where the window shows one of the parts.
func (s *stage) lacks(parts ...string) {
	s.t.Helper()
	for _, part := range parts {
		if s.Shows(part) {
			s.t.Errorf("the window shows %q: %q", part, s.Texts())
		}
	}
}
