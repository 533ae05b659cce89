package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/loop"
	"callboard/ui/theme"
)

// gridPart is one of the three scrolled parts of a Grid: its cells, the names
// above them or the names before them. It holds objects only for what is in
// view.
type gridPart struct {
	fynewidget.BaseWidget
	size    func() fyne.Size
	draw    func(offset fyne.Position, size fyne.Size) []fyne.CanvasObject
	tapped  func(fyne.Position)
	hint    func(fyne.Position) string
	objects []fyne.CanvasObject
}

func newGridPart(draw func(fyne.Position, fyne.Size) []fyne.CanvasObject) *gridPart {
	p := &gridPart{draw: draw}
	p.ExtendBaseWidget(p)
	return p
}

func (p *gridPart) show(offset fyne.Position, size fyne.Size) {
	p.objects = p.draw(offset, size)
	canvas.Refresh(p)
}

// Tapped is for Fyne.
func (p *gridPart) Tapped(e *fyne.PointEvent) {
	loop.Input(p)
	if p.tapped != nil {
		p.tapped(e.Position)
	}
}

// MouseIn shows what is under the pointer in words.
func (p *gridPart) MouseIn(e *desktop.MouseEvent) { p.MouseMoved(e) }

// MouseMoved follows the pointer.
func (p *gridPart) MouseMoved(e *desktop.MouseEvent) {
	loop.Input(p)
	if h := hintsFor(p); h != nil && p.hint != nil {
		if text := p.hint(e.Position); text != "" {
			h.show(p, text, e.AbsolutePosition)
		}
	}
}

// MouseOut ends it.
func (p *gridPart) MouseOut() {
	if h := hintsFor(p); h != nil {
		h.hide(p)
	}
}

// CreateRenderer is for Fyne.
func (p *gridPart) CreateRenderer() fyne.WidgetRenderer { return gridRenderer{p} }

type gridRenderer struct{ p *gridPart }

func (r gridRenderer) Layout(fyne.Size)             {}
func (r gridRenderer) Objects() []fyne.CanvasObject { return r.p.objects }
func (r gridRenderer) Refresh()                     {}
func (r gridRenderer) Destroy()                     {}
func (r gridRenderer) MinSize() fyne.Size           { return r.p.size() }

// span is the numbers of what lies between offset and offset plus room.
func span(offset, room, each float32, count int) (first, last int) {
	return max(0, int(offset/each)), min(count, int((offset+room)/each)+1)
}

func (g *Grid) drawCells(offset fyne.Position, size fyne.Size) []fyne.CanvasObject {
	w, h := g.cell()
	top, bottom := span(offset.Y, size.Height, h, len(g.rows))
	left, right := span(offset.X, size.Width, w, len(g.cols))
	var out []fyne.CanvasObject
	put := func(o fyne.CanvasObject, x, y, width, height float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(width, height))
		out = append(out, o)
	}
	fill := func(t theme.Token) *canvas.Rectangle { r := box(0); paint(r, t, theme.Clear); return r }
	put(fill(theme.Selected), float32(left)*w, float32(g.row)*h, float32(right-left)*w, h)
	put(fill(theme.Selected), float32(g.col)*w, float32(top)*h, w, float32(bottom-top)*h)
	for row := top; row < bottom; row++ {
		put(fill(theme.Line), float32(left)*w, float32(row+1)*h-theme.Hairline, float32(right-left)*w, theme.Hairline)
		for col := left; col < right; col++ {
			if o := g.drawCell(row, col); o != nil {
				out = append(out, o...)
			}
		}
	}
	for col := left; col < right; col++ {
		put(fill(theme.Line), float32(col+1)*w-theme.Hairline, float32(top)*h, theme.Hairline, float32(bottom-top)*h)
	}
	if g.focused {
		focus := newRing(2)
		focus.shown = true
		focus.refresh()
		put(focus.Rectangle, float32(g.col)*w+1, float32(g.row)*h+1, w-3, h-3)
	}
	return out
}

// drawCell is the sign in a cell, nothing for an empty one.
func (g *Grid) drawCell(row, col int) []fyne.CanvasObject {
	w, h := g.cell()
	level := Blank
	if g.Level != nil {
		level = g.Level(row, col)
	}
	side, mark := theme.Scaled(18), theme.Scaled(14)
	x, y := float32(col)*w+middle(w, side), float32(row)*h+middle(h, side)
	sign := func(name string, ink theme.Token) fyne.CanvasObject {
		i := newIcon(name, ink)
		i.Resize(fyne.NewSquareSize(mark))
		i.Move(fyne.NewPos(x+middle(side, mark), y+middle(side, mark)))
		return i.Image
	}
	switch level {
	case Half:
		return []fyne.CanvasObject{sign("eye", theme.Accent)}
	case Full:
		back := box(4)
		paint(back, theme.Accent, theme.Clear)
		back.Resize(fyne.NewSquareSize(side))
		back.Move(fyne.NewPos(x, y))
		return []fyne.CanvasObject{back, sign("check", theme.OnAccent)}
	case Never:
		return []fyne.CanvasObject{sign("minus", theme.Faint)}
	case Blank:
	}
	return nil
}

func (g *Grid) drawHeads(offset fyne.Position, size fyne.Size) []fyne.CanvasObject {
	w, _ := g.cell()
	left, right := span(offset.X, size.Width, w, len(g.cols))
	var out []fyne.CanvasObject
	for col := left; col < right; col++ {
		x := float32(col) * w
		if g.named {
			name := newCutLine(theme.SmallBold, theme.Ink)
			name.full = g.cols[col]
			name.in(x+8, 0, w-16, size.Height)
			name.Move(fyne.NewPos(x+middle(w, name.MinSize().Width), name.Position().Y))
			out = append(out, name.Text)
			continue
		}
		a := NewAvatar(g.cols[col], rowAvatar)
		side := theme.Scaled(rowAvatar)
		a.Resize(fyne.NewSquareSize(side))
		a.Move(fyne.NewPos(x+middle(w, side), middle(size.Height, side)))
		out = append(out, a)
		if col == g.col {
			bar := box(0)
			paint(bar, theme.Accent, theme.Clear)
			bar.Move(fyne.NewPos(x, size.Height-3))
			bar.Resize(fyne.NewSize(w-theme.Hairline, 2))
			out = append(out, bar)
		}
	}
	return out
}

func (g *Grid) drawLabels(offset fyne.Position, size fyne.Size) []fyne.CanvasObject {
	_, h := g.cell()
	top, bottom := span(offset.Y, size.Height, h, len(g.rows))
	var out []fyne.CanvasObject
	for row := top; row < bottom; row++ {
		y := float32(row) * h
		if row == g.row {
			back := box(0)
			paint(back, theme.Selected, theme.Clear)
			back.Move(fyne.NewPos(0, y))
			back.Resize(fyne.NewSize(size.Width, h))
			out = append(out, back)
		}
		rule := box(0)
		paint(rule, theme.Line, theme.Clear)
		rule.Move(fyne.NewPos(0, y+h-theme.Hairline))
		rule.Resize(fyne.NewSize(size.Width, theme.Hairline))
		name := newCutLine(theme.Body, theme.Ink)
		if row == g.row {
			name.role = theme.Strong
		}
		name.full = g.rows[row]
		name.in(theme.Pad, y, size.Width-theme.Pad-8, h)
		out = append(out, rule, name.Text)
	}
	return out
}
