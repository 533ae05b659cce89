package profile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestFormatsAndLinks: in every tool's folder links lead nowhere else, pipes
// are not opened, and names that look alike to people are told.
func TestFormatsAndLinks(t *testing.T) {
	for kind, place := range places {
		if kind == "opencode json" {
			continue
		}
		t.Run(kind, func(t *testing.T) {
			dir, outside := realDir(t), realDir(t)
			at := func(name string) string { return filepath.Join(dir, fmt.Sprintf(place.name, name)) }
			put(t, at("good"), place.good)
			secret := put(t, filepath.Join(outside, filepath.Base(at("secret"))), place.good)
			put(t, filepath.Join(outside, "deep", filepath.Base(at("secret"))), place.good)
			for link, to := range map[string]string{at("out"): secret, filepath.Join(filepath.Dir(at("x")), "outdir"): outside} {
				if err := os.Symlink(to, link); err != nil {
					t.Fatal(err)
				}
			}
			if err := syscall.Mkfifo(at("pipe"), 0o644); err != nil {
				t.Fatal(err)
			}
			l := scan(t, dir)
			if len(l.Files) != 1 || l.Files[0].Path != at("good") {
				t.Errorf("files %v", l.Files)
			}
			left := map[string]string{at("out"): "link_outside", filepath.Join(filepath.Dir(at("x")), "outdir"): "link_outside", at("pipe"): "file_special"}
			for _, s := range l.Skipped {
				if left[s.Path] != s.Rule {
					t.Errorf("skipped %+v", s)
				}
				delete(left, s.Path)
			}
			if len(left) > 0 {
				t.Errorf("nothing is said of %v", left)
			}
		})
	}
}
