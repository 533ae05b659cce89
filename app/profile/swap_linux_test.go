package profile_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"callboard/app/fault"
	"callboard/app/profile"
)

// around has before and after run around the next exchange of files; either may
// be nil.
func around(t *testing.T, before, after func()) {
	t.Helper()
	calls := 0
	profile.StandInForSwap(t, func(system profile.Step) profile.Step {
		return func(root *os.Root, a, b string) error {
			calls++
			first := calls == 1
			if first && before != nil {
				before()
			}
			err := system(root, a, b)
			if first && after != nil {
				after()
			}
			return err
		}
	})
}

// fails is a step the system refuses with err.
func fails(err error) func(profile.Step) profile.Step {
	return func(profile.Step) profile.Step {
		return func(_ *os.Root, a, b string) error {
			return &os.LinkError{Op: "step", Old: a, New: b, Err: err}
		}
	}
}

// must fails the test at once.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ends are what a write of "b" over "a" ends with.
type ends struct {
	rule string // "internal" for no fault at all
	file string // what the file then says; "" for no such file
	kept []string
}

func (d desk) writes(t *testing.T, overwrite bool, want ends) {
	t.Helper()
	_, err := d.service.Write(t.Context(), d.plan(t, "b"), profile.WriteOptions{Overwrite: overwrite})
	if fault.RuleOf(err) != want.rule || (want.rule == "internal") != (err == nil) {
		t.Errorf("overwrite %v: %v, want %s", overwrite, err, want.rule)
	}
	now, _ := os.ReadFile(d.path)
	if string(now) != want.file {
		t.Errorf("overwrite %v: the file says %q, want %q", overwrite, now, want.file)
	}
	got := d.kept(t)
	slices.Sort(got)
	slices.Sort(want.kept)
	if !slices.Equal(got, want.kept) {
		t.Errorf("overwrite %v: kept %q, want %q", overwrite, got, want.kept)
	}
}

// TestAChangeAtTheLastMoment: another program writes between the last compare
// and the replace.
func TestAChangeAtTheLastMoment(t *testing.T) {
	a, b, x := named("a"), named("b"), named("x")
	for name, tc := range map[string]struct {
		do        func(d desk) error
		safe, all ends // without and with Overwrite
	}{
		"moved there": {
			func(d desk) error { return rename(d.path, x) },
			ends{"file_changed", x, []string{a}},
			ends{"internal", b, []string{a, x}},
		},
		"written in place": {
			func(d desk) error { return os.WriteFile(d.path, []byte(x), 0o644) },
			ends{"file_changed", x, []string{a}},
			ends{"internal", b, []string{a, x}},
		},
		"emptied": {
			func(d desk) error { return os.Truncate(d.path, 0) },
			ends{"file_changed", "", []string{a}},
			ends{"internal", b, []string{a, ""}},
		},
		"the same": {
			func(d desk) error { return rename(d.path, b) },
			ends{"internal", b, []string{a}},
			ends{"internal", b, []string{a}},
		},
		"removed": {
			func(d desk) error { return os.Remove(d.path) },
			ends{"file_missing", "", []string{a}},
			ends{"file_missing", "", []string{a}},
		},
		"a link": {func(d desk) error {
			put(t, filepath.Join(d.backups, "x.md"), x)
			must(t, os.Remove(d.path))
			return os.Symlink(filepath.Join(d.backups, "x.md"), d.path)
		}, ends{"file_is_link", x, []string{a, x}}, ends{"file_is_link", x, []string{a, x}}},
		"a folder": {
			func(d desk) error { must(t, os.Remove(d.path)); return os.MkdirAll(filepath.Join(d.path, "in"), 0o755) },
			ends{"file_special", "", []string{a}},
			ends{"file_special", "", []string{a}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, overwrite := range []bool{false, true} {
				d := newDesk(t)
				around(t, func() { must(t, tc.do(d)) }, nil)
				d.writes(t, overwrite, map[bool]ends{false: tc.safe, true: tc.all}[overwrite])
				if name != "removed" {
					d.onlyFile(t)
				}
			}
		})
	}
}

// TestAHugeFileAtTheLastMoment: it is no text to keep, so it goes back.
func TestAHugeFileAtTheLastMoment(t *testing.T) {
	for _, overwrite := range []bool{false, true} {
		d := newDesk(t)
		around(t, func() { must(t, os.Truncate(d.path, 1<<33)) }, nil)
		_, err := d.service.Write(t.Context(), d.plan(t, "b"), profile.WriteOptions{Overwrite: overwrite})
		if info, is := os.Stat(d.path); err == nil || is != nil || info.Size() != 1<<33 {
			t.Errorf("%v, %v", err, info)
		}
		d.onlyFile(t)
	}
}

