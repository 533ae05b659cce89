package crypto_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"callboard/crypto"
	"callboard/crypto/secret"
)

func identity(t *testing.T) crypto.Identity {
	t.Helper()
	id, err := crypto.NewIdentity(time.Unix(1e9, 0))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestARecoveryKeyIsReadAsItWasTyped(t *testing.T) {
	id := identity(t)
	text := string(crypto.RecoveryKey(id).Reveal())
	for name, typed := range map[string]string{
		"as shown":    text,
		"small":       strings.ToLower(text),
		"with a line": text + "\n",
		"in groups":   text[:10] + " " + text[10:30] + "\r\n\t" + text[30:],
	} {
		got, err := crypto.ParseRecoveryKey(secret.FromString(typed))
		if err != nil || !got.Same(id) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, typed := range map[string]string{
		"nothing": "", "words": "correct horse", "cut": text[:len(text)-1],
		"one letter wrong": text[:20] + map[bool]string{true: "Q", false: "P"}[text[20] == 'P'] + text[21:],
		"public":           id.Recipient().String(),
	} {
		if _, err := crypto.ParseRecoveryKey(secret.FromString(typed)); !errors.Is(err, crypto.ErrKeyCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestARecoveryKeyOpensTheDataKeyAndOnlyAsTheSecond(t *testing.T) {
	first, rec, other := identity(t), identity(t), identity(t)
	key, err := crypto.NewDataKey()
	if err != nil {
		t.Fatal(err)
	}
	one, err := crypto.WrapDataKey(key, first.Recipient())
	if err != nil {
		t.Fatal(err)
	}
	both, err := crypto.WrapDataKey(key, first.Recipient(), rec.Recipient())
	if err != nil {
		t.Fatal(err)
	}
	if crypto.Recipients(one) != 1 || crypto.Recipients(both) != 2 || crypto.Recipients(one[:20]) != 0 {
		t.Errorf("recipients %d %d", crypto.Recipients(one), crypto.Recipients(both))
	}
	for name, tc := range map[string]struct {
		file []byte
		id   crypto.Identity
		want error
	}{
		"the recovery key":       {both, rec, nil},
		"the home's own":         {both, first, crypto.ErrDataKeyMismatch},
		"a stranger's":           {both, other, crypto.ErrDataKeyMismatch},
		"where there is none":    {one, rec, crypto.ErrDataKeyMismatch},
		"of a cut file":          {both[:len(both)-1], rec, crypto.ErrDataKeyCorrupt},
		"an identity of nothing": {both, crypto.Identity{}, crypto.ErrLocked},
	} {
		got, err := crypto.UnwrapWithRecovery(tc.file, tc.id)
		if !errors.Is(err, tc.want) || (err == nil) != got.Equal(key) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, id := range map[string]crypto.Identity{"own": first, "recovery": rec} {
		stockAge(t, name, both, id)
	}
}

// stockAge opens file with the age program.
func stockAge(t *testing.T, name string, file []byte, id crypto.Identity) {
	t.Helper()
	age, err := exec.LookPath("age")
	if err != nil {
		t.Skip("the age program is not installed")
	}
	dir := t.TempDir()
	for at, data := range map[string][]byte{"key": crypto.RecoveryKey(id).Reveal(), "dek.age": file} {
		if err := os.WriteFile(filepath.Join(dir, at), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), age, "-d", "-i", filepath.Join(dir, "key"), filepath.Join(dir, "dek.age"))
	if out, err := cmd.Output(); err != nil || len(out) != crypto.DataKeyLen {
		t.Errorf("%s: age says %v", name, err)
	}
}
