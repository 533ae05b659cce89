package widget

import (
	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/theme"
)

const (
	chipHeight float32 = 20
	chipPad    float32 = 7
	chipIcon   float32 = 13
)

// Chip is a word about a state on a tinted ground.
type Chip struct {
	fynewidget.BaseWidget
	tone theme.Tone
	text string
	icon string
}

// NewChip makes a chip.
func NewChip(tone theme.Tone, text string) *Chip {
	c := &Chip{tone: tone, text: text}
	c.ExtendBaseWidget(c)
	return c
}

// Set changes tone and text.
func (c *Chip) Set(tone theme.Tone, text string) {
	c.tone, c.text = tone, text
	c.Refresh()
}

func (c *Chip) minSize() fyne.Size {
	width := measure(c.text, theme.SmallBold) + 2*chipPad
	if c.icon != "" {
		width += theme.Scaled(chipIcon) + 5
	}
	return fyne.NewSize(float32(int(width+0.999)), theme.Scaled(chipHeight))
}

// CreateRenderer is for Fyne.
func (c *Chip) CreateRenderer() fyne.WidgetRenderer {
	back := box(theme.RadiusChip)
	mark := newIcon(c.icon, c.tone.Text())
	word := newLine(theme.SmallBold, c.tone.Text(), c.text)
	place := func(fyne.Size) {
		size := c.minSize() // a chip is never stretched
		back.Resize(size)
		x := chipPad
		if c.icon != "" {
			side := theme.Scaled(chipIcon)
			mark.Resize(fyne.NewSquareSize(side))
			mark.Move(fyne.NewPos(x, middle(size.Height, side)))
			x += side + 5
		}
		word.in(x, 0, size.Height)
	}
	refresh := func() {
		paint(back, c.tone.Back(), theme.Clear)
		word.Text.Text, word.ink = c.text, c.tone.Text()
		word.refresh()
		mark.set(c.icon, c.tone.Text())
		place(c.Size())
	}
	refresh()
	return &renderer{objects: []fyne.CanvasObject{back, mark.Image, word.Text}, layout: place, min: c.minSize, refresh: refresh}
}
