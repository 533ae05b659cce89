package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"callboard/ui/theme"
)

const (
	tabsHeight float32 = 40
	tabsGap    float32 = 24
)

// Tabs is a line of words, one of them underlined in the accent colour. Left
// and Right move.
type Tabs struct {
	picker
	names []string
	words []*line
	bars  []*canvas.Rectangle
	ring  ring
}

// NewTabs makes tabs with the first one current.
func NewTabs(names ...string) *Tabs {
	t := &Tabs{names: names, ring: newRing(theme.RadiusField - theme.FocusRing)}
	t.init(t, fyne.KeyLeft, fyne.KeyRight, func() int { return len(t.names) }, t.itemAt)
	return t
}

// itemAt counts half of the gap at either side to a tab.
func (t *Tabs) itemAt(pos fyne.Position) int {
	x := -tabsGap / 2
	for i := range t.names {
		x += t.width(i) + tabsGap
		if pos.X < x {
			return i
		}
	}
	return -1
}

// width is that of the tab when it is current, so that picking one moves none.
func (t *Tabs) width(i int) float32 { return measure(t.names[i], theme.Strong) }

// CreateRenderer is for Fyne.
func (t *Tabs) CreateRenderer() fyne.WidgetRenderer {
	objects := []fyne.CanvasObject{t.ring.Rectangle}
	t.words, t.bars = nil, nil // the toolkit asks again for what was not seen for a while
	for _, name := range t.names {
		word, bar := newLine(theme.Action, theme.Mute, name), box(0)
		t.words, t.bars = append(t.words, word), append(t.bars, bar)
		objects = append(objects, word.Text, bar)
	}
	place := func(size fyne.Size) {
		x := float32(0)
		for i, word := range t.words {
			width := t.width(i)
			word.in(x, 0, size.Height)
			t.bars[i].Move(fyne.NewPos(x, size.Height-2))
			t.bars[i].Resize(fyne.NewSize(width, 2))
			if i == t.selected {
				t.ring.around(fyne.NewPos(x-4, 5), fyne.NewSize(width+8, size.Height-14))
			}
			x += width + tabsGap
		}
	}
	refresh := func() {
		for i, word := range t.words {
			t.paintTab(i, word)
		}
		t.ring.shown = t.focused
		t.ring.refresh()
		place(t.Size())
	}
	refresh()
	return &renderer{objects: objects, layout: place, min: t.minSize, refresh: refresh}
}

func (t *Tabs) paintTab(i int, word *line) {
	word.role, word.ink = theme.Action, theme.Mute
	switch i {
	case t.selected:
		word.role, word.ink = theme.Strong, theme.Ink
	case t.hovered:
		word.ink = theme.Ink
	}
	word.refresh()
	paint(t.bars[i], theme.Accent, theme.Clear)
	t.bars[i].Hidden = i != t.selected
}

func (t *Tabs) minSize() fyne.Size {
	width := -tabsGap
	for i := range t.names {
		width += t.width(i) + tabsGap
	}
	return fyne.NewSize(max(0, width), theme.Scaled(tabsHeight))
}
