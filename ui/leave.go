package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"callboard/app/fault"
	"callboard/ui/linked"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// lock locks the vault, after saying what happens to edits.
func (w *Window) lock() {
	w.leaving("Lock Callboard", "Lock", w.lockNow)
}

// lockNow takes everything private off the screen and out of the window's
// memory first: the disk may take its time.
func (w *Window) lockNow() {
	keep := w.roster.Keeping()
	w.inside.Hide()
	w.toasts.Dismiss()
	w.closeOverlays()
	w.follower.Stop()
	w.linked = linked.State{}
	w.importer.Forget()
	w.roster.Forget()
	w.access.Forget()
	w.settings.Forget()
	w.goTo(w.roster.Object())
	w.gate.Clear()
	w.gate.Object().Show()
	w.refreshMenu()
	loop.Go(w.loop, w.ctx, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, errors.Join(run(ctx, keep), w.svc.Vault.Lock(ctx))
	}, func(_ struct{}, err error) {
		w.gate.Locked()
		if err != nil {
			w.toasts.Say(w.ctx, fault.Sentence(err), "", nil)
		}
	})
}

// closeOverlays takes away every sheet and menu.
func (w *Window) closeOverlays() {
	all := w.win.Canvas().Overlays()
	for _, o := range all.List() {
		if sheet, ok := o.(*widget.Sheet); ok {
			sheet.Close()
		} else {
			all.Remove(o)
		}
	}
}

// quit closes the window, after saying what happens to edits.
func (w *Window) quit() {
	w.leaving("Quit Callboard", "Quit", w.leave)
}

// leave keeps what was edited, then ends the program.
func (w *Window) leave() {
	w.keepSize()
	w.win.SetCloseIntercept(nil)
	keep := w.roster.Keeping()
	if !w.open() || keep == nil {
		w.app.Quit()
		return
	}
	loop.Go(w.loop, w.ctx, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, run(context.WithoutCancel(ctx), keep)
	}, func(struct{}, error) { w.app.Quit() })
}

// run does work, if there is any.
func run(ctx context.Context, work func(context.Context) error) error {
	if work == nil {
		return nil
	}
	return work(ctx)
}

// leaving goes on at once when everything is saved, else it says what happens
// to what is not.
func (w *Window) leaving(title, act string, then func()) {
	names, models, tools := w.roster.Unsaved(), w.models.Unsaved(), w.servers.Unsaved()
	if len(names) == 0 && models == 0 && tools == 0 {
		then()
		return
	}
	text := ""
	switch {
	case len(names) == 1:
		text = names[0] + " has changes that are not saved."
	case len(names) > 1:
		text = fmt.Sprintf("%d agents have changes that are not saved.", len(names))
	}
	if len(names) > 0 {
		text += " They are kept as drafts, encrypted, and are here again when you come back."
	}
	if models > 0 {
		text += " Changes to " + words.Count(models, "model") + " are not saved and will be lost."
	}
	if tools > 0 {
		text += " Changes to a tool server are not saved and will be lost."
	}
	text = strings.TrimSpace(text)
	var sheet *widget.Sheet
	sheet = widget.NewSheet(title, widget.NewParagraph(theme.Body, theme.Ink, text), "Keep editing", act, func() {
		sheet.Close()
		then()
	})
	if models > 0 || tools > 0 {
		sheet.SetAct("Discard and "+strings.ToLower(act), true, true)
	}
	sheet.Open(w.win.Content())
}
