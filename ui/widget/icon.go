package widget

import (
	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/theme"
)

// Icon is one of the embedded icons, as high as a line of text, beside words
// that say the same.
type Icon struct {
	fynewidget.BaseWidget
	name string
	ink  theme.Token
}

// NewIcon makes an icon in a colour of the look.
func NewIcon(name string, ink theme.Token) *Icon {
	i := &Icon{name: name, ink: ink}
	i.ExtendBaseWidget(i)
	return i
}

// CreateRenderer is for Fyne.
func (i *Icon) CreateRenderer() fyne.WidgetRenderer {
	mark := newIcon(i.name, i.ink)
	min := func() fyne.Size { return square(buttonIcon) }
	return &renderer{
		objects: []fyne.CanvasObject{mark.Image}, min: min,
		layout:  func(fyne.Size) { mark.Resize(min()) },
		refresh: func() { mark.set(i.name, i.ink) },
	}
}
