package home_test

import (
	"os"
	"path/filepath"
	"testing"

	"callboard/app/fault"
	"callboard/app/home"
)

func TestStageFileWritesOverLeftovers(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "key.age.new"), filepath.Join(dir, "other")
	if err := os.WriteFile(other, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, path); err != nil {
		t.Fatal(err)
	}
	if err := home.StageFile(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	fi, err := os.Lstat(path)
	if err != nil || fi.Mode() != 0o600 {
		t.Errorf("mode %v %v", fi.Mode(), err)
	}
	if data, _ := os.ReadFile(other); string(data) != "mine" {
		t.Errorf("it followed the link: %q", data)
	}
	if err := home.StageFile(filepath.Join(dir, "none", "x"), nil); fault.RuleOf(err) != "home_unusable" {
		t.Errorf("got %v", err)
	}
}
