package theme

import (
	"image/color"

	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"
)

// same says which token one of Fyne's own colour names comes out as.
var same = map[fyne.ThemeColorName]Token{
	fynetheme.ColorNameBackground:          Bg,
	fynetheme.ColorNameButton:              Off.Back(),
	fynetheme.ColorNameDisabledButton:      Bg,
	fynetheme.ColorNameDisabled:            Faint,
	fynetheme.ColorNameError:               Bad.Text(),
	fynetheme.ColorNameForeground:          Ink,
	fynetheme.ColorNameForegroundOnError:   OnAccent,
	fynetheme.ColorNameForegroundOnPrimary: OnAccent,
	fynetheme.ColorNameForegroundOnSuccess: OnAccent,
	fynetheme.ColorNameForegroundOnWarning: OnAccent,
	fynetheme.ColorNameHeaderBackground:    Panel,
	fynetheme.ColorNameHover:               Hover,
	fynetheme.ColorNameHyperlink:           Accent,
	fynetheme.ColorNameInnerWindowBorder:   Line,
	fynetheme.ColorNameInputBackground:     Bg,
	fynetheme.ColorNameInputBorder:         Line,
	fynetheme.ColorNameMenuBackground:      Raised,
	fynetheme.ColorNameOverlayBackground:   Panel,
	fynetheme.ColorNamePlaceHolder:         Faint,
	fynetheme.ColorNamePressed:             Pressed,
	fynetheme.ColorNamePrimary:             Accent,
	fynetheme.ColorNameScrollBarBackground: Clear,
	fynetheme.ColorNameSeparator:           Line,
	fynetheme.ColorNameSuccess:             OK.Text(),
	fynetheme.ColorNameWarning:             Warn.Text(),
}

// thin says which of Fyne's names are a token let through: they are painted
// over something that must stay readable.
var thin = map[fyne.ThemeColorName]struct {
	token Token
	alpha uint8
}{
	fynetheme.ColorNameFocus:     {Accent, 0x40},
	fynetheme.ColorNameSelection: {Accent, 0x33},
	fynetheme.ColorNameScrollBar: {Faint, 0x99},
	fynetheme.ColorNameShadow:    {Shade, 0x24},
}

func fyneColor(name fyne.ThemeColorName, dark bool) (color.Color, bool) {
	if t, ok := same[name]; ok {
		return palette[t].in(dark), true
	}
	if t, ok := thin[name]; ok {
		c := palette[t.token].in(dark)
		c.A = t.alpha
		return c, true
	}
	return nil, false
}
