package gate

import (
	"callboard/app/fault"
	"callboard/app/vault"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// broken says what is wrong with a home that cannot even be tried.
type broken struct {
	card    *widget.Card
	why     *widget.Text
	recover *widget.Button
}

func newBroken(g *Gate) *broken {
	b := &broken{why: widget.NewParagraph(theme.Body, theme.Ink, "")}
	b.recover = widget.NewButton(widget.Quiet, "Use the recovery key…", g.askRecovery)
	b.card = widget.NewCard(widget.Column(theme.Pad,
		widget.NewText(theme.Title, theme.Ink, "This home cannot be opened"),
		b.why,
		widget.NewParagraph(theme.Secondary, theme.Mute, "Nothing in the folder was changed."),
		widget.NewCut(theme.CodeSmall, theme.Faint, g.cfg.Home),
		widget.Row(theme.Gap, widget.NewIconButton(widget.Primary, "refresh-cw", "Look again", g.Look), b.recover),
	))
	return b
}

func (b *broken) say(st vault.Status) {
	b.why.SetText(fault.Sentence(st.Problem))
	widget.Visible(b.recover, st.Recovery)
}
