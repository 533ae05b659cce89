package widget

import (
	"fyne.io/fyne/v2"

	"callboard/ui/theme"
)

// Kind says how much a Button stands out.
type Kind int

// The kinds. A screen has at most one primary button.
const (
	Secondary Kind = iota // a border
	Primary               // filled with the accent
	Quiet                 // no border until the pointer is on it
	Danger                // a border, in the colour of what is bad
)

const (
	buttonHeight float32 = 32
	buttonPad    float32 = 12
	buttonIcon   float32 = 15
)

// Button is a word to press, with an icon before it if it has one.
type Button struct {
	control
	kind Kind
	text string
	icon string
	busy bool
}

// NewButton makes a button; press runs on a click, Enter or Space.
func NewButton(kind Kind, text string, press func()) *Button {
	b := &Button{kind: kind, text: text}
	b.init(b, press)
	return b
}

// NewIconButton is NewButton with an icon before the text. With an empty text
// it is a square with the icon alone; give it only where the icon is plain.
func NewIconButton(kind Kind, icon, text string, press func()) *Button {
	b := NewButton(kind, text, press)
	b.icon = icon
	return b
}

// SetText changes the word.
func (b *Button) SetText(text string) {
	b.text = text
	b.Refresh()
}

// SetIcon changes the icon; an empty name takes it away.
func (b *Button) SetIcon(name string) {
	b.icon = name
	b.Refresh()
}

// SetBusy shows that what the press began still runs and keeps the button from
// being pressed again. Say what runs with SetText ("Unlocking…").
func (b *Button) SetBusy(busy bool) {
	b.busy = busy
	b.Refresh()
}

// Tapped presses.
func (b *Button) Tapped(e *fyne.PointEvent) {
	if !b.busy {
		b.control.Tapped(e)
	}
}

// TypedKey presses on Enter and Space. Esc goes to the sheet it is on, also
// while what it began runs.
func (b *Button) TypedKey(e *fyne.KeyEvent) {
	if !b.busy || e.Name == fyne.KeyEscape {
		b.control.TypedKey(e)
	}
}

// look is the colours of a button.
type look struct{ fill, edge, ink theme.Token }

func (b *Button) look() look {
	switch {
	case b.disabled && b.kind == Quiet:
		return look{theme.Clear, theme.Clear, theme.Faint}
	case b.disabled:
		return look{theme.Off.Back(), theme.Clear, theme.Faint}
	case b.kind == Primary:
		return look{theme.Accent, theme.Clear, theme.OnAccent}
	case b.kind == Quiet:
		return look{theme.Clear, theme.Clear, theme.Ink}
	case b.kind == Danger:
		return look{theme.Panel, theme.Line, theme.Bad.Text()}
	}
	return look{theme.Panel, theme.Line, theme.Ink}
}

func (b *Button) minSize() fyne.Size {
	width := 2 * buttonPad
	if b.text != "" {
		width += measure(b.text, theme.Action)
	}
	switch {
	case b.icon == "" && !b.busy:
	case b.text == "":
		width = theme.Scaled(buttonHeight)
	default:
		width += theme.Scaled(buttonIcon) + theme.Gap
	}
	return fyne.NewSize(float32(int(width+0.999)), theme.Scaled(buttonHeight))
}

// CreateRenderer is for Fyne.
func (b *Button) CreateRenderer() fyne.WidgetRenderer {
	back, over := box(theme.RadiusField), box(theme.RadiusField)
	mark := newIcon(b.icon, theme.Ink)
	word := newLine(theme.Action, theme.Ink, b.text)
	focus := newRing(theme.RadiusField)
	place := func(size fyne.Size) {
		back.Resize(size)
		over.Resize(size)
		focus.around(fyne.Position{}, size)
		content := word.MinSize().Width
		x := (size.Width - content) / 2
		if !mark.Hidden {
			side := theme.Scaled(buttonIcon)
			x = (size.Width - content - side - theme.Gap) / 2
			if b.text == "" {
				x = (size.Width - side) / 2
			}
			mark.Resize(fyne.NewSquareSize(side))
			mark.Move(fyne.NewPos(float32(int(x)), middle(size.Height, side)))
			x += side + theme.Gap
		}
		word.in(float32(int(x)), 0, size.Height)
	}
	refresh := func() {
		l := b.look()
		paint(back, l.fill, l.edge)
		over.FillColor = theme.Color(theme.Hover)
		over.Hidden = !b.hovered || b.disabled || b.busy
		word.Text.Text, word.ink = b.text, l.ink
		word.refresh()
		name := b.icon
		if b.busy {
			name = "loader-circle"
		}
		mark.set(name, l.ink)
		focus.shown = b.focused
		focus.refresh()
		place(b.Size())
	}
	refresh()
	return &renderer{
		objects: []fyne.CanvasObject{focus.Rectangle, back, over, mark.Image, word.Text},
		layout:  place, min: b.minSize, refresh: refresh,
	}
}
