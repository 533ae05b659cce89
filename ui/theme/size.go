package theme

import (
	"fyne.io/fyne/v2"
	fynetheme "fyne.io/fyne/v2/theme"
)

// The measures of the look, in pixels at scale 1. They do not grow with text.
const (
	RadiusChip  float32 = 5
	RadiusField float32 = 6
	RadiusCard  float32 = 8
	Hairline    float32 = 1
	FocusRing   float32 = 2
	Gap         float32 = 8  // between buttons
	Pad         float32 = 16 // in cards and lists
	PadDetail   float32 = 24 // in the detail
)

// sizeScale is the name under which a Theme tells its text scale, so that an
// override for a part of the window can tell another one.
const sizeScale fyne.ThemeSizeName = "callboard.scale"

// Scale is the text scale of the current look.
func Scale() float32 {
	return current().Size(sizeScale)
}

// Scaled is v times the text scale: for what must hold a line of text.
func Scaled(v float32) float32 { return v * Scale() }

// Role is a kind of text: its size, the height of its line and its weight.
type Role struct {
	size, line float32
	style      fyne.TextStyle
}

// The roles of the look.
var (
	Title     = Role{18, 24, SemiBold} // the name of a screen or thing
	Heading   = Role{15, 20, SemiBold} // the head of a card
	Body      = Role{14, 20, Regular}
	Strong    = Role{14, 20, SemiBold} // a name in a list, a lead word
	Action    = Role{14, 20, Medium}   // buttons and tabs
	Secondary = Role{13, 18, Regular}
	Label     = Role{12, 16, Medium}  // above a field
	Small     = Role{12, 16, Regular} // status strip, rail
	SmallBold = Role{12, 16, SemiBold}
	Code      = Role{13, 20, Mono}
	CodeSmall = Role{12, 18, Mono}
)

// TextSize is the size of the role's letters in the current look.
func (r Role) TextSize() float32 { return Scaled(r.size) }

// LineHeight is the height of one line of it in the current look.
func (r Role) LineHeight() float32 { return Scaled(r.line) }

// Ascent is the distance from the top of the role's letters to their baseline,
// as the embedded fonts have it.
func (r Role) Ascent() float32 {
	if r.style.Monospace {
		return r.TextSize() * 1.02
	}
	return r.TextSize() * 0.96875
}

// Style is the weight and family of the role.
func (r Role) Style() fyne.TextStyle { return r.style }

// With is the role in another weight or family.
func (r Role) With(style fyne.TextStyle) Role {
	r.style = style
	return r
}

var (
	textSizes = map[fyne.ThemeSizeName]float32{
		fynetheme.SizeNameText:           14,
		fynetheme.SizeNameHeadingText:    18,
		fynetheme.SizeNameSubHeadingText: 15,
		fynetheme.SizeNameCaptionText:    12,
		fynetheme.SizeNameInlineIcon:     16,
		fynetheme.SizeNameLineSpacing:    3,
	}
	fixedSizes = map[fyne.ThemeSizeName]float32{
		fynetheme.SizeNamePadding:            4,
		fynetheme.SizeNameInnerPadding:       9.5, // makes Fyne's fields 36 high
		fynetheme.SizeNameScrollBar:          10,
		fynetheme.SizeNameScrollBarSmall:     4,
		fynetheme.SizeNameScrollBarRadius:    3,
		fynetheme.SizeNameSeparatorThickness: Hairline,
		fynetheme.SizeNameSplitThickness:     4,
		fynetheme.SizeNameInputBorder:        Hairline,
		fynetheme.SizeNameInputRadius:        RadiusField,
		fynetheme.SizeNameButtonRadius:       RadiusField,
		fynetheme.SizeNameSelectionRadius:    4,
		fynetheme.SizeNameCardRadius:         RadiusCard,
		fynetheme.SizeNameDialogRadius:       RadiusCard,
		fynetheme.SizeNamePopupRadius:        RadiusField,
		fynetheme.SizeNameMenuRadius:         RadiusField,
		fynetheme.SizeNameModalBlurRadius:    0,
	}
)

// Size is the size behind one of Fyne's names. Text and what stands in a line
// with it grow with the scale, padding does not.
func (t *Theme) Size(name fyne.ThemeSizeName) float32 {
	if name == sizeScale {
		return t.scale
	}
	if v, ok := textSizes[name]; ok {
		return v * t.scale
	}
	if v, ok := fixedSizes[name]; ok {
		return v
	}
	return t.base.Size(name)
}
