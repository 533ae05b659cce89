package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// scrollBleed is how far a Scroller reaches past its place on every side, so
// that borders and focus rings at the edge of its part are not cut.
const scrollBleed float32 = 4

// Scroller is a part that scrolls up and down in the room there is.
type Scroller struct {
	scroll *container.Scroll
	object *fyne.Container
}

// NewScroller makes a Scroller.
func NewScroller(part fyne.CanvasObject) *Scroller {
	s := &Scroller{scroll: container.NewVScroll(Inset(scrollBleed, scrollBleed, scrollBleed, scrollBleed, part))}
	s.object = Inset(-scrollBleed, -scrollBleed, -scrollBleed, -scrollBleed, s.scroll)
	return s
}

// Object is what to draw.
func (s *Scroller) Object() *fyne.Container { return s.object }

// ScrollToTop shows the beginning.
func (s *Scroller) ScrollToTop() { s.scroll.ScrollToTop() }
