//go:build linux

package profile_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"callboard/app/fault"
	"callboard/app/profile"
)

// child runs this test binary again to do one thing, in another process and
// perhaps as another user.
const childEnv = "CALLBOARD_PROFILE_CHILD"

// nobody is an ordinary user's id.
const nobody = 65534

func TestChild(t *testing.T) {
	do, ok := os.LookupEnv(childEnv)
	if !ok {
		t.Skip("only run by other tests")
	}
	path, backups := os.Getenv("CHILD_PATH"), os.Getenv("CHILD_BACKUPS")
	s := profile.New(profile.Config{Backups: backups, Now: time.Now})
	for {
		l, err := profile.Scan(t.Context(), path)
		if err != nil || len(l.Files) == 0 {
			fmt.Println("RULE scan", err, l.Skipped)
			return
		}
		a := l.Files[0].Agent
		a.Identity.Name = map[bool]string{true: "a", false: "b"}[a.Identity.Name == "b"]
		p, err := s.Preview(t.Context(), a)
		if err == nil {
			_, err = s.Write(t.Context(), p, profile.WriteOptions{})
		}
		if do != "forever" {
			fmt.Println("RULE", fault.RuleOf(err), fault.Sentence(err))
			return
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func child(t *testing.T, do, path, backups string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, "-test.run=^TestChild$")
	if os.Geteuid() == 0 && do != "forever" { // the build's folder is closed to others
		bin := filepath.Join(open(t), "profile.test")
		data, err := os.ReadFile(exe)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(bin, data, 0o755); err != nil {
			t.Fatal(err)
		}
		cmd = exec.CommandContext(t.Context(), bin, "-test.run=^TestChild$")
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), childEnv+"="+do, "CHILD_PATH="+path, "CHILD_BACKUPS="+backups)
	return cmd
}

// open is a new folder that every user can enter.
func open(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "callboard-profile-") //nolint:usetesting // the parent of TempDir is closed to other users
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o755); os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	dir, err = filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestAnOrdinaryUser(t *testing.T) {
	for name, tc := range map[string]struct {
		folder, file, backups os.FileMode
		rule                  string
	}{
		"may write":        {0o777, 0o666, 0o777, "internal"}, // no fault at all
		"read-only folder": {0o555, 0o666, 0o777, "read_only_folder"},
		"read-only file":   {0o777, 0o444, 0o777, "read_only_folder"},
		"unreadable file":  {0o777, 0o000, 0o777, "scan"},
		"closed backups":   {0o777, 0o666, 0o555, "backup_failed"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := open(t)
			agents, backups := filepath.Join(dir, "agents"), filepath.Join(dir, "backups")
			path := put(t, filepath.Join(agents, "a.md"), named("a"))
			if err := os.Mkdir(backups, 0o700); err != nil {
				t.Fatal(err)
			}
			for p, mode := range map[string]os.FileMode{path: tc.file, agents: tc.folder, backups: tc.backups} {
				if err := os.Chmod(p, mode); err != nil {
					t.Fatal(err)
				}
			}
			t.Cleanup(func() { os.Chmod(agents, 0o755); os.Chmod(backups, 0o755) })
			out, err := child(t, "once", path, backups).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "RULE "+tc.rule+" ") {
				t.Fatalf("%v\n%s", err, out)
			}
			os.Chmod(path, 0o644)
			want := named("a")
			if tc.rule == "internal" {
				want = named("b")
			}
			if content(t, path) != want {
				t.Errorf("the file holds %q", content(t, path))
			}
			if entries, _ := os.ReadDir(agents); len(entries) != 1 {
				t.Errorf("left behind: %v", entries)
			}
		})
	}
}

func TestOneUnreadableFileStopsNoOther(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything; TestAnOrdinaryUser covers one file")
	}
	dir := realDir(t)
	put(t, filepath.Join(dir, "b.md"), named("b"))
	os.Chmod(put(t, filepath.Join(dir, "a.md"), named("a")), 0)
	if l := scan(t, dir); !cmp.Equal(names(l), []string{"b"}) || !cmp.Equal(skips(l), []string{"a.md file_unreadable"}) {
		t.Errorf("%v, %v", names(l), skips(l))
	}
}

