package profile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"callboard/app/profile"
)

// quirkFolder makes a project with an agent and a README.md in its agents
// folder. The folder or file at linked, if any, stands outside of the project
// and the project has a link to it.
func quirkFolder(t *testing.T, linked string) (project, outside string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	project, outside = filepath.Join(root, "project"), filepath.Join(root, "outside")
	data, _ := quirkFile(t, "bom")
	readme, _ := quirkFile(t, "readme")
	for rel, b := range map[string][]byte{".claude/agents/sub/reviewer.md": data, ".claude/agents/README.md": readme, "go.mod": nil} {
		path := filepath.Join(project, filepath.FromSlash(rel))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if linked != "" {
		from := filepath.Join(project, filepath.FromSlash(linked))
		if err := os.Rename(from, outside); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, from); err != nil {
			t.Fatal(err)
		}
	}
	return project, outside
}

func TestReadmeIsNoAgentAndNoTrouble(t *testing.T) {
	project, _ := quirkFolder(t, "")
	l, err := profile.Scan(t.Context(), project)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Files) != 1 || l.Files[0].Agent.Identity.Name != "reviewer" || l.Cut {
		t.Errorf("files = %v", l.Files)
	}
	for _, s := range l.Skipped {
		if s.Unreadable || filepath.Base(s.Path) != "README.md" {
			t.Errorf("skipped = %+v", s)
		}
	}
}

// TestLinksOutOfAProject: what leads out of the chosen project is not followed,
// so that no write can end up behind it, and the person is told.
func TestLinksOutOfAProject(t *testing.T) {
	for _, linked := range []string{".claude", ".claude/agents", ".claude/agents/sub", ".claude/agents/sub/reviewer.md"} {
		t.Run(linked, func(t *testing.T) {
			project, outside := quirkFolder(t, linked)
			l, err := profile.Scan(t.Context(), project)
			if err == nil && len(l.Skipped) == 0 {
				t.Error("nothing says that a link was not followed")
			}
			for _, f := range l.Files {
				t.Errorf("%s is listed", f.Path)
			}
			if strings.HasPrefix(l.Folder, outside) {
				t.Errorf("the folder read is %s", l.Folder)
			}
			if filepath.Ext(linked) != ".md" {
				if l, err := profile.Scan(t.Context(), outside); err != nil || len(l.Files) != 1 {
					t.Errorf("what it leads to, when chosen: %v, %v", l.Files, err)
				}
			}
		})
	}
}
