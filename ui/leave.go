package ui

import (
	"context"
	"fmt"

	"callboard/app/fault"
	"callboard/ui/linked"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// lock locks the vault, after asking if edits would be lost.
func (w *Window) lock() {
	w.leaving("Lock Callboard", "Discard and lock", w.lockNow)
}

// lockNow takes everything private off the screen and out of the window's
// memory first: the disk may take its time.
func (w *Window) lockNow() {
	w.inside.Hide()
	w.toasts.Dismiss()
	w.closeOverlays()
	w.follower.Stop()
	w.linked = linked.State{}
	w.importer.Forget()
	w.roster.Forget()
	w.settings.Forget()
	w.goTo(w.roster.Object())
	w.gate.Clear()
	w.gate.Object().Show()
	w.refreshMenu()
	loop.Go(w.loop, w.ctx, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, w.svc.Vault.Lock(ctx)
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

// quit closes the window, after asking if edits would be lost.
func (w *Window) quit() {
	w.leaving("Quit Callboard", "Discard and quit", w.leave)
}

func (w *Window) leave() {
	w.keepSize()
	w.win.SetCloseIntercept(nil)
	w.app.Quit()
}

// leaving goes on at once when nothing would be lost, else it asks.
func (w *Window) leaving(title, discard string, then func()) {
	names := w.roster.Unsaved()
	if len(names) == 0 {
		then()
		return
	}
	text := names[0] + " has changes that are not saved."
	if len(names) > 1 {
		text = fmt.Sprintf("%d agents have changes that are not saved.", len(names))
	}
	var sheet *widget.Sheet
	sheet = widget.NewSheet(title, widget.NewParagraph(theme.Body, theme.Ink, text), "Keep editing", discard, func() {
		sheet.Close()
		then()
	})
	sheet.SetDanger()
	sheet.Open(w.win.Content())
}
