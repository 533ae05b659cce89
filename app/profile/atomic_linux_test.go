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

	"callboard/app/profile"
)

// filesIn are the files of a folder.
func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// rename makes a file of that text beside path and moves it there.
func rename(path, text string) error {
	if err := os.WriteFile(path+".new", []byte(text), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// inPlace writes as a program does that takes its time.
func inPlace(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, part := range []string{text[:len(text)/2], text[len(text)/2:]} {
		time.Sleep(100 * time.Microsecond)
		if _, err := f.WriteString(part); err != nil {
			return err
		}
	}
	return nil
}

// TestNoOutsideChangeIsLost: whatever another program writes while a write is
// under way is in the file or in the backups afterwards, and in the file if the
// write was refused.
func TestNoOutsideChangeIsLost(t *testing.T) {
	for name, write := range map[string]func(path, text string) error{"atomic": rename, "in place": inPlace} {
		t.Run(name, func(t *testing.T) {
			lost, refused := 0, 0
			for round := range 200 {
				d := newDesk(t)
				p, outside := d.plan(t, "b"), named(fmt.Sprint("outside", round))
				delay, done := time.Duration(round%100)*30*time.Microsecond, make(chan error, 1)
				go func() {
					for at := time.Now(); time.Since(at) < delay; { // a sleep would be too coarse
					}
					done <- write(d.path, outside)
				}()
				_, err := d.service.Write(t.Context(), p, profile.WriteOptions{Overwrite: round%2 == 1})
				if err := <-done; err != nil {
					t.Fatal(err)
				}
				now := content(t, d.path)
				if err != nil {
					refused++
				}
				if now != outside && (err != nil || !slices.Contains(d.kept(t), outside)) {
					lost++
				}
				d.onlyFile(t)
			}
			if lost > 0 {
				t.Errorf("%d of 200 outside changes were lost, %d writes were refused", lost, refused)
			}
		})
	}
}

// creating is an environment variable of a process that makes ever new files.
const creating = "CALLBOARD_PROFILE_CREATES"

func TestCreateChild(t *testing.T) {
	dir, ok := os.LookupEnv(creating)
	if !ok {
		t.Skip("only run by other tests")
	}
	d := newDesk(t)
	a := d.agent.Clone()
	a.Identity.Instructions = strings.Repeat("a line of the body\n", 20_000)
	p, err := d.service.Preview(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; ; n++ {
		if _, err := d.service.SaveElsewhere(t.Context(), p, filepath.Join(dir, fmt.Sprintf("%d-%d.md", os.Getpid(), n))); err != nil {
			t.Fatal(err)
		}
	}
}

// TestKilledCreateLeavesNoHalfFile kills a process that makes large files
// without end, at many points.
func TestKilledCreateLeavesNoHalfFile(t *testing.T) {
	dir, exe := realDir(t), executable(t)
	for i := range 10 {
		cmd := exec.CommandContext(t.Context(), exe, "-test.run=^TestCreateChild$")
		cmd.Env = append(os.Environ(), creating+"="+dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		mine := filepath.Join(dir, fmt.Sprintf("%d-*.md", cmd.Process.Pid))
		for wait := 0; ; wait++ { // until it is at work
			if made, _ := filepath.Glob(mine); len(made) > 0 {
				break
			}
			if wait == 30_000 {
				t.Fatal("the child made nothing")
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(i*3) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); !strings.Contains(fmt.Sprint(err), "killed") {
			t.Fatalf("the child ended by itself: %v", err)
		}
	}
	size, temps := int64(0), 0
	for _, name := range filesIn(t, dir) {
		info, err := os.Stat(filepath.Join(dir, name))
		switch {
		case err != nil:
			t.Fatal(err)
		case strings.HasSuffix(name, ".tmp"):
			temps++
		case info.Size() < 300_000 || size > 0 && info.Size() != size:
			t.Errorf("%s has %d bytes, another %d", name, info.Size(), size)
		default:
			size = info.Size()
		}
	}
	if temps > 1 {
		t.Errorf("%d temporary files of killed processes stayed behind", temps)
	}
}

func executable(t *testing.T) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

func TestANewFileRespectsTheUmask(t *testing.T) {
	for umask, want := range map[int]os.FileMode{0o022: 0o644, 0o077: 0o600, 0o002: 0o644, 0o027: 0o640} {
		d := newDesk(t)
		p := d.plan(t, "b")
		was := syscall.Umask(umask)
		_, err := d.service.SaveElsewhere(t.Context(), p, filepath.Join(d.dir, "b.md"))
		syscall.Umask(was)
		if err != nil {
			t.Fatal(err)
		}
		if info, _ := os.Stat(filepath.Join(d.dir, "b.md")); info.Mode() != want {
			t.Errorf("umask %o makes %v", umask, info.Mode())
		}
		if got := filesIn(t, d.dir); !slices.Equal(got, []string{"a.md", "b.md"}) {
			t.Errorf("the folder has %q", got)
		}
	}
}

// ended is the id of a process that is no more.
func ended(t *testing.T) int {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), executable(t), "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

// TestFilesOfEndedProcessesAreRemoved: and nothing else is.
func TestFilesOfEndedProcessesAreRemoved(t *testing.T) {
	gone, live := ended(t), os.Getppid()
	for name, write := range map[string]func(t *testing.T, d desk) error{
		"write": func(t *testing.T, d desk) error {
			_, err := d.service.Write(t.Context(), d.plan(t, "b"), profile.WriteOptions{})
			return err
		},
		"create": func(t *testing.T, d desk) error {
			_, err := d.service.SaveElsewhere(t.Context(), d.plan(t, "b"), filepath.Join(d.dir, "b.md"))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			for _, stale := range []string{"0", "1", "17"} {
				put(t, filepath.Join(d.dir, fmt.Sprintf(".callboard-%d-%s.tmp", gone, stale)), "half")
			}
			stay := []string{
				fmt.Sprintf(".callboard-%d-0.tmp", live), fmt.Sprintf(".callboard-%d-0.old.tmp", live),
				fmt.Sprintf(".callboard-%d-0.tmp", os.Getpid()),
				fmt.Sprintf(".callboard-%d-00.tmp", gone), fmt.Sprintf(".callboard-0%d-0.tmp", gone), fmt.Sprintf(".callboard-+%d-0.tmp", gone),
				fmt.Sprintf(".callboard-%d-0.tmp.md", gone), fmt.Sprintf("x.callboard-%d-0.tmp", gone), fmt.Sprintf(".callboard-%d.tmp", gone),
				".callboard-0-0.tmp", ".callboard--1-0.tmp", ".callboard-99999999999999999999-0.tmp",
			}
			for _, name := range stay {
				put(t, filepath.Join(d.dir, name), "stays")
			}
			folder, toFile := fmt.Sprintf(".callboard-%d-5.tmp", gone), fmt.Sprintf(".callboard-%d-6.tmp", gone)
			if err := os.Mkdir(filepath.Join(d.dir, folder), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("a.md", filepath.Join(d.dir, toFile)); err != nil {
				t.Fatal(err)
			}
			if err := write(t, d); err != nil {
				t.Fatal(err)
			}
			want := append(stay, folder, toFile, "a.md")
			slices.Sort(want)
			got := slices.DeleteFunc(filesIn(t, d.dir), func(name string) bool { return name == "b.md" })
			if !slices.Equal(got, want) {
				t.Errorf("stayed %q, want %q", got, want)
			}
		})
	}
}

// TestAtMostAHundredAreRemoved: a write is never held up by very many.
func TestAtMostAHundredAreRemoved(t *testing.T) {
	d, gone := newDesk(t), ended(t)
	for n := range 150 {
		put(t, filepath.Join(d.dir, fmt.Sprintf(".callboard-%d-%d.tmp", gone, n)), "half")
	}
	for _, want := range []int{51, 1} {
		src, err := d.service.Write(t.Context(), d.plan(t, fmt.Sprint("b", want)), profile.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		d.agent = scan(t, src.Path).Files[0].Agent
		if got := len(filesIn(t, d.dir)); got != want {
			t.Errorf("%d files are left, want %d", got, want)
		}
	}
}
