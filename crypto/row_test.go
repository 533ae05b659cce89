package crypto_test

import (
	"bytes"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/cryptotest"

	"filippo.io/age"
	"golang.org/x/crypto/chacha20poly1305"

	"callboard/crypto"
)

const goldenRow = "8a6877d190772777"

func fixedSealer(t testing.TB) *crypto.Sealer {
	t.Helper()
	s, err := crypto.NewSealer(crypto.FixedDataKey(bytes.Repeat([]byte{7}, crypto.DataKeyLen)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func sealRow(t testing.TB, s *crypto.Sealer, plain []byte) []byte {
	t.Helper()
	row, err := s.Seal("agents", "01ARYZ6S41TSV4RRFFQ69G5FAV", 3, plain)
	if err != nil {
		t.Fatal(err)
	}
	return row
}

func openRow(s *crypto.Sealer, row []byte) ([]byte, error) {
	return s.Open("agents", "01ARYZ6S41TSV4RRFFQ69G5FAV", 3, row)
}

func TestRowsComeBack(t *testing.T) {
	s := fixedSealer(t)
	for _, size := range []int{0, 1, 1024, 64 << 10, 64<<10 + 1, 1 << 20} {
		plain := bytes.Repeat([]byte("private! "), size/9+1)[:size]
		row := sealRow(t, s, plain)
		got, err := openRow(s, row)
		if err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%d bytes: %v", size, err)
		}
		if size > 0 && bytes.Contains(row, []byte("private")) {
			t.Errorf("%d bytes: the row shows its content", size)
		}
	}
	_, rev, err := s.OpenAny("agents", "01ARYZ6S41TSV4RRFFQ69G5FAV", sealRow(t, s, nil))
	if err != nil || rev != 3 {
		t.Errorf("OpenAny: revision %d, %v", rev, err)
	}
}

func TestMovedRowsAreRefused(t *testing.T) {
	s := fixedSealer(t)
	row := sealRow(t, s, []byte("x"))
	for name, c := range map[string]struct {
		table, key string
		rev        uint64
	}{
		"table":       {"models", "01ARYZ6S41TSV4RRFFQ69G5FAV", 3},
		"key":         {"agents", "01ARYZ6S41TSV4RRFFQ69G5FAW", 3},
		"older":       {"agents", "01ARYZ6S41TSV4RRFFQ69G5FAV", 4},
		"newer":       {"agents", "01ARYZ6S41TSV4RRFFQ69G5FAV", 2},
		"boundary":    {"agents0", "1ARYZ6S41TSV4RRFFQ69G5FAV", 3},
		"longer":      {"agents", "01ARYZ6S41TSV4RRFFQ69G5FAV ", 3},
		"empty place": {"", "", 3},
	} {
		if _, err := s.Open(c.table, c.key, c.rev, row); !errors.Is(err, crypto.ErrRowMoved) {
			t.Errorf("%s: %v, want ErrRowMoved", name, err)
		}
	}
}

func TestEveryBitAndEveryCutOfARowCounts(t *testing.T) {
	s := fixedSealer(t)
	row := sealRow(t, s, make([]byte, 1024))
	for i := range len(row) * 8 {
		bad := bytes.Clone(row)
		bad[i/8] ^= 1 << (i % 8)
		if _, err := openRow(s, bad); !errors.Is(err, crypto.ErrRowCorrupt) {
			t.Fatalf("bit %d flipped: %v, want ErrRowCorrupt", i, err)
		}
	}
	for i := range row {
		if _, err := openRow(s, row[:i]); !errors.Is(err, crypto.ErrRowCorrupt) {
			t.Fatalf("cut to %d bytes: %v, want ErrRowCorrupt", i, err)
		}
	}
	if _, err := openRow(s, append(bytes.Clone(row), 0)); !errors.Is(err, crypto.ErrRowCorrupt) {
		t.Errorf("one byte more: %v, want ErrRowCorrupt", err)
	}
}

func TestRowsOfOthersAreRefused(t *testing.T) {
	s := fixedSealer(t)
	other, err := crypto.NewSealer(newDataKey(t))
	if err != nil {
		t.Fatal(err)
	}
	if s.KeyID() == other.KeyID() || s.KeyID() != fixedSealer(t).KeyID() {
		t.Error("key ids must name keys")
	}
	// A row with our key id and place, but the body of another key.
	forged := strings.Replace(string(sealRow(t, other, []byte("x"))), other.KeyID(), s.KeyID(), 1)
	id := newIdentity(t)
	r, err := age.ParseX25519Recipient(id.Recipient().String())
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string][]byte{
		"other data key": sealRow(t, other, []byte("x")),
		"forged":         []byte(forged),
		"plain age file": ageFile(t, []byte("x"), r),
		"empty":          nil,
	} {
		if _, err := openRow(s, row); !errors.Is(err, crypto.ErrRowCorrupt) {
			t.Errorf("%s: %v, want ErrRowCorrupt", name, err)
		}
	}
}

func TestAClosedSealerIsLocked(t *testing.T) {
	s := fixedSealer(t)
	row := sealRow(t, s, []byte("x"))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 200 {
				if _, err := openRow(s, row); err != nil && !errors.Is(err, crypto.ErrLocked) {
					t.Error(err)
				}
			}
		})
	}
	s.Close()
	s.Close()
	wg.Wait()
	if _, err := openRow(s, row); !errors.Is(err, crypto.ErrLocked) {
		t.Errorf("open: %v, want ErrLocked", err)
	}
	if _, err := s.Seal("a", "b", 1, nil); !errors.Is(err, crypto.ErrLocked) {
		t.Errorf("seal: %v, want ErrLocked", err)
	}
	if _, err := crypto.NewSealer(crypto.DataKey{}); err == nil {
		t.Error("a sealer without a key")
	}
	if fmt.Sprint(s) != "redacted" {
		t.Error("a sealer must not be shown")
	}
}

