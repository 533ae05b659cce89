package servers

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"callboard/app/fault"
	"callboard/crypto/secret"
	"callboard/storage"
)

// The rules of setting values. Their texts name the field, never the value.
var (
	ErrValue = fault.New(fault.Invalid, "server_value_invalid", "this value cannot be kept").
			Then("Values are one line of text for a header, and text without a zero byte for the environment.")
	ErrValueName = fault.New(fault.NotFound, "server_value_unknown", "the tool server has no such name").
			Then("Add the name to the tool server first.")
)

// Names are names of a server's values.
type Names struct {
	Env     []string `json:"env,omitempty"`
	Headers []string `json:"headers,omitempty"`
}

// Values are values to set, by name. The caller keeps ownership and may wipe
// them afterwards.
type Values struct {
	Env     map[string]secret.Bytes
	Headers map[string]secret.Bytes
}

// SetValues sets the values of some of the server's names and leaves the rest
// as they are. A value that is new withdraws the consent; setting what is there
// changes nothing. There is no way to read one back.
func (s *Service) SetValues(ctx context.Context, id string, set Values) (Entry, error) {
	for f, m := range map[Field]map[string]secret.Bytes{FieldEnv: set.Env, FieldHeaders: set.Headers} {
		for _, v := range m {
			if err := checkValue(f, v.Reveal()); err != nil {
				return Entry{}, err
			}
		}
	}
	return s.editValues(ctx, id, func(sv Server, v *values) error {
		if err := lay(&v.Env, set.Env, sv.Env); err != nil {
			return err
		}
		return lay(&v.Headers, set.Headers, sv.Headers)
	})
}

// ClearValue forgets the value of one environment name or header.
func (s *Service) ClearValue(ctx context.Context, id string, f Field, name string) (Entry, error) {
	return s.editValues(ctx, id, func(_ Server, v *values) error {
		switch f {
		case FieldEnv:
			delete(v.Env, name)
		case FieldHeaders:
			delete(v.Headers, name)
		case FieldName, FieldTransport, FieldCommand, FieldArgs, FieldDir, FieldURL, FieldTimeout:
			return ErrValueName
		}
		return nil
	})
}

func (s *Service) editValues(ctx context.Context, id string, edit func(Server, *values) error) (Entry, error) {
	return s.update(ctx, func(tx *storage.Tx) (string, error) {
		r, _, err := s.t.get(tx, id)
		if err != nil {
			return id, err
		}
		had, _, err := optional(tx, s.t.values, id)
		if err != nil && !isDamage(err) {
			return id, err
		}
		next := had.clone()
		if err := edit(r.Server, &next); err != nil {
			return id, err
		}
		if err == nil && next.equal(had) {
			return id, nil
		}
		return id, s.putValues(tx, id, next)
	})
}

// keepNamed drops the values whose names a server no longer has.
func (s *Service) keepNamed(tx *storage.Tx, sv Server) error {
	had, _, err := optional(tx, s.t.values, sv.ID)
	if err != nil && !isDamage(err) {
		return err
	}
	next := had.clone()
	maps.DeleteFunc(next.Env, func(n string, _ []byte) bool { return !slices.Contains(sv.Env, n) })
	maps.DeleteFunc(next.Headers, func(n string, _ []byte) bool { return !slices.Contains(sv.Headers, n) })
	if next.equal(had) {
		return nil
	}
	return s.putValues(tx, sv.ID, next)
}

func (s *Service) putValues(tx *storage.Tx, id string, v values) error {
	if _, err := put(tx, s.t.values, id, v); err != nil {
		return err
	}
	return changed(tx, id)
}

func checkValue(f Field, v []byte) error {
	switch {
	case len(v) == 0:
		return fmt.Errorf("%w: %s: it is empty", ErrValue, f)
	case len(v) > MaxValue:
		return fmt.Errorf("%w: %s: %d bytes, at most %d", ErrValue, f, len(v), MaxValue)
	case bytes.IndexByte(v, 0) >= 0:
		return fmt.Errorf("%w: %s: it holds a zero byte", ErrValue, f)
	case f == FieldHeaders && (bytes.ContainsFunc(v, unicode.IsControl) || len(bytes.TrimSpace(v)) != len(v)):
		return fmt.Errorf("%w: %s: it holds a control character, or blanks at its ends", ErrValue, f)
	}
	return nil
}

// lay copies set over to, name by name.
func lay(to *map[string][]byte, set map[string]secret.Bytes, names []string) error {
	for n, v := range set {
		if !slices.Contains(names, n) {
			return ErrValueName
		}
		if *to == nil {
			*to = map[string][]byte{}
		}
		(*to)[n] = bytes.Clone(v.Reveal())
	}
	return nil
}

func (v values) clone() values {
	return values{Env: maps.Clone(v.Env), Headers: maps.Clone(v.Headers)}
}

func (v values) equal(o values) bool {
	return maps.EqualFunc(v.Env, o.Env, bytes.Equal) && maps.EqualFunc(v.Headers, o.Headers, bytes.Equal)
}

func (v values) empty() bool { return len(v.Env) == 0 && len(v.Headers) == 0 }

func (v values) names() Names {
	return Names{Env: slices.Sorted(maps.Keys(v.Env)), Headers: slices.Sorted(maps.Keys(v.Headers))}
}

// missing is the names of a server that have no value.
func (v values) missing(sv Server) []string {
	var out []string
	for _, n := range sv.Env {
		if _, ok := v.Env[n]; !ok {
			out = append(out, n)
		}
	}
	for _, n := range sv.Headers {
		if _, ok := v.Headers[n]; !ok {
			out = append(out, n)
		}
	}
	return out
}

// all is every value, and the words of a value of several: "Bearer x" is as
// secret in its second word.
func (v values) all() []string {
	var out []string
	for _, m := range []map[string][]byte{v.Env, v.Headers} {
		for _, b := range m {
			out = append(out, string(b))
			for _, w := range strings.Fields(string(b)) {
				if len(w) >= longWord {
					out = append(out, w)
				}
			}
		}
	}
	return out
}
