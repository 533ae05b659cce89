package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/theme"
)

const peekSide float32 = 16

// peek is an icon to click in a password box. It is no stop in the Tab order: a
// passphrase is typed, Tab pressed and the next one typed, and no key of it may
// land on a button.
type peek struct {
	fynewidget.BaseWidget
	icon  *icon
	press func()
}

func newPeek(press func()) *peek {
	p := &peek{icon: newIcon("eye", theme.Mute), press: press}
	p.ExtendBaseWidget(p)
	return p
}

// Tapped shows or hides the text.
func (p *peek) Tapped(*fyne.PointEvent) { p.press() }

// Cursor says that it can be clicked.
func (p *peek) Cursor() desktop.Cursor { return desktop.PointerCursor }

// CreateRenderer is for Fyne.
func (p *peek) CreateRenderer() fyne.WidgetRenderer {
	return &renderer{
		objects: []fyne.CanvasObject{p.icon.Image},
		layout: func(size fyne.Size) {
			p.icon.Resize(square(peekSide))
			p.icon.Move(fyne.NewPos(middle(size.Width, p.icon.Size().Width), middle(size.Height, p.icon.Size().Height)))
		},
		min:     func() fyne.Size { return square(2 * peekSide) },
		refresh: func() { p.icon.set(p.icon.name, theme.Mute) },
	}
}
