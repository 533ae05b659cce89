package gate

import (
	"callboard/app/fault"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// broken says what is wrong with a home that cannot even be tried.
type broken struct {
	card *widget.Card
	why  *widget.Text
}

func newBroken(g *Gate) *broken {
	b := &broken{why: widget.NewParagraph(theme.Body, theme.Ink, "")}
	b.card = widget.NewCard(widget.Column(theme.Pad,
		widget.NewText(theme.Title, theme.Ink, "This home cannot be opened"),
		b.why,
		widget.NewParagraph(theme.Secondary, theme.Mute, "Nothing in the folder was changed."),
		widget.NewCut(theme.CodeSmall, theme.Faint, g.cfg.Home),
		widget.Row(theme.Gap, widget.NewIconButton(widget.Primary, "refresh-cw", "Look again", g.Look)),
	))
	return b
}

func (b *broken) say(err error) { b.why.SetText(fault.Sentence(err)) }
