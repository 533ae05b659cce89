// Package crypto is the only place that touches keys. It promises that what it
// writes are age files: key.age and dek.age open with any age program, and a
// row of the store opens for nobody who lacks the vault's data key, nor in
// another place or revision than the one it was sealed for.
//
// It refuses to guess: a wrong passphrase, a damaged file, a row that was
// moved and a row that was damaged are different errors. Nothing here prints a
// key: identities and data keys show as "redacted" through fmt, slog and JSON.
//
// What it cannot tell: damage to the few header bytes of key.age or dek.age
// that hold the wrapped file key looks like a wrong passphrase or another key,
// because only the right one could show the difference.
package crypto

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"

	"filippo.io/age"

	"callboard/app/fault"
)

// The rules of this package.
var (
	ErrWrongPassphrase = fault.New(fault.Unauthenticated, "wrong_passphrase", "the passphrase is wrong").
				Then("Try again. A forgotten passphrase cannot be recovered.")
	ErrNoPassphrase = fault.New(fault.Invalid, "passphrase_empty", "the passphrase is empty")
	ErrWorkFactor   = fault.New(fault.Invalid, "work_factor_too_high", "the key file asks for more work than Callboard accepts")
	ErrKeyCorrupt   = fault.New(fault.Unavailable, "key_corrupt", "the key file is damaged or is not one of ours").
			Then("Restore it from a backup.")
	ErrDataKeyMismatch = fault.New(fault.Unavailable, "data_key_mismatch", "this key does not open the data key file").
				Then("Use the key that belongs to this home, or restore a backup.")
	ErrDataKeyCorrupt = fault.New(fault.Unavailable, "data_key_corrupt", "the data key file is damaged").
				Then("Restore it from a backup.")
	ErrRowMoved   = fault.New(fault.Unavailable, "row_moved", "a stored row is not the one that belongs in its place")
	ErrRowCorrupt = fault.New(fault.Unavailable, "row_corrupt", "a stored row is damaged")
	ErrLocked     = fault.New(fault.Locked, "locked", "Callboard is locked").
			Then("Unlock it, then try again.")
)

const shown = "redacted"

// hidden is embedded by everything that holds a key: it shows "redacted".
type hidden struct{}

// Format shows "redacted" for every verb.
func (hidden) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, shown) }

// String shows "redacted".
func (hidden) String() string { return shown }

// LogValue shows "redacted".
func (hidden) LogValue() slog.Value { return slog.StringValue(shown) }

// MarshalJSON shows "redacted": a key never travels by accident.
func (hidden) MarshalJSON() ([]byte, error) { return json.Marshal(shown) }

// MarshalText shows "redacted".
func (hidden) MarshalText() ([]byte, error) { return []byte(shown), nil }

// encrypt is a whole age file of plain for the recipients.
func encrypt(plain []byte, recipients ...age.Recipient) ([]byte, error) {
	var out bytes.Buffer
	if err := encryptTo(&out, plain, recipients...); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func encryptTo(dst io.Writer, plain []byte, recipients ...age.Recipient) error {
	w, err := age.Encrypt(dst, recipients...)
	if err != nil {
		return fmt.Errorf("crypto: start an age file: %w", err)
	}
	if _, err := w.Write(plain); err != nil {
		return fmt.Errorf("crypto: write an age file: %w", err)
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("crypto: finish an age file: %w", err)
	}
	return nil
}

// decrypt is the whole plaintext of an age file, authenticated to its end.
func decrypt(file []byte, id age.Identity) ([]byte, error) {
	r, size, err := age.DecryptReaderAt(bytes.NewReader(file), int64(len(file)), id)
	if err != nil {
		return nil, err
	}
	plain := make([]byte, size)
	if _, err := io.ReadFull(io.NewSectionReader(r, 0, size), plain); err != nil {
		return nil, err
	}
	return plain, nil
}
