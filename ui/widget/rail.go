package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"callboard/ui/theme"
)

const (
	railWidth float32 = 88
	railPad   float32 = 8
	railTop   float32 = 12
	railItem  float32 = 56
	railStep  float32 = 60 // from one item to the next
	railIcon  float32 = 20
)

// RailItem is one place to go.
type RailItem struct {
	Icon  string
	Label string
}

// Rail is the list of places at the left of the window. Up and Down move.
type Rail struct {
	picker
	items []RailItem
	slots []*railSlot
	ring  ring
}

// railSlot is what draws one item.
type railSlot struct {
	back  *canvas.Rectangle
	icon  *icon
	label *line
}

// NewRail makes a rail with its first item current.
func NewRail(items ...RailItem) *Rail {
	r := &Rail{items: items, ring: newRing(theme.RadiusCard)}
	r.init(r, fyne.KeyUp, fyne.KeyDown, func() int { return len(r.items) }, r.itemAt)
	return r
}

func (r *Rail) itemAt(pos fyne.Position) int {
	y := pos.Y - railTop
	index := int(y / theme.Scaled(railStep))
	if y < 0 || index >= len(r.items) || y-float32(index)*theme.Scaled(railStep) > theme.Scaled(railItem) {
		return -1
	}
	return index
}

// CreateRenderer is for Fyne.
func (r *Rail) CreateRenderer() fyne.WidgetRenderer {
	ground, edge := box(0), box(0)
	objects := []fyne.CanvasObject{ground, edge, r.ring.Rectangle}
	r.slots = nil // the toolkit asks again for what was not seen for a while
	for _, item := range r.items {
		s := &railSlot{
			back: box(theme.RadiusCard), icon: newIcon(item.Icon, theme.Mute),
			label: newLine(theme.Small, theme.Mute, item.Label),
		}
		r.slots = append(r.slots, s)
		objects = append(objects, s.back, s.icon.Image, s.label.Text)
	}
	place := func(size fyne.Size) {
		ground.Resize(size)
		edge.Move(fyne.NewPos(size.Width-theme.Hairline, 0))
		edge.Resize(fyne.NewSize(theme.Hairline, size.Height))
		for i, s := range r.slots {
			r.placeSlot(i, s, size.Width)
		}
	}
	refresh := func() {
		paint(ground, theme.RailBg, theme.Clear)
		paint(edge, theme.Line, theme.Clear)
		for i, s := range r.slots {
			r.paintSlot(i, s)
		}
		r.ring.shown = r.focused
		r.ring.refresh()
		place(r.Size())
	}
	refresh()
	return &renderer{objects: objects, layout: place, refresh: refresh, min: func() fyne.Size {
		return fyne.NewSize(theme.Scaled(railWidth), railTop+theme.Scaled(railStep)*float32(len(r.items)))
	}}
}

func (r *Rail) placeSlot(i int, s *railSlot, width float32) {
	top := railTop + float32(i)*theme.Scaled(railStep)
	pos, size := fyne.NewPos(railPad, top), fyne.NewSize(width-2*railPad-theme.Hairline, theme.Scaled(railItem))
	s.back.Move(pos)
	s.back.Resize(size)
	if i == r.selected {
		r.ring.around(pos, size)
	}
	side := theme.Scaled(railIcon)
	s.icon.Resize(fyne.NewSquareSize(side))
	s.icon.Move(fyne.NewPos(pos.X+middle(size.Width, side), top+theme.Scaled(8)))
	label := s.label.MinSize().Width
	s.label.in(pos.X+middle(size.Width, label), top+theme.Scaled(32), theme.Scaled(16))
}

func (r *Rail) paintSlot(i int, s *railSlot) {
	item, ground, ink, role := r.items[i], theme.Clear, theme.Mute, theme.Small
	switch i {
	case r.selected:
		ground, ink, role = theme.AccentSoft, theme.Accent, theme.SmallBold
	case r.hovered:
		ground = theme.Hover
	}
	paint(s.back, ground, theme.Clear)
	s.icon.set(item.Icon, ink)
	s.label.ink, s.label.role = ink, role
	s.label.refresh()
}
