package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// entry is one member of a JSON object, kept as written.
type entry struct {
	key   string
	value json.RawMessage
}

// field is one setting: its place in the file and in Settings, and whether its
// value is one it may have.
type field struct {
	section, key string
	place        func(*Settings) any // a pointer
	ok           func(Settings) bool
}

func (f field) name() string { return f.section + "." + f.key }

// fields are all settings, in the order in which a new file has them.
func fields() []field {
	return []field{
		{"appearance", "theme", func(s *Settings) any { return &s.Appearance.Theme }, func(s Settings) bool {
			return slices.Contains([]Theme{System, Light, Dark}, s.Appearance.Theme)
		}},
		{"appearance", "text_size", func(s *Settings) any { return &s.Appearance.TextSize }, func(s Settings) bool {
			return within(MinTextSize, s.Appearance.TextSize, MaxTextSize)
		}},
		{"window", "width", func(s *Settings) any { return &s.Window.Width }, func(s Settings) bool {
			return within(0, s.Window.Width, maxPixels)
		}},
		{"window", "height", func(s *Settings) any { return &s.Window.Height }, func(s Settings) bool {
			return within(0, s.Window.Height, maxPixels)
		}},
		{"security", "auto_lock_minutes", func(s *Settings) any { return &s.Security.AutoLock }, func(s Settings) bool {
			return within(0, s.Security.AutoLock, MaxAutoLock)
		}},
		{"security", "lock_on_sleep", func(s *Settings) any { return &s.Security.LockOnSleep }, func(Settings) bool {
			return true
		}},
	}
}

func within(low, n, high int) bool { return low <= n && n <= high }

func check(s Settings) error {
	for _, f := range fields() {
		if !f.ok(s) {
			return fmt.Errorf("%w: %s", ErrValue, f.name())
		}
	}
	return nil
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
	for _, f := range fields() {
		if err := f.read(entries, &s); err != nil {
			return def, nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
		}
	}
	if err := check(s); err != nil {
		return def, nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	return s, entries, nil
}

// read takes the field's value where the file has one.
func (f field) read(entries []entry, s *Settings) error {
	section, ok := find(entries, f.section)
	if !ok {
		return nil
	}
	inner, err := members(section)
	if err != nil {
		return fmt.Errorf("%s: %w", f.section, err)
	}
	v, ok := find(inner, f.key)
	if !ok {
		return nil
	}
	if bytes.Equal(v, []byte("null")) || json.Unmarshal(v, f.place(s)) != nil {
		return fmt.Errorf("%s has a value of another kind", f.name())
	}
	return nil
}

// merge lays the known settings over the file's own entries: those that the
// file has, and those that are not as by default. The version is written once
// and stands first.
func merge(old []entry, s Settings) ([]entry, error) {
	out := slices.Clone(old)
	if _, ok := find(out, "version"); !ok {
		out = slices.Insert(out, 0, entry{"version", json.RawMessage(fmt.Sprint(Version))})
	}
	def := Defaults()
	for _, f := range fields() {
		now, err := json.Marshal(f.place(&s))
		if err != nil {
			return nil, err
		}
		usual, err := json.Marshal(f.place(&def))
		if err != nil {
			return nil, err
		}
		section, _ := find(out, f.section)
		inner, err := members(section)
		if err != nil {
			return nil, err
		}
		if _, there := find(inner, f.key); there || !bytes.Equal(now, usual) {
			out = set(out, f.section, object(set(inner, f.key, now)))
		}
	}
	return out, nil
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
