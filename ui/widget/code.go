package widget

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/loop"
	"callboard/ui/theme"
)

// Change says how a line of Code differs from what was there before.
type Change int

// The changes.
const (
	Same Change = iota
	Added
	Removed
)

// CodeLine is one line without its line break.
type CodeLine struct {
	Text   string
	Change Change
}

const codePad float32 = 12

// Code shows lines of text in the mono font, to read and scroll. Only what is
// in view is drawn, so a long text and a long line cost what a short one does.
type Code struct {
	fynewidget.BaseWidget
	view    *codeView
	scroll  *container.Scroll
	focused bool
}

// NewCode makes an empty view that neither wraps nor numbers its lines.
func NewCode() *Code {
	c := &Code{view: &codeView{}}
	c.view.ExtendBaseWidget(c.view)
	c.scroll = container.NewScroll(c.view)
	c.scroll.OnScrolled = func(fyne.Position) { c.showVisible() }
	c.ExtendBaseWidget(c)
	return c
}

// SetText shows text, split into lines.
func (c *Code) SetText(text string) { c.SetLines(splitLines(text)) }

// SetLines shows those lines; it keeps the slice.
func (c *Code) SetLines(lines []CodeLine) {
	c.view.lines = expandTabs(lines)
	c.view.laidOut = codeKey{}
	c.Refresh()
}

// SetNumbers shows or hides the numbers of the lines.
func (c *Code) SetNumbers(on bool) {
	c.view.numbers = on
	c.view.laidOut = codeKey{}
	c.Refresh()
}

// SetWrap wraps long lines at the width of the view, or lets them be scrolled.
func (c *Code) SetWrap(on bool) {
	c.view.wrap = on
	c.view.laidOut = codeKey{}
	c.scroll.Direction = container.ScrollBoth
	if on {
		c.scroll.Direction = container.ScrollVerticalOnly
	}
	c.Refresh()
}

// ScrollTo brings the line, counted from 0, to the top.
func (c *Code) ScrollTo(line int) {
	c.scrollBy(c.view.topOf(line) - c.scroll.Offset.Y)
}

// FullText is all lines.
func (c *Code) FullText() string { return joinLines(c.view.lines) }

func (c *Code) scrollBy(dy float32) {
	c.scroll.ScrollToOffset(c.scroll.Offset.AddXY(0, dy))
	c.showVisible()
}

func (c *Code) showVisible() { c.view.show(c.scroll.Offset, c.scroll.Size()) }

// Tapped takes the keyboard.
func (c *Code) Tapped(*fyne.PointEvent) {
	loop.Input(c)
	loop.Focus(c)
}

// FocusGained shows the ring.
func (c *Code) FocusGained() { c.focused = true; c.Refresh() }

// FocusLost hides it.
func (c *Code) FocusLost() { c.focused = false; c.Refresh() }

// TypedRune does nothing.
func (c *Code) TypedRune(rune) {}

// TypedKey scrolls.
func (c *Code) TypedKey(e *fyne.KeyEvent) {
	loop.Input(c)
	line, page := theme.Code.LineHeight(), c.scroll.Size().Height-theme.Code.LineHeight()
	switch e.Name { //nolint:exhaustive // the other keys mean nothing here
	case fyne.KeyUp:
		c.scrollBy(-line)
	case fyne.KeyDown:
		c.scrollBy(line)
	case fyne.KeyPageUp:
		c.scrollBy(-page)
	case fyne.KeyPageDown, fyne.KeySpace:
		c.scrollBy(page)
	case fyne.KeyHome:
		c.scrollBy(-c.scroll.Offset.Y)
	case fyne.KeyEnd:
		c.scrollBy(c.view.Size().Height)
	case fyne.KeyLeft:
		c.scroll.ScrollToOffset(c.scroll.Offset.SubtractXY(line, 0))
	case fyne.KeyRight:
		c.scroll.ScrollToOffset(c.scroll.Offset.AddXY(line, 0))
	case fyne.KeyEscape, fyne.KeyReturn, fyne.KeyEnter:
		toSheet(c, e.Name)
	}
}

// CreateRenderer is for Fyne.
func (c *Code) CreateRenderer() fyne.WidgetRenderer {
	back, focus := box(theme.RadiusField), newRing(theme.RadiusField-theme.FocusRing)
	place := func(size fyne.Size) {
		back.Resize(size)
		focus.Resize(size)
		c.scroll.Move(fyne.NewSquareOffsetPos(1))
		c.view.layOut(size.Width - 2)
		c.scroll.Resize(size.SubtractWidthHeight(2, 2))
		c.showVisible()
	}
	refresh := func() {
		paint(back, theme.Panel, theme.Line)
		focus.shown = c.focused
		focus.refresh()
		place(c.Size())
		c.scroll.Refresh()
	}
	refresh()
	return &renderer{
		objects: []fyne.CanvasObject{back, c.scroll, focus.Rectangle},
		layout:  place, refresh: refresh,
		min: func() fyne.Size {
			return fyne.NewSize(theme.Scaled(120), 3*theme.Code.LineHeight()+2*codePad)
		},
	}
}

