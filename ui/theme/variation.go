package theme

import (
	"image/color"

	"fyne.io/fyne/v2"
)

// Variation is the current look with a few answers of its own, for
// container.NewThemeOverride around one of Fyne's widgets. It follows the look
// of the app when that changes.
type Variation struct {
	Sizes  map[fyne.ThemeSizeName]float32 // text sizes at scale 1
	Colors map[fyne.ThemeColorName]Token
}

// Color is the variation's colour if it has one, else the app's.
func (v *Variation) Color(name fyne.ThemeColorName, variant fyne.ThemeVariant) color.Color {
	if t, ok := v.Colors[name]; ok {
		name = fyne.ThemeColorName(t)
	}
	return app().Color(name, variant)
}

// Font is the app's.
func (v *Variation) Font(style fyne.TextStyle) fyne.Resource { return app().Font(style) }

// Icon is the app's.
func (v *Variation) Icon(name fyne.ThemeIconName) fyne.Resource { return app().Icon(name) }

// Size is the variation's size times the text scale if it has one, else the
// app's.
func (v *Variation) Size(name fyne.ThemeSizeName) float32 {
	if s, ok := v.Sizes[name]; ok {
		if _, text := textSizes[name]; text {
			s *= app().Size(sizeScale)
		}
		return s
	}
	return app().Size(name)
}
