package widget

import (
	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/loop"
	"callboard/ui/theme"
)

// Hints is the layer that shows the full text of something cut, near the
// pointer. It takes neither pointer nor keyboard. The window stacks one over
// its content, as a direct child of the content's container; without it cut
// text just stays cut.
type Hints struct {
	fynewidget.BaseWidget
	words *Text
	at    fyne.Position
	of    fyne.CanvasObject
}

const (
	hintWidth float32 = 420 // the widest a hint gets before it wraps
	hintPad   float32 = 8
)

// NewHints makes the layer with nothing to show.
func NewHints() *Hints {
	h := &Hints{words: NewParagraph(theme.Secondary, theme.Ink, "")}
	h.ExtendBaseWidget(h)
	return h
}

// hintsFor finds the layer of the window that o is in.
func hintsFor(o fyne.CanvasObject) *Hints {
	c := loop.Canvas(o)
	if c == nil || c.Overlays().Top() != nil {
		return nil
	}
	content, ok := c.Content().(*fyne.Container)
	if !ok {
		return nil
	}
	for _, child := range content.Objects {
		if h, ok := child.(*Hints); ok {
			return h
		}
	}
	return nil
}

func (h *Hints) show(of fyne.CanvasObject, text string, at fyne.Position) {
	h.of, h.at = of, at.AddXY(0, 20)
	h.words.SetText(text)
	h.Refresh()
}

func (h *Hints) hide(of fyne.CanvasObject) {
	if h.of == of {
		h.of = nil
		h.Refresh()
	}
}

// Clear shows nothing, whatever the pointer is over.
func (h *Hints) Clear() {
	if h.of != nil {
		h.hide(h.of)
	}
}

// FullText is the text that shows now, empty for none.
func (h *Hints) FullText() string {
	if h.of == nil {
		return ""
	}
	return h.words.FullText()
}

// CreateRenderer is for Fyne.
func (h *Hints) CreateRenderer() fyne.WidgetRenderer {
	back := box(theme.RadiusField)
	place := func(size fyne.Size) {
		back.Hidden = h.of == nil
		h.words.Hidden = h.of == nil
		room := size.Width - 2*theme.Pad
		width := min(measure(h.words.FullText(), theme.Secondary)+1, theme.Scaled(hintWidth), room)
		h.words.Resize(fyne.NewSize(width, 0))
		height := h.words.MinSize().Height
		h.words.Resize(fyne.NewSize(width, height))
		at := fyne.NewPos(min(h.at.X, size.Width-width-theme.Pad), min(h.at.Y, size.Height-height-theme.Pad))
		back.Move(at)
		back.Resize(fyne.NewSize(width+2*hintPad, height+hintPad))
		h.words.Move(at.AddXY(hintPad, hintPad/2))
	}
	return &renderer{
		objects: []fyne.CanvasObject{back, h.words},
		layout:  place,
		min:     func() fyne.Size { return fyne.Size{} },
		refresh: func() { paint(back, theme.Raised, theme.Line); place(h.Size()) },
	}
}
