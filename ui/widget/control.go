package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/loop"
)

// control is what everything that can be pressed has in common: it can be
// disabled, hovered, focused, and activated by a click, Enter or Space.
type control struct {
	fynewidget.BaseWidget
	act      func()
	self     fyne.Widget // the part itself, to refresh
	disabled bool
	hovered  bool
	focused  bool
}

func (c *control) init(self fyne.Widget, act func()) {
	c.self, c.act = self, act
	c.ExtendBaseWidget(self)
}

func (c *control) activate() {
	if !c.disabled && c.act != nil {
		c.act()
	}
}

// Tapped activates.
func (c *control) Tapped(*fyne.PointEvent) {
	loop.Input(c.self)
	c.activate()
}

// TypedKey activates on Enter and Space; Esc goes to the sheet it is on.
func (c *control) TypedKey(e *fyne.KeyEvent) {
	loop.Input(c.self)
	switch e.Name { //nolint:exhaustive // the other keys mean nothing here
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		c.activate()
	case fyne.KeyEscape:
		toSheet(c.self, e.Name)
	}
}

// TypedRune does nothing.
func (c *control) TypedRune(rune) {}

// FocusGained shows the ring.
func (c *control) FocusGained() { c.change(&c.focused, true) }

// FocusLost hides it.
func (c *control) FocusLost() { c.change(&c.focused, false) }

// MouseIn shows that it can be pressed.
func (c *control) MouseIn(*desktop.MouseEvent) {
	loop.Input(c.self)
	c.change(&c.hovered, true)
}

// MouseMoved does nothing.
func (c *control) MouseMoved(*desktop.MouseEvent) {}

// MouseOut ends what MouseIn showed.
func (c *control) MouseOut() { c.change(&c.hovered, false) }

// Enable lets it be pressed.
func (c *control) Enable() { c.change(&c.disabled, false) }

// Disable keeps it from being pressed and out of the Tab order.
func (c *control) Disable() { c.change(&c.disabled, true) }

// Disabled reports whether it is kept from being pressed.
func (c *control) Disabled() bool { return c.disabled }

// SetEnabled is Enable or Disable.
func (c *control) SetEnabled(enabled bool) { c.change(&c.disabled, !enabled) }

func (c *control) change(flag *bool, to bool) {
	if *flag != to {
		*flag = to
		c.self.Refresh()
	}
}
