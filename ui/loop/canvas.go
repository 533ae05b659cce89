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

// inputs is who wants to know that the person does something, by canvas. Fyne
// thread only.
var inputs = map[fyne.Canvas]func(){}

// OnInput has f called whenever the person types, clicks or points on one of
// our parts on that canvas; nil ends it. Fyne thread only.
func OnInput(c fyne.Canvas, f func()) {
	if f == nil {
		delete(inputs, c)
		return
	}
	inputs[c] = f
}

// Input is called by parts when the person does something with them.
func Input(o fyne.CanvasObject) {
	if len(inputs) == 0 {
		return
	}
	if f := inputs[Canvas(o)]; f != nil {
		f()
	}
}

// Canvas is the canvas that o is drawn on, nil if it is on none. What has not
// been painted yet is taken to be in the first window: the toolkit knows only
// of what it has painted, and a part that has just been shown may want the
// keyboard. Fyne thread only.
func Canvas(o fyne.CanvasObject) fyne.Canvas {
	app := fyne.CurrentApp()
	if app == nil {
		return nil
	}
	if c := app.Driver().CanvasForObject(o); c != nil {
		return c
	}
	if all := app.Driver().AllWindows(); len(all) > 0 {
		return all[0].Canvas()
	}
	return nil
}
