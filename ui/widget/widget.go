// Package widget is the small set of parts the window is built from, in the
// look of package theme.
//
// It promises that everything that can be clicked can be focused and worked
// with the keyboard and shows in the accent colour that it has the focus, that
// every part follows a change of look at its next Refresh, and that text which
// does not fit is cut with an ellipsis and keeps its full text at hand.
// Text people wrote is drawn with the theme's fonts, so that other scripts
// fall back to the system's.
//
// All of it is for the UI thread only. A constructor returns a part that its
// caller owns and changes through SetX; callbacks may be nil.
package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"callboard/ui/theme"
)

// renderer draws a part with the functions it is given.
type renderer struct {
	objects []fyne.CanvasObject
	layout  func(fyne.Size)
	min     func() fyne.Size
	refresh func()
}

func (r *renderer) Layout(size fyne.Size)        { r.layout(size) }
func (r *renderer) MinSize() fyne.Size           { return r.min() }
func (r *renderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *renderer) Destroy()                     {}
func (r *renderer) Refresh() {
	r.refresh()
	for _, o := range r.objects {
		canvas.Refresh(o)
	}
}

// box is a filled rectangle with rounded corners.
func box(radius float32) *canvas.Rectangle {
	r := canvas.NewRectangle(theme.Color(theme.Clear))
	r.CornerRadius = radius
	return r
}

// paint sets the colours of a rectangle; an edge of Clear has no width.
func paint(r *canvas.Rectangle, fill, edge theme.Token) {
	r.FillColor = theme.Color(fill)
	r.StrokeColor = theme.Color(edge)
	r.StrokeWidth = theme.Hairline
	if edge == theme.Clear {
		r.StrokeWidth = 0
	}
}

// ring is the sign of keyboard focus around a part.
type ring struct {
	*canvas.Rectangle
	shown bool
}

func newRing(radius float32) ring {
	r := ring{Rectangle: box(radius + theme.FocusRing)}
	r.Hide()
	return r
}

// around lays the ring outside a part of that size at that place.
func (r *ring) around(pos fyne.Position, size fyne.Size) {
	r.Move(pos.SubtractXY(theme.FocusRing, theme.FocusRing))
	r.Resize(size.AddWidthHeight(2*theme.FocusRing, 2*theme.FocusRing))
}

func (r *ring) refresh() {
	r.StrokeColor = theme.Color(theme.Accent)
	r.StrokeWidth = theme.FocusRing
	r.Hidden = !r.shown
}

// icon is one of the embedded icons in one of the look's colours.
type icon struct {
	*canvas.Image
	name string
	ink  theme.Token
}

func newIcon(name string, ink theme.Token) *icon {
	i := &icon{Image: &canvas.Image{FillMode: canvas.ImageFillContain}, name: name, ink: ink}
	i.refresh()
	return i
}

func (i *icon) set(name string, ink theme.Token) {
	i.name, i.ink = name, ink
	i.refresh()
}

func (i *icon) refresh() {
	i.Hidden = i.name == ""
	if i.name == "" {
		return
	}
	if res := theme.Icon(i.name, i.ink); i.Resource != res {
		i.Resource = res
		i.Refresh()
	}
}

// square is a size of v by v that grows with the text.
func square(v float32) fyne.Size { return fyne.NewSquareSize(theme.Scaled(v)) }

// line is one line of text without wrapping; the part that holds it places it.
type line struct {
	*canvas.Text
	role theme.Role
	ink  theme.Token
}

func newLine(role theme.Role, ink theme.Token, text string) *line {
	l := &line{Text: &canvas.Text{Text: text}, role: role, ink: ink}
	l.refresh()
	return l
}

func (l *line) refresh() {
	l.Color = theme.Color(l.ink)
	l.TextSize = l.role.TextSize()
	l.TextStyle = l.role.Style()
}

// in places the line in the middle of a height, starting at x.
func (l *line) in(x, top, height float32) {
	min := l.MinSize()
	l.Resize(min)
	l.Move(fyne.NewPos(x, top+inLine(height, min.Height)))
}

// inLine is the offset of letters in a line of that height. It rounds down,
// because the painter puts the baseline on the next whole pixel.
func inLine(height, letters float32) float32 {
	return float32(int(max(0, height-letters) / 2))
}

// middle is the offset that centres part in whole, on a whole pixel.
func middle(whole, part float32) float32 {
	return float32(int((whole-part)/2 + 0.5))
}
