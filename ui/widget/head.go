package widget

import (
	"fyne.io/fyne/v2"

	"callboard/ui/theme"
)

// Head is the top of a page: its title, a line of facts below it, and at the
// right what can be done.
type Head struct {
	facts  *Text
	object *fyne.Container
}

// NewHead makes a head. Each part must have a size of its own.
func NewHead(title, facts string, parts ...fyne.CanvasObject) *Head {
	h := &Head{facts: NewCut(theme.Secondary, theme.Mute, facts)}
	row := append([]fyne.CanvasObject{Grow(1, Column(0, NewCut(theme.Title, theme.Ink, title), h.facts))}, parts...)
	h.object = Column(0, Fill(theme.Panel, Inset(theme.Pad, theme.PadDetail, theme.Pad, theme.PadDetail, Row(theme.Gap, row...))), NewRule())
	return h
}

// Object is what to draw.
func (h *Head) Object() fyne.CanvasObject { return h.object }

// SetFacts changes the line of facts.
func (h *Head) SetFacts(facts string) { h.facts.SetText(facts) }
