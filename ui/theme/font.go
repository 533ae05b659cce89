package theme

import (
	"fyne.io/fyne/v2"

	"callboard/assets"
)

// The weights of text. Fyne's text styles have no medium weight, and our fonts
// no italic, so Italic stands for medium: in a label as in the emphasised words
// of a Markdown text. Fallback to other scripts' fonts stays as Fyne does it.
var (
	Regular  = fyne.TextStyle{}
	Medium   = fyne.TextStyle{Italic: true}
	SemiBold = fyne.TextStyle{Bold: true}
	Mono     = fyne.TextStyle{Monospace: true}
	MonoMed  = fyne.TextStyle{Monospace: true, Italic: true}
)

var fonts = struct{ regular, medium, semiBold, mono, monoMedium, monoSemiBold *fyne.StaticResource }{
	font(assets.InterRegular), font(assets.InterMedium), font(assets.InterSemiBold),
	font(assets.MonoRegular), font(assets.MonoMedium), font(assets.MonoSemiBold),
}

func font(name string) *fyne.StaticResource {
	return fyne.NewStaticResource(name, assets.Font(name))
}

// Font is Inter or JetBrains Mono in the weight the style asks for, and Fyne's
// symbol font for symbols.
func (t *Theme) Font(style fyne.TextStyle) fyne.Resource {
	switch {
	case style.Symbol:
		return t.base.Font(style)
	case style.Monospace:
		return weight(style, fonts.mono, fonts.monoMedium, fonts.monoSemiBold)
	default:
		return weight(style, fonts.regular, fonts.medium, fonts.semiBold)
	}
}

func weight(style fyne.TextStyle, regular, medium, semiBold *fyne.StaticResource) fyne.Resource {
	switch {
	case style.Bold:
		return semiBold
	case style.Italic:
		return medium
	default:
		return regular
	}
}
