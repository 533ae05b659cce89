package vault

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"callboard/app/home"
)

// found is where the key of a home is, and what was cut off on the way there.
type found struct {
	at      home.Home // the home, or the staging folder of a cut-off Init
	by      Protection
	key     string  // the key's file, which may have its staging name still
	dataKey string  // dek.age, the same
	change  *change // decided, but not all in place yet
}

// forms are the ways to keep an identity, in the order they are looked for.
var forms = []Protection{Passphrase, File, Keyring}

func keyFile(h home.Home, p Protection) string {
	switch p {
	case File:
		return h.KeyText()
	case Keyring:
		return h.KeyRing()
	case Passphrase:
		return h.KeyAge()
	}
	return h.KeyAge()
}

// locate finds the key: where a cut-off change or restore has decided it is,
// in the home, or in the staging folder of an Init that was cut off after its
// last write there. It opens no key and changes nothing.
func (s *Service) locate() (found, error) {
	h := s.cfg.Home
	if decided, err := restoreDecided(h); err != nil || decided {
		return beingRestored(h), err
	}
	c, err := readChange(h)
	if err != nil {
		return found{}, err
	}
	if c != nil {
		if f, ok, err := c.locate(h); err != nil || ok {
			return f, err
		}
	}
	for _, at := range []home.Home{h, h.Staging()} {
		p, ok, err := keyIn(at)
		if err != nil || ok {
			return found{at: at, by: p, key: keyFile(at, p), dataKey: at.DataKey()}, err
		}
	}
	return found{}, s.lost()
}

// lost says what the absence of a key means.
func (s *Service) lost() error {
	for _, left := range []string{s.cfg.Home.Store(), s.cfg.Home.DataKey()} {
		switch there, err := home.Exists(left); {
		case err != nil:
			return err
		case there:
			return ErrKeyMissing
		}
	}
	return ErrNone
}

func keyIn(h home.Home) (Protection, bool, error) {
	var there []Protection
	var names []string
	for _, p := range forms {
		is, err := home.Exists(keyFile(h, p))
		if err != nil {
			return "", false, err
		}
		if is {
			there, names = append(there, p), append(names, filepath.Base(keyFile(h, p)))
		}
	}
	switch len(there) {
	case 0:
		return "", false, nil
	case 1:
		return there[0], true, nil
	default:
		return "", false, fmt.Errorf("%w: %s", ErrTwoKeys, strings.Join(names, " and "))
	}
}

// lostKey is locate for who has the recovery key: a key that is gone is no
// error.
func (s *Service) lostKey() (found, error) {
	f, err := s.locate()
	if errors.Is(err, ErrKeyMissing) {
		return found{at: s.cfg.Home, dataKey: s.cfg.Home.DataKey()}, nil
	}
	return f, err
}
