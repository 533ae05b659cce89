package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/loop"
	"callboard/ui/theme"
)

const (
	fullRow    float32 = 59 // with the separator
	plainRow   float32 = 39
	headRow    float32 = 31
	markIcon   float32 = 14
	rowAvatar  float32 = 28
	ringInset  float32 = 4
	rowBar     float32 = 3  // the accent at the left of the selected row
	rowTextGap float32 = 12 // between avatar and text
	rowRight   float32 = 32 // room for the scroll bar
)

// listRow draws the row of a List that it has the index of.
type listRow struct {
	fynewidget.BaseWidget
	list    *List
	index   int
	hovered bool
	with    fyne.KeyModifier // held while the button went down

	back, bar, rule *canvas.Rectangle
	box             *canvas.Rectangle // to mark the row
	tick            *icon
	ring            ring
	avatar          *Avatar
	name, detail    *cutLine
	chip            *Chip
}

func newListRow(l *List) *listRow {
	r := &listRow{
		list: l, back: box(0), bar: box(0), rule: box(0), ring: newRing(0),
		box: box(4), tick: newIcon("check", theme.OnAccent),
		avatar: NewAvatar("", rowAvatar), chip: NewChip(theme.Off, ""),
		name: newCutLine(theme.Strong, theme.Ink), detail: newCutLine(theme.Secondary, theme.Mute),
	}
	r.ring.CornerRadius = 0
	r.ExtendBaseWidget(r)
	return r
}

// MouseDown remembers the keys that are held.
func (r *listRow) MouseDown(e *desktop.MouseEvent) { r.with = e.Modifier }

// MouseUp does nothing: the tap follows.
func (r *listRow) MouseUp(*desktop.MouseEvent) {}

// Tapped chooses or marks the row and gives the list the keyboard.
func (r *listRow) Tapped(e *fyne.PointEvent) {
	loop.Input(r.list)
	loop.Focus(r.list)
	if r.index >= len(r.list.items) || r.list.items[r.index].head() {
		return
	}
	onBox := e.Position.X < theme.Pad+theme.Scaled(rowAvatar)+rowTextGap/2
	switch {
	case r.list.OnMarked != nil && r.with&fyne.KeyModifierShift != 0:
		r.list.marks.extend(r.list, r.index)
	case r.list.OnMarked != nil && (onBox || r.with&fyne.KeyModifierShortcutDefault != 0):
		r.list.marks.toggle(r.list, r.index)
	default:
		r.list.choose(r.index, 1)
		if r.list.OnEnter != nil {
			r.list.OnEnter(r.list.selected)
		}
	}
	r.with = 0
}

// MouseIn lights the row up and shows what is cut in it.
func (r *listRow) MouseIn(e *desktop.MouseEvent) {
	loop.Input(r.list)
	r.hovered = true
	r.Refresh()
	h := hintsFor(r)
	if h == nil || r.index >= len(r.list.items) {
		return
	}
	item := r.list.items[r.index]
	switch {
	case r.name.cut && r.detail.cut:
		h.show(r, item.Name+"\n"+item.Detail, e.AbsolutePosition)
	case r.name.cut:
		h.show(r, item.Name, e.AbsolutePosition)
	case r.detail.cut:
		h.show(r, item.Detail, e.AbsolutePosition)
	}
}

// MouseMoved does nothing.
func (r *listRow) MouseMoved(*desktop.MouseEvent) {}

// MouseOut ends what MouseIn began.
func (r *listRow) MouseOut() {
	r.hovered = false
	r.Refresh()
	if h := hintsFor(r); h != nil {
		h.hide(r)
	}
}

