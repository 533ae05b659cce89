package profile_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/fault"
	"callboard/app/profile"
)

const small = "---\nname: NAME\ndescription: d\ntools: Read\n---\n\nhello\n"

func put(t testing.TB, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func named(name string) string { return strings.Replace(small, "NAME", name, 1) }

// realDir is a new folder whose path has no links.
func realDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func scan(t *testing.T, path string) profile.Listing {
	t.Helper()
	l, err := profile.Scan(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func names(l profile.Listing) []string {
	var out []string
	for _, f := range l.Files {
		out = append(out, f.Agent.Identity.Name)
	}
	return out
}

func skips(l profile.Listing) []string {
	var out []string
	for _, s := range l.Skipped {
		rel, _ := filepath.Rel(l.Folder, s.Path)
		out = append(out, rel+" "+s.Rule)
	}
	return out
}

func TestScanFindsAgentsOnly(t *testing.T) {
	dir := realDir(t)
	put(t, filepath.Join(dir, "b.md"), named("b"))
	put(t, filepath.Join(dir, "sub", "deep", "a.MD"), named("a"))
	put(t, filepath.Join(dir, "README.md"), "# Agents\n")
	put(t, filepath.Join(dir, "notes.txt"), named("no"))
	put(t, filepath.Join(dir, ".git", "x.md"), named("git"))
	put(t, filepath.Join(dir, "open.md"), "---\nname: x\n")
	put(t, filepath.Join(dir, "binary.md"), "---\nname: \x00\n---\n")
	put(t, filepath.Join(dir, "huge.md"), strings.Repeat("x", 4<<20+1))
	var seen int
	l, err := profile.Scan(t.Context(), dir, profile.WithProgress(func(n int) { seen = n }))
	if err != nil {
		t.Fatal(err)
	}
	if got := names(l); !cmp.Equal(got, []string{"b", "a"}) || seen != 6 || l.Folder != dir || l.Cut {
		t.Errorf("files %v, %d seen in %s", got, seen, l.Folder)
	}
	want := []string{"README.md not_an_agent", "binary.md file_is_binary", "huge.md file_too_large", "open.md front_matter_open"}
	if d := cmp.Diff(want, skips(l)); d != "" {
		t.Error(d)
	}
	if l.Skipped[0].Unreadable || !l.Skipped[1].Unreadable {
		t.Error("a file that is no agent is nothing wrong, a binary one is")
	}
}

func TestScanPicksTheAgentsFolder(t *testing.T) {
	dir := realDir(t)
	agents := filepath.Join(dir, ".claude", "agents")
	file := put(t, filepath.Join(agents, "a.md"), named("a"))
	put(t, filepath.Join(dir, "docs", "b.md"), named("b"))
	for _, chosen := range []string{dir, filepath.Join(dir, ".claude"), agents, file} {
		l := scan(t, chosen)
		if !cmp.Equal(names(l), []string{"a"}) || l.Folder != agents {
			t.Errorf("%s: %v from %s", chosen, names(l), l.Folder)
		}
	}
	if l := scan(t, filepath.Join(dir, "docs")); !cmp.Equal(names(l), []string{"b"}) {
		t.Errorf("docs: %v", names(l))
	}
}

func TestScanAndLinks(t *testing.T) {
	dir, outside := realDir(t), realDir(t)
	put(t, filepath.Join(outside, "secret.md"), named("secret"))
	put(t, filepath.Join(dir, "sub", "a.md"), named("a"))
	for link, to := range map[string]string{
		"again.md":     filepath.Join("sub", "a.md"),
		"absolute.md":  filepath.Join(dir, "sub", "a.md"),
		"out.md":       filepath.Join(outside, "secret.md"),
		"dotdot.md":    filepath.Join("..", filepath.Base(outside), "secret.md"),
		"outdir":       outside,
		"sub/cycle":    "..",
		"broken.md":    "nowhere.md",
		"self.md":      "self.md",
		"agent-alias":  "sub",
		"textfile.txt": "nowhere",
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	l := scan(t, dir)
	if !cmp.Equal(names(l), []string{"a"}) || l.Files[0].Path != filepath.Join(dir, "sub", "a.md") {
		t.Errorf("files %v", names(l))
	}
	want := []string{
		"absolute.md link_twice", "again.md link_twice", "agent-alias link_twice", "broken.md link_broken",
		"dotdot.md link_outside", "out.md link_outside", "outdir link_outside",
		"self.md link_broken", "sub/cycle link_twice",
	}
	if d := cmp.Diff(want, skips(l)); d != "" {
		t.Error(d)
	}
}

func TestScanFollowsALinkToAFolderThatIsNotListed(t *testing.T) {
	dir := realDir(t)
	put(t, filepath.Join(dir, ".store", "a.txt"), named("a"))
	if err := os.Symlink(filepath.Join(".store", "a.txt"), filepath.Join(dir, "a.md")); err != nil {
		t.Fatal(err)
	}
	if l := scan(t, dir); !cmp.Equal(names(l), []string{"a"}) || !strings.HasSuffix(l.Files[0].Path, "a.txt") {
		t.Errorf("files %v", l.Files)
	}
}

func TestSameNames(t *testing.T) {
	dir := realDir(t)
	put(t, filepath.Join(dir, "1.md"), named("Café"))
	put(t, filepath.Join(dir, "2.md"), named("cafe\u0301"))
	put(t, filepath.Join(dir, "3.md"), named("other"))
	for i, f := range scan(t, dir).Files {
		if got := strings.Contains(rules(f), "same_name"); got != (i < 2) {
			t.Errorf("%s: %s", f.Path, rules(f))
		}
	}
}

func TestScanIsBounded(t *testing.T) {
	dir := realDir(t)
	put(t, filepath.Join(dir, strings.Repeat("d/", 40), "a.md"), named("deep"))
	l := scan(t, dir)
	if len(l.Files) > 0 || !l.Cut || l.Skipped[0].Rule != "too_deep" {
		t.Errorf("%v, %v", names(l), l.Skipped)
	}
	if testing.Short() {
		return
	}
	many := realDir(t)
	for i := range profile.MaxFiles + 5 {
		put(t, filepath.Join(many, itoa(i)+".md"), "no agent\n")
	}
	if l := scan(t, many); !l.Cut || len(l.Skipped) != profile.MaxFiles {
		t.Errorf("cut %v after %d", l.Cut, len(l.Skipped))
	}
}

func TestScanStops(t *testing.T) {
	dir := realDir(t)
	put(t, filepath.Join(dir, "a.md"), named("a"))
	put(t, filepath.Join(dir, "b.md"), named("b"))
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err := profile.Scan(ctx, dir, profile.WithProgress(func(int) { cancel(cause) }))
	if !errors.Is(err, cause) {
		t.Errorf("Scan = %v", err)
	}
	if _, err := profile.Scan(t.Context(), filepath.Join(dir, "none")); fault.RuleOf(err) != "folder_unreadable" {
		t.Errorf("Scan = %v", err)
	}
}
