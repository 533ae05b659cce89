package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/loop"
	"callboard/ui/theme"
)

const searchIcon float32 = 15

// Search is a box to search in. Esc empties it; Down and Enter go on to what
// was found.
type Search struct {
	fynewidget.BaseWidget
	// OnChanged is called with the text after each change, also when Esc empties
	// the box. OnDown is called on Down and, where OnEnter is not set, on Enter.
	OnChanged func(string)
	OnDown    func()
	OnEnter   func()

	entry *entry
	inner *container.ThemeOverride
	hint  *line
}

// NewSearch makes an empty box. hint names the key that leads to it ("Ctrl F")
// and may be empty.
func NewSearch(placeholder, hint string) *Search {
	s := &Search{entry: newEntry(), hint: newLine(theme.Code, theme.Faint, hint)}
	s.entry.SetPlaceHolder(placeholder)
	s.inner = container.NewThemeOverride(s.entry, bare(14))
	s.entry.key = s.key
	s.entry.focusChanged = s.Refresh
	s.entry.OnChanged = func(text string) {
		s.Refresh()
		if s.OnChanged != nil {
			s.OnChanged(text)
		}
	}
	s.ExtendBaseWidget(s)
	return s
}

// SetPlaceholder changes what the empty box shows ("Search 128 agents").
func (s *Search) SetPlaceholder(text string) { s.entry.SetPlaceHolder(text) }

// Text is what is searched for.
func (s *Search) Text() string { return s.entry.Text }

// Clear empties the box.
func (s *Search) Clear() { s.entry.SetText("") }

// Focus gives the box the keyboard.
func (s *Search) Focus() { loop.Focus(s.entry) }

// Input is the part that takes the keyboard, for tests.
func (s *Search) Input() fyne.Focusable { return s.entry }

func (s *Search) key(key fyne.KeyName) bool {
	switch key { //nolint:exhaustive // the other keys mean nothing here
	case fyne.KeyEscape:
		if s.entry.Text == "" {
			return false
		}
		s.Clear()
		return true
	case fyne.KeyReturn, fyne.KeyEnter:
		if s.OnEnter != nil {
			s.OnEnter()
			return true
		}
	case fyne.KeyDown:
	default:
		return false
	}
	if s.OnDown != nil {
		s.OnDown()
	}
	return s.OnDown != nil
}

// CreateRenderer is for Fyne.
func (s *Search) CreateRenderer() fyne.WidgetRenderer {
	back, focus := box(theme.RadiusField), newRing(theme.RadiusField-theme.FocusRing)
	glass := newIcon("search", theme.Faint)
	place := func(size fyne.Size) {
		back.Resize(size)
		focus.Resize(size)
		side, hint := theme.Scaled(searchIcon), float32(0)
		if !s.hint.Hidden {
			hint = s.hint.MinSize().Width + 10
			s.hint.in(size.Width-hint, 0, size.Height)
		}
		glass.Resize(fyne.NewSquareSize(side))
		glass.Move(fyne.NewPos(11, middle(size.Height, side)))
		height := s.inner.MinSize().Height
		x := 11 + side - 1.5
		s.inner.Move(fyne.NewPos(x, (size.Height-height)/2-entryLift))
		s.inner.Resize(fyne.NewSize(size.Width-x-hint-4, height))
	}
	refresh := func() {
		edge := theme.Line
		if s.entry.hasFocus {
			edge = theme.Accent
		}
		paint(back, theme.Bg, edge)
		focus.shown = s.entry.hasFocus
		focus.refresh()
		glass.set("search", theme.Mute)
		s.hint.refresh()
		s.hint.Hidden = s.hint.Text.Text == "" || s.entry.Text != ""
		place(s.Size())
	}
	refresh()
	return &renderer{
		objects: []fyne.CanvasObject{back, glass.Image, s.inner, s.hint.Text, focus.Rectangle},
		layout:  place, refresh: refresh,
		min: func() fyne.Size { return fyne.NewSize(theme.Scaled(120), theme.Scaled(fieldHeight)) },
	}
}
