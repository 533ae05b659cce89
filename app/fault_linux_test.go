package app_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"callboard/app/fault"
	"callboard/app/home"
	"callboard/app/settings"
	"callboard/app/vault"
)

const (
	nobody    = 65534
	childEnv  = "CALLBOARD_FAULT_CHILD" // what to do; CHILD_HOME says where
	answerTag = "ANSWER "
)

// TestFaultChild is what other tests run in a process of its own.
func TestFaultChild(t *testing.T) {
	do, dir := os.Getenv(childEnv), os.Getenv("CHILD_HOME")
	if do == "" {
		t.Skip("only run by other tests")
	}
	if os.Geteuid() == 0 && do != "hold" {
		ok(t, syscall.Setgroups(nil))
		ok(t, syscall.Setgid(nobody))
		ok(t, syscall.Setuid(nobody))
	}
	var got answer
	switch do {
	case "hold":
		a, err := open(dir)
		ok(t, err)
		ok(t, a.Vault.Unlock(t.Context(), vault.UnlockRequest{}))
		fmt.Println(answerTag + "{}")
		_, _ = io.Copy(io.Discard, os.Stdin)
		ok(t, a.Close(t.Context()))
		return
	case "unlock":
		got = unlocking(dir, pass)
	case "init":
		got = making(dir)
	case "settings":
		got = setting(t, dir)
	}
	line, err := json.Marshal(got)
	ok(t, err)
	fmt.Println(answerTag + string(line))
}

// setting asks for another theme; it says why not.
func setting(t *testing.T, dir string) answer {
	a, err := open(dir)
	ok(t, err)
	err = a.Settings.Update(func(s *settings.Settings) { s.Appearance.Theme = settings.Dark })
	if theme := a.Settings.Get().Appearance.Theme; err != nil && theme != settings.System {
		t.Errorf("refused, and the theme is %s", theme)
	}
	ok(t, a.Vault.Unlock(t.Context(), vault.UnlockRequest{})) // settings never lock anybody out
	ok(t, a.Close(t.Context()))
	return answer{Rule: fault.RuleOf(err), Sentence: fault.Sentence(err)}
}

// child runs TestFaultChild and hands over its standard input and its answer.
func child(t *testing.T, do, dir string) (*exec.Cmd, io.WriteCloser, answer) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFaultChild$", "-test.v")
	cmd.Env = append(os.Environ(), childEnv+"="+do, "CHILD_HOME="+dir)
	in, err := cmd.StdinPipe()
	ok(t, err)
	out, err := cmd.StdoutPipe()
	ok(t, err)
	cmd.Stderr = cmd.Stdout
	ok(t, cmd.Start())
	var all strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		text, found := strings.CutPrefix(lines.Text(), answerTag)
		if !found {
			fmt.Fprintln(&all, lines.Text())
			continue
		}
		var got answer
		ok(t, json.Unmarshal([]byte(text), &got))
		return cmd, in, got
	}
	t.Fatalf("the child gave no answer: %v\n%s", cmd.Wait(), &all)
	return nil, nil, answer{}
}

func ended(t *testing.T, cmd *exec.Cmd, in io.Closer) {
	t.Helper()
	ok(t, in.Close())
	ok(t, cmd.Wait())
}

// TestHeldByAnotherProcess asks for a home that another real process has open.
func TestHeldByAnotherProcess(t *testing.T) {
	h := made(t, filepath.Join(t.TempDir(), "home"), vault.File)
	cmd, in, _ := child(t, "hold", h.Dir)
	before := settled(t, h.Dir)
	refused(t, h.Dir, unlocking(h.Dir, ""), "store_held",
		fmt.Sprintf("Callboard's home is open in another program: process %d. Close it there, then try again.", cmd.Process.Pid))
	unchanged(t, h.Dir, before)
	ended(t, cmd, in)
	if got := unlocking(h.Dir, ""); got.Code != 0 || got.Rule != "internal" || got.Stdout != "1 agent can be read.\n" {
		t.Errorf("once it is free: %+v", got)
	}
}

