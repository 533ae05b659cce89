package ui

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	fynetest "fyne.io/fyne/v2/test"

	"callboard/app"
	"callboard/app/home"
	"callboard/app/settings"
	"callboard/crypto/secret"
	"callboard/ui/loop"
	"callboard/ui/uitest"
)

const reviewer = `---
name: reviewer
description: Reads a diff and finds what breaks
model: opus   # pinned by hand
tools: Read, Grep, Glob, Bash, Agent
color: blue
---
# Role
You review one change at a time. You look for faults that lose data or hang, not for style.

# How
- Read the diff, then the callers.
- Prove each finding with a failing case.
- Stop after five findings.
`

var shop = map[string]string{
	"reviewer.md":         reviewer,
	"sql-tuner.md":        "---\nname: sql-tuner\ndescription: Explains slow queries and proposes indexes\ntools: Read, Bash(psql *)\n---\nTune.\n",
	"test-doctor.md":      "---\nname: test-doctor\ndescription: Makes flaky tests honest\ntools:\n---\nMend.\n",
	"docs/docs-writer.md": "---\nname: docs-writer\ndescription: Turns a change into user words\n---\nWrite.\n",
	"security-scout.md":   "---\nname: security-scout\ndescription: Threat-models a change before review. Context: word: word\ntools: [Read, Grep]\n---\nScout.\n",
	"broken.md":           "---\nname: br\U000e0041oken\ndescription: Hides a letter\n---\nNo.\n",
	"README.md":           "How we write agents.\n",
}

// stage is a window over the whole product, drawn in software.
type stage struct {
	*uitest.Screen
	t    *testing.T
	w    *Window
	app  *app.App
	loop *loop.Loop
	dir  string // the person's own folder
}

func (s *stage) agents() string { return filepath.Join(s.dir, "code/shop/.claude/agents") }

// clock is a day in November that goes on by a millisecond with every look, so that
// pictures of times stay the same.
func clock() func() time.Time {
	start, ticks := time.Date(2026, 11, 30, 14, 2, 0, 0, time.UTC), new(atomic.Int64)
	return func() time.Time { return start.Add(time.Duration(ticks.Add(1)) * time.Millisecond) }
}

func init() { time.Local = time.UTC }

// newStage makes a person's folder with a repository of agents and a window
// on a home that does not exist yet.
func newStage(t *testing.T, look settings.Theme) *stage {
	t.Helper()
	s := &stage{t: t, dir: t.TempDir(), loop: loop.NewTest()}
	t.Setenv("HOME", s.dir)
	for name, text := range shop {
		path := filepath.Join(s.agents(), name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	h := home.Home{Dir: filepath.Join(s.dir, ".local/share/callboard")}
	a, err := app.Open(t.Context(), app.Options{Home: h, Now: clock(), Log: slog.New(slog.DiscardHandler), WorkFactor: 4})
	if err != nil {
		t.Fatal(err)
	}
	s.app = a
	if err := os.MkdirAll(h.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := a.Settings.Update(func(v *settings.Settings) { v.Appearance.Theme = look }); err != nil {
		t.Fatal(err)
	}
	fyneApp := fynetest.NewTempApp(t)
	s.w = newWindow(t.Context(), fyneApp, s.loop, Services{
		Vault: a.Vault, Roster: a.Roster, Profile: a.Profile, Models: a.Models, Servers: a.Servers, Settings: a.Settings,
		Changes: a.Changes, Home: h, WorkDir: s.agents(), Ticks: make(chan time.Time), Close: a.Close,
	})
	t.Cleanup(func() {
		s.loop.Close()
		s.w.win.SetCloseIntercept(nil)
		s.w.win.Close()
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	s.w.win.Resize(fyne.NewSize(1280, 800))
	s.Screen = uitest.Of(t, s.w.win)
	s.w.start(secret.Bytes{})
	s.settle()
	return s
}

// settle lets background work finish and everything be laid out.
func (s *stage) settle() {
	s.loop.Drain()
	s.Settle()
}

// do does the action of that title, as its key would.
func (s *stage) do(title string) {
	s.t.Helper()
	for _, a := range actions() {
		if a.title == title {
			if !a.can(s.w) {
				s.t.Fatalf("%q cannot be done now", title)
			}
			s.w.act(a)
			s.settle()
			return
		}
	}
	s.t.Fatalf("no action %q", title)
}

func (s *stage) press(keys ...fyne.KeyName) { s.t.Helper(); s.Press(keys...); s.settle() }
func (s *stage) tap(text string)            { s.t.Helper(); s.Tap(text); s.settle() }

func (s *stage) file(name string) string {
	s.t.Helper()
	data, err := os.ReadFile(filepath.Join(s.agents(), name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}

func (s *stage) wants(parts ...string) {
	s.t.Helper()
	for _, part := range parts {
		if !s.Shows(part) {
			s.t.Errorf("the window does not show %q: %q", part, s.Texts())
		}
	}
}

// enter makes a home with a passphrase and no recovery key.
func (s *stage) enter() {
	s.t.Helper()
	s.Type("correct horse")
	s.press(fyne.KeyReturn)
	s.Type("correct horse")
	s.press(fyne.KeyReturn)
	if !s.w.open() {
		s.t.Fatalf("the roster did not open: %q", s.Texts())
	}
	s.tap("Later")
}

// bring imports the shop's agents.
func (s *stage) bring() {
	s.t.Helper()
	s.do("Import agents…")
	s.do("Import what was found")
}

// edit types into the box under a label.
func (s *stage) edit(label, text string) {
	s.t.Helper()
	s.FocusField(label)
	s.Focused().(fyne.Shortcutable).TypedShortcut(&fyne.ShortcutSelectAll{})
	s.Press(fyne.KeyBackspace)
	s.Type(text)
	s.settle()
}
