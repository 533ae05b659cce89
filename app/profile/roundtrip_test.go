package profile_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/profile"
)

// roundTrips are the reports on paths, by their path below dir.
func roundTrips(t *testing.T, dir string, paths ...string) map[string]profile.Report {
	t.Helper()
	out := map[string]profile.Report{}
	err := profile.RoundTrips(t.Context(), paths, func(r profile.Report) error {
		out[strings.TrimPrefix(r.Path, dir+string(filepath.Separator))+r.Key] = r
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestRoundTripOfEveryFixture: nothing fails in any of the files that other
// tests read.
func TestRoundTripOfEveryFixture(t *testing.T) {
	before := tree(t, "testdata")
	agents, edits := 0, 0
	for path, r := range roundTrips(t, "", "testdata") {
		if r.Unreadable {
			if filepath.Base(path) != "open.md" {
				t.Errorf("%s: %v", path, r.Problems)
			}
			continue
		}
		agents++
		edits += r.RoundTrip.Edits
		if !r.Identical || len(r.RoundTrip.Failed) > 0 {
			t.Errorf("%s: %+v", path, r.RoundTrip)
		}
	}
	if agents < 50 || edits < 3*agents {
		t.Errorf("%d agents, %d edits", agents, edits)
	}
	if d := cmp.Diff(before, tree(t, "testdata")); d != "" {
		t.Errorf("something was written: %s", d)
	}
}

func TestRoundTrips(t *testing.T) {
	dir := realDir(t)
	put(t, filepath.Join(dir, "loose", "a.md"), named("a"))
	put(t, filepath.Join(dir, "twice.md"), "---\nname: a\ndescription: b\ndescription: c\n---\n")
	put(t, filepath.Join(dir, "README.md"), "# no agent\n")
	put(t, filepath.Join(dir, "bad.md"), "---\nname: \x00\n---\n")
	put(t, filepath.Join(dir, ".git", "b.md"), named("b"))
	put(t, filepath.Join(dir, "opencode.json"), `{"agent": {"one": {"description": "d"}, "two": {"prompt": "p"}}}`)
	if err := os.Symlink("README.md", filepath.Join(dir, "link.md")); err != nil {
		t.Fatal(err)
	}
	got := map[string]*profile.RoundTrip{}
	for path, r := range roundTrips(t, dir, dir) {
		if got[path] = r.RoundTrip; r.Unreadable != (path == "bad.md") {
			t.Errorf("%s: %+v", path, r)
		}
	}
	trip := func(edits int, refused map[string]int) *profile.RoundTrip {
		return &profile.RoundTrip{Edits: edits, Refused: refused, Failed: []string{}}
	}
	want := map[string]*profile.RoundTrip{
		"loose/a.md":             trip(4, map[string]int{}),
		"twice.md":               trip(3, map[string]int{"key_twice": 1}),
		"bad.md":                 nil,
		"opencode.jsonagent/one": trip(3, map[string]int{}),
		"opencode.jsonagent/two": trip(3, map[string]int{}),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	// One that was named is reported on, whatever it is.
	for name, unreadable := range map[string]bool{"README.md": false, "gone.md": true} {
		r, ok := roundTrips(t, dir, filepath.Join(dir, name))[name]
		if !ok || r.RoundTrip != nil || r.Unreadable != unreadable {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestRoundTripsEnd(t *testing.T) {
	dir := realDir(t)
	put(t, filepath.Join(dir, "a.md"), named("a"))
	put(t, filepath.Join(dir, "b.md"), named("b"))
	enough, n := errors.New("enough"), 0
	err := profile.RoundTrips(t.Context(), []string{dir}, func(profile.Report) error { n++; return enough })
	if !errors.Is(err, enough) || n != 1 {
		t.Error(n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := profile.RoundTrips(ctx, []string{dir}, func(profile.Report) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
