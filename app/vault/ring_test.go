package vault_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"callboard/app/home"
	"callboard/app/vault"
	"callboard/crypto"
)

const (
	// inSession marks the child that runs with a keyring of its own.
	inSession = "CALLBOARD_TEST_IN_SESSION"
	// needKeyring, when it says "required", turns a missing program into a
	// failure; .ci/run sets it.
	needKeyring = "CALLBOARD_TEST_KEYRING"
)

// sessionScript starts a real keyring, unlocked, and runs the tests in it.
const sessionScript = `printf 'pw\n' | gnome-keyring-daemon --unlock --daemonize --components=secrets >/dev/null && exec "$@"`

// TestKeyring runs the tests below again in a session of their own, with a real
// keyring in temporary folders.
func TestKeyring(t *testing.T) {
	for _, program := range []string{"dbus-run-session", "gnome-keyring-daemon", "dbus-send"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv(needKeyring) == "required" {
				t.Fatalf("%s is not installed", program)
			}
			t.Skipf("%s is not installed", program)
		}
	}
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "dbus-run-session", "--", "sh", "-c", sessionScript, "sh",
		os.Args[0], "-test.run", "^TestWithKeyring", "-test.v", "-test.timeout", "5m")
	cmd.Env = append(os.Environ(), inSession+"=1", "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_RUNTIME_DIR="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestWithKeyring") || strings.Contains(string(out), "--- SKIP") {
		t.Fatalf("%v\n%s", err, out)
	}
}

func session(t *testing.T) {
	t.Helper()
	if os.Getenv(inSession) == "" {
		t.Skip("runs inside TestKeyring")
	}
}

// entry is the keyring entry that the home names.
func entry(t *testing.T, h home.Home) string {
	t.Helper()
	data, err := os.ReadFile(h.KeyRing())
	ok(t, err)
	_, rest, found := strings.Cut(string(data), `"entry": "`)
	name, _, closed := strings.Cut(rest, `"`)
	if !found || !closed || strings.Contains(string(data), "SECRET") {
		t.Fatalf("key.keyring is %s", data)
	}
	return name
}

func held(t *testing.T, name string) bool {
	t.Helper()
	text, err := keyring.Get("callboard", name)
	if err != nil && !errors.Is(err, keyring.ErrNotFound) {
		t.Fatal(err)
	}
	return text != ""
}

func TestWithKeyringInitAndChanges(t *testing.T) {
	session(t)
	h, v := made(t, vault.Keyring)
	first := entry(t, h)
	if st := v.Status(t.Context()); st.State != vault.Locked || st.Protection != vault.Keyring || st.Recovery || !held(t, first) {
		t.Errorf("%+v", st)
	}
	private(t, h.Dir)
	v = vaultAt(h.Dir, nil)
	ok(t, unlock(t, v, ""))
	for _, to := range []vault.Protection{vault.Keyring, vault.Passphrase, vault.Keyring, vault.File, vault.Keyring} {
		was := v.Status(t.Context()).Protection
		got, err := v.Protect(t.Context(), vault.ProtectRequest{Current: say(newPass), Protection: to, Passphrase: say(newPass)})
		ok(t, err)
		if got.Was != was || got.EntryLeft || strings.Contains(keyFiles(t, h), " ") {
			t.Errorf("to %s: %+v, files %s", to, got, keyFiles(t, h))
		}
		if held(t, first) != (to == vault.Keyring && was == vault.Keyring) {
			t.Errorf("to %s: the first entry is there: %v", to, held(t, first))
		}
		ok(t, v.Lock(t.Context()))
		ok(t, unlock(t, v, newPass))
	}
	_, err := v.Backup(t.Context(), vault.BackupRequest{Dir: beside(h, "backup"), Passphrase: say(backupPass)})
	ok(t, err)
	ok(t, v.Lock(t.Context()))
	if there, _ := home.Exists(filepath.Join(beside(h, "backup"), "key.keyring")); there {
		t.Error("the backup needs the keyring")
	}
}