// TestAnotherChangeRightAfter: what was displaced cannot go back to its place,
// as yet another text is there.
func TestAnotherChangeRightAfter(t *testing.T) {
	a, x, y := named("a"), named("x"), named("y")
	d := newDesk(t)
	around(t, func() { must(t, rename(d.path, x)) }, func() { must(t, rename(d.path, y)) })
	d.writes(t, false, ends{"file_changed", y, []string{a, x}})
	d.onlyFile(t)

	d = newDesk(t) // and it comes even later, when the first is put back
	around(t, func() { must(t, rename(d.path, x)) }, func() {
		around(t, func() { must(t, rename(d.path, y)) }, nil)
	})
	d.writes(t, false, ends{"file_changed", x, []string{a, y}})
	d.onlyFile(t)

	d = newDesk(t) // a link is no text to keep: it stays in the folder
	around(t, func() { must(t, os.Remove(d.path)); must(t, os.Symlink("x", d.path)) }, func() { must(t, rename(d.path, y)) })
	d.writes(t, false, ends{"file_is_link", y, []string{a}})
	if got := filesIn(t, d.dir); len(got) != 2 || !strings.HasSuffix(got[0], ".old.tmp") {
		t.Errorf("the folder has %q", got)
	}
}

// TestNothingIsDisplacedThatCannotBeKept: the backups fail at the last moment.
func TestNothingIsDisplacedThatCannotBeKept(t *testing.T) {
	x, d := named("x"), newDesk(t)
	around(t, func() {
		must(t, os.RemoveAll(d.backups))
		put(t, d.backups, "no folder")
		must(t, rename(d.path, x))
	}, nil)
	d.writes(t, true, ends{"backup_failed", x, nil})
	d.onlyFile(t)
}

// TestASlowWriterIsWaitedFor: a program is in the middle of writing in place.
func TestASlowWriterIsWaitedFor(t *testing.T) {
	a, b, x := named("a"), named("b"), named("x")
	for overwrite, want := range map[bool]ends{false: {"file_changed", x, []string{a}}, true: {"internal", b, []string{a, x}}} {
		d, done := newDesk(t), make(chan error, 1)
		around(t, func() {
			f, err := os.OpenFile(d.path, os.O_WRONLY|os.O_TRUNC, 0)
			must(t, err)
			go func() {
				time.Sleep(20 * time.Millisecond)
				_, err := f.WriteString(x[:9])
				time.Sleep(20 * time.Millisecond)
				if err == nil {
					_, err = f.WriteString(x[9:])
				}
				f.Close()
				done <- err
			}()
		}, nil)
		d.writes(t, overwrite, want)
		must(t, <-done)
		d.onlyFile(t)
	}
}

// TestAFileThatIsAlwaysOpen: a program that never closes it stops no write.
func TestAFileThatIsAlwaysOpen(t *testing.T) {
	d := newDesk(t)
	f, err := os.OpenFile(d.path, os.O_RDWR, 0)
	must(t, err)
	defer f.Close()
	d.writes(t, false, ends{"internal", named("b"), []string{named("a")}})
	d.onlyFile(t)
}

// TestWhereFilesCannotBeExchanged a plain rename does it.
func TestWhereFilesCannotBeExchanged(t *testing.T) {
	a, b := named("a"), named("b")
	for _, no := range []error{syscall.EINVAL, syscall.ENOSYS, syscall.ENOTSUP, syscall.EPERM} {
		d := newDesk(t)
		must(t, os.Chmod(d.path, 0o640))
		profile.StandInForSwap(t, fails(no))
		d.writes(t, false, ends{"internal", b, []string{a}})
		if info, _ := os.Stat(d.path); info.Mode() != 0o640 {
			t.Errorf("%v: mode %v", no, info.Mode())
		}
		d.onlyFile(t)
	}
	d := newDesk(t)
	profile.StandInForSwap(t, fails(syscall.EIO))
	d.writes(t, false, ends{"write_failed", a, []string{a}})
	d.onlyFile(t)
}

// TestWhereAFileCannotHaveTwoNames it is made in place.
func TestWhereAFileCannotHaveTwoNames(t *testing.T) {
	for no, rule := range map[error]string{
		syscall.EPERM: "", syscall.EACCES: "", syscall.ENOTSUP: "", syscall.EMLINK: "", syscall.EXDEV: "", syscall.ENOSYS: "",
		syscall.EIO: "write_failed", syscall.ENOSPC: "disk_full", fs.ErrExist: "file_exists",
	} {
		d := newDesk(t)
		p, to := d.plan(t, "b"), filepath.Join(d.dir, "b.md")
		profile.StandInForLink(t, fails(no))
		_, err := d.service.SaveElsewhere(t.Context(), p, to)
		if rule != "" {
			if !isRule(err, rule) || strings.Contains(fmt.Sprint(err), ".tmp") {
				t.Errorf("%v: %v", no, err)
			}
			d.onlyFile(t)
			continue
		}
		info, is := os.Stat(to)
		if err != nil || is != nil || info.Mode() != 0o644 || content(t, to) != named("b") {
			t.Errorf("%v: %v, %v", no, err, info)
		}
		if got := filesIn(t, d.dir); !slices.Equal(got, []string{"a.md", "b.md"}) {
			t.Errorf("%v: the folder has %q", no, got)
		}
	}
}

