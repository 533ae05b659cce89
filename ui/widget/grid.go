package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/loop"
	"callboard/ui/theme"
)

// Level is what a cell of a Grid says.
type Level int

// The levels. Never is a cell that cannot say anything else.
const (
	Blank Level = iota
	Half
	Full
	Never
)

const (
	gridCell  float32 = 34
	gridWide  float32 = 96  // a column with its name above it
	gridLabel float32 = 220 // at most, and at most half of the width
	gridHead  float32 = 40
)

// Grid is a table of cells to press, with a name before each row and above
// each column. Arrow keys, Page Up, Page Down, Home and End move, with a click
// anywhere; Space and Enter press. Only the cells in view exist.
type Grid struct {
	fynewidget.BaseWidget
	// Level is what a cell says. It is asked for the cells in view, at every
	// Refresh.
	Level func(row, col int) Level
	// OnMoved is called when another cell is the current one, OnPressed when the
	// person presses it, and OnTyped with a letter typed on it.
	OnMoved   func(row, col int)
	OnPressed func(row, col int)
	OnTyped   func(row, col int, r rune)

	rows, cols []string
	row, col   int
	named      bool // columns have names, not initials
	focused    bool

	cells, heads, labels *gridPart
	body, top, side      *container.Scroll
}

// NewGrid makes an empty grid. With named its columns are wide enough for short
// names; otherwise they show initials.
func NewGrid(named bool) *Grid {
	g := &Grid{named: named}
	g.cells, g.heads, g.labels = newGridPart(g.drawCells), newGridPart(g.drawHeads), newGridPart(g.drawLabels)
	g.cells.tapped, g.cells.size = g.tapped, func() fyne.Size { return fyne.NewSize(g.width(), g.height()) }
	g.heads.size = func() fyne.Size { return fyne.NewSize(g.width(), theme.Scaled(gridHead)) }
	g.labels.size = func() fyne.Size { return fyne.NewSize(g.labelWidth(), g.height()) }
	g.labels.tapped = func(p fyne.Position) { g.press(int(p.Y/theme.Scaled(gridCell)), g.col, false) }
	g.labels.hint = func(p fyne.Position) string { return nameAt(g.rows, p.Y/theme.Scaled(gridCell)) }
	g.heads.hint = func(p fyne.Position) string { w, _ := g.cell(); return nameAt(g.cols, p.X/w) }
	g.body, g.top, g.side = container.NewScroll(g.cells), container.NewHScroll(g.heads), container.NewVScroll(g.labels)
	g.body.OnScrolled = func(p fyne.Position) { g.follow(p) }
	g.top.OnScrolled = func(p fyne.Position) { g.follow(fyne.NewPos(p.X, g.body.Offset.Y)) }
	g.side.OnScrolled = func(p fyne.Position) { g.follow(fyne.NewPos(g.body.Offset.X, p.Y)) }
	g.ExtendBaseWidget(g)
	return g
}

func nameAt(names []string, at float32) string {
	if i := int(at); at >= 0 && i < len(names) {
		return names[i]
	}
	return ""
}

// SetNames gives the grid its rows and columns; it keeps the slices. The
// current cell stays where it was, if there is one.
func (g *Grid) SetNames(rows, cols []string) {
	g.rows, g.cols = rows, cols
	g.row, g.col = max(0, min(g.row, len(rows)-1)), max(0, min(g.col, len(cols)-1))
	g.Refresh()
}

// Current is the cell that keys work on.
func (g *Grid) Current() (row, col int) { return g.row, g.col }

// GoTo makes a cell the current one and brings it into view, without calling
// OnMoved.
func (g *Grid) GoTo(row, col int) {
	if len(g.rows) == 0 || len(g.cols) == 0 {
		return
	}
	g.row, g.col = max(0, min(row, len(g.rows)-1)), max(0, min(col, len(g.cols)-1))
	w, h := g.cell()
	at, size := g.body.Offset, g.body.Size()
	at.X = within(at.X, float32(g.col)*w, w, size.Width)
	at.Y = within(at.Y, float32(g.row)*h, h, size.Height)
	g.follow(at)
}

// within is the offset, moved as little as it takes to see length from pos on.
func within(offset, pos, length, room float32) float32 {
	return max(min(offset, pos), pos+length-room)
}

func (g *Grid) labelWidth() float32 { return min(theme.Scaled(gridLabel), g.Size().Width/2) }

func (g *Grid) cell() (width, height float32) {
	if g.named {
		return theme.Scaled(gridWide), theme.Scaled(gridCell)
	}
	return theme.Scaled(gridCell), theme.Scaled(gridCell)
}