func TestWithKeyringLostAndForeignEntries(t *testing.T) {
	session(t)
	h, v := opened(t, vault.Keyring)
	rec, err := v.NewRecovery(t.Context())
	ok(t, err)
	ok(t, v.Lock(t.Context()))
	other, _ := made(t, vault.Keyring)
	theirs, err := keyring.Get("callboard", entry(t, other))
	ok(t, err)
	for name, value := range map[string]string{"foreign": theirs, "no key": "hello", "gone": ""} {
		if value == "" {
			ok(t, keyring.Delete("callboard", entry(t, h)))
		} else {
			ok(t, keyring.Set("callboard", entry(t, h), value))
		}
		before := fingerprint(t, h.Dir)
		if err := unlock(t, v, ""); !errors.Is(err, vault.ErrKeyringEntry) || fingerprint(t, h.Dir) != before {
			t.Errorf("%s: %v", name, err)
		}
	}
	ok(t, v.Recover(t.Context(), vault.RecoverRequest{Key: rec, Protection: vault.Keyring}))
	ok(t, v.Lock(t.Context()))
	ok(t, unlock(t, v, ""))
	ok(t, v.Lock(t.Context()))
	remove(t, h.KeyRing())
	ok(t, v.Recover(t.Context(), vault.RecoverRequest{Key: rec, Protection: vault.Passphrase, Passphrase: say(newPass)}))
}

// TestWithKeyringKilled kills the changes to and from the keyring at each step.
func TestWithKeyringKilled(t *testing.T) {
	session(t)
	for name, from := range map[string]vault.Protection{"to keyring": vault.Passphrase, "from keyring": vault.Keyring} {
		t.Run(name, func(t *testing.T) {
			steps := play(t, name, scene(t, from), 0)
			for i := range max(rounds, len(steps)) {
				at := i%len(steps) + 1
				ok(t, keyring.DeleteAll("callboard")) // other tests' homes
				h := scene(t, from)
				play(t, name, h, at)
				t.Logf("killed at %q", steps[at-1])
				oneOpens(t, h)
				if t.Failed() {
					t.Fatalf("after a kill at step %d, %q", at, steps[at-1])
				}
			}
		})
	}
}

// oneOpens holds that the keyring or one of the passphrases opens the home,
// and that nothing in the keyring is nobody's.
func oneOpens(t *testing.T, h home.Home) {
	t.Helper()
	v, db := vaultOver(h.Dir, nil)
	p := v.Status(t.Context()).Protection
	var opened int
	for _, word := range []string{pass, newPass} {
		if p == vault.Keyring && opened > 0 {
			break // it asks for no word
		}
		if unlock(t, v, word) != nil {
			continue
		}
		opened++
		if got := bodies(t, db); got != "in the home" {
			t.Errorf("rows are %s", got)
		}
		ok(t, v.Lock(t.Context()))
	}
	if opened != 1 || strings.Contains(keyFiles(t, h), " ") {
		t.Errorf("%d keys open it, files %s", opened, keyFiles(t, h))
	}
	if p == vault.Keyring && !held(t, entry(t, h)) {
		t.Error("the entry is gone")
	}
	word := pass
	if unlock(t, v, pass) != nil {
		word = newPass
		ok(t, unlock(t, v, newPass))
	}
	_, err := v.Protect(t.Context(), vault.ProtectRequest{Current: say(word), Protection: vault.File})
	ok(t, err)
	ok(t, v.Lock(t.Context()))
	if n := entries(t); n != 0 {
		t.Errorf("%d entries are nobody's", n)
		ok(t, keyring.DeleteAll("callboard"))
	}
}

// entries is how many entries of ours the keyring holds.
func entries(t *testing.T) int {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets",
		"/org/freedesktop/secrets", "org.freedesktop.Secret.Service.SearchItems", "dict:string:string:service,callboard").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.Count(string(out), "object path")
}

