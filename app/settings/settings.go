// Package settings keeps settings.json: plain operator settings that the
// program needs before anything is unlocked. It never holds anything private.
// Keys it does not know are kept with their values, in their order; a file it
// cannot read, or a newer one, is never rewritten.
package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"callboard/app/event"
	"callboard/app/fault"
	"callboard/app/home"
)

// Version is the newest file this program reads.
const Version = 1

// Why settings.json is left alone.
var (
	ErrUnreadable = fault.New(fault.Invalid, "settings_unreadable", "the file settings.json cannot be read, so Callboard runs with its defaults and leaves the file alone").
			Then("Mend or remove the file, then start again.")
	ErrNewer = fault.New(fault.Invalid, "settings_newer", "the file settings.json was written by a newer Callboard, so this one runs with its defaults and leaves the file alone").
			Then("Start the newer version, or move the file away.")
	ErrValue = fault.New(fault.Invalid, "settings_value", "this setting has no such value")
)

// Theme is which colours the window uses.
type Theme string

// System follows the desktop.
const (
	System Theme = "system"
	Light  Theme = "light"
	Dark   Theme = "dark"
)

// Settings is what the program reads.
type Settings struct {
	Appearance Appearance
	Window     Window
	Security   Security
}

// Appearance is how the window looks. TextSize is in percent.
type Appearance struct {
	Theme    Theme
	TextSize int
}

// Window is how large the window was when it was last closed, in the toolkit's
// pixels; zero is not known.
type Window struct{ Width, Height int }

// Security says when the vault locks by itself. AutoLock is in minutes without
// a key or a click; 0 is never.
type Security struct {
	AutoLock    int
	LockOnSleep bool
}

// The limits of numbers.
const (
	MinTextSize = 80
	MaxTextSize = 200
	MaxAutoLock = 24 * 60
	maxPixels   = 20_000
)

// Defaults are the settings of an empty file.
func Defaults() Settings {
	return Settings{Appearance: Appearance{Theme: System, TextSize: 100}}
}

// Service holds the settings of one home. Its methods may be called from any
// goroutine; mu guards every field below it.
type Service struct {
	path string
	feed *event.Feed

	mu      sync.Mutex
	now     Settings
	entries []entry
	problem error
}

// Open reads the file at path. It does not fail: what is wrong with the file
// is told by Problem, and the defaults are in force.
func Open(path string, feed *event.Feed) *Service {
	s := &Service{path: path, feed: feed}
	s.read()
	return s
}

// read takes in what the file says now.
func (s *Service) read() {
	s.now, s.entries, s.problem = Defaults(), nil, nil
	data, err := os.ReadFile(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		s.problem = fmt.Errorf("%w: %w", ErrUnreadable, home.Refusal(err))
	default:
		s.now, s.entries, s.problem = parse(data)
	}
}

// Get is the settings in force.
func (s *Service) Get() Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// Problem is why the file is left alone, nil when it is not.
func (s *Service) Problem() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.problem
}

// Update reads the file again, so that what was written there meanwhile is
// kept, changes the settings and writes it. When the file cannot be read, or a
// value is not one of its kind, nothing is written.
func (s *Service) Update(change func(*Settings)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read(); s.problem != nil {
		return s.problem
	}
	next := s.now
	change(&next)
	if err := check(next); err != nil {
		return err
	}
	entries, err := merge(s.entries, next)
	if err != nil {
		return err
	}
	if err := home.WriteFile(s.path, render(entries)); err != nil {
		return err
	}
	s.now, s.entries = next, entries
	s.feed.Publish(event.Change{Kind: event.Settings})
	return nil
}
