package ui

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"callboard/app/fault"
	"callboard/app/home"
	"callboard/app/instance"
	"callboard/crypto/secret"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// door sees to it that one program works on a home: it holds the claim, or
// knows who has it.
type door struct {
	home  home.Home
	other instance.Holder // that keeps the home open without a window

	mu    sync.Mutex // guards what follows
	claim *instance.Claim
	raise func()
	stop  func()
}

// enter takes the claim of a home that is there. Where another window has it,
// that one is raised, and raised is true. One that is held without a window is
// left to it for now.
func (d *door) enter(ctx context.Context) (raised bool, err error) {
	there, err := home.Exists(d.home.Dir)
	if err != nil || !there {
		return false, nil //nolint:nilerr // the gate says what is wrong with the home
	}
	if err = d.take(); !errors.Is(err, instance.ErrTaken) {
		return false, nil // a lock that cannot be made is the store's to refuse
	}
	if _, err := instance.Raise(ctx, d.home); err == nil {
		return true, nil
	}
	d.other, err = instance.Who(ctx, d.home)
	if err != nil {
		return false, fmt.Errorf("%w: %w", instance.ErrTaken, err)
	}
	return false, nil
}

func (d *door) take() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.claim != nil {
		return nil
	}
	c, err := instance.Take(instance.Config{
		Home: d.home, Role: instance.Window, Log: slog.New(slog.DiscardHandler),
		Raise: func() { d.call(&d.raise) }, Stop: func() { d.call(&d.stop) },
	})
	d.claim = c
	return err
}

// answer says what the window does when it is asked.
func (d *door) answer(raise, stop func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.raise, d.stop = raise, stop
}

func (d *door) call(f *func()) {
	d.mu.Lock()
	do := *f
	d.mu.Unlock()
	if do != nil {
		do()
	}
}

func (d *door) close() error {
	d.mu.Lock()
	claim := d.claim
	d.claim = nil
	d.mu.Unlock()
	return claim.Close()
}

// takeOver asks whether the program that keeps the home open without a window
// shall stop.
func (w *Window) takeOver(pass secret.Bytes) {
	var sheet *widget.Sheet
	said := widget.NewParagraph(theme.Secondary, theme.Bad.Text(), "")
	body := widget.Column(12, widget.NewParagraph(theme.Body, theme.Ink, fmt.Sprintf(
		"Process %d keeps this home open without a window. One program at a time works on a home: stop that one to go on here.", w.door.other.PID)), said)
	quit := widget.NewButton(widget.Secondary, "Quit", func() { w.leave() })
	sheet = widget.NewSheet("Callboard already runs", widget.Column(theme.Pad, body, widget.Row(theme.Gap, quit, widget.Space())), "Not now", "Stop it and go on", func() {
		sheet.SetBusy(true)
		loop.Go(w.loop, w.ctx, func(ctx context.Context) (struct{}, error) {
			if err := instance.Stop(ctx, w.door.home); err != nil {
				return struct{}{}, err
			}
			return struct{}{}, w.door.take()
		}, func(_ struct{}, err error) {
			sheet.SetBusy(false)
			if err != nil {
				said.SetText(fault.Sentence(err))
				return
			}
			w.door.other = instance.Holder{}
			sheet.Close()
			w.look(pass)
		})
	})
	w.gate.Look()
	sheet.Open(w.win.Content())
}

// claimLate takes the claim of a home that was made after the window opened.
func (w *Window) claimLate() {
	d := w.door
	loop.Go(w.loop, w.ctx, func(context.Context) (struct{}, error) {
		return struct{}{}, d.take()
	}, func(struct{}, error) {}) // whoever has it keeps it: the store is open here
}
