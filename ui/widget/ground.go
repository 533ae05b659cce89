package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/theme"
)

// ground is a colour behind a part that follows the look.
type ground struct {
	fynewidget.BaseWidget
	fill theme.Token
	part fyne.CanvasObject
}

func newGround(fill theme.Token, part fyne.CanvasObject) *ground {
	g := &ground{fill: fill, part: part}
	g.ExtendBaseWidget(g)
	return g
}

func (g *ground) CreateRenderer() fyne.WidgetRenderer {
	back := box(0)
	paint(back, g.fill, theme.Clear)
	return &renderer{
		objects: []fyne.CanvasObject{back, g.part},
		layout: func(size fyne.Size) {
			back.Resize(size)
			g.part.Resize(size)
		},
		min:     g.part.MinSize,
		refresh: func() { paint(back, g.fill, theme.Clear); g.part.Refresh() },
	}
}

// Rule is a hairline in the colour of borders: across when it lies in a
// Column, upright when it lies in a Row that fills the height.
type Rule struct {
	fynewidget.BaseWidget
}

// NewRule makes a Rule.
func NewRule() *Rule {
	r := &Rule{}
	r.ExtendBaseWidget(r)
	return r
}

// CreateRenderer is for Fyne.
func (r *Rule) CreateRenderer() fyne.WidgetRenderer {
	bar := canvas.NewRectangle(theme.Color(theme.Line))
	return &renderer{
		objects: []fyne.CanvasObject{bar},
		layout:  bar.Resize,
		min:     func() fyne.Size { return fyne.NewSquareSize(theme.Hairline) },
		refresh: func() { bar.FillColor = theme.Color(theme.Line) },
	}
}