// codeView is the scrolled part of a Code: as large as the text, with objects
// only for the rows in view.
type codeView struct {
	fynewidget.BaseWidget
	lines   []CodeLine
	numbers bool
	wrap    bool

	rows    []codeRow
	laidOut codeKey
	size    fyne.Size
	char    float32
	gutter  float32
	slots   []*codeSlot
	objects []fyne.CanvasObject
}

// codeKey is what the rows were made for.
type codeKey struct {
	width, scale float32
	done         bool
}

// codeSlot is what draws one row in view.
type codeSlot struct {
	back   *canvas.Rectangle
	number *canvas.Text
	text   *canvas.Text
}

// layOut makes the rows for that width.
func (v *codeView) layOut(width float32) {
	key := codeKey{width: width, scale: theme.Scale(), done: true}
	if !v.wrap {
		key.width = 0
	}
	if key == v.laidOut {
		return
	}
	v.laidOut = key
	v.char = measure("0000000000", theme.Code) / 10
	v.gutter = codePad
	if v.numbers {
		v.gutter += measure(strconv.Itoa(len(v.lines)), theme.Code) + theme.Gap*2
	}
	columns := 0
	if v.wrap {
		columns = max(8, int((width-v.gutter-codePad)/v.char))
	}
	var longest int
	v.rows, longest = codeRows(v.lines, columns)
	v.size = fyne.NewSize(v.gutter+float32(longest)*v.char+codePad, float32(len(v.rows))*theme.Code.LineHeight()+2*codePad)
	if v.wrap {
		v.size.Width = 0
	}
}

func (v *codeView) topOf(line int) float32 {
	for i, r := range v.rows {
		if r.line >= line {
			return float32(i) * theme.Code.LineHeight()
		}
	}
	return 0
}

// show fills the slots with the rows between offset and offset+size.
func (v *codeView) show(offset fyne.Position, size fyne.Size) {
	height := theme.Code.LineHeight()
	first := max(0, int((offset.Y-codePad)/height))
	last := min(len(v.rows), int((offset.Y+size.Height-codePad)/height)+1)
	column := max(0, int((offset.X-v.gutter)/v.char))
	columns := int(size.Width/v.char) + 2
	n := 0
	for i := first; i < last; i++ {
		if n == len(v.slots) {
			v.slots = append(v.slots, &codeSlot{canvas.NewRectangle(theme.Color(theme.Clear)), &canvas.Text{}, &canvas.Text{}})
		}
		v.fill(v.slots[n], i, column, columns)
		n++
	}
	v.objects = v.objects[:0]
	for _, s := range v.slots[:n] {
		v.objects = append(v.objects, s.back, s.number, s.text)
	}
	canvas.Refresh(v)
}

// fill makes a slot draw a row from that column on.
func (v *codeView) fill(s *codeSlot, i, column, columns int) {
	r := v.rows[i]
	line := v.lines[r.line]
	top := codePad + float32(i)*theme.Code.LineHeight()
	ink, ground := theme.Ink, theme.Clear
	switch line.Change {
	case Added:
		ink, ground = theme.OK.Text(), theme.OK.Back()
	case Removed:
		ink, ground = theme.Bad.Text(), theme.Bad.Back()
	case Same:
	}
	x := v.gutter + float32(column)*v.char
	v.write(s.text, columnsOf(line.Text[r.from:r.to], column, columns), ink, x, top)
	paint(s.back, ground, theme.Clear)
	s.back.Move(fyne.NewPos(x, top))
	s.back.Resize(fyne.NewSize(s.text.Size().Width, theme.Code.LineHeight()))
	number := ""
	if v.numbers && r.from == 0 {
		number = strconv.Itoa(r.line + 1)
	}
	v.write(s.number, number, theme.Faint, 0, top)
	s.number.Move(s.number.Position().AddXY(v.gutter-theme.Gap*2-s.number.Size().Width, 0))
}

func (v *codeView) write(t *canvas.Text, text string, ink theme.Token, x, top float32) {
	t.Text, t.Color = text, theme.Color(ink)
	t.TextSize, t.TextStyle = theme.Code.TextSize(), theme.Code.Style()
	size := t.MinSize()
	t.Resize(size)
	t.Move(fyne.NewPos(x, top+inLine(theme.Code.LineHeight(), size.Height)))
}

// CreateRenderer is for Fyne.
func (v *codeView) CreateRenderer() fyne.WidgetRenderer { return codeRenderer{v} }

// codeRenderer answers with the slots in view as they are.
type codeRenderer struct{ v *codeView }

func (r codeRenderer) Layout(fyne.Size)             {}
func (r codeRenderer) MinSize() fyne.Size           { return r.v.size }
func (r codeRenderer) Objects() []fyne.CanvasObject { return r.v.objects }
func (r codeRenderer) Refresh()                     {}
func (r codeRenderer) Destroy()                     {}
