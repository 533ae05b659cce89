package widget

import (
	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/loop"
	"callboard/ui/theme"
)

const sheetWidth float32 = 480

// Sheet is a card over the window that must be answered before the window can
// be used again. Esc cancels; Enter, outside a button and a text area, does
// what the primary button does, unless that takes something away: such a
// button must itself be pressed.
type Sheet struct {
	fynewidget.BaseWidget
	// OnClosed is called when the sheet was taken away, however that came.
	OnClosed func()

	title   *Text
	body    fyne.CanvasObject
	buttons *fyne.Container
	primary *Button
	cancel  *Button
	card    fyne.CanvasObject
	width   float32
	canvas  fyne.Canvas
	before  fyne.Focusable
}

// NewSheet makes a sheet with a cancel button of that name and a primary
// button that runs act. act decides whether to Close. Without a primary name
// there is only the cancel button.
func NewSheet(title string, body fyne.CanvasObject, cancel, primary string, act func()) *Sheet {
	s := &Sheet{title: NewParagraph(theme.Title, theme.Ink, title), body: body, width: sheetWidth}
	s.cancel = NewButton(Secondary, cancel, s.Close)
	s.buttons = Row(theme.Gap, Space(), s.cancel)
	if primary != "" {
		s.primary = NewButton(Primary, primary, act)
		s.buttons.Add(s.primary)
	}
	card := NewCard(Column(theme.Pad, s.title, Grow(1, body), s.buttons))
	card.pad = theme.PadDetail
	s.card = card
	s.ExtendBaseWidget(s)
	return s
}

// SetWidth changes the width of the card.
func (s *Sheet) SetWidth(width float32) {
	s.width = width
	s.Refresh()
}

// SetDanger shows the primary button as one that takes something away.
func (s *Sheet) SetDanger() {
	s.primary.kind = Danger
	s.primary.Refresh()
}

// SetAct changes the primary button: its word, whether it takes something
// away, and whether it can be pressed.
func (s *Sheet) SetAct(text string, danger, enabled bool) {
	s.primary.text, s.primary.kind = text, Primary
	if danger {
		s.primary.kind = Danger
	}
	s.primary.disabled = !enabled
	s.primary.Refresh()
	s.buttons.Refresh()
}

// SetBusy shows that what the primary button began still runs.
func (s *Sheet) SetBusy(busy bool) {
	s.primary.SetBusy(busy)
	s.buttons.Refresh()
}

// Open puts the sheet over the window that of is in and focuses the first part
// of its body that can have the keyboard, else the primary button, else, where
// that takes something away, the cancel button.
func (s *Sheet) Open(of fyne.CanvasObject) {
	s.canvas = loop.Canvas(of)
	if s.canvas == nil {
		return
	}
	s.before = s.canvas.Focused()
	s.canvas.Overlays().Add(s)
	s.focus()
}

// focus gives a part of the sheet the keyboard.
func (s *Sheet) focus() {
	s.canvas.FocusNext()
	if s.canvas.Focused() == fyne.Focusable(s.cancel) && s.primary != nil && s.primary.kind != Danger {
		s.canvas.Focus(s.primary)
	}
}

// Close takes the sheet away and gives the keyboard back to where it was.
func (s *Sheet) Close() {
	if s.canvas == nil {
		return
	}
	s.canvas.Overlays().Remove(s)
	if s.before != nil {
		s.canvas.Focus(s.before)
	}
	s.canvas, s.before = nil, nil
	if s.OnClosed != nil {
		s.OnClosed()
	}
}

// toSheet offers a key to the sheet over the window that o is in.
func toSheet(o fyne.CanvasObject, key fyne.KeyName) bool {
	c := loop.Canvas(o)
	if c == nil {
		return false
	}
	s, ok := c.Overlays().Top().(*Sheet)
	if !ok {
		return false
	}
	switch {
	case key == fyne.KeyEscape:
		s.Close()
	case s.primary != nil && s.primary.kind != Danger:
		s.primary.activate()
	}
	return true
}

// Tapped keeps the keyboard in the sheet: a click beside its parts, which is
// not an answer, has taken it away.
func (s *Sheet) Tapped(*fyne.PointEvent) {
	if s.canvas != nil && s.canvas.Focused() == nil {
		s.focus()
	}
}

// CreateRenderer is for Fyne.
func (s *Sheet) CreateRenderer() fyne.WidgetRenderer {
	shade := box(0)
	place := func(size fyne.Size) {
		shade.Resize(size)
		width := min(theme.Scaled(s.width), size.Width-2*theme.PadDetail)
		s.card.Resize(fyne.NewSize(width, s.card.Size().Height))
		height := min(s.card.MinSize().Height, size.Height-2*theme.PadDetail)
		s.card.Resize(fyne.NewSize(width, height))
		s.card.Move(fyne.NewPos(middle(size.Width, width), middle(size.Height-height, 0)*2/3))
	}
	refresh := func() {
		paint(shade, theme.Shade, theme.Clear)
		place(s.Size())
		s.card.Refresh()
	}
	paint(shade, theme.Shade, theme.Clear)
	return &renderer{
		objects: []fyne.CanvasObject{shade, s.card}, layout: place, refresh: refresh,
		min: func() fyne.Size { return fyne.Size{} },
	}
}
