package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/loop"
)

// picker is what a rail, tabs and filters have in common: one of some items is
// the current one; arrow keys, Home and End move it, a click picks it. It is
// one stop in the Tab order.
type picker struct {
	fynewidget.BaseWidget
	// OnSelected is called when the person picks another item, not after
	// Select.
	OnSelected func(index int)

	self     loop.Focusable
	count    func() int
	at       func(fyne.Position) int // the item there, -1 for none
	back     fyne.KeyName            // the key to the item before
	forth    fyne.KeyName
	selected int
	hovered  int
	focused  bool
}

// picking is a part that is built on a picker.
type picking interface {
	fyne.Widget
	fyne.Focusable
}

func (p *picker) init(self picking, back, forth fyne.KeyName, count func() int, at func(fyne.Position) int) {
	p.self, p.back, p.forth, p.count, p.at, p.hovered = self, back, forth, count, at, -1
	p.ExtendBaseWidget(self)
}

// Select makes an item the current one without calling OnSelected.
func (p *picker) Select(index int) {
	p.selected = index
	p.self.Refresh()
}

// Current is the number of the current item.
func (p *picker) Current() int { return p.selected }

func (p *picker) pick(index int) {
	if index < 0 || index >= p.count() || index == p.selected {
		return
	}
	p.Select(index)
	if p.OnSelected != nil {
		p.OnSelected(index)
	}
}

// Tapped picks the item under the pointer and takes the keyboard.
func (p *picker) Tapped(e *fyne.PointEvent) {
	loop.Input(p.self)
	loop.Focus(p.self)
	p.pick(p.at(e.Position))
}

// TypedKey moves the current item.
func (p *picker) TypedKey(e *fyne.KeyEvent) {
	loop.Input(p.self)
	switch e.Name { //nolint:exhaustive // the other keys mean nothing here
	case p.back:
		p.pick(p.selected - 1)
	case p.forth:
		p.pick(p.selected + 1)
	case fyne.KeyHome:
		p.pick(0)
	case fyne.KeyEnd:
		p.pick(p.count() - 1)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		if (e.Name == fyne.KeySpace || !toSheet(p.self, e.Name)) && p.OnSelected != nil {
			p.OnSelected(p.selected)
		}
	case fyne.KeyEscape:
		toSheet(p.self, e.Name)
	}
}

// TypedRune does nothing.
func (p *picker) TypedRune(rune) {}

// FocusGained shows the ring.
func (p *picker) FocusGained() { p.focused = true; p.self.Refresh() }

// FocusLost hides it.
func (p *picker) FocusLost() { p.focused = false; p.self.Refresh() }

// MouseIn shows which item would be picked.
func (p *picker) MouseIn(e *desktop.MouseEvent) { p.MouseMoved(e) }

// MouseMoved follows the pointer.
func (p *picker) MouseMoved(e *desktop.MouseEvent) {
	loop.Input(p.self)
	p.hover(p.at(e.Position))
}

// MouseOut ends it.
func (p *picker) MouseOut() { p.hover(-1) }

func (p *picker) hover(index int) {
	if p.hovered != index {
		p.hovered = index
		p.self.Refresh()
	}
}