func (g *Grid) width() float32  { w, _ := g.cell(); return w * float32(len(g.cols)) }
func (g *Grid) height() float32 { _, h := g.cell(); return h * float32(len(g.rows)) }

// follow scrolls all three parts together.
func (g *Grid) follow(at fyne.Position) {
	g.body.Offset, g.top.Offset, g.side.Offset = at, fyne.NewPos(at.X, 0), fyne.NewPos(0, at.Y)
	for _, s := range []*container.Scroll{g.body, g.top, g.side} {
		s.Refresh()
	}
	g.show()
}

func (g *Grid) show() {
	g.cells.show(g.body.Offset, g.body.Size())
	g.heads.show(g.top.Offset, g.top.Size())
	g.labels.show(g.side.Offset, g.side.Size())
}

func (g *Grid) tapped(p fyne.Position) {
	w, h := g.cell()
	g.press(int(p.Y/h), int(p.X/w), true)
}

func (g *Grid) press(row, col int, press bool) {
	loop.Focus(g)
	if row >= len(g.rows) || col >= len(g.cols) {
		return
	}
	g.move(row, col)
	if press && g.OnPressed != nil {
		g.OnPressed(g.row, g.col)
	}
}

func (g *Grid) move(row, col int) {
	before, beside := g.row, g.col
	g.GoTo(row, col)
	if (before != g.row || beside != g.col) && g.OnMoved != nil {
		g.OnMoved(g.row, g.col)
	}
}

// TypedKey moves and presses.
func (g *Grid) TypedKey(e *fyne.KeyEvent) {
	loop.Input(g)
	page := max(1, int(g.body.Size().Height/theme.Scaled(gridCell))-1)
	switch e.Name { //nolint:exhaustive // the other keys mean nothing here
	case fyne.KeyUp:
		g.move(g.row-1, g.col)
	case fyne.KeyDown:
		g.move(g.row+1, g.col)
	case fyne.KeyLeft:
		g.move(g.row, g.col-1)
	case fyne.KeyRight:
		g.move(g.row, g.col+1)
	case fyne.KeyPageUp:
		g.move(g.row-page, g.col)
	case fyne.KeyPageDown:
		g.move(g.row+page, g.col)
	case fyne.KeyHome:
		g.move(g.row, 0)
	case fyne.KeyEnd:
		g.move(g.row, len(g.cols)-1)
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		if g.OnPressed != nil && len(g.rows) > 0 && len(g.cols) > 0 {
			g.OnPressed(g.row, g.col)
		}
	case fyne.KeyEscape:
		toSheet(g, e.Name)
	}
}

// TypedRune hands a letter on.
func (g *Grid) TypedRune(r rune) {
	loop.Input(g)
	if g.OnTyped != nil && r != ' ' && len(g.rows) > 0 && len(g.cols) > 0 {
		g.OnTyped(g.row, g.col, r)
	}
}

// FocusGained shows the ring.
func (g *Grid) FocusGained() { g.focused = true; g.Refresh() }

// FocusLost hides it.
func (g *Grid) FocusLost() { g.focused = false; g.Refresh() }

// CreateRenderer is for Fyne.
func (g *Grid) CreateRenderer() fyne.WidgetRenderer {
	back, under, beside := box(0), box(0), box(0)
	place := func(size fyne.Size) {
		x, y := g.labelWidth(), theme.Scaled(gridHead)
		back.Resize(size)
		g.body.Move(fyne.NewPos(x, y))
		g.body.Resize(fyne.NewSize(max(0, size.Width-x), max(0, size.Height-y)))
		g.top.Move(fyne.NewPos(x, 0))
		g.top.Resize(fyne.NewSize(max(0, size.Width-x), y))
		g.side.Move(fyne.NewPos(0, y))
		g.side.Resize(fyne.NewSize(x, max(0, size.Height-y)))
		under.Move(fyne.NewPos(0, y-theme.Hairline))
		under.Resize(fyne.NewSize(size.Width, theme.Hairline))
		beside.Move(fyne.NewPos(x-theme.Hairline, 0))
		beside.Resize(fyne.NewSize(theme.Hairline, size.Height))
		g.show()
	}
	refresh := func() {
		paint(back, theme.Panel, theme.Clear)
		paint(under, theme.Line, theme.Clear)
		paint(beside, theme.Line, theme.Clear)
		place(g.Size())
	}
	refresh()
	return &renderer{
		objects: []fyne.CanvasObject{back, g.body, g.top, g.side, under, beside}, layout: place, refresh: refresh,
		min: func() fyne.Size {
			return fyne.NewSize(6*theme.Scaled(gridCell), theme.Scaled(gridHead)+3*theme.Scaled(gridCell))
		},
	}
}

var _ loop.Focusable = (*Grid)(nil)
