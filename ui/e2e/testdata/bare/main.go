// Command bare is the least a Fyne window can be: what the first frame of the
// program is measured against.
package main

import (
	"fyne.io/fyne/v2"
	fyneapp "fyne.io/fyne/v2/app"
	fynewidget "fyne.io/fyne/v2/widget"
)

func main() {
	w := fyneapp.NewWithID("io.callboard.Bare").NewWindow("Bare")
	w.SetContent(fynewidget.NewLabel("Bare"))
	w.Resize(fyne.NewSize(1280, 800))
	w.ShowAndRun()
}
