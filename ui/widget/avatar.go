package widget

import (
	"hash/fnv"
	"image/color"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/theme"
)

// tints are the grounds and inks of avatars, the same in both variants.
var tints = []struct{ back, ink color.NRGBA }{
	{color.NRGBA{0xDB, 0xE7, 0xF5, 0xFF}, color.NRGBA{0x2B, 0x5C, 0x8A, 0xFF}},
	{color.NRGBA{0xF5, 0xE8, 0xD2, 0xFF}, color.NRGBA{0x82, 0x57, 0x0A, 0xFF}},
	{color.NRGBA{0xE4, 0xDF, 0xF5, 0xFF}, color.NRGBA{0x5A, 0x45, 0xA0, 0xFF}},
	{color.NRGBA{0xE0, 0xF1, 0xE6, 0xFF}, color.NRGBA{0x1F, 0x6B, 0x45, 0xFF}},
	{color.NRGBA{0xFB, 0xE3, 0xE0, 0xFF}, color.NRGBA{0xA3, 0x26, 0x1D, 0xFF}},
	{color.NRGBA{0xEA, 0xE4, 0xD6, 0xFF}, color.NRGBA{0x66, 0x57, 0x2C, 0xFF}},
	{color.NRGBA{0xDB, 0xEC, 0xEF, 0xFF}, color.NRGBA{0x1F, 0x67, 0x72, 0xFF}},
}

// Avatar is the initials of a name on a ground whose tint is the name's own.
type Avatar struct {
	fynewidget.BaseWidget
	name string
	side float32
}

// NewAvatar makes a square of that side: 28 in lists, 36 in headers.
func NewAvatar(name string, side float32) *Avatar {
	a := &Avatar{name: name, side: side}
	a.ExtendBaseWidget(a)
	return a
}

// SetName changes whose initials it shows.
func (a *Avatar) SetName(name string) {
	if a.name != name {
		a.name = name
		a.Refresh()
	}
}

// CreateRenderer is for Fyne.
func (a *Avatar) CreateRenderer() fyne.WidgetRenderer {
	back := box(theme.RadiusField)
	word := &canvas.Text{TextStyle: theme.SemiBold}
	min := func() fyne.Size { return square(a.side) }
	place := func(fyne.Size) {
		side := min()
		back.Resize(side)
		size := word.MinSize()
		word.Resize(size)
		word.Move(fyne.NewPos(middle(side.Width, size.Width), inLine(side.Height, size.Height)))
	}
	refresh := func() {
		tint := tintOf(a.name)
		back.FillColor, word.Color = tint.back, tint.ink
		word.Text = initials(a.name)
		word.TextSize = theme.Scaled(12)
		if a.side > 32 {
			word.TextSize = theme.Scaled(14)
		}
		place(a.Size())
	}
	refresh()
	return &renderer{objects: []fyne.CanvasObject{back, word}, layout: place, min: min, refresh: refresh}
}

func tintOf(name string) struct{ back, ink color.NRGBA } {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // a hash never fails to write
	return tints[int(h.Sum32()&0xffff)%len(tints)]
}

// initials is two letters of a name in Latin, Greek or Cyrillic script, from
// its first two words where it has two; the first character as a person sees
// it of any other name; a dot for none.
func initials(name string) string {
	parts := strings.FieldsFunc(name, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.IsSymbol(r) && r < 0x80
	})
	if len(parts) == 0 {
		if first := firstCharacter(strings.TrimSpace(name)); first != "" {
			return first
		}
		return "·"
	}
	first := []rune(parts[0])
	if !paired(first[0]) {
		return firstCharacter(parts[0])
	}
	second := rune(-1)
	if len(parts) > 1 {
		second = []rune(parts[1])[0]
	} else if len(first) > 1 {
		second = first[1]
	}
	if second < 0 || !paired(second) {
		return strings.ToUpper(string(first[:1]))
	}
	return strings.ToUpper(string([]rune{first[0], second}))
}

// paired says that two such letters fit beside each other.
func paired(r rune) bool {
	return unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) || unicode.IsDigit(r)
}

const joiner = '\u200d'

// firstCharacter is the first rune with all that belongs to it: marks,
// variation selectors, skin tones, joined emoji, the second half of a flag.
func firstCharacter(s string) string {
	end, joined, flags := 0, false, 0
	for i, r := range s {
		flag := r >= 0x1F1E6 && r <= 0x1F1FF
		tone := r >= 0x1F3FB && r <= 0x1F3FF
		belongs := i == 0 || joined || r == joiner || tone || unicode.Is(unicode.M, r) || flag && flags == 1
		if !belongs {
			break
		}
		joined = r == joiner
		if flag {
			flags++
		}
		end = i + len(string(r))
	}
	return s[:end]
}
