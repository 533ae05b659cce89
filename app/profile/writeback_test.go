package profile_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/profile"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// desk is a folder with one agent file, read, and a service.
type desk struct {
	dir, path, backups string
	service            *profile.Service
	agent              agent.Agent
}

func newDesk(t *testing.T) desk {
	t.Helper()
	return deskIn(t, realDir(t))
}

func deskIn(t *testing.T, dir string) desk {
	t.Helper()
	d := desk{dir: dir, path: put(t, filepath.Join(dir, "a.md"), named("a")), backups: filepath.Join(realDir(t), "backups")}
	d.service = profile.New(profile.Config{Backups: d.backups, Now: func() time.Time { return noon }})
	d.agent = scan(t, d.path).Files[0].Agent
	return d
}

// plan is a plan to rename the agent to name.
func (d desk) plan(t *testing.T, name string) profile.Plan {
	t.Helper()
	a := d.agent.Clone()
	a.Identity.Name = name
	p, err := d.service.Preview(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (d desk) kept(t *testing.T) []string {
	t.Helper()
	entries, _ := os.ReadDir(d.backups)
	var out []string
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(d.backups, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(b))
	}
	return out
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// onlyFile fails if the folder holds anything but the agent's file.
func (d desk) onlyFile(t *testing.T) {
	t.Helper()
	entries, _ := os.ReadDir(d.dir)
	if len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestWrite(t *testing.T) {
	d := newDesk(t)
	if err := os.Chmod(d.path, 0o640); err != nil {
		t.Fatal(err)
	}
	p := d.plan(t, "b")
	if p.State != profile.Same || p.Path != d.path || len(p.Change.Spans) != 1 {
		t.Errorf("plan %+v", p)
	}
	src, err := d.service.Write(t.Context(), p, profile.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if content(t, d.path) != named("b") || string(src.Original) != named("b") || src.Path != d.path || src.EOL != "lf" {
		t.Errorf("wrote %q, source %+v", content(t, d.path), src)
	}
	if info, _ := os.Stat(d.path); info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v", info.Mode())
	}
	if got := d.kept(t); !cmp.Equal(got, []string{named("a")}) {
		t.Errorf("kept %q", got)
	}
	entries, _ := os.ReadDir(d.backups)
	info, _ := entries[0].Info()
	folder, _ := os.Stat(d.backups)
	if info.Mode().Perm() != 0o600 || folder.Mode().Perm() != 0o700 || info.Name() != "20261130T120000.000-claude-code.md" {
		t.Errorf("backup %s %v in %v", info.Name(), info.Mode(), folder.Mode())
	}
	d.onlyFile(t)
}

func TestWriteTwiceIsDoneOnce(t *testing.T) {
	d := newDesk(t)
	p := d.plan(t, "b")
	for range 2 {
		if _, err := d.service.Write(t.Context(), p, profile.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if len(d.kept(t)) != 1 || d.plan(t, "b").State != profile.Written {
		t.Errorf("kept %q", d.kept(t))
	}
}

func TestBackupsAreNeverWrittenOver(t *testing.T) {
	d := newDesk(t)
	for _, name := range []string{"b", "c", "d"} {
		src, err := d.service.Write(t.Context(), d.plan(t, name), profile.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		d.agent.Identity.Name, d.agent.Source = name, &src
	}
	got := d.kept(t)
	slices.Sort(got)
	if !cmp.Equal(got, []string{named("a"), named("b"), named("c")}) {
		t.Errorf("kept %q", got)
	}
}

func TestUntouchedWritesNothing(t *testing.T) {
	d := newDesk(t)
	before, _ := os.Stat(d.path)
	if _, err := d.service.Write(t.Context(), d.plan(t, "a"), profile.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	after, _ := os.Stat(d.path)
	if !os.SameFile(before, after) || len(d.kept(t)) > 0 {
		t.Error("the file was replaced")
	}
}

func TestWriteRefuses(t *testing.T) {
	for name, tc := range map[string]struct {
		spoil func(t *testing.T, d desk)
		rule  string
		state profile.State
	}{
		"changed":     {func(t *testing.T, d desk) { put(t, d.path, named("elsewhere")) }, "file_changed", profile.Changed},
		"missing":     {func(t *testing.T, d desk) { os.Remove(d.path) }, "file_missing", profile.Missing},
		"folder gone": {func(t *testing.T, d desk) { os.RemoveAll(d.dir) }, "file_missing", profile.Missing},
		"link": {func(t *testing.T, d desk) {
			os.Rename(d.path, d.path+".old")
			os.Symlink(d.path+".old", d.path)
		}, "file_is_link", ""},
		"folder is link": {func(t *testing.T, d desk) {
			os.Rename(d.dir, d.dir+".old")
			os.Symlink(d.dir+".old", d.dir)
			t.Cleanup(func() { os.RemoveAll(d.dir + ".old") })
		}, "file_is_link", ""},
		"read-only file": {func(t *testing.T, d desk) { os.Chmod(d.path, 0o444) }, "read_only_folder", profile.Same},
		"directory":      {func(t *testing.T, d desk) { os.Remove(d.path); os.Mkdir(d.path, 0o755) }, "file_special", ""},
		"no backups":     {func(t *testing.T, d desk) { put(t, d.backups, "a file") }, "backup_failed", profile.Same},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			p := d.plan(t, "b")
			tc.spoil(t, d)
			before, _ := os.ReadFile(d.path)
			_, err := d.service.Write(t.Context(), p, profile.WriteOptions{})
			if fault.RuleOf(err) != tc.rule {
				t.Fatalf("Write = %v", err)
			}
			if s := fault.Sentence(err); strings.Contains(s, "Unexpected") || strings.Contains(s, "elsewhere\n") {
				t.Errorf("sentence %q", s)
			}
			if after, _ := os.ReadFile(d.path); !bytes.Equal(before, after) {
				t.Errorf("the file was changed to %q", after)
			}
			a := d.agent.Clone()
			a.Identity.Name = "b"
			p, err = d.service.Preview(t.Context(), a)
			if p.State != tc.state || (tc.state == "") != (fault.RuleOf(err) == tc.rule) {
				t.Errorf("Preview = %v, %v", p.State, err)
			}
		})
	}
}

func TestOverwriteKeepsWhatItDisplaces(t *testing.T) {
	d := newDesk(t)
	p := d.plan(t, "b")
	put(t, d.path, named("elsewhere"))
	if _, err := d.service.Write(t.Context(), p, profile.WriteOptions{Overwrite: true}); err != nil {
		t.Fatal(err)
	}
	if content(t, d.path) != named("b") || !cmp.Equal(d.kept(t), []string{named("elsewhere")}) {
		t.Errorf("wrote %q, kept %q", content(t, d.path), d.kept(t))
	}
}

func TestSaveElsewhere(t *testing.T) {
	d := newDesk(t)
	p := d.plan(t, "b")
	to := filepath.Join(d.dir, "b.md")
	src, err := d.service.SaveElsewhere(t.Context(), p, to)
	if err != nil || src.Path != to || content(t, to) != named("b") || content(t, d.path) != named("a") {
		t.Errorf("%+v, %v", src, err)
	}
	if again, err := d.service.SaveElsewhere(t.Context(), p, to); err != nil || again.Path != to {
		t.Errorf("a file that holds it already = %v", err)
	}
	if err := os.WriteFile(to, []byte(named("c")), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.service.SaveElsewhere(t.Context(), p, to); fault.RuleOf(err) != "file_exists" || content(t, to) != named("c") {
		t.Errorf("second = %v", err)
	}
	linked := filepath.Join(d.dir, "linked")
	if err := os.Symlink(d.dir, linked); err != nil {
		t.Fatal(err)
	}
	if src, err := d.service.SaveElsewhere(t.Context(), p, filepath.Join(linked, "d.md")); err != nil || src.Path != filepath.Join(d.dir, "d.md") {
		t.Errorf("through a linked folder: %+v, %v", src.Path, err)
	}
	os.Symlink(filepath.Join(d.dir, "nowhere"), filepath.Join(d.dir, "l.md"))
	if _, err := d.service.SaveElsewhere(t.Context(), p, filepath.Join(d.dir, "l.md")); fault.RuleOf(err) != "file_exists" {
		t.Errorf("through a link = %v", err)
	}
	if _, err := d.service.SaveElsewhere(t.Context(), p, filepath.Join(d.dir, "no", "b.md")); fault.RuleOf(err) != "folder_missing" {
		t.Errorf("no folder = %v", err)
	}
}

func TestNothingIsDoneAfterCancel(t *testing.T) {
	d := newDesk(t)
	p := d.plan(t, "b")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, write := d.service.Write(ctx, p, profile.WriteOptions{})
	_, save := d.service.SaveElsewhere(ctx, p, filepath.Join(d.dir, "b.md"))
	_, preview := d.service.Preview(ctx, d.agent)
	if write == nil || save == nil || preview == nil || content(t, d.path) != named("a") {
		t.Errorf("%v, %v, %v", write, save, preview)
	}
	d.onlyFile(t)
}

func TestPreviewNeedsASource(t *testing.T) {
	d := newDesk(t)
	if _, err := d.service.Preview(t.Context(), agent.Agent{}); fault.RuleOf(err) != "no_source" {
		t.Errorf("Preview = %v", err)
	}
	_ = d
}

func TestDiffLines(t *testing.T) {
	got := profile.DiffLines([]byte("1\n2\n3\n4\na\nb\r\nc\n5\n6\n7\n8\n"), []byte("1\n2\n3\n4\na\nb\nx\nc\n5\n6\n7\n8\n"))
	want := []profile.DiffLine{
		{profile.LineSame, 3, "3"},
		{profile.LineSame, 4, "4"},
		{profile.LineSame, 5, "a"},
		{profile.LineRemoved, 6, "b␍"},
		{profile.LineAdded, 6, "b"},
		{profile.LineAdded, 7, "x"},
		{profile.LineSame, 8, "c"},
		{profile.LineSame, 9, "5"},
		{profile.LineSame, 10, "6"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if profile.DiffLines([]byte("a"), []byte("a")) != nil {
		t.Error("equal files differ")
	}
	big := bytes.Repeat([]byte("line\n"), 100_000)
	if n := len(profile.DiffLines(big, bytes.ToUpper(big))); n != 200_000 {
		t.Errorf("%d lines", n)
	}
	if got := profile.DiffLines([]byte("a\n"), []byte("a")); len(got) != 2 {
		t.Errorf("a line break lost shows as %v", got)
	}
}
