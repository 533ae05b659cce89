package crypto

import (
	"bytes"
	"errors"
	"strings"

	"filippo.io/age"

	"callboard/crypto/secret"
)

// dek.age has one stanza for each recipient, in the order in which
// WrapDataKey was given them: the vault's identity, then the recovery key.
const x25519Stanza = "-> X25519 "

// RecoveryKey is what a person prints or writes down: the secret of id as one
// line, as age-keygen writes it.
func RecoveryKey(id Identity) secret.Bytes { return secret.FromString(id.x.String()) }

// ParseRecoveryKey reads a recovery key as it may have been typed: blanks and
// line breaks anywhere, capitals or not. Anything else is ErrKeyCorrupt.
func ParseRecoveryKey(typed secret.Bytes) (Identity, error) {
	tight := bytes.Join(bytes.Fields(typed.Reveal()), nil)
	defer clear(tight)
	x, err := age.ParseX25519Identity(strings.ToUpper(string(tight)))
	if err != nil {
		return Identity{}, ErrKeyCorrupt
	}
	return Identity{x: x}, nil
}

// ParseRecipient reads what Recipient.String wrote.
func ParseRecipient(text string) (Recipient, error) {
	r, err := age.ParseX25519Recipient(text)
	if err != nil {
		return Recipient{}, ErrKeyCorrupt
	}
	return Recipient{r: r}, nil
}

// Recipients is how many X25519 keys the header of an age file names. It reads
// the header as it stands: only opening the file vouches for it.
func Recipients(file []byte) int {
	header, _, ok := bytes.Cut(file, []byte(footer))
	if !ok {
		return 0
	}
	return bytes.Count(header, []byte("\n"+x25519Stanza))
}

// UnwrapWithRecovery opens what WrapDataKey wrote with the second of its
// recipients, never with the first. Errors as UnwrapDataKey.
func UnwrapWithRecovery(file []byte, id Identity) (DataKey, error) {
	if id.Empty() {
		return DataKey{}, ErrLocked
	}
	plain, err := decrypt(file, second{id.x})
	defer clear(plain)
	if errors.Is(err, age.ErrIncorrectIdentity) {
		return DataKey{}, ErrDataKeyMismatch
	}
	if err != nil || len(plain) != DataKeyLen {
		return DataKey{}, ErrDataKeyCorrupt
	}
	return FixedDataKey(plain), nil
}

// second is an identity that looks at a file's second stanza only.
type second struct{ x *age.X25519Identity }

// Unwrap opens the file key.
func (s second) Unwrap(stanzas []*age.Stanza) ([]byte, error) {
	if len(stanzas) != 2 {
		return nil, age.ErrIncorrectIdentity
	}
	return s.x.Unwrap(stanzas[1:])
}

// Same reports whether two identities are the same key.
func (id Identity) Same(other Identity) bool {
	return !id.Empty() && !other.Empty() && id.Recipient().String() == other.Recipient().String()
}
