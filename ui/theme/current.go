package theme

import (
	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"
)

// early is the look of parts that are made before the app has its own.
var early = New(Light, 1)

// current is the look that what is drawn now has: the app's, or a Variation of
// it.
func current() fyne.Theme {
	switch t := fynetheme.Current().(type) {
	case *Theme:
		return t
	case *Variation:
		return t
	}
	return early
}

// app is the look of the app. fynetheme.Current would not do: while a varied
// part is drawn it answers with the Variation itself, without end.
func app() fyne.Theme {
	if a := fyne.CurrentApp(); a != nil { //nolint:forbidigo // reads a setting on the UI thread, enters nothing
		if t, ok := a.Settings().Theme().(*Theme); ok {
			return t
		}
	}
	return early
}

// variant is what the system prefers.
func variant() fyne.ThemeVariant {
	if a := fyne.CurrentApp(); a != nil { //nolint:forbidigo // as above
		return a.Settings().ThemeVariant()
	}
	return fynetheme.VariantLight
}
