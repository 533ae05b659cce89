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
