package crypto_test

import (
	"bytes"
	"errors"
	"testing"

	"filippo.io/age"

	"callboard/crypto"
	"callboard/crypto/secret"
)

func newDataKey(t testing.TB) crypto.DataKey {
	t.Helper()
	k, err := crypto.NewDataKey()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// sealedText is a file that `age -p` could have made of any text.
func sealedText(t testing.TB, text string) []byte {
	t.Helper()
	r, err := age.NewScryptRecipient("right")
	if err != nil {
		t.Fatal(err)
	}
	r.SetWorkFactor(cheap)
	return ageFile(t, []byte(text), r)
}

func ageFile(t testing.TB, plain []byte, r age.Recipient) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := age.Encrypt(&b, r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(plain); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestDataKeyOpensForEachRecipient(t *testing.T) {
	id, recovery, stranger := newIdentity(t), newIdentity(t), newIdentity(t)
	key := newDataKey(t)
	file, err := crypto.WrapDataKey(key, id.Recipient(), recovery.Recipient())
	if err != nil {
		t.Fatal(err)
	}
	for name, who := range map[string]crypto.Identity{"identity": id, "recovery": recovery} {
		got, err := crypto.UnwrapDataKey(file, who)
		if err != nil || !got.Equal(key) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := crypto.UnwrapDataKey(file, stranger); !errors.Is(err, crypto.ErrDataKeyMismatch) {
		t.Errorf("stranger: %v, want ErrDataKeyMismatch", err)
	}
	if _, err := crypto.UnwrapDataKey(file, crypto.Identity{}); !errors.Is(err, crypto.ErrLocked) {
		t.Errorf("no identity: %v, want ErrLocked", err)
	}
}

func TestDamagedDataKeyFiles(t *testing.T) {
	id := newIdentity(t)
	file, err := crypto.WrapDataKey(newDataKey(t), id.Recipient())
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(file)
	flipped[len(flipped)-1] ^= 1
	x, err := age.ParseX25519Recipient(id.Recipient().String())
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]byte{
		"empty": nil, "cut": file[:len(file)-1], "cut header": file[:40], "flipped": flipped, "text": []byte("hello"),
		"short key": ageFile(t, make([]byte, 31), x),
	} {
		if _, err := crypto.UnwrapDataKey(bad, id); !errors.Is(err, crypto.ErrDataKeyCorrupt) {
			t.Errorf("%s: %v, want ErrDataKeyCorrupt", name, err)
		}
	}
	for i := range file {
		bad := bytes.Clone(file)
		bad[i] ^= 4
		if _, err := crypto.UnwrapDataKey(bad, id); err == nil {
			t.Fatalf("byte %d flipped and nobody noticed", i)
		}
	}
}

func TestWipe(t *testing.T) {
	k := newDataKey(t)
	k.Wipe()
	if !k.Equal(crypto.FixedDataKey(make([]byte, crypto.DataKeyLen))) {
		t.Error("Wipe must overwrite")
	}
	crypto.DataKey{}.Wipe()
	plain := secret.FromString("x")
	plain.Wipe()
}
