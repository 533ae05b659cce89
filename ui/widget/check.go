package widget

import (
	"fyne.io/fyne/v2"

	"callboard/ui/theme"
)

// Tick is the state of a Check.
type Tick int

// The states. A person sets only the first two; Partly comes from what the
// box stands for.
const (
	Unticked Tick = iota
	Ticked
	Partly
)

const (
	tickSide float32 = 18
	tickGap  float32 = 10
)

// Check is a box to tick with a label and, below it, a sentence that says why
// it is as it is.
type Check struct {
	control
	// OnChanged is called when the person changes the state.
	OnChanged func(Tick)

	state         Tick
	label, reason *Text
}

// NewCheck makes an unticked box; reason may be empty.
func NewCheck(label, reason string) *Check {
	c := &Check{
		label:  NewParagraph(theme.Body, theme.Ink, label),
		reason: NewParagraph(theme.Secondary, theme.Mute, reason),
	}
	c.init(c, c.toggle)
	return c
}

// State is the state as it is shown.
func (c *Check) State() Tick { return c.state }

// SetState changes the state without calling OnChanged.
func (c *Check) SetState(state Tick) {
	c.state = state
	c.Refresh()
}

// SetReason changes the sentence below the label.
func (c *Check) SetReason(reason string) {
	c.reason.SetText(reason)
	c.Refresh()
}

func (c *Check) toggle() {
	if c.state == Ticked {
		c.state = Unticked
	} else {
		c.state = Ticked
	}
	c.Refresh()
	if c.OnChanged != nil {
		c.OnChanged(c.state)
	}
}

func (c *Check) minSize() fyne.Size {
	height := c.label.MinSize().Height
	if c.reason.FullText() != "" {
		height += c.reason.MinSize().Height + 2
	}
	width := max(measure(c.label.FullText(), theme.Body), theme.Scaled(40))
	return fyne.NewSize(theme.Scaled(tickSide)+tickGap+min(width, theme.Scaled(160)), height)
}

// CreateRenderer is for Fyne.
func (c *Check) CreateRenderer() fyne.WidgetRenderer {
	tick, over, focus := box(4), box(4), newRing(4)
	mark := newIcon("", theme.OnAccent)
	place := func(size fyne.Size) {
		side, line := theme.Scaled(tickSide), theme.Body.LineHeight()
		pos := fyne.NewPos(0, middle(line, side))
		for _, r := range []fyne.CanvasObject{tick, over} {
			r.Move(pos)
			r.Resize(fyne.NewSquareSize(side))
		}
		focus.around(pos, fyne.NewSquareSize(side))
		mark.Move(pos.AddXY(2, 2))
		mark.Resize(fyne.NewSquareSize(side - 4))
		x := side + tickGap
		c.label.Move(fyne.NewPos(x, 0))
		c.label.Resize(fyne.NewSize(size.Width-x, 0))
		top := c.label.MinSize().Height
		c.label.Resize(fyne.NewSize(size.Width-x, top))
		c.reason.Move(fyne.NewPos(x, top+2))
		c.reason.Resize(fyne.NewSize(size.Width-x, 0))
		c.reason.Resize(fyne.NewSize(size.Width-x, c.reason.MinSize().Height))
	}
	refresh := func() {
		l := c.look()
		paint(tick, l.fill, l.edge)
		over.FillColor = theme.Color(theme.Hover)
		over.Hidden = !c.hovered || c.disabled
		mark.set(map[Tick]string{Ticked: "check", Partly: "minus"}[c.state], l.ink)
		ink := theme.Ink
		if c.disabled {
			ink = theme.Faint
		}
		c.label.SetInk(ink)
		c.reason.Hidden = c.reason.FullText() == ""
		focus.shown = c.focused
		focus.refresh()
		place(c.Size())
	}
	refresh()
	return &renderer{
		objects: []fyne.CanvasObject{focus.Rectangle, tick, over, mark.Image, c.label, c.reason},
		layout:  place, min: c.minSize, refresh: refresh,
	}
}

func (c *Check) look() look {
	switch {
	case c.disabled:
		return look{theme.Off.Back(), theme.Line, theme.Faint}
	case c.state == Unticked:
		return look{theme.Panel, theme.Faint, theme.Ink}
	}
	return look{theme.Accent, theme.Clear, theme.OnAccent}
}
