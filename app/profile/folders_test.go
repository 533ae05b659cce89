package profile_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"callboard/app/fault"
	"callboard/app/ident"
	"callboard/app/profile"
	"callboard/storage/storagetest"
)

func withFolders(t *testing.T) *profile.Service {
	t.Helper()
	return profile.New(profile.Config{DB: storagetest.New(t), Now: time.Now, NewID: ident.New})
}

func TestFoldersAreKeptOnceByTheirRealPath(t *testing.T) {
	s := withFolders(t)
	dir := realDir(t)
	link := filepath.Join(realDir(t), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	first, err := s.KeepFolder(t.Context(), dir, false)
	if err != nil || first.Path != dir || first.Linked {
		t.Fatalf("%+v %v", first, err)
	}
	again, err := s.KeepFolder(t.Context(), link, true)
	if err != nil || again.ID != first.ID || !again.Linked {
		t.Errorf("%+v %v", again, err)
	}
	all, err := s.Folders(t.Context())
	if err != nil || len(all) != 1 || all[0].Path != dir || !all[0].Linked {
		t.Fatalf("%+v %v", all, err)
	}
	if f, ok := profile.InFolder(all, filepath.Join(dir, "a", "b.md")); !ok || f.ID != first.ID {
		t.Error("a file in the folder is not found in it")
	}
	for _, outside := range []string{dir + "-other/b.md", filepath.Dir(dir)} {
		if _, ok := profile.InFolder(all, outside); ok {
			t.Errorf("%s is found in it", outside)
		}
	}
	if err := s.DropFolder(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.DropFolder(t.Context(), first.ID); !errors.Is(err, profile.ErrFolderUnknown) {
		t.Errorf("dropped twice: %v", err)
	}
	if all, err := s.Folders(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%+v %v", all, err)
	}
}

func TestKeepFolderRefuses(t *testing.T) {
	s := withFolders(t)
	file := put(t, filepath.Join(realDir(t), "a.md"), named("a"))
	if _, err := s.KeepFolder(t.Context(), file, true); !errors.Is(err, profile.ErrNotAFolder) {
		t.Errorf("a file: %v", err)
	}
	if _, err := s.KeepFolder(t.Context(), filepath.Join(filepath.Dir(file), "none"), true); fault.RuleOf(err) != "folder_unreadable" {
		t.Errorf("nothing: %v", err)
	}
}