func (r *listRow) paint() {
	if r.index >= len(r.list.items) {
		return
	}
	item, current := r.list.items[r.index], r.index == r.list.index
	head := item.head()
	ground := theme.Clear
	switch {
	case head:
		ground = theme.Bg
	case current:
		ground = theme.Selected
	case r.hovered:
		ground = theme.Hover
	}
	paint(r.back, ground, theme.Clear)
	paint(r.bar, theme.Accent, theme.Clear)
	r.bar.Hidden = !current
	paint(r.rule, theme.Line, theme.Clear)
	r.ring.shown = r.list.focused && (current || r.list.index < 0 && r.index == 0)
	r.ring.refresh()
	r.name.full, r.detail.full = item.Name, item.Detail
	r.name.role, r.name.ink = theme.Strong, theme.Ink
	switch {
	case head:
		r.name.role, r.name.ink = theme.SmallBold, theme.Mute
	case r.list.plain && !current:
		r.name.role = theme.Body
	}
	r.avatar.SetName(item.Name)
	r.chip.Hidden = item.State == "" || head
	if r.chip.tone != item.Tone || r.chip.text != item.State {
		r.chip.Set(item.Tone, item.State)
	}
	r.paintMark(item)
}

// paintMark shows the box to mark the row with in place of the avatar, where
// the pointer is on the row or any row is marked.
func (r *listRow) paintMark(item Item) {
	marked := r.list.marks.ids[item.ID]
	boxed := r.list.OnMarked != nil && !item.head() && (r.hovered || len(r.list.marks.ids) > 0)
	r.avatar.Hidden = r.list.plain || r.list.bare || item.head() || boxed
	r.box.Hidden, r.tick.Hidden = !boxed, !boxed || !marked
	if marked {
		paint(r.box, theme.Accent, theme.Clear)
	} else {
		paint(r.box, theme.Panel, theme.Line)
	}
	if !r.tick.Hidden {
		r.tick.set("check", theme.OnAccent)
	}
}

func (r *listRow) place(size fyne.Size) {
	inner := size.Height - theme.Hairline
	r.back.Resize(fyne.NewSize(size.Width, inner))
	r.bar.Resize(fyne.NewSize(rowBar, inner))
	r.ring.Move(fyne.NewSquareOffsetPos(ringInset)) // inside, where the scroll does not clip it
	r.ring.Resize(fyne.NewSize(size.Width-2*ringInset, inner-2*ringInset))
	r.rule.Move(fyne.NewPos(0, inner))
	r.rule.Resize(fyne.NewSize(size.Width, theme.Hairline))
	if r.list.plain || r.index < len(r.list.items) && r.list.items[r.index].head() {
		r.name.in(theme.Pad, 0, size.Width-2*theme.Pad, inner)
		r.detail.in(0, 0, 0, 0)
		return
	}
	side := theme.Scaled(rowAvatar)
	r.avatar.Resize(fyne.NewSquareSize(side))
	r.avatar.Move(fyne.NewPos(theme.Pad, theme.Scaled(10)))
	tick, inset := theme.Scaled(tickSide), middle(side, theme.Scaled(tickSide))
	r.box.Resize(fyne.NewSquareSize(tick))
	r.box.Move(fyne.NewPos(theme.Pad+inset, theme.Scaled(10)+inset))
	mark := theme.Scaled(markIcon)
	r.tick.Resize(fyne.NewSquareSize(mark))
	r.tick.Move(r.box.Position().AddXY(middle(tick, mark), middle(tick, mark)))
	x := theme.Pad + side + rowTextGap
	if r.list.bare {
		x = theme.Pad
	}
	right := size.Width - rowRight
	nameRight := right
	if !r.chip.Hidden {
		chip := r.chip.MinSize()
		r.chip.Resize(chip)
		nameRight = right - chip.Width
		r.chip.Move(fyne.NewPos(nameRight, theme.Scaled(10)))
		nameRight -= theme.Gap
	}
	r.name.in(x, theme.Scaled(10), nameRight-x, theme.Strong.LineHeight())
	r.detail.in(x, theme.Scaled(30), right-x, theme.Secondary.LineHeight())
}

// CreateRenderer is for Fyne.
func (r *listRow) CreateRenderer() fyne.WidgetRenderer {
	r.paint()
	return &renderer{
		objects: []fyne.CanvasObject{r.back, r.bar, r.rule, r.avatar, r.box, r.tick.Image, r.name.Text, r.detail.Text, r.chip, r.ring.Rectangle},
		layout:  r.place,
		min:     func() fyne.Size { return fyne.NewSize(0, r.list.rowHeight()) },
		refresh: func() { r.paint(); r.place(r.Size()) },
	}
}
