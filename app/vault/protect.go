package vault

import (
	"context"

	"callboard/crypto"
	"callboard/crypto/secret"
)

// ProtectRequest says how the home is to be protected from now on. Current is
// read only where a passphrase protects it now, Passphrase only where one
// shall. The caller keeps ownership of both and may wipe them afterwards.
type ProtectRequest struct {
	Current    secret.Bytes
	Protection Protection
	Passphrase secret.Bytes
}

// ProtectResult says what was changed. Was is the protection until now: after
// Passphrase the person is told OldBackups. EntryLeft says that the system
// keyring would not give up the old entry, which the person can remove there
// ("callboard" in the keyring's own window).
type ProtectResult struct {
	Was       Protection
	EntryLeft bool
}

// Protect changes the passphrase or the kind of protection of an open vault.
// The identity and the data key stay, so no row is touched. A wrong current
// passphrase (crypto.ErrWrongPassphrase) and any other refusal changes
// nothing; a crash leaves the old key or the new one, and Unlock takes away
// what is left of the other. With scrypt it takes up to a second and a half of
// one core; the keyring may ask the person. Choosing Keyring or File again
// changes nothing.
func (s *Service) Protect(ctx context.Context, req ProtectRequest) (ProtectResult, error) {
	ctx, end := s.begin(ctx)
	defer end()
	k, open := s.opened()
	if !open {
		return ProtectResult{}, crypto.ErrLocked
	}
	if err := choice(req.Protection, req.Passphrase); err != nil {
		return ProtectResult{}, err
	}
	f, err := s.current(ctx, k, req.Current)
	if err != nil {
		return ProtectResult{}, err
	}
	out := ProtectResult{Was: f.by}
	if req.Protection == f.by && f.by != Passphrase {
		return out, nil
	}
	out.EntryLeft, err = s.changeKey(ctx, newKey{id: k.id, to: req.Protection, pass: req.Passphrase, from: f})
	if err != nil {
		return out, opening(err)
	}
	s.mu.Lock()
	s.keys.by = req.Protection
	s.mu.Unlock()
	return out, nil
}

// current finds the key file of the open vault, finishes a change that could
// not be finished earlier, and has a passphrase prove itself.
func (s *Service) current(ctx context.Context, k keys, pass secret.Bytes) (found, error) {
	f, err := s.locate()
	if err != nil {
		return found{}, err
	}
	if f.by == Passphrase {
		switch id, err := s.readForm(ctx, f.key, Passphrase, pass); {
		case err != nil:
			return found{}, err
		case !id.Same(k.id):
			return found{}, crypto.ErrDataKeyMismatch
		}
	}
	if f.change == nil {
		return f, nil
	}
	if _, err := s.finishChange(ctx, f.change); err != nil {
		return found{}, err
	}
	return s.locate()
}
