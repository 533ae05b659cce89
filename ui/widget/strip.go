package widget

import (
	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/theme"
)

const (
	stripHeight float32 = 30
	stripGap    float32 = 20
)

// Fact is one statement of a Strip: words in ordinary and in strong text, with
// an icon before them if it has one.
type Fact struct {
	Icon  string
	Spans []Span
}

// Plain is a span of a Fact in secondary text.
func Plain(text string) Span { return Span{text, theme.Small, theme.Mute} }

// Firm is a span of a Fact that stands out.
func Firm(text string) Span { return Span{text, theme.SmallBold, theme.Ink} }

// Address is a span of a Fact in the mono font.
func Address(text string) Span {
	return Span{text, theme.Small.With(theme.MonoMed), theme.Ink}
}

// Strip is the line of facts at the bottom of the window.
type Strip struct {
	fynewidget.BaseWidget
	facts []*stripFact
	hint  *Text
}

type stripFact struct {
	icon *icon
	text *Text
}

// NewStrip makes an empty strip with a hint at its right end.
func NewStrip(hint string) *Strip {
	s := &Strip{hint: NewText(theme.Small, theme.Mute, hint)}
	s.ExtendBaseWidget(s)
	return s
}

// SetFacts replaces the facts.
func (s *Strip) SetFacts(facts ...Fact) {
	s.facts = s.facts[:0]
	for _, f := range facts {
		s.facts = append(s.facts, &stripFact{newIcon(f.Icon, theme.Mute), NewSpans(f.Spans...)})
	}
	s.Refresh()
}

// SetHint changes the hint.
func (s *Strip) SetHint(hint string) { s.hint.SetText(hint) }

// CreateRenderer is for Fyne.
func (s *Strip) CreateRenderer() fyne.WidgetRenderer {
	ground, rule := box(0), box(0)
	r := &renderer{}
	r.layout = func(size fyne.Size) {
		ground.Resize(size)
		rule.Resize(fyne.NewSize(size.Width, theme.Hairline))
		s.place(size)
	}
	r.min = func() fyne.Size { return fyne.NewSize(0, theme.Scaled(stripHeight)) }
	r.refresh = func() {
		paint(ground, theme.RailBg, theme.Clear)
		paint(rule, theme.Line, theme.Clear)
		r.objects = append(r.objects[:0], ground, rule)
		for _, f := range s.facts {
			f.icon.refresh()
			r.objects = append(r.objects, f.icon.Image, f.text)
		}
		r.objects = append(r.objects, s.hint)
		r.layout(s.Size())
	}
	r.refresh()
	return r
}

// place puts the facts from the left; what has no room is not shown, the hint
// first.
func (s *Strip) place(size fyne.Size) {
	x, side := theme.Pad, theme.Scaled(12)
	for _, f := range s.facts {
		min := f.text.MinSize()
		f.text.Hidden = x+min.Width > size.Width
		if f.icon.name != "" {
			f.icon.Resize(fyne.NewSquareSize(side))
			f.icon.Move(fyne.NewPos(x, middle(size.Height, side)))
			f.icon.Hidden = f.text.Hidden
			x += side + 4
		}
		f.text.Resize(min)
		f.text.Move(fyne.NewPos(x, middle(size.Height+theme.Hairline, min.Height)))
		x += min.Width + stripGap
	}
	hint := s.hint.MinSize()
	s.hint.Resize(hint)
	s.hint.Move(fyne.NewPos(size.Width-theme.Pad-hint.Width, middle(size.Height+theme.Hairline, hint.Height)))
	s.hint.Hidden = s.hint.Position().X < x
}