// smallDisk mounts a disk of a few pages.
func smallDisk(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("mounting a small disk needs root")
	}
	dir := realDir(t)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("no small disk here: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestDiskFull(t *testing.T) {
	d := deskIn(t, smallDisk(t))
	a := d.agent.Clone()
	a.Identity.Instructions = strings.Repeat("much more\n", 10_000)
	p, err := d.service.Preview(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.service.Write(t.Context(), p, profile.WriteOptions{})
	if fault.RuleOf(err) != "disk_full" {
		t.Errorf("Write = %v", err)
	}
	if _, err := d.service.SaveElsewhere(t.Context(), p, filepath.Join(d.dir, "b.md")); fault.RuleOf(err) != "disk_full" {
		t.Errorf("SaveElsewhere = %v", err)
	}
	if content(t, d.path) != named("a") {
		t.Error("the old file was changed")
	}
	d.onlyFile(t)
}

func TestDiskFullOfBackups(t *testing.T) {
	full := smallDisk(t)
	put(t, filepath.Join(full, "fill"), strings.Repeat("x", 60<<10))
	d := newDesk(t)
	d.service = profile.New(profile.Config{Backups: filepath.Join(full, "b"), Now: func() time.Time { return noon }})
	put(t, d.path, named("a")+strings.Repeat("much more\n", 10_000))
	d.agent = scan(t, d.path).Files[0].Agent
	_, err := d.service.Write(t.Context(), d.plan(t, "b"), profile.WriteOptions{})
	if fault.RuleOf(err) != "backup_failed" {
		t.Errorf("Write = %v", err)
	}
	if entries, _ := os.ReadDir(filepath.Join(full, "b")); len(entries) > 0 {
		t.Errorf("half a backup: %v", entries)
	}
	if !strings.HasPrefix(content(t, d.path), named("a")) {
		t.Error("the file was changed though it could not be kept")
	}
}

// TestKilledWriteLeavesAWholeFile kills a process that rewrites a large file
// without end, at many points.
func TestKilledWriteLeavesAWholeFile(t *testing.T) {
	dir, backups := realDir(t), realDir(t)
	body := strings.Repeat("a line of the body\n", 20_000)
	path := put(t, filepath.Join(dir, "a.md"), named("a")+body)
	whole := []string{named("a") + body, named("b") + body}
	for i := range 12 {
		before := kept(t, backups)
		cmd := child(t, "forever", path, backups)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for wait := 0; kept(t, backups) == before; wait++ { // until it is at work
			if wait == 30_000 {
				t.Fatal("the child never wrote")
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(i*7) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); !strings.Contains(fmt.Sprint(err), "killed") {
			t.Fatalf("the child ended by itself: %v", err)
		}
		if !slices.Contains(whole, content(t, path)) {
			t.Fatalf("round %d left %d bytes", i, len(content(t, path)))
		}
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if ours, _ := filepath.Match(".callboard-*.tmp", e.Name()); !ours && e.Name() != "a.md" {
				t.Errorf("left %s", e.Name())
			}
		}
	}
}

// kept is how many files are in the backups.
func kept(t *testing.T, backups string) int {
	t.Helper()
	entries, err := os.ReadDir(backups)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func TestScanOpensNoPipe(t *testing.T) {
	dir := realDir(t)
	put(t, filepath.Join(dir, "a.md"), named("a"))
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.md"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pipe.md", filepath.Join(dir, "to-pipe.md")); err != nil {
		t.Fatal(err)
	}
	l := scan(t, dir)
	if !cmp.Equal(names(l), []string{"a"}) || !cmp.Equal(skips(l), []string{"pipe.md file_special", "to-pipe.md file_special"}) {
		t.Errorf("%v, %v", names(l), skips(l))
	}
	if l := scan(t, filepath.Join(dir, "pipe.md")); !cmp.Equal(skips(l), []string{"pipe.md file_special"}) {
		t.Errorf("by itself: %v", skips(l))
	}
}
