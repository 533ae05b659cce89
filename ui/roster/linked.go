package roster

import (
	"fyne.io/fyne/v2"

	"callboard/ui/linked"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// freshBar says that linked folders hold agents that are not in the roster.
type freshBar struct {
	screen *Screen
	text   *widget.Text
	object *fyne.Container
}

func newFreshBar(s *Screen) *freshBar {
	b := &freshBar{screen: s, text: widget.NewParagraph(theme.Secondary, theme.Mute, "")}
	look := widget.NewButton(widget.Secondary, "Look", b.look)
	b.object = widget.Row(theme.Gap, widget.Grow(1, b.text), look)
	b.object.Hide()
	return b
}

func (b *freshBar) look() {
	if roots := b.screen.linked.Roots(); len(roots) > 0 {
		b.screen.cfg.Look(roots[0])
	}
}

// SetLinked takes what the linked folders hold.
func (s *Screen) SetLinked(state linked.State) {
	s.linked = state
	if n := len(state.Fresh); n > 0 {
		s.fresh.text.SetText(words.Count(n, "new agent") + " in linked folders")
	}
	widget.Visible(s.fresh.object, len(state.Fresh) > 0)
	s.view.offer()
	s.list.SetItems(s.items())
	s.propose()
	s.object.Refresh()
}

// propose shows what a linked folder proposes for the shown agent.
func (s *Screen) propose() {
	x, there := s.linked.Proposals[s.Shown()]
	s.editor.Propose(x, there)
}

// CanCompare reports whether the shown agent's file was changed outside.
func (s *Screen) CanCompare() bool { return s.Selected() && s.editor.CanCompare() }

// Compare shows what changed outside.
func (s *Screen) Compare() { s.editor.Compare() }
