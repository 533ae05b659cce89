// Package settings keeps settings.json: plain operator settings that the
// program needs before anything is unlocked. It never holds anything private.
// Keys it does not know are kept with their values, in their order; a file it
// cannot read, or a newer one, is never rewritten.
package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
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

// Settings is what the program reads. A zero field is its default.
type Settings struct {
	Appearance Appearance `json:"appearance"`
}

// Appearance is how the window looks.
type Appearance struct {
	Theme Theme `json:"theme"`
}

// Defaults are the settings of an empty file.
func Defaults() Settings {
	return Settings{Appearance: Appearance{Theme: System}}
}

// entry is one member of a JSON object, kept as written.
type entry struct {
	key   string
	value json.RawMessage
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

func check(s Settings) error {
	switch s.Appearance.Theme {
	case System, Light, Dark:
		return nil
	default:
		return fmt.Errorf("%w: appearance.theme", ErrValue)
	}
}

func parse(data []byte) (Settings, []entry, error) {
	def := Defaults()
	entries, err := members(data)
	if err != nil {
		return def, nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	if v, ok := find(entries, "version"); ok {
		var n int
		if err := json.Unmarshal(v, &n); err != nil {
			return def, nil, fmt.Errorf("%w: version is no number", ErrUnreadable)
		}
		if n > Version {
			return def, nil, fmt.Errorf("%w: version %d", ErrNewer, n)
		}
	}
	s := def
	if v, ok := find(entries, "appearance"); ok {
		inner, err := members(v)
		if err != nil {
			return def, nil, fmt.Errorf("%w: appearance: %w", ErrUnreadable, err)
		}
		if v, ok := find(inner, "theme"); ok {
			if err := json.Unmarshal(v, &s.Appearance.Theme); err != nil {
				return def, nil, fmt.Errorf("%w: appearance.theme is no text", ErrUnreadable)
			}
		}
	}
	if err := check(s); err != nil {
		return def, nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	return s, entries, nil
}

// merge lays the known settings over the file's own entries. The version is
// written once and stands first.
func merge(old []entry, s Settings) ([]entry, error) {
	out := slices.Clone(old)
	if _, ok := find(out, "version"); !ok {
		out = slices.Insert(out, 0, entry{"version", json.RawMessage(fmt.Sprint(Version))})
	}
	look, _ := find(out, "appearance")
	inner, err := members(look)
	if err != nil {
		return nil, err
	}
	theme, err := json.Marshal(s.Appearance.Theme)
	if err != nil {
		return nil, err
	}
	return set(out, "appearance", object(set(inner, "theme", theme))), nil
}

func find(entries []entry, key string) (json.RawMessage, bool) {
	for _, e := range entries {
		if e.key == key {
			return e.value, true
		}
	}
	return nil, false
}

func set(entries []entry, key string, value json.RawMessage) []entry {
	for i := range entries {
		if entries[i].key == key {
			entries[i].value = value
			return entries
		}
	}
	return append(entries, entry{key, value})
}

func object(entries []entry) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, e := range entries {
		if i > 0 {
			b.WriteByte(',')
		}
		k, _ := json.Marshal(e.key) // a string always marshals
		b.Write(k)
		b.WriteByte(':')
		b.Write(e.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

func render(entries []entry) []byte {
	var b bytes.Buffer
	if err := json.Indent(&b, object(entries), "", "  "); err != nil {
		panic("settings: own JSON does not parse: " + err.Error())
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// members reads one JSON object, keys in order and in their own case. A key
// that stands twice, also in another case, is refused: readers differ in which
// one they would obey.
func members(data []byte) ([]entry, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("it is no JSON object")
	}
	var out []entry
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, errors.New("it is no JSON")
		}
		e := entry{key: t.(string)} // inside an object a key is a string
		for _, have := range out {
			if strings.EqualFold(have.key, e.key) {
				return nil, errors.New("a key stands twice")
			}
		}
		if err := dec.Decode(&e.value); err != nil {
			return nil, errors.New("it is no JSON")
		}
		out = append(out, e)
	}
	if _, err := dec.Token(); err != nil {
		return nil, errors.New("it ends too early")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the object")
	}
	return out, nil
}
