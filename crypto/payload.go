package crypto

import (
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"

	"filippo.io/age"
	"golang.org/x/crypto/chacha20poly1305"
)

// The payload of an age file: a nonce, then chunks of 64 KiB, the last of
// which is marked as such.
const (
	payloadNonceLen = 16
	chunkLen        = 64<<10 + chacha20poly1305.Overhead
	footer          = "\n--- "
)

var errPayload = errors.New("crypto: damaged payload")

// decryptRow is decrypt for small files: age's own readers take 64 KiB and
// more of memory for each file, whatever its size, and most rows have one
// short chunk. The header is age's business in both.
func decryptRow(file []byte, id age.Identity) ([]byte, error) {
	payload, ok := payloadOf(file)
	if !ok || len(payload) > payloadNonceLen+chunkLen {
		return decrypt(file, id)
	}
	fileKey, err := age.DecryptHeader(file, id)
	if err != nil {
		return nil, err
	}
	if len(payload) < payloadNonceLen+chacha20poly1305.Overhead {
		return nil, errPayload
	}
	key, err := hkdf.Key(sha256.New, fileKey, payload[:payloadNonceLen], "payload", chacha20poly1305.KeySize)
	if err != nil {
		return nil, err
	}
	aead, err := chacha20poly1305.New(key)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, chacha20poly1305.NonceSize)
	nonce[len(nonce)-1] = 1 // chunk 0, and the last one
	return aead.Open(nil, nonce, payload[payloadNonceLen:], nil)
}

// payloadOf is what follows the header. No line of a header but its last
// begins with dashes and a blank.
func payloadOf(file []byte) ([]byte, bool) {
	_, rest, ok := bytes.Cut(file, []byte(footer))
	if !ok {
		return nil, false
	}
	_, payload, ok := bytes.Cut(rest, []byte("\n"))
	return payload, ok
}
