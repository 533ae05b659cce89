package home_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"callboard/app/home"
)

func TestLocate(t *testing.T) {
	env := func(v string) func(string) string {
		return func(k string) string {
			if k == "CALLBOARD_HOME" {
				return v
			}
			return ""
		}
	}
	for name, tc := range map[string]struct{ override, env, want string }{
		"override first":  {"/a", "/b", "/a"},
		"environment":     {"", "/b/../c", "/c"},
		"made absolute":   {"x", "", func() string { p, _ := filepath.Abs("x"); return p }()},
		"platform folder": {"", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			h, err := home.Locate(tc.override, env(tc.env))
			if err != nil || (tc.want != "" && h.Dir != tc.want) || !filepath.IsAbs(h.Dir) {
				t.Errorf("got %q %v", h.Dir, err)
			}
		})
	}
}

func TestWriteFileReplacesWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("old and longer"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := home.WriteFile(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != "new" {
		t.Errorf("%q %v", got, err)
	}
	if fi, _ := os.Stat(path); fi.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", fi.Mode())
	}
	only(t, filepath.Dir(path), "f")
}

func TestAFailedWriteLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "target", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := home.WriteFile(filepath.Join(dir, "target"), []byte("new")); !errors.Is(err, home.ErrNoFolder) {
		t.Errorf("got %v", err)
	}
	only(t, dir, "target")
}

func TestRefusalSpeaksPlainly(t *testing.T) {
	for _, tc := range []struct {
		in, want error
		text     string
	}{
		{&os.PathError{Op: "write", Path: "/p", Err: syscall.ENOSPC}, home.ErrDiskFull, home.ErrDiskFull.Error()},
		{&os.PathError{Op: "open", Path: "/p", Err: syscall.EACCES}, home.ErrNotAllowed, home.ErrNotAllowed.Error() + ": /p"},
		{&os.PathError{Op: "open", Path: "/p", Err: syscall.EROFS}, home.ErrNotAllowed, home.ErrNotAllowed.Error() + ": /p"},
		{&os.PathError{Op: "open", Path: "/p", Err: syscall.ENOTDIR}, home.ErrNoFolder, home.ErrNoFolder.Error() + ": /p: not a directory"},
		{&os.LinkError{Op: "rename", Old: "/o", New: "/n", Err: syscall.EXDEV}, home.ErrNoFolder, home.ErrNoFolder.Error() + ": /n: invalid cross-device link"},
		{syscall.EIO, home.ErrNoFolder, home.ErrNoFolder.Error() + ": input/output error"},
	} {
		got := home.Refusal(tc.in)
		if got.Error() != tc.text {
			t.Errorf("Refusal(%v) says %q, want %q", tc.in, got, tc.text)
		}
		if !errors.Is(got, tc.want) || !errors.Is(got, tc.in) {
			t.Errorf("Refusal(%v) = %v", tc.in, got)
		}
		if again := home.Refusal(got); !errors.Is(again, got) || again.Error() != got.Error() {
			t.Errorf("a refusal was wrapped twice: %v", again)
		}
	}
	if home.Refusal(nil) != nil {
		t.Error("nil must stay nil")
	}
}

func only(t *testing.T, dir, name string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != name {
		t.Errorf("folder holds %v %v, want only %s", entries, err, name)
	}
}
