package loop_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"callboard/ui/loop"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestPostsRunInOrderAndOnlyInDrain(t *testing.T) {
	l := loop.NewTest()
	defer l.Close()
	var got []int
	for i := range 3 {
		l.Post(func() { got = append(got, i) })
	}
	if len(got) != 0 {
		t.Fatalf("ran %v before Drain", got)
	}
	l.Drain()
	if !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("order %v", got)
	}
}

func TestDrainRunsWhatPostsPost(t *testing.T) {
	l := loop.NewTest()
	defer l.Close()
	depth := 0
	var post func()
	post = func() {
		if depth < 4 {
			depth++
			l.Post(post)
		}
	}
	l.Post(post)
	l.Drain()
	if depth != 4 {
		t.Errorf("depth %d, want 4", depth)
	}
}

func TestGoHandsTheResultToDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := loop.NewTest()
		defer l.Close()
		failed := errors.New("refused")
		var got string
		var gotErr error
		loop.Go(l, t.Context(), func(context.Context) (string, error) {
			time.Sleep(time.Hour)
			return "text", failed
		}, func(v string, err error) { got, gotErr = v, err })
		l.Drain()
		if got != "text" || !errors.Is(gotErr, failed) {
			t.Errorf("done got %q, %v", got, gotErr)
		}
	})
}

func TestDoneSeesACancelledContext(t *testing.T) {
	l := loop.NewTest()
	defer l.Close()
	ctx, cancel := context.WithCancel(t.Context())
	var got error
	loop.Go(l, ctx, func(ctx context.Context) (int, error) {
		<-ctx.Done()
		return 0, ctx.Err()
	}, func(_ int, err error) { got = err })
	cancel()
	l.Drain()
	if !errors.Is(got, context.Canceled) {
		t.Errorf("done got %v, want cancelled", got)
	}
}

func TestCloseCancelsAndWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := loop.NewTest()
		var ended atomic.Bool
		var cause error
		done := false
		loop.Go(l, t.Context(), func(ctx context.Context) (int, error) {
			<-ctx.Done()
			cause = context.Cause(ctx)
			time.Sleep(time.Minute) // slow to stop
			ended.Store(true)
			return 1, nil
		}, func(int, error) { done = true })
		l.Close()
		if !ended.Load() {
			t.Error("Close returned before the work ended")
		}
		if !errors.Is(cause, loop.ErrClosed) {
			t.Errorf("cause %v, want ErrClosed", cause)
		}
		l.Drain()
		if done {
			t.Error("done ran after Close")
		}
	})
}

func TestNothingStartsOrRunsAfterClose(t *testing.T) {
	l := loop.NewTest()
	ran := false
	l.Post(func() { ran = true })
	l.Close()
	l.Post(func() { ran = true })
	loop.Go(l, t.Context(), func(context.Context) (int, error) { ran = true; return 0, nil }, func(int, error) {})
	l.Keep(t.Context(), func(context.Context) { ran = true })
	l.Drain()
	l.Close()
	if ran {
		t.Error("something ran after Close")
	}
}

func TestDrainDoesNotWaitForKeptWork(t *testing.T) {
	l := loop.NewTest()
	started := make(chan struct{})
	var ended atomic.Bool
	l.Keep(t.Context(), func(ctx context.Context) {
		close(started)
		<-ctx.Done()
		ended.Store(true)
	})
	<-started
	l.Drain()
	if ended.Load() {
		t.Error("kept work ended before Close")
	}
	l.Close()
	if !ended.Load() {
		t.Error("Close did not end kept work")
	}
}
