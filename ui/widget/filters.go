package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"callboard/ui/theme"
)

const (
	pillHeight float32 = 24
	pillPad    float32 = 11
	pillGap    float32 = 6
)

// Filters is a wrapping line of rounded words of which one is the current
// filter. Left and Right move.
type Filters struct {
	picker
	names []string
	words []*line
	backs []*canvas.Rectangle
	ring  ring
	spots []spot
}

// spot is where a pill is.
type spot struct {
	pos  fyne.Position
	size fyne.Size
}

// NewFilters makes filters with the first one current.
func NewFilters(names ...string) *Filters {
	f := &Filters{names: names, ring: newRing(pillHeight / 2)}
	f.init(f, fyne.KeyLeft, fyne.KeyRight, func() int { return len(f.names) }, f.itemAt)
	return f
}

// SetNames changes the words, such as the counts in them. The current filter
// stays at its index.
func (f *Filters) SetNames(names ...string) {
	f.names = names
	f.selected = min(f.selected, len(names)-1)
	f.Refresh()
}

func (f *Filters) itemAt(pos fyne.Position) int {
	for i, s := range f.spots {
		in := pos.Subtract(s.pos)
		if in.X >= 0 && in.Y >= 0 && in.X < s.size.Width && in.Y < s.size.Height {
			return i
		}
	}
	return -1
}

// arrange puts the pills into lines of that width.
func (f *Filters) arrange(width float32) {
	f.spots = f.spots[:0]
	x, y, height := float32(0), float32(0), theme.Scaled(pillHeight)
	for _, name := range f.names {
		wide := float32(int(measure(name, theme.SmallBold) + 2*pillPad + 0.999))
		if x > 0 && width > 0 && x+wide > width {
			x, y = 0, y+height+pillGap
		}
		f.spots = append(f.spots, spot{fyne.NewPos(x, y), fyne.NewSize(wide, height)})
		x += wide + pillGap
	}
}

func (f *Filters) minSize() fyne.Size {
	f.arrange(f.Size().Width)
	size := fyne.NewSize(0, theme.Scaled(pillHeight))
	for _, s := range f.spots {
		size.Width = max(size.Width, s.size.Width)
		size.Height = s.pos.Y + s.size.Height
	}
	return size
}

// CreateRenderer is for Fyne.
func (f *Filters) CreateRenderer() fyne.WidgetRenderer {
	r := &renderer{min: f.minSize}
	r.layout = func(size fyne.Size) {
		f.arrange(size.Width)
		for i, s := range f.spots {
			f.backs[i].CornerRadius = s.size.Height / 2
			f.backs[i].Move(s.pos)
			f.backs[i].Resize(s.size)
			f.words[i].in(s.pos.X+middle(s.size.Width, f.words[i].MinSize().Width), s.pos.Y, s.size.Height)
			if i == f.selected {
				f.ring.CornerRadius = s.size.Height/2 + theme.FocusRing
				f.ring.around(s.pos, s.size)
			}
		}
	}
	r.refresh = func() {
		r.objects = f.paintPills(r.objects)
		f.ring.shown = f.focused
		f.ring.refresh()
		r.layout(f.Size())
	}
	r.refresh()
	return r
}

func (f *Filters) paintPills(objects []fyne.CanvasObject) []fyne.CanvasObject {
	objects = append(objects[:0], f.ring.Rectangle)
	for i, name := range f.names {
		if i == len(f.words) {
			f.words = append(f.words, newLine(theme.Small, theme.Mute, name))
			f.backs = append(f.backs, box(pillHeight/2))
		}
		word, ground, edge := f.words[i], theme.Clear, theme.Line
		word.Text.Text, word.role, word.ink = name, theme.Small, theme.Mute
		switch i {
		case f.selected:
			word.role, word.ink, ground, edge = theme.SmallBold, theme.Accent, theme.AccentSoft, theme.Clear
		case f.hovered:
			word.ink, ground = theme.Ink, theme.Hover
		}
		word.refresh()
		paint(f.backs[i], ground, edge)
		objects = append(objects, f.backs[i], word.Text)
	}
	return objects
}
