// Package loop is the way onto the Fyne thread and off it: the only caller of
// fyne.Do in the program, and the owner of every goroutine the window starts.
//
// It promises that what is posted runs on the Fyne thread in the order it was
// posted and never after Close, and that Close returns only when every
// goroutine it started has ended. It offers no way to wait for the Fyne thread
// from another one: that deadlocks.
package loop

import (
	"context"
	"errors"
	"sync"

	"fyne.io/fyne/v2"
)

// ErrClosed is the cause with which Close cancels work that still runs.
var ErrClosed = errors.New("the window is closing")

// Loop posts to the Fyne thread and owns background work. All methods are safe
// from any goroutine except where they say otherwise.
type Loop struct {
	enter func(func()) // onto the Fyne thread; nil in a test loop, which queues
	work  sync.WaitGroup

	mu      sync.Mutex // guards what follows
	settled *sync.Cond // signalled when running or queue changes
	queue   []func()   // posts of a test loop
	running int        // work that Drain waits for
	cancels map[*task]context.CancelCauseFunc
	closed  bool
}

// task is the identity of one running piece of work.
type task struct{ _ byte }

// New returns a loop over the running Fyne app. The caller closes it.
func New() *Loop { return newLoop(fyne.Do) }

// NewTest returns a loop that queues what is posted until the test calls
// Drain, which then plays the Fyne thread.
func NewTest() *Loop { return newLoop(nil) }

func newLoop(enter func(func())) *Loop {
	l := &Loop{enter: enter, cancels: map[*task]context.CancelCauseFunc{}}
	l.settled = sync.NewCond(&l.mu)
	return l
}

// Post has f run on the Fyne thread, soon and after all earlier posts. It does
// not wait. After Close f is dropped.
func (l *Loop) Post(f func()) {
	run := func() {
		if !l.isClosed() {
			f()
		}
	}
	l.mu.Lock()
	closed := l.closed
	if !closed && l.enter == nil {
		l.queue = append(l.queue, run)
		l.settled.Broadcast()
	}
	l.mu.Unlock()
	if !closed && l.enter != nil {
		l.enter(run)
	}
}

// Go runs work on a goroutine of the loop and then done with its result on the
// Fyne thread. The context work gets ends with ctx and with Close; done is
// called for a cancelled call too, but never after Close. After Close, Go does
// nothing.
func Go[T any](l *Loop, ctx context.Context, work func(context.Context) (T, error), done func(T, error)) { //nolint:revive // the loop is the receiver a generic method cannot have
	l.start(ctx, true, func(ctx context.Context) {
		v, err := work(ctx)
		l.Post(func() { done(v, err) })
	})
}

// Keep runs work that lasts, such as following a feed, on a goroutine of the
// loop until ctx or the loop ends. Drain does not wait for it.
func (l *Loop) Keep(ctx context.Context, work func(context.Context)) {
	l.start(ctx, false, work)
}

func (l *Loop) start(ctx context.Context, counted bool, work func(context.Context)) {
	ctx, cancel := context.WithCancelCause(ctx)
	id := &task{}
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		cancel(ErrClosed)
		return
	}
	l.cancels[id] = cancel
	if counted {
		l.running++
	}
	l.work.Add(1)
	l.mu.Unlock()
	go func() {
		defer l.end(id, counted)
		work(ctx)
	}()
}

func (l *Loop) end(id *task, counted bool) {
	l.mu.Lock()
	cancel := l.cancels[id]
	delete(l.cancels, id)
	if counted {
		l.running--
	}
	l.settled.Broadcast()
	l.mu.Unlock()
	cancel(nil)
	l.work.Done()
}

// Close cancels all work, drops what is posted but has not run, and waits for
// the goroutines to end. It may be called on the Fyne thread, and again.
func (l *Loop) Close() {
	l.mu.Lock()
	l.closed = true
	l.queue = nil
	for _, cancel := range l.cancels {
		cancel(ErrClosed)
	}
	l.settled.Broadcast()
	l.mu.Unlock()
	l.work.Wait()
}

// Drain plays the Fyne thread of a test loop: it runs posts in order and waits
// for background work until neither is left. Call it from the test's goroutine.
func (l *Loop) Drain() {
	for {
		f, ok := l.next()
		if !ok {
			return
		}
		f()
	}
}

// DrainUntil is Drain, but stops once done is true.
func (l *Loop) DrainUntil(done func() bool) {
	for !done() {
		f, ok := l.next()
		if !ok {
			return
		}
		f()
	}
}

// next waits for a post and takes it; false means there is and will be none.
func (l *Loop) next() (func(), bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.queue) == 0 {
		if l.running == 0 || l.closed {
			return nil, false
		}
		l.settled.Wait()
	}
	f := l.queue[0]
	l.queue = l.queue[1:]
	return f, true
}

func (l *Loop) isClosed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}
