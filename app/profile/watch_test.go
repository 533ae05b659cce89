package profile_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"callboard/app/profile"
)

// watching runs a watch of dir until the test ends and reports each call.
func watching(t *testing.T, dir string) <-chan struct{} {
	t.Helper()
	calls := make(chan struct{}, 100)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		profile.Watch(ctx, []string{dir}, func() { calls <- struct{}{} })
	}()
	t.Cleanup(func() { stop(); <-done })
	return calls
}

// soon waits for a call; the regular look would come much later.
func soon(t *testing.T, calls <-chan struct{}, after string) {
	t.Helper()
	select {
	case <-calls:
	case <-time.After(15 * time.Second):
		t.Fatalf("no call after %s", after)
	}
	for { // those of the same change
		select {
		case <-calls:
		case <-time.After(400 * time.Millisecond):
			return
		}
	}
}

func TestWatchSeesEveryKindOfChange(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	t.Run("changes", func(t *testing.T) {
		dir := realDir(t)
		file := put(t, filepath.Join(dir, "a.md"), named("a"))
		calls := watching(t, dir)
		soon(t, calls, "the start")
		put(t, file, named("b"))
		soon(t, calls, "a write in place")
		put(t, filepath.Join(dir, "tmp"), named("c"))
		if err := os.Rename(filepath.Join(dir, "tmp"), file); err != nil {
			t.Fatal(err)
		}
		soon(t, calls, "a replace")
		deep := put(t, filepath.Join(dir, "new", "deep", "d.md"), named("d"))
		soon(t, calls, "a new folder")
		put(t, deep, named("e"))
		soon(t, calls, "a write in the new folder")
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		soon(t, calls, "a removal")
		if err := os.Chmod(deep, 0o600); err != nil {
			t.Fatal(err)
		}
		soon(t, calls, "a changed mode")
	})
}

// TestWatchTellsDuringATrickle: changes that never stop are told all the same.
func TestWatchTellsDuringATrickle(t *testing.T) {
	dir := realDir(t)
	file := put(t, filepath.Join(dir, "a.md"), named("a"))
	calls := watching(t, dir)
	soon(t, calls, "the start")
	told := 0
	for i := range 50 { // five seconds
		put(t, file, named("n"+itoa(i)))
		time.Sleep(100 * time.Millisecond)
		select {
		case <-calls:
			told++
		default:
		}
	}
	if told < 2 {
		t.Errorf("told %d times in 50 changes", told)
	}
}

// TestWatchOutlivesPassingFolders: folders that come and go use up no room.
func TestWatchOutlivesPassingFolders(t *testing.T) {
	dir := realDir(t)
	calls := watching(t, dir)
	soon(t, calls, "the start")
	for i := range 2_300 {
		passing := filepath.Join(dir, "t"+itoa(i))
		if err := os.Mkdir(passing, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(passing); err != nil {
			t.Fatal(err)
		}
	}
	soon(t, calls, "the passing folders")
	file := put(t, filepath.Join(dir, "new", "a.md"), named("a"))
	soon(t, calls, "a new folder")
	put(t, file, named("b"))
	soon(t, calls, "a write in the new folder")
}

// TestWatchOfARepositorySeesNewTools: what is not an agent's is not watched,
// and a tool's folder that comes later is.
func TestWatchOfARepositorySeesNewTools(t *testing.T) {
	dir := realDir(t)
	put(t, filepath.Join(dir, ".claude", "agents", "a.md"), named("a"))
	start := time.Now()
	calls := watching(t, dir)
	soon(t, calls, "the start")
	file := put(t, filepath.Join(dir, ".codex", "agents", "b.toml"), codexText("b"))
	soon(t, calls, "a new tool's folder")
	put(t, file, codexText("c"))
	soon(t, calls, "a write in it")
	put(t, filepath.Join(dir, "src", "main.go"), "package main\n")
	put(t, filepath.Join(dir, "src", "main.go"), "package main // again\n")
	select {
	case <-calls: // the folder src itself is news
	case <-time.After(time.Second):
	}
	put(t, filepath.Join(dir, "src", "x.md"), "no agent\n")
	select {
	case <-calls:
		if time.Since(start) < 15*time.Second { // else it is the regular look
			t.Error("called for a file that no scan reads")
		}
	case <-time.After(time.Second):
	}
}
