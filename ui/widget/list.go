package widget

import (
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/loop"
	"callboard/ui/theme"
)

// Item is one row of a List. A row without a State has no chip.
type Item struct {
	ID     string
	Name   string
	Detail string
	Tone   theme.Tone
	State  string
}

// List is a column of rows to choose one from: Up, Down, Page Up, Page Down,
// Home and End move, a letter goes to the next name that begins with it. Only
// the rows in view exist, so its length costs nothing.
type List struct {
	fynewidget.BaseWidget
	// OnSelected is called with the ID of the row the person chooses, not
	// after Select.
	OnSelected func(id string)

	items    []Item
	plain    bool // a name only, without avatar
	selected string
	index    int // of selected, -1 for none
	focused  bool
	reveal   bool // the selected row once there is a height
	view     *listView
	scroll   *container.Scroll
}

// NewList makes an empty list of rows with avatar, name, detail and state.
func NewList() *List { return newList(false) }

// NewPlainList makes an empty list of rows with a name only.
func NewPlainList() *List { return newList(true) }

func newList(plain bool) *List {
	l := &List{plain: plain, index: -1}
	l.view = &listView{list: l}
	l.view.ExtendBaseWidget(l.view)
	l.scroll = container.NewVScroll(l.view)
	l.scroll.OnScrolled = func(fyne.Position) { l.showVisible() }
	l.ExtendBaseWidget(l)
	return l
}

// SetItems shows those rows; it keeps the slice. The selected ID stays
// selected, and is selected again when it comes back.
func (l *List) SetItems(items []Item) {
	if h := hintsFor(l); h != nil {
		h.Clear() // it may be about a row that is no longer there
	}
	l.items = items
	l.index = l.find(l.selected)
	l.Refresh()
}

// Select makes the row with that ID the selected one, and brings it into view,
// without calling OnSelected. An empty ID selects none.
func (l *List) Select(id string) {
	l.selected, l.index = id, l.find(id)
	l.reveal = true
	l.Refresh()
}

// Selected is the ID of the selected row, empty for none.
func (l *List) Selected() string { return l.selected }

// ScrollTo moves the list as little as it takes to see the whole row.
func (l *List) ScrollTo(id string) {
	i := l.find(id)
	if i < 0 {
		return
	}
	top, offset, height := float32(i)*l.rowHeight(), l.scroll.Offset.Y, l.scroll.Size().Height
	switch {
	case top < offset:
		offset = top
	case top+l.rowHeight() > offset+height:
		offset = top + l.rowHeight() - height
	default:
		return
	}
	l.scroll.ScrollToOffset(fyne.NewPos(0, offset))
	l.showVisible()
}

func (l *List) find(id string) int {
	for i := range l.items {
		if id != "" && l.items[i].ID == id {
			return i
		}
	}
	return -1
}

func (l *List) rowHeight() float32 {
	if l.plain {
		return theme.Scaled(plainRow)
	}
	return theme.Scaled(fullRow)
}

// choose selects a row for the person.
func (l *List) choose(i int) {
	if len(l.items) == 0 {
		return
	}
	i = max(0, min(i, len(l.items)-1))
	same := i == l.index
	l.Select(l.items[i].ID)
	if !same && l.OnSelected != nil {
		l.OnSelected(l.selected)
	}
}

// TypedKey moves the selection.
func (l *List) TypedKey(e *fyne.KeyEvent) {
	page := max(1, int(l.scroll.Size().Height/l.rowHeight())-1)
	switch e.Name { //nolint:exhaustive // the other keys mean nothing here
	case fyne.KeyUp:
		l.choose(l.index - 1)
	case fyne.KeyDown:
		l.choose(l.index + 1)
	case fyne.KeyPageUp:
		l.choose(l.index - page)
	case fyne.KeyPageDown:
		l.choose(l.index + page)
	case fyne.KeyHome:
		l.choose(0)
	case fyne.KeyEnd:
		l.choose(len(l.items) - 1)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		if l.index < 0 {
			l.choose(0)
		} else if l.OnSelected != nil {
			l.OnSelected(l.selected)
		}
	case fyne.KeyEscape:
		toSheet(l, e.Name)
	}
}

// TypedRune goes to the next name that begins with the letter.
func (l *List) TypedRune(r rune) {
	if unicode.IsSpace(r) {
		return
	}
	for n := 1; n <= len(l.items); n++ {
		i := (max(l.index, -1) + n) % len(l.items)
		for _, first := range l.items[i].Name {
			if unicode.ToLower(first) == unicode.ToLower(r) {
				l.choose(i)
				return
			}
			break
		}
	}
}

// FocusGained shows the ring.
func (l *List) FocusGained() { l.focused = true; l.Refresh() }

// FocusLost hides it.
func (l *List) FocusLost() { l.focused = false; l.Refresh() }

func (l *List) showVisible() { l.view.show(l.scroll.Offset.Y, l.scroll.Size()) }

// CreateRenderer is for Fyne.
func (l *List) CreateRenderer() fyne.WidgetRenderer {
	place := func(size fyne.Size) {
		l.scroll.Resize(size)
		if l.reveal && size.Height > 0 {
			l.reveal = false
			l.ScrollTo(l.selected)
		}
		l.showVisible()
	}
	return &renderer{
		objects: []fyne.CanvasObject{l.scroll}, layout: place,
		min:     func() fyne.Size { return fyne.NewSize(theme.Scaled(160), l.rowHeight()) },
		refresh: func() { place(l.Size()); l.scroll.Refresh() },
	}
}

// listView is the scrolled part of a List: as high as all rows, with objects
// only for those in view.
type listView struct {
	fynewidget.BaseWidget
	list    *List
	slots   []*listRow
	objects []fyne.CanvasObject
}

// show gives the slots the rows between offset and offset plus the height.
func (v *listView) show(offset float32, size fyne.Size) {
	height := v.list.rowHeight()
	first := max(0, int(offset/height))
	last := min(len(v.list.items), int((offset+size.Height)/height)+1)
	v.objects = v.objects[:0]
	for i := first; i < last; i++ {
		// A row keeps its slot while it stays in view, so the pointer's does not
		// change under it.
		n := i % (int(size.Height/height) + 2)
		for len(v.slots) <= n {
			v.slots = append(v.slots, newListRow(v.list))
		}
		slot := v.slots[n]
		slot.index = i
		slot.Move(fyne.NewPos(0, float32(i)*height))
		slot.Resize(fyne.NewSize(size.Width, height))
		slot.Refresh()
		v.objects = append(v.objects, slot)
	}
	canvas.Refresh(v)
}

// CreateRenderer is for Fyne.
func (v *listView) CreateRenderer() fyne.WidgetRenderer { return listRenderer{v} }

// listRenderer answers with the rows in view as they are.
type listRenderer struct{ v *listView }

func (r listRenderer) Layout(fyne.Size)             {}
func (r listRenderer) Objects() []fyne.CanvasObject { return r.v.objects }
func (r listRenderer) Refresh()                     {}
func (r listRenderer) Destroy()                     {}
func (r listRenderer) MinSize() fyne.Size {
	return fyne.NewSize(0, float32(len(r.v.list.items))*r.v.list.rowHeight())
}

var _ loop.Focusable = (*List)(nil)