// settled is contents once the holder's own work on its files is over.
func settled(t *testing.T, dir string) map[string]string {
	t.Helper()
	var last map[string]string
	for range 200 {
		now, err := tryContents(dir)
		if err == nil && cmp.Equal(now, last) {
			return now
		}
		last = now
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the folder does not come to rest")
	return nil
}

// TestAnOrdinaryUser meets folders and files that are closed to them. Root
// gives its rights away for it; anybody else is an ordinary user.
func TestAnOrdinaryUser(t *testing.T) {
	const mayNot = "This user may not read or write Callboard's folder: "
	const give = ". Give yourself the folder (chown, chmod 700) or set CALLBOARD_HOME to another one."
	for name, tc := range map[string]struct {
		do       string
		harm     func(h home.Home) error
		rule     string
		sentence string
	}{
		"key unreadable": {
			"unlock", func(h home.Home) error { return os.Chmod(h.KeyAge(), 0) }, "home_not_allowed", mayNot + "@/key.age" + give,
		},
		"data key unreadable": {
			"unlock", func(h home.Home) error { return os.Chmod(h.DataKey(), 0) }, "home_not_allowed", mayNot + "@/dek.age" + give,
		},
		"home not enterable": {
			"unlock", func(h home.Home) error { return os.Chmod(h.Dir, 0) }, "home_not_allowed", mayNot + "@/key.age" + give,
		},
		"home read-only, all of it": {
			"unlock", func(h home.Home) error { return readOnly(h.Dir, 0o500) }, "home_not_allowed", mayNot + "@/locks/store.lock" + give,
		},
		"lock folder closed": {
			"unlock", func(h home.Home) error { return os.Chmod(filepath.Dir(h.StoreLock()), 0) }, "home_not_allowed",
			mayNot + "@/locks/store.lock" + give,
		},
		"store files read-only": {
			"unlock", func(h home.Home) error { return readOnly(h.Store(), 0o700) }, "home_not_allowed", mayNot + "@/store/LOCK" + give,
		},
		"store folder somebody else's": {
			"unlock", func(h home.Home) error {
				return errors.Join(readOnly(h.Store(), 0o555), os.Chown(h.Store(), 0, 0))
			}, "home_not_allowed", mayNot + "@/store" + give,
		},
		"no home, read-only parent": {
			"init", func(h home.Home) error {
				return errors.Join(os.RemoveAll(h.Dir), os.Chmod(filepath.Dir(h.Dir), 0o555))
			}, "home_not_allowed", mayNot + "@" + give,
		},
		"empty home, read-only": {
			"init", func(h home.Home) error { return emptied(h.Dir, 0o500) }, "home_not_allowed", mayNot + "@/locks" + give,
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := made(t, filepath.Join(openFolder(t), "home"), vault.Passphrase)
			ok(t, own(filepath.Dir(h.Dir)))
			if err := tc.harm(h); errors.Is(err, fs.ErrPermission) {
				t.Skipf("only root can break it like that: %v", err)
			} else {
				ok(t, err)
			}
			before := seenByRoot(t, filepath.Dir(h.Dir))
			cmd, in, got := child(t, tc.do, h.Dir)
			ended(t, cmd, in)
			refused(t, h.Dir, got, tc.rule, tc.sentence)
			if before != nil {
				unchanged(t, filepath.Dir(h.Dir), before)
			}
		})
	}
}

// TestSettingsThatMayNotBeRead keep nobody out, and are left alone.
func TestSettingsThatMayNotBeRead(t *testing.T) {
	h := made(t, filepath.Join(openFolder(t), "home"), vault.File)
	ok(t, os.WriteFile(h.Settings(), []byte(`{"appearance":{"theme":"light"}}`), 0o600))
	ok(t, own(filepath.Dir(h.Dir)))
	ok(t, os.Chmod(h.Settings(), 0))
	cmd, in, got := child(t, "settings", h.Dir)
	ended(t, cmd, in)
	want := answer{Rule: "settings_unreadable", Sentence: "The file settings.json cannot be read, so Callboard runs with its defaults and leaves the file alone: " +
		"this user may not read or write Callboard's folder: " + h.Settings() + ". Mend or remove the file, then start again."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	plain(t, got.Sentence)
	ok(t, os.Chmod(h.Settings(), 0o600))
	if data, err := os.ReadFile(h.Settings()); err != nil || string(data) != `{"appearance":{"theme":"light"}}` {
		t.Errorf("settings.json is %q %v", data, err)
	}
}

// seenByRoot is contents where this process may look.
func seenByRoot(t *testing.T, dir string) map[string]string {
	t.Helper()
	if os.Geteuid() != 0 {
		return nil
	}
	return contents(t, dir)
}

// openFolder is a new folder that every user can enter.
func openFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "callboard-fault-") //nolint:usetesting // the parent of TempDir is closed to other users
	ok(t, err)
	t.Cleanup(func() {
		_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if d.IsDir() {
				_ = os.Chmod(p, 0o700)
			}
			return nil
		})
		ok(t, os.RemoveAll(dir))
	})
	ok(t, os.Chmod(dir, 0o755))
	return dir
}

// own gives everything below dir to the ordinary user.
func own(dir string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	return filepath.WalkDir(dir, func(p string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chown(p, nobody, nobody))
	})
}

// readOnly takes the right to write from every file below dir, and gives every
// folder the mode.
func readOnly(dir string, mode os.FileMode) error {
	var dirs []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			dirs = append(dirs, p)
			return nil
		}
		return errors.Join(err, os.Chmod(p, 0o400))
	})
	for _, d := range dirs {
		err = errors.Join(err, os.Chmod(d, mode))
	}
	return err
}

// emptied is dir with nothing in it.
func emptied(dir string, mode os.FileMode) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return errors.Join(err, os.Chmod(dir, mode))
}
