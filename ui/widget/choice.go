package widget

import (
	"slices"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/loop"
	"callboard/ui/theme"
)

// Choice is a label above a box with one of some options. A click, Enter or
// Space opens the menu of all; Up and Down go to the next one without it.
type Choice struct {
	control
	// OnChanged is called with the option the person chooses, not after
	// SetValue.
	OnChanged func(string)

	label   *Text
	value   *cutLine
	options []string
	chosen  string
}

// NewChoice makes a choice with nothing chosen.
func NewChoice(label string, options ...string) *Choice {
	c := &Choice{
		label:   NewText(theme.Label, theme.Mute, label),
		value:   newCutLine(theme.Body, theme.Ink),
		options: options,
	}
	c.init(c, c.open)
	return c
}

// SetOptions changes what can be chosen; what is chosen stays, also when it is
// no longer among them.
func (c *Choice) SetOptions(options ...string) {
	c.options = options
	c.Refresh()
}

// SetValue chooses without calling OnChanged.
func (c *Choice) SetValue(option string) {
	c.chosen = option
	c.Refresh()
}

// Value is what is chosen, empty for nothing.
func (c *Choice) Value() string { return c.chosen }

// FullText is what is chosen.
func (c *Choice) FullText() string { return c.chosen }

func (c *Choice) choose(option string) {
	if option == c.chosen {
		return
	}
	c.SetValue(option)
	if c.OnChanged != nil {
		c.OnChanged(option)
	}
}

// open shows the menu below the box.
func (c *Choice) open() {
	at := loop.Canvas(c)
	if at == nil || len(c.options) == 0 {
		return
	}
	items := make([]*fyne.MenuItem, len(c.options))
	for i, option := range c.options {
		items[i] = fyne.NewMenuItem(option, func() { c.choose(option) })
		items[i].Checked = option == c.chosen
	}
	menu := fynewidget.NewPopUpMenu(fyne.NewMenu("", items...), at)
	menu.ShowAtRelativePosition(fyne.NewPos(0, c.top()+theme.Scaled(fieldHeight)+2), c)
	menu.Resize(fyne.NewSize(max(c.Size().Width, menu.MinSize().Width), menu.MinSize().Height))
}

// TypedKey opens the menu or goes to the next option.
func (c *Choice) TypedKey(e *fyne.KeyEvent) {
	if c.disabled || len(c.options) == 0 {
		return
	}
	i := slices.Index(c.options, c.chosen)
	switch e.Name { //nolint:exhaustive // the other keys mean what they do on every control
	case fyne.KeyUp:
		c.choose(c.options[max(0, i-1)])
	case fyne.KeyDown:
		c.choose(c.options[min(len(c.options)-1, i+1)])
	default:
		c.control.TypedKey(e)
	}
}

func (c *Choice) top() float32 {
	if c.label.FullText() == "" {
		return 0
	}
	return theme.Label.LineHeight() + fieldGap
}

// CreateRenderer is for Fyne.
func (c *Choice) CreateRenderer() fyne.WidgetRenderer {
	back, over, focus := box(theme.RadiusField), box(theme.RadiusField), newRing(theme.RadiusField-theme.FocusRing)
	arrow := newIcon("chevron-down", theme.Mute)
	place := func(size fyne.Size) {
		c.label.Resize(c.label.MinSize())
		pos, in := fyne.NewPos(0, c.top()), fyne.NewSize(size.Width, theme.Scaled(fieldHeight))
		for _, o := range []fyne.CanvasObject{back, over, focus.Rectangle} {
			o.Move(pos)
			o.Resize(in)
		}
		side := theme.Scaled(searchIcon)
		arrow.Resize(fyne.NewSquareSize(side))
		arrow.Move(fyne.NewPos(size.Width-side-10, pos.Y+middle(in.Height, side)))
		c.value.in(11, pos.Y, size.Width-side-11-18, in.Height)
	}
	refresh := func() {
		edge := theme.Line
		if c.focused {
			edge = theme.Accent
		}
		paint(back, theme.Bg, edge)
		over.FillColor = theme.Color(theme.Hover)
		over.Hidden = !c.hovered || c.disabled
		c.value.full, c.value.ink = c.chosen, theme.Ink
		if c.disabled {
			c.value.ink = theme.Mute
		}
		arrow.set("chevron-down", theme.Mute)
		focus.shown = c.focused
		focus.refresh()
		place(c.Size())
	}
	refresh()
	return &renderer{
		objects: []fyne.CanvasObject{c.label, back, over, c.value.Text, arrow.Image, focus.Rectangle},
		layout:  place, refresh: refresh,
		min: func() fyne.Size {
			return fyne.NewSize(max(c.label.MinSize().Width, theme.Scaled(96)), c.top()+theme.Scaled(fieldHeight))
		},
	}
}
