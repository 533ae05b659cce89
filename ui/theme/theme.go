// Package theme is the look: the colours, type sizes, radii, fonts and icons
// of the window, as a fyne.Theme and as functions that our own widgets ask.
//
// It promises that a widget which asks at every Refresh follows a change of
// variant or text size at run time, and that Fyne's own widgets come out in
// the same colours. Colours are asked for by what they are for (Ink, Line),
// never by value. Everything here is for the UI thread.
package theme

import (
	"image/color"

	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"
)

// Mode says which variant the window shows.
type Mode string

// The modes a person can choose.
const (
	System Mode = "system"
	Light  Mode = "light"
	Dark   Mode = "dark"
)

// Theme is one look. It never changes after New: to switch, give the settings
// of the app a new one.
type Theme struct {
	base  fyne.Theme
	mode  Mode
	scale float32
}

// New returns the look in that mode with all text, and what must hold text,
// scale times as large. A scale that is not above zero counts as 1, an unknown
// mode as System.
func New(mode Mode, scale float32) *Theme {
	if scale <= 0 {
		scale = 1
	}
	return &Theme{base: fynetheme.DefaultTheme(), mode: mode, scale: scale}
}

// Color is the colour of a Token or of one of Fyne's own names.
func (t *Theme) Color(name fyne.ThemeColorName, variant fyne.ThemeVariant) color.Color {
	dark := t.dark(variant)
	if c, ok := fyneColor(name, dark); ok {
		return c
	}
	if p, ok := palette[Token(name)]; ok {
		return p.in(dark)
	}
	return t.base.Color(name, plain(dark))
}

// Icon is Fyne's own icon of that name; ours come from the function Icon.
func (t *Theme) Icon(name fyne.ThemeIconName) fyne.Resource { return t.base.Icon(name) }

func (t *Theme) dark(variant fyne.ThemeVariant) bool {
	switch t.mode {
	case Light:
		return false
	case Dark:
		return true
	case System:
	}
	return variant == fynetheme.VariantDark
}

func plain(dark bool) fyne.ThemeVariant {
	if dark {
		return fynetheme.VariantDark
	}
	return fynetheme.VariantLight
}
