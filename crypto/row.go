package crypto

import (
	"bytes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"filippo.io/age"
	"golang.org/x/crypto/chacha20poly1305"
)

const (
	stanzaType = "callboard-dek"
	rowLabel   = "callboard/row/v1"
	fileKeyLen = 16
)

var (
	b64          = base64.RawStdEncoding.Strict()
	errNotOurs   = errors.New("crypto: not our stanza")
	errUnusedKey = errors.New("crypto: empty data key")
)

// Sealer seals and opens rows with one data key. A row is an age file with a
// single stanza,
//
//	-> callboard-dek <key id> <nonce> <place>
//
// whose body is the file key under XChaCha20-Poly1305 with the label and the
// place as associated data. The place names the table, the key and the
// revision the row was sealed for; it stands in the clear, like the store's
// own keys, which hold ids only. So an intact row says by itself where it
// belongs, and anything else about it is damage.
//
// All methods may be called from any goroutine. Close drops the key.
type Sealer struct {
	hidden
	id string

	mu   sync.RWMutex
	aead cipher.AEAD // nil once closed
}

// NewSealer makes a sealer from key, which it does not keep.
func NewSealer(key DataKey) (*Sealer, error) {
	if key.k == nil {
		return nil, errUnusedKey
	}
	wrap, err := hkdf.Key(sha256.New, key.k[:], nil, rowLabel+" wrap", chacha20poly1305.KeySize)
	if err != nil {
		return nil, fmt.Errorf("crypto: derive the row key: %w", err)
	}
	defer clear(wrap)
	id, err := hkdf.Key(sha256.New, key.k[:], nil, rowLabel+" id", 6)
	if err != nil {
		return nil, fmt.Errorf("crypto: derive the key id: %w", err)
	}
	aead, err := chacha20poly1305.NewX(wrap)
	if err != nil {
		return nil, fmt.Errorf("crypto: use the row key: %w", err)
	}
	return &Sealer{id: b64.EncodeToString(id), aead: aead}, nil
}

// KeyID is a short public name of the data key: two sealers with the same key
// have the same one. It tells nothing else about the key.
func (s *Sealer) KeyID() string { return s.id }

// Close drops the key: every Seal and Open afterwards returns ErrLocked. It
// waits for those under way and may be called more than once.
func (s *Sealer) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.aead = nil
}

// Seal is plain as an age file for one place: table, key and revision. It
// takes about 6 µs for 1 KiB and does not keep plain.
func (s *Sealer) Seal(table, key string, rev uint64, plain []byte) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.aead == nil {
		return nil, ErrLocked
	}
	var out bytes.Buffer
	out.Grow(len(plain) + len(table) + len(key) + 320)
	r := &rowRecipient{aead: s.aead, keyID: s.id, place: place(table, key, rev)}
	if err := encryptTo(&out, plain, r); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Open is the plaintext of a row that was sealed for exactly this place. It
// returns ErrRowMoved for an intact row of another place or revision,
// ErrRowCorrupt for anything else that is not a row of this data key, and
// ErrLocked after Close.
func (s *Sealer) Open(table, key string, rev uint64, sealed []byte) ([]byte, error) {
	plain, got, err := s.OpenAny(table, key, sealed)
	if err != nil {
		return nil, err
	}
	if got != rev {
		return nil, fmt.Errorf("%w: revision %d, not %d", ErrRowMoved, got, rev)
	}
	return plain, nil
}

// OpenAny is Open for a row whose revision the caller does not know: it
// returns the one the row was sealed for. Errors as Open.
func (s *Sealer) OpenAny(table, key string, sealed []byte) ([]byte, uint64, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.aead == nil {
		return nil, 0, ErrLocked
	}
	r := &rowRecipient{aead: s.aead, keyID: s.id}
	plain, err := decryptRow(sealed, r)
	if err != nil {
		return nil, 0, ErrRowCorrupt
	}
	want := place(table, key, 0)
	home := len(want) - 8
	if len(r.place) != len(want) || !bytes.Equal(r.place[:home], want[:home]) {
		return nil, 0, ErrRowMoved
	}
	return plain, binary.BigEndian.Uint64(r.place[home:]), nil
}

// place is where a row belongs: both names with their lengths before them,
// then the revision, so that no two places have the same bytes.
func place(table, key string, rev uint64) []byte {
	b := make([]byte, 0, len(table)+len(key)+12)
	b = binary.AppendUvarint(b, uint64(len(table)))
	b = append(b, table...)
	b = binary.AppendUvarint(b, uint64(len(key)))
	b = append(b, key...)
	return binary.BigEndian.AppendUint64(b, rev)
}

// rowRecipient is our age recipient and identity for one row. Unwrap leaves
// the place it found in place.
type rowRecipient struct {
	aead  cipher.AEAD
	keyID string
	place []byte
}

func (r *rowRecipient) aad() []byte { return append([]byte(rowLabel), r.place...) }

// Wrap seals the file key for the row's place.
func (r *rowRecipient) Wrap(fileKey []byte) ([]*age.Stanza, error) {
	nonce := make([]byte, chacha20poly1305.NonceSizeX)
	if _, err := rand.Read(nonce); err != nil {
		return nil, err
	}
	return []*age.Stanza{{
		Type: stanzaType,
		Args: []string{r.keyID, b64.EncodeToString(nonce), b64.EncodeToString(r.place)},
		Body: r.aead.Seal(nil, nonce, fileKey, r.aad()),
	}}, nil
}

// Unwrap opens the file key of a file whose only stanza is ours.
func (r *rowRecipient) Unwrap(stanzas []*age.Stanza) ([]byte, error) {
	if len(stanzas) != 1 {
		return nil, errNotOurs
	}
	st := stanzas[0]
	if st.Type != stanzaType || len(st.Args) != 3 || st.Args[0] != r.keyID {
		return nil, errNotOurs
	}
	nonce, err := b64.DecodeString(st.Args[1])
	if err != nil || len(nonce) != chacha20poly1305.NonceSizeX {
		return nil, errNotOurs
	}
	if r.place, err = b64.DecodeString(st.Args[2]); err != nil {
		return nil, errNotOurs
	}
	if len(st.Body) != fileKeyLen+chacha20poly1305.Overhead {
		return nil, errNotOurs
	}
	return r.aead.Open(nil, nonce, st.Body, r.aad())
}
