package widget

import (
	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/theme"
)

// Empty is what a place shows that has nothing yet: one sentence and a button,
// or two.
type Empty struct {
	fynewidget.BaseWidget
	words   *Text
	buttons *fyne.Container
}

// NewEmpty makes an empty state; without a button name there is no button.
func NewEmpty(sentence, button string, act func()) *Empty {
	e := &Empty{words: NewParagraph(theme.Body, theme.Mute, sentence)}
	e.words.SetAlign(fyne.TextAlignCenter)
	if button != "" {
		e.Offer(button, act)
	}
	e.ExtendBaseWidget(e)
	return e
}

// SetText changes the sentence.
func (e *Empty) SetText(sentence string) { e.words.SetText(sentence) }

// Offer adds a button beside those there are, before the part is shown.
func (e *Empty) Offer(button string, act func()) {
	if e.buttons == nil {
		e.buttons = Row(theme.Gap)
	}
	e.buttons.Add(NewButton(Secondary, button, act))
}

// CreateRenderer is for Fyne.
func (e *Empty) CreateRenderer() fyne.WidgetRenderer {
	objects := []fyne.CanvasObject{e.words}
	if e.buttons != nil {
		objects = append(objects, e.buttons)
	}
	place := func(size fyne.Size) {
		width := max(0, min(theme.Scaled(320), size.Width-2*theme.Pad))
		e.words.Resize(fyne.NewSize(width, 0))
		words, button := e.words.MinSize().Height, fyne.Size{}
		if e.buttons != nil {
			button = e.buttons.MinSize()
		}
		top := max(theme.Pad, (size.Height-words-button.Height-theme.Pad)*2/5)
		e.words.Resize(fyne.NewSize(width, words))
		e.words.Move(fyne.NewPos(middle(size.Width, width), top))
		if e.buttons != nil {
			e.buttons.Resize(button)
			e.buttons.Move(fyne.NewPos(middle(size.Width, button.Width), top+words+theme.Pad))
		}
	}
	return &renderer{
		objects: objects, layout: place,
		refresh: func() { place(e.Size()) },
		min: func() fyne.Size {
			size := fyne.NewSize(theme.Scaled(120), e.words.MinSize().Height+2*theme.Pad)
			if e.buttons != nil {
				size.Height += e.buttons.MinSize().Height + theme.Pad
				size.Width = max(size.Width, e.buttons.MinSize().Width+2*theme.Pad)
			}
			return size
		},
	}
}
