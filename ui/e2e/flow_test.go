//go:build xvfb

package e2e

import (
	"encoding/base64"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The words that must never leave the source file unencrypted.
const (
	canaryName    = "CANARY-NAME-7f3a"
	canaryText    = "CANARY-TEXT-91bc"
	canaryInstr   = "CANARY-INSTRUCTIONS-44d0"
	canaryModel   = "canary-model-5e1f"
	canaryTool    = "mcp__canary_server_8a2c"
	canaryEffort  = "canary-effort-2b90"
	canaryDenied  = "mcp__canary_denied_61fe"
	canaryColor   = "canary-color-0d77"
	canaryUnknown = "CANARY-UNKNOWN-3a15"
	canaryEdit    = "CANARY-EDIT-c0de"
	passphrase    = "CANARY-PASSPHRASE-6b7d"
)

var agents = map[string]string{
	"reviewer.md": "---\r\nname: " + canaryName + "\r\ndescription: \"" + canaryText + "\"  # quoted\r\nmodel: " + canaryModel +
		"\r\ntools: Read, Grep, " + canaryTool + "\r\neffort: " + canaryEffort + "\r\ndisallowedTools: " + canaryDenied +
		"\r\ncolor: " + canaryColor + "\r\nunknownKey: [" + canaryUnknown + "]\r\n---\r\n# Role\r\n" + canaryInstr + "\r\n",
	"tester.md":    "---\nname: tester\ndescription: Makes flaky tests honest. Examples:\n\n<example>\nuser: \"it fails on CI only\"\n</example>\ntools:\n---\nMend.",
	"sub/docs.md":  "---\nname: 文档作者\ndescription: >-\n  Turns a change\n  into user words\n---\nWrite.\n",
	"README.md":    "How we write agents.\n",
	"broken.md":    "---\nname: [\n---\n",
	"binary.md":    "---\nname: x\x00y\n---\n",
	"settings.txt": "not an agent\n",
}

// TestOneAgentThroughTheHouse is the whole first day: choose a protection,
// import a folder of a git repository, edit one field, save, write back, and
// git shows that one line and nothing else.
func TestOneAgentThroughTheHouse(t *testing.T) {
	p := newPerson(t)
	repo := filepath.Join(p.dir, "shop")
	folder := filepath.Join(repo, ".claude", "agents")
	for name, text := range agents {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) string {
		t.Helper()
		return p.must("git", append([]string{"-C", repo, "-c", "user.name=p", "-c", "user.email=p@example.invalid", "-c", "core.autocrlf=false"}, args...)...)
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "agents")

	p.start(repo)
	p.shot("choose")
	p.types(passphrase)
	p.keys("Return")
	p.types(passphrase)
	p.keys("Return")
	home := filepath.Join(p.dir, "data", "callboard")
	p.until("the key file", func() bool { return exists(filepath.Join(home, "key.age")) })
	p.until("the roster", func() bool { return exists(filepath.Join(home, "store")) && !exists(filepath.Join(home, "new")) })
	p.shot("recovery")
	p.keys("Escape") // no recovery key
	p.keys("ctrl+i") // import: the repository's folder is suggested and looked into
	p.shot("import")
	p.keys("ctrl+Return")
	p.shot("roster")
	p.keys("ctrl+f")
	p.types(canaryName)
	p.keys("Down", "Home")
	p.shot("profile")
	p.keys("Tab", "Tab", "Tab", "Tab") // from the list over Export, the tabs and the name to the description
	p.editDescription()
	p.shot("edited")
	p.keys("ctrl+s")
	p.shot("saved")
	p.keys("ctrl+shift+s")
	p.shot("write")
	p.keys("Return")
	source := filepath.Join(folder, "reviewer.md")
	want := strings.Replace(agents["reviewer.md"], canaryText, canaryEdit, 1)
	p.until("the file to be written", func() bool { return read(t, source) == want })
	p.shot("written")
	titles := p.titles()
	p.quit()

	diff := git("diff", "--no-color", "-U0")
	if n := strings.Count(diff, "\n-") - strings.Count(diff, "\n---"); n != 1 {
		t.Errorf("%d lines taken away\n%s", n, diff)
	}
	if n := strings.Count(diff, "\n+") - strings.Count(diff, "\n+++"); n != 1 {
		t.Errorf("%d lines added\n%s", n, diff)
	}
	if status := git("status", "--porcelain"); status != " M .claude/agents/reviewer.md\n" {
		t.Errorf("git status:\n%s", status)
	}
	p.noCanaries(repo, filepath.Join(home, "backups"), titles)
	p.quietErrors()
	p.again(home)
}

// editDescription replaces the description in the box that has the keyboard.
func (p *person) editDescription() {
	p.t.Helper()
	p.keys("ctrl+a")
	p.types(canaryEdit)
}

// again starts the program on the home it made: a wrong passphrase, then the
// right one.
func (p *person) again(home string) {
	p.t.Helper()
	p.start(p.dir)
	p.types("not the passphrase")
	p.keys("Return")
	p.shot("wrong")
	p.until("the store to be held", func() bool {
		p.keys("ctrl+a") // what is typed while it still tries the wrong one is lost
		p.types(passphrase)
		p.keys("Return")
		time.Sleep(2 * time.Second)
		_, err := p.out(os.Getenv("CALLBOARD_BIN"), "--home", home, "verify", "--passphrase-file", p.passFile())
		return err != nil
	})
	p.shot("reopened")
	p.quit()
	if out := p.must(os.Getenv("CALLBOARD_BIN"), "--home", home, "verify", "--passphrase-file", p.passFile()); !strings.HasPrefix(out, "4 agents can be read.") {
		p.t.Errorf("verify says %q", out)
	}
}

func (p *person) passFile() string {
	p.t.Helper()
	path := filepath.Join(p.dir, "pass")
	if err := os.WriteFile(path, []byte(passphrase+"\n"), 0o600); err != nil {
		p.t.Fatal(err)
	}
	return path
}

// noCanaries looks for every private word, as it is, in UTF-16 and in base64,
// in all files but those below the folders that may hold it, and in what the
// program said.
func (p *person) noCanaries(repo, backups, titles string) {
	p.t.Helper()
	said := p.stderr.String() + titles
	seen := 0
	err := filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == repo || path == backups {
			return fs.SkipDir
		}
		if d.Name() == "preferences.json" {
			p.t.Errorf("the toolkit keeps preferences at %s", path)
		}
		said += path + "\n"
		if d.Type().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			seen++
			said += string(data) + "\n"
		}
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	if seen < 5 {
		p.t.Fatalf("only %d files looked at", seen)
	}
	for _, c := range []string{canaryName, canaryText, canaryInstr, canaryModel, canaryTool, canaryEffort, canaryDenied, canaryColor, canaryUnknown, canaryEdit, passphrase} {
		for form, word := range map[string]string{
			"plain":  c,
			"utf-16": strings.Join(strings.Split(c, ""), "\x00"),
			"base64": base64.StdEncoding.EncodeToString([]byte(c))[:12],
		} {
			if strings.Contains(said, word) {
				p.t.Errorf("%s leaked (%s)", c, form)
			}
		}
	}
}

// titles are the titles of all windows.
func (p *person) titles() string {
	p.t.Helper()
	var all strings.Builder
	for _, id := range strings.Fields(p.must("xdotool", "search", "--name", ".*")) {
		name, err := p.out("xdotool", "getwindowname", id)
		if err == nil {
			all.WriteString(name)
		}
	}
	if !strings.Contains(all.String(), "Callboard") {
		p.t.Errorf("no window of the program among %q", all.String())
	}
	return all.String()
}

// quietErrors fails for what the toolkit logs: work on the wrong thread, focus
// given to what is not in the window, and anything else it calls an error.
func (p *person) quietErrors() {
	p.t.Helper()
	if said := p.stderr.String(); strings.Contains(said, "***") || strings.Contains(said, "panic") || strings.Contains(said, "Fyne error") {
		p.t.Errorf("the program said:\n%s", said)
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
