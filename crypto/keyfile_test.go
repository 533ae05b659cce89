package crypto_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"filippo.io/age/armor"
	"github.com/google/go-cmp/cmp"

	"callboard/app/fault"
	"callboard/crypto"
	"callboard/crypto/secret"
)

const cheap = 2 // scrypt work factor of tests that do not measure it

var born = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)

func newIdentity(t testing.TB) crypto.Identity {
	t.Helper()
	id, err := crypto.NewIdentity(born)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func sealed(t testing.TB, id crypto.Identity, pass string, workFactor int) []byte {
	t.Helper()
	file, err := crypto.SealIdentity(id, secret.FromString(pass), workFactor)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func same(a, b crypto.Identity) bool {
	return bytes.Equal(crypto.PlainIdentity(a).Reveal(), crypto.PlainIdentity(b).Reveal())
}

func TestKeyFileComesBack(t *testing.T) {
	id := newIdentity(t)
	got, err := crypto.OpenIdentity(sealed(t, id, "correct horse", cheap), secret.FromString("correct horse"))
	if err != nil {
		t.Fatal(err)
	}
	if !same(id, got) {
		t.Error("the identity that came back is another one")
	}
}

func TestPlainKeyFileHasTheFormOfAgeKeygen(t *testing.T) {
	id := newIdentity(t)
	plain := crypto.PlainIdentity(id)
	form := regexp.MustCompile(`^# created: 2026-03-14T09:26:53Z\n# public key: (age1[0-9a-z]{58})\nAGE-SECRET-KEY-1[0-9A-Z]{58}\n$`)
	m := form.FindSubmatch(plain.Reveal())
	if m == nil {
		t.Fatal("not the format of age-keygen")
	}
	if string(m[1]) != id.Recipient().String() {
		t.Errorf("public key line %s, recipient %s", m[1], id.Recipient())
	}
	got, err := crypto.ParseIdentity(plain)
	if err != nil || !same(id, got) {
		t.Errorf("parse: %v", err)
	}
}

func TestParseIdentityRefuses(t *testing.T) {
	plain := string(crypto.PlainIdentity(newIdentity(t)).Reveal())
	for name, text := range map[string]string{
		"empty":       "",
		"comment":     "# created: never\n",
		"cut":         plain[:len(plain)-10],
		"two keys":    plain + string(crypto.PlainIdentity(newIdentity(t)).Reveal()),
		"other words": "hello\n",
	} {
		if _, err := crypto.ParseIdentity(secret.FromString(text)); !errors.Is(err, crypto.ErrKeyCorrupt) {
			t.Errorf("%s: %v, want ErrKeyCorrupt", name, err)
		}
	}
}

func TestOpenIdentityRefuses(t *testing.T) {
	id := newIdentity(t)
	file := sealed(t, id, "right", cheap)
	data, err := crypto.WrapDataKey(newDataKey(t), id.Recipient())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file []byte
		pass string
		want error
	}{
		"wrong passphrase":    {file, "wrong", crypto.ErrWrongPassphrase},
		"empty passphrase":    {file, "", crypto.ErrNoPassphrase},
		"empty file":          {nil, "right", crypto.ErrKeyCorrupt},
		"cut file":            {file[:len(file)/2], "right", crypto.ErrKeyCorrupt},
		"no passphrase in it": {data, "right", crypto.ErrKeyCorrupt},
		"a text":              {[]byte("hello"), "right", crypto.ErrKeyCorrupt},
		"huge":                {make([]byte, 1<<20), "right", crypto.ErrKeyCorrupt},
		"damaged payload":     {flipPayload(t, file), "right", crypto.ErrKeyCorrupt},
		"too much work":       {bytes.Replace(unarmored(t, file), fmt.Appendf(nil, " %d\n", cheap), []byte(" 21\n"), 1), "right", crypto.ErrWorkFactor},
		"no key in it":        {sealedText(t, "hello"), "right", crypto.ErrKeyCorrupt},
	} {
		_, err := crypto.OpenIdentity(c.file, secret.FromString(c.pass))
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if _, err := crypto.SealIdentity(id, secret.Bytes{}, cheap); !errors.Is(err, crypto.ErrNoPassphrase) {
		t.Errorf("seal without passphrase: %v", err)
	}
	if _, err := crypto.SealIdentity(id, secret.FromString("x"), 21); !errors.Is(err, crypto.ErrWorkFactor) {
		t.Errorf("seal with too much work: %v", err)
	}
}

func TestEveryBitOfAKeyFileCounts(t *testing.T) {
	file := unarmored(t, sealed(t, newIdentity(t), "right", 1))
	for i := range file {
		bad := bytes.Clone(file)
		bad[i] ^= 1
		_, err := crypto.OpenIdentity(bad, secret.FromString("right"))
		switch fault.RuleOf(err) {
		case "wrong_passphrase", "key_corrupt", "work_factor_too_high":
		default:
			t.Fatalf("byte %d flipped: %v", i, err)
		}
	}
}

func TestTheWorkFactorOfARealKeyFile(t *testing.T) {
	if raceEnabled {
		t.Skip("scrypt takes 800 MB under the race detector")
	}
	whole := sealed(t, newIdentity(t), "right", crypto.WorkFactor)
	if kept := keptMemory(); kept > 128<<20 {
		t.Errorf("%d MB kept after sealing", kept>>20)
	}
	if _, err := crypto.OpenIdentity(whole, secret.FromString("right")); err != nil {
		t.Error(err)
	}
	if kept := keptMemory(); kept > 128<<20 {
		t.Errorf("%d MB kept after opening", kept>>20)
	}
	file := unarmored(t, whole)
	stanza := regexp.MustCompile(`\A[^\n]*\n-> scrypt \S+ (\d+)\n`).FindSubmatch(file)
	if stanza == nil || string(stanza[1]) != "18" {
		t.Errorf("the file's scrypt work factor is not 18: %q", stanza)
	}
}

// keptMemory is what the program holds of the system's memory for its heap.
func keptMemory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapSys - m.HeapReleased
}

func unarmored(t testing.TB, file []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := b.ReadFrom(armor.NewReader(bytes.NewReader(file))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func flipPayload(t testing.TB, file []byte) []byte {
	b := unarmored(t, file)
	b[len(b)-1] ^= 1
	return b
}

func TestKeysAreNotShown(t *testing.T) {
	id, key := newIdentity(t), newDataKey(t)
	plain := strings.Fields(string(crypto.PlainIdentity(id).Reveal()))
	word := plain[len(plain)-1]
	type holder struct {
		ID  crypto.Identity
		Key *crypto.DataKey
	}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", slog.Any("id", id), slog.Any("h", holder{id, &key}))
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&log, verb+verb+verb, id, key, holder{id, &key})
	}
	if strings.Contains(log.String(), word) || !strings.Contains(log.String(), "redacted") {
		t.Errorf("a key is shown: %s", log.String())
	}
	if diff := cmp.Diff("redacted", fmt.Sprint(key)); diff != "" {
		t.Error(diff)
	}
}

// The stock age program must be able to take over: that is the promise of the
// format.
func TestTheAgeProgramOpensOurFiles(t *testing.T) {
	for _, tool := range []string{"age", "script"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	dir := t.TempDir()
	id, key := newIdentity(t), newDataKey(t)
	data, err := crypto.WrapDataKey(key, id.Recipient())
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "key.age", sealed(t, id, "correct horse", 10))
	write(t, dir, "key.txt", crypto.PlainIdentity(id).Reveal())
	write(t, dir, "dek.age", data)

	cmd := exec.CommandContext(t.Context(), "age", "-d", "-i", "key.txt", "dek.age")
	cmd.Dir = dir
	raw, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if !crypto.FixedDataKey(raw).Equal(key) {
		t.Error("age opened another data key")
	}

	atATerminal(t, dir, "correct horse\n", "age -d -o opened.txt key.age")
	got, err := os.ReadFile(filepath.Join(dir, "opened.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, crypto.PlainIdentity(id).Reveal()) {
		t.Error("age opened another identity")
	}
}

func atATerminal(t *testing.T, dir, input, command string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "script", "-qec", command, "/dev/null")
	cmd.Dir = dir
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte(input)); err != nil {
		t.Fatal(err)
	}
	// The pipe stays open: at its end `script` would hang up on the prompt.
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%s: %v: %s", command, err, out.String())
	}
}

func write(t *testing.T, dir, name string, b []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
		t.Fatal(err)
	}
}
