package widget

import (
	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/theme"
)

// Empty is what a place shows that has nothing yet: one sentence and one
// button.
type Empty struct {
	fynewidget.BaseWidget
	words  *Text
	button *Button
}

// NewEmpty makes an empty state; without a button name there is no button.
func NewEmpty(sentence, button string, act func()) *Empty {
	e := &Empty{words: NewParagraph(theme.Body, theme.Mute, sentence)}
	e.words.SetAlign(fyne.TextAlignCenter)
	if button != "" {
		e.button = NewButton(Secondary, button, act)
	}
	e.ExtendBaseWidget(e)
	return e
}

// SetText changes the sentence.
func (e *Empty) SetText(sentence string) { e.words.SetText(sentence) }

// CreateRenderer is for Fyne.
func (e *Empty) CreateRenderer() fyne.WidgetRenderer {
	objects := []fyne.CanvasObject{e.words}
	if e.button != nil {
		objects = append(objects, e.button)
	}
	place := func(size fyne.Size) {
		width := max(0, min(theme.Scaled(320), size.Width-2*theme.Pad))
		e.words.Resize(fyne.NewSize(width, 0))
		words, button := e.words.MinSize().Height, fyne.Size{}
		if e.button != nil {
			button = e.button.MinSize()
		}
		top := max(theme.Pad, (size.Height-words-button.Height-theme.Pad)*2/5)
		e.words.Resize(fyne.NewSize(width, words))
		e.words.Move(fyne.NewPos(middle(size.Width, width), top))
		if e.button != nil {
			e.button.Resize(button)
			e.button.Move(fyne.NewPos(middle(size.Width, button.Width), top+words+theme.Pad))
		}
	}
	return &renderer{
		objects: objects, layout: place,
		refresh: func() { place(e.Size()) },
		min: func() fyne.Size {
			size := fyne.NewSize(theme.Scaled(120), e.words.MinSize().Height+2*theme.Pad)
			if e.button != nil {
				size.Height += e.button.MinSize().Height + theme.Pad
				size.Width = max(size.Width, e.button.MinSize().Width+2*theme.Pad)
			}
			return size
		},
	}
}

// Meter is a bar that is full to a share.
type Meter struct {
	fynewidget.BaseWidget
	share float32
}

// NewMeter makes a bar; share is from 0 to 1.
func NewMeter(share float32) *Meter {
	m := &Meter{share: share}
	m.ExtendBaseWidget(m)
	return m
}

// Set changes how full it is.
func (m *Meter) Set(share float32) {
	m.share = share
	m.Refresh()
}

// CreateRenderer is for Fyne.
func (m *Meter) CreateRenderer() fyne.WidgetRenderer {
	const height = 6
	track, fill := box(height/2), box(height/2)
	place := func(size fyne.Size) {
		track.Resize(fyne.NewSize(size.Width, height))
		fill.Resize(fyne.NewSize(size.Width*max(0, min(m.share, 1)), height))
	}
	refresh := func() {
		paint(track, theme.Off.Back(), theme.Clear)
		paint(fill, theme.Accent, theme.Clear)
		fill.Hidden = m.share <= 0
		place(m.Size())
	}
	refresh()
	return &renderer{
		objects: []fyne.CanvasObject{track, fill}, layout: place, refresh: refresh,
		min: func() fyne.Size { return fyne.NewSize(40, height) },
	}
}
