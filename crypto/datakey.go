package crypto

import (
	"crypto/rand"
	"errors"
	"fmt"

	"filippo.io/age"
)

// DataKeyLen is the length of a data key in bytes.
const DataKeyLen = 32

// Recipient is the public key of an Identity, which a data key can be wrapped
// for.
type Recipient struct{ r *age.X25519Recipient }

// DataKey is the random key that seals every row of one vault. It prints as
// "redacted". Copies share one buffer, which Wipe overwrites.
type DataKey struct {
	hidden
	k *[DataKeyLen]byte
}

// NewDataKey makes a fresh key.
func NewDataKey() (DataKey, error) {
	k := DataKey{k: new([DataKeyLen]byte)}
	if _, err := rand.Read(k.k[:]); err != nil {
		return DataKey{}, fmt.Errorf("crypto: make a data key: %w", err)
	}
	return k, nil
}

// FixedDataKey is a key of 32 given bytes, which it copies. Another length is a
// broken invariant.
func FixedDataKey(b []byte) DataKey {
	k := DataKey{k: new([DataKeyLen]byte)}
	if copy(k.k[:], b) != DataKeyLen || len(b) != DataKeyLen {
		panic("crypto: a data key has 32 bytes")
	}
	return k
}

// Wipe overwrites the key with zeros. Sealers made from it keep working.
func (k DataKey) Wipe() {
	if k.k != nil {
		clear(k.k[:])
	}
}

// String is the public key as text, age1…
func (r Recipient) String() string { return r.r.String() }

// WrapDataKey is the content of dek.age: the key as a plain age file that any
// of the recipients opens.
func WrapDataKey(key DataKey, recipients ...Recipient) ([]byte, error) {
	rs := make([]age.Recipient, len(recipients))
	for i, r := range recipients {
		rs[i] = r.r
	}
	return encrypt(key.k[:], rs...)
}

// UnwrapDataKey opens what WrapDataKey wrote. It returns ErrDataKeyMismatch
// when the file is for other keys and ErrDataKeyCorrupt when it is damaged.
func UnwrapDataKey(file []byte, id Identity) (DataKey, error) {
	if id.Empty() {
		return DataKey{}, ErrLocked
	}
	plain, err := decrypt(file, id.x)
	defer clear(plain)
	if errors.Is(err, age.ErrIncorrectIdentity) {
		return DataKey{}, ErrDataKeyMismatch
	}
	if err != nil || len(plain) != DataKeyLen {
		return DataKey{}, ErrDataKeyCorrupt
	}
	return FixedDataKey(plain), nil
}
