package profile_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"callboard/app/profile"
)

// exporting is a desk, a conversion of its agent to Codex, and where it goes.
type exporting struct {
	desk
	made profile.Conversion
	to   string
}

func newExporting(t *testing.T) exporting {
	t.Helper()
	return exportingTo(t, newDesk(t))
}

func exportingTo(t *testing.T, d desk) exporting {
	t.Helper()
	c, err := profile.Convert(d.agent, profile.Codex)
	if err != nil {
		t.Fatal(err)
	}
	return exporting{d, c, filepath.Join(d.dir, c.Format.Folder(), c.Name)}
}

func (e exporting) export(t *testing.T, o profile.WriteOptions) profile.Exported {
	t.Helper()
	x, err := e.service.Export(t.Context(), e.made, e.to, o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// refuses holds that an export is refused by rule and changes nothing.
func (e exporting) refuses(t *testing.T, rule string, o profile.WriteOptions) {
	t.Helper()
	before := tree(t, e.dir)
	x, err := e.service.Export(t.Context(), e.made, e.to, o)
	if !isRule(err, rule) || x.Path != "" {
		t.Errorf("%+v: %v, %q", o, err, x.Path)
	}
	if d := cmp.Diff(before, tree(t, e.dir)); d != "" {
		t.Errorf("%+v: %s", o, d)
	}
}

// tree are the files and links below dir and what they hold.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Type()&os.ModeSymlink != 0:
			out[path], err = os.Readlink(path)
		case d.Type().IsRegular():
			out[path] = content(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestExportMakesAFile(t *testing.T) {
	e := newExporting(t)
	x := e.export(t, profile.WriteOptions{})
	if x.Path != e.to || content(t, e.to) != string(e.made.Data) {
		t.Errorf("%q holds %q", x.Path, content(t, x.Path))
	}
	if info, err := os.Stat(e.to); err != nil || info.Mode().Perm()&0o600 != 0o600 {
		t.Error(info, err)
	}
	if l := scan(t, e.to); len(l.Files) != 1 || l.Files[0].Format != profile.Codex || !cmp.Equal(l.Files[0].Agent.Identity, e.made.Agent.Identity) {
		t.Errorf("%+v", l)
	}
	if len(e.kept(t)) > 0 {
		t.Error("something was kept")
	}
	if err := e.service.UndoExport(t.Context(), x); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(e.to); !os.IsNotExist(err) {
		t.Errorf("the file is still there: %v", err)
	}
	if err := e.service.UndoExport(t.Context(), x); !isRule(err, "file_missing") {
		t.Errorf("undone twice: %v", err)
	}
}

func TestExportOverAFile(t *testing.T) {
	for name, old := range map[string]string{"text": "name = \"old\"\n", "empty": ""} {
		t.Run(name, func(t *testing.T) {
			e := newExporting(t)
			put(t, e.to, old)
			e.refuses(t, "file_exists", profile.WriteOptions{})
			if len(e.kept(t)) > 0 {
				t.Error("something was kept")
			}
			if err := os.Chmod(e.to, 0o640); err != nil {
				t.Fatal(err)
			}
			x := e.export(t, profile.WriteOptions{Overwrite: true})
			if content(t, e.to) != string(e.made.Data) || !cmp.Equal(e.kept(t), []string{old}) {
				t.Errorf("%q, kept %q", content(t, e.to), e.kept(t))
			}
			if info, _ := os.Stat(e.to); info.Mode().Perm() != 0o640 {
				t.Error(info.Mode())
			}
			if err := e.service.UndoExport(t.Context(), x); err != nil {
				t.Fatal(err)
			}
			if content(t, e.to) != old || len(e.kept(t)) != 2 {
				t.Errorf("back to %q, kept %q", content(t, e.to), e.kept(t))
			}
		})
	}
}

// TestExportOfTheSame writes nothing, and undoing it takes nothing away.
func TestExportOfTheSame(t *testing.T) {
	e := newExporting(t)
	e.export(t, profile.WriteOptions{})
	x := e.export(t, profile.WriteOptions{})
	if err := e.service.UndoExport(t.Context(), x); err != nil {
		t.Fatal(err)
	}
	if content(t, e.to) != string(e.made.Data) || len(e.kept(t)) > 0 {
		t.Errorf("%q, kept %q", content(t, e.to), e.kept(t))
	}
}

func TestUndoExportAfterAnEdit(t *testing.T) {
	for name, overwrite := range map[string]bool{"new": false, "overwritten": true} {
		t.Run(name, func(t *testing.T) {
			e := newExporting(t)
			if overwrite {
				put(t, e.to, "old")
			}
			x := e.export(t, profile.WriteOptions{Overwrite: overwrite})
			put(t, e.to, string(e.made.Data)+"# mine\n")
			if err := e.service.UndoExport(t.Context(), x); !isRule(err, "file_changed") {
				t.Error(err)
			}
			if content(t, e.to) != string(e.made.Data)+"# mine\n" {
				t.Errorf("%q", content(t, e.to))
			}
		})
	}
}

func TestExportWithALinkInTheWay(t *testing.T) {
	for name, target := range map[string]string{"to a file": "other.toml", "to nothing": "gone.toml", "to a folder": "."} {
		t.Run(name, func(t *testing.T) {
			e := newExporting(t)
			put(t, filepath.Join(filepath.Dir(e.to), "other.toml"), "other")
			if err := os.Symlink(target, e.to); err != nil {
				t.Fatal(err)
			}
			for _, overwrite := range []bool{false, true} {
				e.refuses(t, "file_is_link", profile.WriteOptions{Overwrite: overwrite})
			}
		})
	}
}

// TestExportIntoALinkedFolder goes where the link leads, and says so.
func TestExportIntoALinkedFolder(t *testing.T) {
	e := newExporting(t)
	elsewhere := realDir(t)
	if err := os.Symlink(elsewhere, filepath.Join(e.dir, ".codex")); err != nil {
		t.Fatal(err)
	}
	x := e.export(t, profile.WriteOptions{})
	if want := filepath.Join(elsewhere, "agents", e.made.Name); x.Path != want || content(t, want) != string(e.made.Data) {
		t.Errorf("written to %s, not %s", x.Path, want)
	}
	if err := os.Remove(filepath.Join(e.dir, ".codex")); err != nil {
		t.Fatal(err)
	}
	if err := e.service.UndoExport(t.Context(), x); err != nil {
		t.Error(err)
	}
}

// TestUndoExportAfterAMove: where the folder has become a link by then, what it
// leads to stays.
func TestUndoExportAfterAMove(t *testing.T) {
	e := newExporting(t)
	x := e.export(t, profile.WriteOptions{})
	moved := filepath.Join(e.dir, "moved")
	if err := os.Rename(filepath.Dir(e.to), moved); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(moved, filepath.Dir(e.to)); err != nil {
		t.Fatal(err)
	}
	if err := e.service.UndoExport(t.Context(), x); !isRule(err, "file_is_link") {
		t.Error(err)
	}
	if content(t, filepath.Join(moved, e.made.Name)) != string(e.made.Data) {
		t.Error("the moved file changed")
	}
}

func TestExportWithSomethingElseInTheWay(t *testing.T) {
	e := newExporting(t)
	if err := os.MkdirAll(e.to, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, overwrite := range []bool{false, true} {
		e.refuses(t, "file_special", profile.WriteOptions{Overwrite: overwrite})
	}
	e = newExporting(t)
	put(t, filepath.Join(e.dir, ".codex"), "no folder")
	e.refuses(t, "folder_missing", profile.WriteOptions{Overwrite: true})
	e = newExporting(t)
	if err := os.Symlink("nowhere", filepath.Join(e.dir, ".codex")); err != nil {
		t.Fatal(err)
	}
	e.refuses(t, "folder_missing", profile.WriteOptions{})
}

func TestExportKeepsOrDoesNothing(t *testing.T) {
	e := newExporting(t)
	put(t, e.to, "old")
	e.service = profile.New(profile.Config{})
	e.refuses(t, "backup_failed", profile.WriteOptions{Overwrite: true})
	e.service = profile.New(profile.Config{Backups: e.path}) // a file
	e.refuses(t, "backup_failed", profile.WriteOptions{Overwrite: true})
}

// TestUndoExportTakesItsFoldersAway: those that were made for the file and hold
// nothing else by now.
func TestUndoExportTakesItsFoldersAway(t *testing.T) {
	for name, other := range map[string]string{"nothing else": "", "something else": ".codex/other.txt"} {
		t.Run(name, func(t *testing.T) {
			dir := realDir(t)
			a, err := readClaude("/a/x.md", []byte(named("a")))
			if err != nil {
				t.Fatal(err)
			}
			c, err := profile.Convert(a.Agent, profile.Codex)
			if err != nil {
				t.Fatal(err)
			}
			s := profile.New(profile.Config{Backups: filepath.Join(realDir(t), "backups"), Now: time.Now})
			e, err := s.Export(t.Context(), c, filepath.Join(dir, ".codex", "agents", "a.toml"), profile.WriteOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if other != "" {
				put(t, filepath.Join(dir, other), "x")
			}
			if err := s.UndoExport(t.Context(), e); err != nil {
				t.Fatal(err)
			}
			left, err := os.ReadDir(dir)
			if err != nil || (len(left) > 0) != (other != "") {
				t.Errorf("left %v %v", left, err)
			}
			if _, err := os.Stat(filepath.Join(dir, ".codex", "agents")); err == nil {
				t.Error("the folder of the file is still there")
			}
		})
	}
}