// TestWithKeyringHanging stops the keyring's process: each call waits no longer
// than it may, and Lock and an ended context do not wait for it at all.
func TestWithKeyringHanging(t *testing.T) {
	session(t)
	h, v := made(t, vault.Keyring)
	out, err := exec.CommandContext(t.Context(), "dbus-send", "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus",
		"/org/freedesktop/DBus", "org.freedesktop.DBus.GetConnectionUnixProcessID", "string:org.freedesktop.secrets").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	fields := strings.Fields(string(out))
	pid := fields[len(fields)-1]
	ok(t, exec.CommandContext(t.Context(), "kill", "-STOP", pid).Run())
	defer func() { ok(t, exec.CommandContext(t.Context(), "kill", "-CONT", pid).Run()) }()
	before := fingerprint(t, h.Dir)
	v.KeyringWait(time.Second)
	for range 2 { // the second also waits for the first
		if err := unlock(t, v, ""); !errors.Is(err, vault.ErrKeyringLocked) {
			t.Errorf("got %v", err)
		}
	}
	v = vaultAt(h.Dir, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := v.Unlock(ctx, vault.UnlockRequest{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("cancelled: %v", err)
	}
	done := make(chan error, 1)
	go func() { done <- v.Unlock(t.Context(), vault.UnlockRequest{}) }()
	time.Sleep(200 * time.Millisecond)
	if st := v.Status(t.Context()); st.State != vault.Locked {
		t.Errorf("%+v", st)
	}
	ok(t, v.Lock(t.Context()))
	if err := <-done; !errors.Is(err, crypto.ErrLocked) {
		t.Errorf("locked meanwhile: %v", err)
	}
	if fingerprint(t, h.Dir) != before {
		t.Error("a refusal wrote something")
	}
}

// TestWithKeyringLocked comes last: the keyring stays locked.
func TestWithKeyringLocked(t *testing.T) {
	session(t)
	h, v := made(t, vault.Keyring)
	out, err := exec.CommandContext(t.Context(), "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets",
		"/org/freedesktop/secrets", "org.freedesktop.Secret.Service.Lock", "array:objpath:/org/freedesktop/secrets/collection/login").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	before := fingerprint(t, h.Dir)
	v.KeyringWait(2 * time.Second)
	if err := unlock(t, v, ""); !errors.Is(err, vault.ErrKeyringLocked) {
		t.Errorf("got %v", err)
	}
	v = vaultAt(h.Dir, nil)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := v.Unlock(ctx, vault.UnlockRequest{}); !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, vault.ErrKeyringLocked) {
		t.Errorf("cancelled: %v", err)
	}
	other := filepath.Join(t.TempDir(), "home")
	w := vaultAt(other, nil)
	w.KeyringWait(2 * time.Second)
	if err := w.Init(t.Context(), vault.InitRequest{Protection: vault.Keyring}); !errors.Is(err, vault.ErrKeyringLocked) {
		t.Errorf("init: %v", err)
	}
	if st := w.Status(t.Context()); st.State != vault.New {
		t.Errorf("a refused init left %+v", st)
	}
	if fingerprint(t, h.Dir) != before {
		t.Error("the refusal wrote something")
	}
}

func TestWithoutAKeyringItIsSaidSo(t *testing.T) {
	for name, address := range map[string]string{"no bus": "", "a bus that is gone": "unix:path=/nonexistent/bus"} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat("/run/user"); err == nil && address == "" {
				t.Skip("this computer has a session")
			}
			t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
			dir := filepath.Join(t.TempDir(), "home")
			v := vaultAt(dir, nil)
			if err := v.Init(t.Context(), vault.InitRequest{Protection: vault.Keyring}); !errors.Is(err, vault.ErrKeyringMissing) {
				t.Errorf("got %v", err)
			}
			if there, _ := home.Exists(dir); there {
				t.Error("the refused init left a folder")
			}
		})
	}
}
