package ui

import (
	"context"
	"time"

	"callboard/ui/loop"
)

const (
	idleTick = time.Second
	asleep   = 20 * time.Second // a pause of the clock that is more than a busy machine
)

// idle counts how long the person has done nothing.
type idle struct {
	quiet int // ticks without a key or a click
	last  time.Time
}

func (i *idle) touched() { i.quiet = 0 }

// watchIdle has the vault lock by itself as the settings say.
func (w *Window) watchIdle() {
	loop.OnInput(w.win.Canvas(), w.idle.touched)
	w.loop.Keep(w.ctx, func(ctx context.Context) {
		ticks := w.svc.Ticks
		if ticks == nil {
			ticker := time.NewTicker(idleTick)
			defer ticker.Stop()
			ticks = ticker.C
		}
		for {
			select {
			case <-ctx.Done():
				return
			case at := <-ticks:
				w.loop.Post(func() { w.tick(at) })
			}
		}
	})
}

// tick is called once a second. While the computer sleeps the ticks stop; the
// time of day goes on, so it has gone further than the ticks say.
func (w *Window) tick(at time.Time) {
	day := at.Round(0) // the time of day alone
	slept := !w.idle.last.IsZero() && day.Sub(w.idle.last) > asleep
	w.idle.last = day
	w.idle.quiet++
	if !w.open() {
		return
	}
	rules := w.svc.Settings.Get().Security
	if rules.LockOnSleep && slept || rules.AutoLock > 0 && w.idle.quiet >= rules.AutoLock*60 {
		w.lockNow()
	}
}
