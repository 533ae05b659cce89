package widget

import (
	"slices"
	"sort"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/loop"
	"callboard/ui/theme"
)

// Item is one row of a List. A row without a State has no chip. An item without
// an ID is the head of the rows below it, and shows its Name only.
type Item struct {
	ID     string
	Name   string
	Detail string
	Tone   theme.Tone
	State  string
}

func (i Item) head() bool { return i.ID == "" }

// List is a column of rows to choose one from: Up, Down, Page Up, Page Down,
// Home and End move, a letter goes to the next name that begins with it. Only
// the rows in view exist, so its length costs nothing.
//
// Where OnMarked is set rows can be marked, too: Space and a click with Ctrl
// mark one, a click with Shift all up to it, Ctrl A all, Esc none.
type List struct {
	fynewidget.BaseWidget
	// OnSelected is called with the ID of the row the person chooses, not
	// after Select.
	OnSelected func(id string)
	// OnEnter, where it is set, is called on Enter and on a click in place of
	// OnSelected.
	OnEnter func(id string)
	// OnMarked is called when the person marks rows or takes marks away.
	OnMarked func()

	items    []Item
	tops     []float32 // of the rows and of the end, where there are heads
	topScale float32   // that they were worked out for
	marks    marks
	plain    bool // a name only, without avatar
	bare     bool // without avatar
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

// NewTextList makes an empty list of rows with a name and a detail, without
// avatar.
func NewTextList() *List {
	l := newList(false)
	l.bare = true
	return l
}

func newList(plain bool) *List {
	l := &List{plain: plain, index: -1}
	l.view = &listView{list: l}
	l.view.ExtendBaseWidget(l.view)
	l.scroll = container.NewVScroll(l.view)
	l.scroll.OnScrolled = func(fyne.Position) { l.showVisible() }
	l.ExtendBaseWidget(l)
	return l
}

// SetItems shows those rows; it owns the slice from then on. The selected ID stays
// selected, and is selected again when it comes back.
func (l *List) SetItems(items []Item) {
	if h := hintsFor(l); h != nil {
		h.Clear() // it may be about a row that is no longer there
	}
	l.items, l.tops = items, nil
	l.index = l.find(l.selected)
	l.Refresh()
}

// SetItem changes the row of that ID, if there is one.
func (l *List) SetItem(item Item) {
	i := l.find(item.ID)
	if i < 0 || l.items[i] == item {
		return
	}
	l.items[i] = item
	l.showVisible()
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
	top, offset, height := l.top(i), l.scroll.Offset.Y, l.scroll.Size().Height
	switch {
	case top < offset:
		offset = top
	case l.top(i+1) > offset+height:
		offset = l.top(i+1) - height
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

// top is where the row of that number begins; that of the number of rows is the
// end of the list.
func (l *List) top(i int) float32 {
	if l.tops == nil || l.topScale != theme.Scale() {
		l.measure()
	}
	if len(l.tops) == 0 {
		return float32(i) * l.rowHeight()
	}
	return l.tops[i]
}

// measure works out where rows begin, if not all of them are equally high.
func (l *List) measure() {
	l.tops, l.topScale = []float32{}, theme.Scale()
	if !slices.ContainsFunc(l.items, Item.head) {
		return
	}
	y := float32(0)
	for _, item := range l.items {
		l.tops = append(l.tops, y)
		if item.head() {
			y += theme.Scaled(headRow)
		} else {
			y += l.rowHeight()
		}
	}
	l.tops = append(l.tops, y)
}

// at is the row at that height.
func (l *List) at(y float32) int {
	return max(0, sort.Search(len(l.items), func(i int) bool { return l.top(i) > y })-1)
}

func (l *List) rowHeight() float32 {
	if l.plain {
		return theme.Scaled(plainRow)
	}
	return theme.Scaled(fullRow)
}

// choose selects a row for the person; from a head it goes on that way, or back
// where there is none.
func (l *List) choose(i, way int) {
	i = max(0, min(i, len(l.items)-1))
	to := l.past(i, way)
	if to < 0 {
		to = l.past(i, -way)
	}
	if to < 0 {
		return
	}
	same := to == l.index
	l.Select(l.items[to].ID)
	if !same && l.OnSelected != nil {
		l.OnSelected(l.selected)
	}
}

// past is the first row from i on that is no head, -1 for none.
func (l *List) past(i, way int) int {
	for ; i >= 0 && i < len(l.items); i += way {
		if !l.items[i].head() {
			return i
		}
	}
	return -1
}

// TypedKey moves the selection.
func (l *List) TypedKey(e *fyne.KeyEvent) {
	loop.Input(l)
	page := max(1, int(l.scroll.Size().Height/l.rowHeight())-1)
	switch e.Name { //nolint:exhaustive // the other keys mean nothing here
	case fyne.KeyUp:
		l.choose(l.index-1, -1)
	case fyne.KeyDown:
		l.choose(l.index+1, 1)
	case fyne.KeyPageUp:
		l.choose(l.index-page, -1)
	case fyne.KeyPageDown:
		l.choose(l.index+page, 1)
	case fyne.KeyHome:
		l.choose(0, 1)
	case fyne.KeyEnd:
		l.choose(len(l.items)-1, -1)
	case fyne.KeySpace:
		if l.OnMarked != nil && l.index >= 0 {
			l.marks.toggle(l, l.index)
			return
		}
		l.enter()
	case fyne.KeyReturn, fyne.KeyEnter:
		l.enter()
	case fyne.KeyEscape:
		if !l.marks.clear(l) {
			toSheet(l, e.Name)
		}
	}
}

func (l *List) enter() {
	switch {
	case l.index < 0:
		l.choose(0, 1)
	case l.OnEnter != nil:
		l.OnEnter(l.selected)
	case l.OnSelected != nil:
		l.OnSelected(l.selected)
	}
}

// TypedRune goes to the next name that begins with the letter.
func (l *List) TypedRune(r rune) {
	loop.Input(l)
	if unicode.IsSpace(r) {
		return
	}
	for n := 1; n <= len(l.items); n++ {
		i := (max(l.index, -1) + n) % len(l.items)
		first, _ := utf8.DecodeRuneInString(l.items[i].Name)
		if !l.items[i].head() && unicode.ToLower(first) == unicode.ToLower(r) {
			l.choose(i, 1)
			return
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
	l := v.list
	room := int(size.Height/min(theme.Scaled(headRow), l.rowHeight())) + 2
	v.objects = v.objects[:0]
	for i := l.at(offset); i < len(l.items) && l.top(i) <= offset+size.Height; i++ {
		// A row keeps its slot while it stays in view, so the pointer's does not
		// change under it.
		n := i % room
		for len(v.slots) <= n {
			v.slots = append(v.slots, newListRow(l))
		}
		slot := v.slots[n]
		slot.index = i
		slot.Move(fyne.NewPos(0, l.top(i)))
		slot.Resize(fyne.NewSize(size.Width, l.top(i+1)-l.top(i)))
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
	return fyne.NewSize(0, r.v.list.top(len(r.v.list.items)))
}

var _ loop.Focusable = (*List)(nil)