// TestANewFileIsNeverOverAnother: one that appears at the last moment stays.
func TestANewFileIsNeverOverAnother(t *testing.T) {
	d := newDesk(t)
	p, to := d.plan(t, "b"), filepath.Join(d.dir, "b.md")
	profile.StandInForLink(t, func(system profile.Step) profile.Step {
		return func(root *os.Root, a, b string) error {
			put(t, to, "theirs")
			return system(root, a, b)
		}
	})
	if _, err := d.service.SaveElsewhere(t.Context(), p, to); !isRule(err, "file_exists") || content(t, to) != "theirs" {
		t.Errorf("%v, %q", err, content(t, to))
	}
	if got := filesIn(t, d.dir); !slices.Equal(got, []string{"a.md", "b.md"}) {
		t.Errorf("the folder has %q", got)
	}
}

// TestOfManyThatMakeOneFile at once, one does.
func TestOfManyThatMakeOneFile(t *testing.T) {
	d := newDesk(t)
	to := filepath.Join(d.dir, "b.md")
	plans, errs := make([]profile.Plan, 20), make([]error, 20)
	for i := range plans {
		plans[i] = d.plan(t, fmt.Sprint("b", i))
	}
	var group sync.WaitGroup
	for i, p := range plans {
		group.Go(func() { _, errs[i] = d.service.SaveElsewhere(t.Context(), p, to) })
	}
	group.Wait()
	made := 0
	for i, err := range errs {
		switch {
		case err == nil:
			made++
			if content(t, to) != named(fmt.Sprint("b", i)) {
				t.Errorf("the file says %q, not what %d wrote", content(t, to), i)
			}
		case !isRule(err, "file_exists"):
			t.Error(err)
		}
	}
	if got := filesIn(t, d.dir); made != 1 || !slices.Equal(got, []string{"a.md", "b.md"}) {
		t.Errorf("%d made it, the folder has %q", made, got)
	}
}

// ending is an environment variable of a process that writes the file it names
// and is killed right after the exchange, before it looks at what it displaced.
const ending = "CALLBOARD_PROFILE_ENDS"

func TestEndingChild(t *testing.T) {
	path, ok := os.LookupEnv(ending)
	if !ok {
		t.Skip("only run by other tests")
	}
	d := desk{dir: filepath.Dir(path), path: path, backups: filepath.Join(filepath.Dir(path), "backups")}
	d.service = profile.New(profile.Config{Backups: d.backups, Now: time.Now})
	d.agent = scan(t, path).Files[0].Agent
	around(t, func() { must(t, rename(path, named("x"))) }, func() { must(t, syscall.Kill(os.Getpid(), syscall.SIGKILL)) })
	d.writes(t, false, ends{})
}

// TestKilledBeforeItLooked: what a killed process displaced last is kept by the
// next write.
func TestKilledBeforeItLooked(t *testing.T) {
	d := newDesk(t)
	cmd := exec.CommandContext(t.Context(), executable(t), "-test.run=^TestEndingChild$")
	cmd.Env = append(os.Environ(), ending+"="+d.path)
	if out, err := cmd.CombinedOutput(); !strings.Contains(fmt.Sprint(err), "killed") {
		t.Fatalf("%v\n%s", err, out)
	}
	must(t, os.RemoveAll(filepath.Join(d.dir, "backups")))
	if content(t, d.path) != named("b") || len(filesIn(t, d.dir)) != 2 {
		t.Fatalf("the folder has %q", filesIn(t, d.dir))
	}
	d.agent = scan(t, d.path).Files[0].Agent
	to := filepath.Join(d.dir, "c.md") // a new file has no backups and takes nothing away
	if _, err := d.service.SaveElsewhere(t.Context(), d.plan(t, "c"), to); err != nil || len(filesIn(t, d.dir)) != 3 {
		t.Fatalf("%v, the folder has %q", err, filesIn(t, d.dir))
	}
	must(t, os.Remove(to))
	if _, err := d.service.Write(t.Context(), d.plan(t, "c"), profile.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(d.kept(t), named("x")) {
		t.Errorf("kept %q", d.kept(t))
	}
	d.onlyFile(t)
}