// A golden row: with the randomness fixed, the bytes on disk are a promise.
func TestTheFormOfARowDoesNotChange(t *testing.T) {
	cryptotest.SetGlobalRandom(t, 1)
	row := sealRow(t, fixedSealer(t), []byte("hello"))
	sum := sha256.Sum256(row)
	if got := hex.EncodeToString(sum[:8]); got != goldenRow {
		t.Errorf("golden row %s, want %s:\n%q", got, goldenRow, row)
	}
}

func FuzzRow(f *testing.F) {
	s := fixedSealer(f)
	good := sealRow(f, s, []byte("hello"))
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Add([]byte("age-encryption.org/v1\n-> callboard-dek a b c\n\n--- \n"))
	f.Fuzz(func(t *testing.T, row []byte) {
		plain, err := openRow(s, row)
		if err == nil && string(plain) != "hello" { // seeds come from a run with other nonces
			t.Fatalf("a row we did not seal opens as %q", plain)
		}
		if err != nil && !errors.Is(err, crypto.ErrRowCorrupt) {
			t.Fatalf("%v, want ErrRowCorrupt", err)
		}
	})
}

func FuzzRowRoundTrip(f *testing.F) {
	s := fixedSealer(f)
	f.Add("agents", "id", uint64(1), []byte("x"))
	f.Fuzz(func(t *testing.T, table, key string, rev uint64, plain []byte) {
		row, err := s.Seal(table, key, rev, plain)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Open(table, key, rev, row)
		if err != nil || !bytes.Equal(got, plain) {
			t.Fatal(err)
		}
		if _, err := s.Open(table+"x", key, rev, row); !errors.Is(err, crypto.ErrRowMoved) {
			t.Fatal(err)
		}
	})
}

func BenchmarkRow1KiB(b *testing.B) {
	s := fixedSealer(b)
	plain := make([]byte, 1024)
	row := sealRow(b, s, plain)
	aead, err := chacha20poly1305.NewX(make([]byte, 32))
	if err != nil {
		b.Fatal(err)
	}
	x, err := age.GenerateX25519Identity()
	if err != nil {
		b.Fatal(err)
	}
	file := ageFile(b, plain, x.Recipient())
	nonce := make([]byte, chacha20poly1305.NonceSizeX)
	bare := aead.Seal(nil, nonce, plain, nil)
	for _, c := range []struct {
		name string
		op   func() error
	}{
		{"seal/row", func() error { sealRow(b, s, plain); return nil }},
		{"seal/x25519", func() error { ageFile(b, plain, x.Recipient()); return nil }},
		{"seal/bare-aead", func() error { rand.Read(nonce); aead.Seal(nil, nonce, plain, nil); return nil }},
		{"open/row", func() error { _, err := openRow(s, row); return err }},
		{"open/x25519", func() error {
			r, err := age.Decrypt(bytes.NewReader(file), x)
			if err == nil {
				_, err = new(bytes.Buffer).ReadFrom(r)
			}
			return err
		}},
		{"open/bare-aead", func() error { _, err := aead.Open(nil, make([]byte, 24), bare, nil); return err }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := c.op(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What we read ourselves of a payload is what age reads.
func TestOurReaderAndAgeAgree(t *testing.T) {
	s := fixedSealer(t)
	for _, size := range []int{0, 1, 64<<10 - 1, 64 << 10, 64<<10 + 1, 128 << 10} {
		plain := bytes.Repeat([]byte{5}, size)
		row := sealRow(t, s, plain)
		ours, err := openRow(s, row)
		if err != nil {
			t.Fatal(err)
		}
		r, err := age.Decrypt(bytes.NewReader(row), fileKeyOf(t, row))
		if err != nil {
			t.Fatal(err)
		}
		var theirs bytes.Buffer
		if _, err := theirs.ReadFrom(r); err != nil || !bytes.Equal(theirs.Bytes(), ours) || len(ours) != size {
			t.Errorf("%d bytes: age reads %d, we read %d, %v", size, theirs.Len(), len(ours), err)
		}
	}
}

// fileKeyOf opens a row of fixedSealer's key by the book: with the stanza as
// the package comment describes it.
func fileKeyOf(t *testing.T, row []byte) age.Identity {
	t.Helper()
	lines := strings.Split(string(row[:min(len(row), 400)]), "\n")
	args := strings.Fields(lines[1])
	key, err := hkdf.Key(sha256.New, bytes.Repeat([]byte{7}, crypto.DataKeyLen), nil, "callboard/row/v1 wrap", 32)
	if err != nil {
		t.Fatal(err)
	}
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		t.Fatal(err)
	}
	var raw [3][]byte
	for i, text := range []string{args[3], args[4], lines[2]} {
		if raw[i], err = base64.RawStdEncoding.DecodeString(text); err != nil {
			t.Fatal(err)
		}
	}
	fileKey, err := aead.Open(nil, raw[0], raw[2], append([]byte("callboard/row/v1"), raw[1]...))
	if err != nil {
		t.Fatal(err)
	}
	return age.NewInjectedFileKeyIdentity(fileKey)
}
