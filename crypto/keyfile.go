package crypto

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"filippo.io/age"
	"filippo.io/age/armor"

	"callboard/crypto/secret"
)

// Work factors of the passphrase: 2^18 costs about half a second and 256 MB
// once, at unlock; a file that asks for more than 2^20 is refused.
const (
	WorkFactor    = 18
	MaxWorkFactor = 20
)

const (
	createdPrefix = "# created: "
	maxKeyFile    = 64 << 10 // ours are under 1 KiB
)

// Identity is the vault's age X25519 identity. It prints as "redacted". The
// zero value is empty. It is never changed, so copies may be shared.
type Identity struct {
	hidden
	x       *age.X25519Identity
	created time.Time
}

// NewIdentity makes a fresh identity; now is the time its file shows.
func NewIdentity(now time.Time) (Identity, error) {
	x, err := age.GenerateX25519Identity()
	if err != nil {
		return Identity{}, fmt.Errorf("crypto: make an identity: %w", err)
	}
	return Identity{x: x, created: now}, nil
}

// Empty reports whether there is no key in it.
func (id Identity) Empty() bool { return id.x == nil }

// Recipient is the public half.
func (id Identity) Recipient() Recipient { return Recipient{r: id.x.Recipient()} }

// PlainIdentity is the content of key.txt, in the format of age-keygen. The
// caller must keep it to itself.
func PlainIdentity(id Identity) secret.Bytes {
	var b bytes.Buffer
	if !id.created.IsZero() {
		fmt.Fprintf(&b, "%s%s\n", createdPrefix, id.created.Format(time.RFC3339))
	}
	fmt.Fprintf(&b, "# public key: %s\n%s\n", id.x.Recipient(), id.x)
	return secret.New(b.Bytes())
}

// ParseIdentity reads what PlainIdentity or age-keygen wrote: exactly one
// X25519 key. Anything else is ErrKeyCorrupt.
func ParseIdentity(plain secret.Bytes) (Identity, error) {
	ids, err := age.ParseIdentities(bytes.NewReader(plain.Reveal()))
	if err != nil || len(ids) != 1 {
		return Identity{}, ErrKeyCorrupt
	}
	x, ok := ids[0].(*age.X25519Identity)
	if !ok {
		return Identity{}, fmt.Errorf("%w: only X25519 identities are supported", ErrKeyCorrupt)
	}
	return Identity{x: x, created: createdLine(plain.Reveal())}, nil
}

func createdLine(plain []byte) time.Time {
	for s := bufio.NewScanner(bytes.NewReader(plain)); s.Scan(); {
		if at, found := strings.CutPrefix(s.Text(), createdPrefix); found {
			t, _ := time.Parse(time.RFC3339, at) // a comment: a bad one is no time
			return t
		}
	}
	return time.Time{}
}

// SealIdentity is the content of key.age: the key file under a passphrase,
// armored. It takes workFactor's scrypt time and memory, and gives the memory
// back to the system; keep it off the drawing thread.
func SealIdentity(id Identity, passphrase secret.Bytes, workFactor int) ([]byte, error) {
	if passphrase.Empty() {
		return nil, ErrNoPassphrase
	}
	if workFactor < 1 || workFactor > MaxWorkFactor {
		return nil, fmt.Errorf("%w: %d, at most %d", ErrWorkFactor, workFactor, MaxWorkFactor)
	}
	r, err := age.NewScryptRecipient(string(passphrase.Reveal()))
	if err != nil {
		return nil, fmt.Errorf("crypto: use the passphrase: %w", err)
	}
	r.SetWorkFactor(workFactor)
	defer debug.FreeOSMemory()
	plain := PlainIdentity(id)
	defer plain.Wipe()
	var out bytes.Buffer
	a := armor.NewWriter(&out)
	if err := encryptTo(a, plain.Reveal(), r); err != nil {
		return nil, err
	}
	if err := a.Close(); err != nil {
		return nil, fmt.Errorf("crypto: finish the armor: %w", err)
	}
	return out.Bytes(), nil
}

// OpenIdentity opens what SealIdentity or `age -p` wrote, armored or binary.
// It returns ErrWrongPassphrase, ErrKeyCorrupt or ErrWorkFactor. Time and
// memory as SealIdentity; a wrong passphrase costs the same.
func OpenIdentity(file []byte, passphrase secret.Bytes) (Identity, error) {
	if passphrase.Empty() {
		return Identity{}, ErrNoPassphrase
	}
	binary, err := unarmor(file)
	if err != nil {
		return Identity{}, err
	}
	defer debug.FreeOSMemory()
	plain, err := decrypt(binary, passphraseOnly{passphrase})
	switch {
	case errors.Is(err, ErrWorkFactor):
		return Identity{}, err
	case errors.Is(err, age.ErrIncorrectIdentity):
		return Identity{}, ErrWrongPassphrase
	case err != nil:
		return Identity{}, ErrKeyCorrupt
	}
	s := secret.New(plain)
	defer s.Wipe()
	return ParseIdentity(s)
}

func unarmor(file []byte) ([]byte, error) {
	if len(file) > maxKeyFile {
		return nil, fmt.Errorf("%w: longer than %d bytes", ErrKeyCorrupt, maxKeyFile)
	}
	if !bytes.HasPrefix(bytes.TrimSpace(file), []byte(armor.Header)) {
		return file, nil
	}
	b, err := io.ReadAll(armor.NewReader(bytes.NewReader(file)))
	if err != nil {
		return nil, ErrKeyCorrupt
	}
	return b, nil
}

// passphraseOnly is an age identity that first looks at the header: age itself
// answers "incorrect identity" both for a wrong passphrase and for a file that
// has none.
type passphraseOnly struct{ passphrase secret.Bytes }

// Unwrap opens the file key of a file with exactly one passphrase stanza.
func (p passphraseOnly) Unwrap(stanzas []*age.Stanza) ([]byte, error) {
	if len(stanzas) != 1 || stanzas[0].Type != "scrypt" || len(stanzas[0].Args) != 2 {
		return nil, ErrKeyCorrupt
	}
	n, err := strconv.Atoi(stanzas[0].Args[1])
	if err != nil {
		return nil, ErrKeyCorrupt
	}
	if n > MaxWorkFactor {
		return nil, fmt.Errorf("%w: %d, at most %d", ErrWorkFactor, n, MaxWorkFactor)
	}
	id, err := age.NewScryptIdentity(string(p.passphrase.Reveal()))
	if err != nil {
		return nil, err
	}
	id.SetMaxWorkFactor(MaxWorkFactor)
	return id.Unwrap(stanzas)
}
