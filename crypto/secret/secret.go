// Package secret holds values that must not be printed. Every way fmt,
// encoding/json and log/slog have of showing a value shows "redacted"; only
// Reveal gives the bytes, so a search for Reveal finds every use.
package secret

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
)

const shown = "redacted"

// Bytes is a secret byte string. The zero value is empty. It is not safe for
// concurrent use with Wipe.
type Bytes struct{ b []byte }

// New takes ownership of b: the caller must not keep or change it.
func New(b []byte) Bytes { return Bytes{b: b} }

// FromString copies s, which stays in memory until it is collected: prefer New.
func FromString(s string) Bytes { return Bytes{b: []byte(s)} }

// Reveal is the secret itself, not a copy. The caller must not print or keep it.
func (s Bytes) Reveal() []byte { return s.b }

// Empty reports whether there is nothing in it.
func (s Bytes) Empty() bool { return len(s.b) == 0 }

// Wipe overwrites the bytes with zeros.
func (s Bytes) Wipe() { clear(s.b) }

// Format shows "redacted" for every verb.
func (s Bytes) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(shown)) }

// String shows "redacted".
func (s Bytes) String() string { return shown }

// LogValue shows "redacted".
func (s Bytes) LogValue() slog.Value { return slog.StringValue(shown) }

// MarshalJSON shows "redacted": a secret never travels by accident.
func (s Bytes) MarshalJSON() ([]byte, error) { return json.Marshal(shown) }

// MarshalText shows "redacted".
func (s Bytes) MarshalText() ([]byte, error) { return []byte(shown), nil }

// UnmarshalJSON refuses: what MarshalJSON wrote is not the secret.
func (s *Bytes) UnmarshalJSON([]byte) error {
	return errors.New("secret: a redacted value cannot be read back")
}
