package profile_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"callboard/app/profile"
)

func TestExportToAFullDisk(t *testing.T) {
	e := exportingTo(t, deskIn(t, smallDisk(t)))
	e.made.Data = []byte(strings.Repeat("much more\n", 10_000))
	e.refuses(t, "disk_full", profile.WriteOptions{})
	put(t, e.to, "old")
	e.refuses(t, "disk_full", profile.WriteOptions{Overwrite: true})
}

// TestExportReadOnly: a folder that takes no new file, and a file that may not
// be written over.
func TestExportReadOnly(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Run("folder", func(t *testing.T) { readOnlyMount(t) })
	} else {
		e := newExporting(t)
		if err := os.Chmod(e.dir, 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(e.dir, 0o755) })
		e.refuses(t, "read_only_folder", profile.WriteOptions{})
	}
	e := newExporting(t)
	put(t, e.to, "old")
	if err := os.Chmod(e.to, 0o444); err != nil {
		t.Fatal(err)
	}
	e.refuses(t, "read_only_folder", profile.WriteOptions{Overwrite: true})
}

// readOnlyMount is a folder that root cannot write to either.
func readOnlyMount(t *testing.T) {
	dir := smallDisk(t)
	e := exportingTo(t, deskIn(t, dir))
	remount(t, dir, true)
	e.refuses(t, "read_only_folder", profile.WriteOptions{})
	remount(t, dir, false)
	put(t, e.to, "old")
	remount(t, dir, true)
	e.refuses(t, "read_only_folder", profile.WriteOptions{Overwrite: true})
	if entries, _ := filepath.Glob(filepath.Join(filepath.Dir(e.to), ".callboard-*")); len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
}

func remount(t *testing.T, dir string, readOnly bool) {
	t.Helper()
	flags := uintptr(syscall.MS_REMOUNT)
	if readOnly {
		flags |= syscall.MS_RDONLY
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", flags, "size=64k"); err != nil {
		t.Skip("cannot remount: ", err)
	}
}
