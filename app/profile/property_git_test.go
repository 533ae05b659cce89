package profile_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"callboard/app/profile"
)

// repo is a git repository in a folder of its own.
type repo struct{ dir string }

func (r repo) git(t rapid.TB, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "HOME="+r.dir, "LC_ALL=C",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@localhost", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@localhost")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// TestPropertyGitShowsOnlyTheEdit writes edits back to files under git: its
// diff is one hunk inside the lines of the edited key.
func TestPropertyGitShowsOnlyTheEdit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := repo{dir}
	r.git(t, "init", "-q")
	r.git(t, "config", "core.autocrlf", "false")
	service := profile.New(profile.Config{Backups: filepath.Join(t.TempDir(), "backups"), Now: func() time.Time { return noon }})
	left := 40 // a process each is slow, so only some of the cases go this far
	path := filepath.Join(dir, "a.md")
	rapid.Check(t, func(t *rapid.T) {
		if left--; left < 0 {
			return
		}
		d := drawFile(t)
		if err := os.WriteFile(path, d.data, 0o600); err != nil {
			t.Fatal(err)
		}
		r.git(t, "add", "a.md")
		r.git(t, "commit", "-q", "--allow-empty", "-m", "a")
		f, err := readClaude(path, d.data)
		if err != nil {
			t.Fatal(err)
		}
		e := drawEdit(t, drawField(t), f.Agent)
		plan, err := service.Preview(t.Context(), e.next)
		if err != nil {
			mustBeFault(t, err)
			return
		}
		src, err := service.Write(t.Context(), plan, profile.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		written, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(written, plan.Change.After) || !bytes.Equal(src.Original, written) {
			t.Fatalf("%v: the file holds %q, the plan %q", err, written, plan.Change.After)
		}
		gitShows(t, r, d, e, plan.Change)
	})
}

func gitShows(t *rapid.T, r repo, d drawn, e drawnEdit, c profile.Change) {
	t.Helper()
	out := r.git(t, "diff", "--no-color", "--no-ext-diff", "--text", "-U0", "--", "a.md")
	if len(c.Spans) == 0 {
		if out != "" {
			t.Fatalf("git shows a change\n%s", out)
		}
		return
	}
	first := 1 + bytes.Count(d.data[:c.Spans[0].Start], []byte("\n"))
	last := 1 + bytes.Count(d.data[:c.Spans[0].End], []byte("\n"))
	from, to := slides(c.Before, c.After)
	first, last = min(first, from), max(last, to)
	for line := range strings.SplitSeq(out, "\n") {
		if !strings.HasPrefix(line, "@@ ") {
			continue
		}
		at, n := hunk(t, line)
		if n > 0 && (at < first || at+n-1 > last) || n == 0 && (at < first-1 || at > last) {
			t.Fatalf("%s: git shows lines %d+%d, the span is in %d-%d\n%s", e.field, at, n, first, last, out)
		}
	}
	stat := r.git(t, "diff", "--numstat", "--text", "--", "a.md")
	gone, added := changedLines(c.Before, c.After)
	var plus, minus int
	if _, err := fmt.Sscan(stat, &plus, &minus); err != nil || plus > added || minus > gone {
		t.Fatalf("%s: numstat %q, the change is %d out, %d in", e.field, stat, gone, added)
	}
}

// slides is where among the old lines a diff may show the change: a line that is
// added or taken away beside lines equal to it may be any of them.
func slides(before, after []byte) (from, to int) {
	a, b := bytes.SplitAfter(before, []byte("\n")), bytes.SplitAfter(after, []byte("\n"))
	shorter := min(len(a), len(b))
	pre, post := 0, 0
	for pre < shorter && bytes.Equal(a[pre], b[pre]) {
		pre++
	}
	for post < shorter && bytes.Equal(a[len(a)-1-post], b[len(b)-1-post]) {
		post++
	}
	return shorter - post + 1, pre
}

// hunk is the first old line of a hunk and how many there are.
func hunk(t *rapid.T, line string) (at, n int) {
	t.Helper()
	old, _, _ := strings.Cut(strings.TrimPrefix(line, "@@ -"), " ")
	start, count, several := strings.Cut(old, ",")
	if !several {
		count = "1"
	}
	if _, err := fmt.Sscan(start+" "+count, &at, &n); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return at, n
}
