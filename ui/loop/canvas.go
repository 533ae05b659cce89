package loop

import (
	"fyne.io/fyne/v2"
)

// Focusable is a drawn object that can hold the keyboard.
type Focusable interface {
	fyne.CanvasObject
	fyne.Focusable
}

// Focus gives o the keyboard if it is on a canvas. Widgets call it when they
// are clicked, on the Fyne thread.
func Focus(o Focusable) {
	if c := Canvas(o); c != nil {
		c.Focus(o)
	}
}

// Canvas is the canvas that o is drawn on, nil if it is on none. Fyne thread
// only.
func Canvas(o fyne.CanvasObject) fyne.Canvas {
	app := fyne.CurrentApp()
	if app == nil {
		return nil
	}
	return app.Driver().CanvasForObject(o)
}
