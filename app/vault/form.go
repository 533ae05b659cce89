package vault

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"unicode/utf8"

	"callboard/app/home"
	"callboard/app/ident"
	"callboard/crypto"
	"callboard/crypto/secret"
)

const (
	// maxKeyFile bounds what is read as a key file, in bytes.
	maxKeyFile = 64 << 10
	// staged ends the name of a file that counts for nothing yet.
	staged = ".new"
)

// ringFile is key.keyring: which entry of the system keyring holds the
// identity. Nothing in it is secret.
type ringFile struct {
	Note      string `json:"note"`
	Entry     string `json:"entry"`
	PublicKey string `json:"public_key"`
}

const ringNote = "The key of this Callboard home is in the system keyring, under this entry."

// stageForm writes id in the form p under its staging name, and into the
// keyring where that is the form; the file goes first, so that an entry is
// never there without a name to find it by.
func (s *Service) stageForm(ctx context.Context, h home.Home, p Protection, id crypto.Identity, pass secret.Bytes) error {
	path := keyFile(h, p) + staged
	switch p {
	case File:
		plain := crypto.PlainIdentity(id)
		defer plain.Wipe()
		return home.StageFile(path, plain.Reveal())
	case Keyring:
		return s.stageRing(ctx, path, id)
	case Passphrase:
		sealed, err := crypto.SealIdentity(id, pass, s.cfg.WorkFactor)
		if err != nil {
			return err
		}
		return home.StageFile(path, sealed)
	}
	return ErrProtection
}

func (s *Service) stageRing(ctx context.Context, path string, id crypto.Identity) error {
	f := ringFile{Note: ringNote, Entry: ident.New(s.cfg.Now()), PublicKey: id.Recipient().String()}
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	if err := home.StageFile(path, append(data, '\n')); err != nil {
		return err
	}
	s.step("keyring: file staged")
	plain := crypto.PlainIdentity(id)
	defer plain.Wipe()
	err = s.ring.set(ctx, f.Entry, plain)
	if errors.Is(err, ErrKeyringMissing) { // then there is no entry to find again
		return errors.Join(err, remove(path))
	}
	return err
}

// readForm opens the identity at path, which has the form p.
func (s *Service) readForm(ctx context.Context, path string, p Protection, pass secret.Bytes) (crypto.Identity, error) {
	switch p {
	case Passphrase:
		file, err := readSmall(path, ErrKeyMissing)
		if err != nil {
			return crypto.Identity{}, err
		}
		return crypto.OpenIdentity(file, pass)
	case Keyring:
		return s.readRing(ctx, path)
	case File:
		return readPlain(path)
	}
	return crypto.Identity{}, ErrProtection
}

func readPlain(path string) (crypto.Identity, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return crypto.Identity{}, home.Refusal(err)
	}
	if fi.Mode().Perm()&0o077 != 0 {
		return crypto.Identity{}, ErrKeyExposed
	}
	plain, err := readSmall(path, ErrKeyMissing)
	if err != nil {
		return crypto.Identity{}, err
	}
	hidden := secret.New(plain)
	defer hidden.Wipe()
	return crypto.ParseIdentity(hidden)
}

// readRing asks the keyring. An entry that holds another key is as good as
// none.
func (s *Service) readRing(ctx context.Context, path string) (crypto.Identity, error) {
	f, err := readRingFile(path)
	if err != nil {
		return crypto.Identity{}, err
	}
	plain, err := s.ring.get(ctx, f.Entry)
	if err != nil {
		return crypto.Identity{}, err
	}
	defer plain.Wipe()
	id, err := crypto.ParseIdentity(plain)
	if err != nil || id.Recipient().String() != f.PublicKey {
		return crypto.Identity{}, ErrKeyringEntry
	}
	return id, nil
}

func readRingFile(path string) (ringFile, error) {
	var f ringFile
	data, err := readSmall(path, ErrKeyMissing)
	if err != nil {
		return f, err
	}
	if json.Unmarshal(data, &f) != nil || f.Entry == "" {
		return f, fmt.Errorf("%w: key.keyring", crypto.ErrKeyCorrupt)
	}
	return f, nil
}

// forget takes the entry that the key.keyring at path names out of the
// keyring, and the file with it. What is not there is no error.
func (s *Service) forget(ctx context.Context, path string) error {
	f, err := readRingFile(path)
	switch {
	case errors.Is(err, ErrKeyMissing):
		return nil
	case err == nil:
		err = s.ring.remove(ctx, f.Entry)
	default:
		err = nil // half a file names no entry
	}
	if err != nil {
		return err
	}
	return remove(path)
}

func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return home.Refusal(err)
	}
	return nil
}

func readSmall(path string, gone error) ([]byte, error) {
	fi, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, gone
	case err != nil:
		return nil, home.Refusal(err)
	case !fi.Mode().IsRegular() || fi.Size() > maxKeyFile:
		return nil, fmt.Errorf("%w: %s", crypto.ErrKeyCorrupt, fi.Name())
	}
	data, err := os.ReadFile(path) //nolint:gosec // the home's own file
	if err != nil {
		return nil, home.Refusal(err)
	}
	return data, nil
}

func longEnough(pass secret.Bytes) error {
	if utf8.RuneCount(pass.Reveal()) < MinPassphrase {
		return ErrShort
	}
	return nil
}
