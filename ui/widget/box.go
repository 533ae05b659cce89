package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"callboard/ui/theme"
)

// Column puts parts below each other over the whole width, gap apart. Parts
// that wrap get their width first, so their height is right at once. Parts
// made by Grow share the height that is left.
func Column(gap float32, parts ...fyne.CanvasObject) *fyne.Container {
	return container.New(&column{gap: gap}, parts...)
}

// Row puts parts side by side, gap apart, each in the middle of the height.
// Parts made by Grow share the width that is left.
func Row(gap float32, parts ...fyne.CanvasObject) *fyne.Container {
	return container.New(&rowLayout{gap: gap}, parts...)
}

// Panes is Row with its parts over the whole height.
func Panes(gap float32, parts ...fyne.CanvasObject) *fyne.Container {
	return container.New(&rowLayout{gap: gap, whole: true}, parts...)
}

// Grow marks a part of a Column or Row that takes the room that is left. The
// weight says how large its share is among several.
func Grow(weight float32, part fyne.CanvasObject) *fyne.Container {
	return container.New(&grow{weight: weight}, part)
}

// Space is room that grows, to push what follows to the end.
func Space() *fyne.Container { return Grow(1, canvas.NewRectangle(theme.Color(theme.Clear))) }

// Inset puts room around a part.
func Inset(top, right, bottom, left float32, part fyne.CanvasObject) *fyne.Container {
	return container.New(&insets{top: top, right: right, bottom: bottom, left: left}, part)
}

// Fixed gives a part that width, or that height, where it is above zero.
func Fixed(width, height float32, part fyne.CanvasObject) *fyne.Container {
	return container.New(&insets{width: width, height: height}, part)
}

// Sized is Fixed with sizes that grow with the text, also when that changes.
func Sized(width, height float32, part fyne.CanvasObject) *fyne.Container {
	return container.New(&insets{width: width, height: height, grows: true}, part)
}

// Fill puts a part on a ground of that colour.
func Fill(ground theme.Token, part fyne.CanvasObject) fyne.CanvasObject {
	return newGround(ground, part)
}

// Visible shows or hides a part. Hidden parts take no room in a Column or Row.
func Visible(part fyne.CanvasObject, on bool) {
	if on {
		part.Show()
	} else {
		part.Hide()
	}
}

type column struct{ gap float32 }

func (c *column) MinSize(parts []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	for _, p := range visible(parts) {
		min := p.MinSize()
		size.Width = max(size.Width, min.Width)
		size.Height += min.Height + c.gap
	}
	size.Height = max(0, size.Height-c.gap)
	return size
}

func (c *column) Layout(parts []fyne.CanvasObject, size fyne.Size) {
	parts = visible(parts)
	heights := make([]float32, len(parts))
	left, weights := size.Height-c.gap*float32(len(parts)-1), float32(0)
	for i, p := range parts {
		p.Resize(fyne.NewSize(size.Width, p.Size().Height))
		heights[i] = p.MinSize().Height
		if w := weightOf(p); w > 0 {
			weights += w
			continue
		}
		left -= heights[i]
	}
	y := float32(0)
	for i, p := range parts {
		if w := weightOf(p); w > 0 {
			heights[i] = max(heights[i], left*w/weights)
		}
		p.Move(fyne.NewPos(0, y))
		p.Resize(fyne.NewSize(size.Width, heights[i]))
		y += heights[i] + c.gap
	}
}

// rowLayout puts parts in the middle of the height, or over the whole of it.
type rowLayout struct {
	gap   float32
	whole bool
}

func (r *rowLayout) MinSize(parts []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	for _, p := range visible(parts) {
		min := p.MinSize()
		size.Width += min.Width + r.gap
		size.Height = max(size.Height, min.Height)
	}
	size.Width = max(0, size.Width-r.gap)
	return size
}

func (r *rowLayout) Layout(parts []fyne.CanvasObject, size fyne.Size) {
	parts = visible(parts)
	widths := make([]float32, len(parts))
	left, weights := size.Width-r.gap*float32(len(parts)-1), float32(0)
	for i, p := range parts {
		widths[i] = p.MinSize().Width
		if w := weightOf(p); w > 0 {
			weights += w
			continue
		}
		left -= widths[i]
	}
	x := float32(0)
	for i, p := range parts {
		if w := weightOf(p); w > 0 {
			widths[i] = max(widths[i], left*w/weights)
		}
		r.put(p, x, widths[i], size.Height)
		x += widths[i] + r.gap
	}
}

func (r *rowLayout) put(p fyne.CanvasObject, x, width, height float32) {
	if r.whole {
		p.Move(fyne.NewPos(x, 0))
		p.Resize(fyne.NewSize(width, height))
		return
	}
	p.Resize(fyne.NewSize(width, p.Size().Height))
	own := p.MinSize().Height
	p.Resize(fyne.NewSize(width, own))
	p.Move(fyne.NewPos(x, middle(height, own)))
}

type grow struct{ weight float32 }

func (g *grow) MinSize(parts []fyne.CanvasObject) fyne.Size { return parts[0].MinSize() }

func (g *grow) Layout(parts []fyne.CanvasObject, size fyne.Size) {
	parts[0].Move(fyne.Position{})
	parts[0].Resize(size)
}

func weightOf(p fyne.CanvasObject) float32 {
	if c, ok := p.(*fyne.Container); ok {
		if g, ok := c.Layout.(*grow); ok {
			return g.weight
		}
	}
	return 0
}

// insets is room around one part, or a fixed size for it.
type insets struct {
	top, right, bottom, left, width, height float32
	grows                                   bool // width and height, with the text
}

func (i *insets) MinSize(parts []fyne.CanvasObject) fyne.Size {
	size, scale := parts[0].MinSize(), float32(1)
	if i.grows {
		scale = theme.Scale()
	}
	if i.width > 0 {
		size.Width = i.width * scale
	}
	if i.height > 0 {
		size.Height = i.height * scale
	}
	return size.AddWidthHeight(i.left+i.right, i.top+i.bottom)
}

func (i *insets) Layout(parts []fyne.CanvasObject, size fyne.Size) {
	parts[0].Move(fyne.NewPos(i.left, i.top))
	parts[0].Resize(size.SubtractWidthHeight(i.left+i.right, i.top+i.bottom))
}

func visible(parts []fyne.CanvasObject) []fyne.CanvasObject {
	for i, p := range parts {
		if !p.Visible() {
			shown := append([]fyne.CanvasObject(nil), parts[:i]...)
			for _, q := range parts[i:] {
				if q.Visible() {
					shown = append(shown, q)
				}
			}
			return shown
		}
	}
	return parts
}
