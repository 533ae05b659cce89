package ui

import (
	"fyne.io/fyne/v2"

	rosterui "callboard/ui/roster"
	"callboard/ui/widget"
)

// undoEdit takes an edit of the shown agent back, or the other way round. In a
// box that is not the editor's the key means what it does in any box.
func (w *Window) undoEdit(key fyne.Shortcut, step func(*rosterui.Screen) bool) {
	c := w.win.Canvas()
	_, asked := c.Overlays().Top().(*widget.Sheet)
	if box, typing := widget.TextBox(c.Focused()); typing && (asked || !w.atRoster() || !w.roster.Owns(box)) {
		box.TypedShortcut(key)
		return
	}
	if !asked && w.atRoster() {
		step(w.roster)
	}
}
