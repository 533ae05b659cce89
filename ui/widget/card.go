package widget

import (
	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/theme"
)

// Card is a bordered panel around a part.
type Card struct {
	fynewidget.BaseWidget
	body fyne.CanvasObject
	edge theme.Token
	pad  float32
}

// NewCard makes a card with the usual padding.
func NewCard(body fyne.CanvasObject) *Card {
	c := &Card{body: body, edge: theme.Line, pad: theme.Pad}
	c.ExtendBaseWidget(c)
	return c
}

// NewFrame is a card without padding, for a part that scrolls by itself.
func NewFrame(body fyne.CanvasObject) *Card {
	c := NewCard(body)
	c.pad = theme.Hairline
	return c
}

// SetBody shows another part.
func (c *Card) SetBody(body fyne.CanvasObject) {
	c.body = body
	c.Refresh()
}

// CreateRenderer is for Fyne.
func (c *Card) CreateRenderer() fyne.WidgetRenderer {
	back := box(theme.RadiusCard)
	r := &renderer{}
	r.layout = func(size fyne.Size) {
		back.Resize(size)
		c.body.Move(fyne.NewSquareOffsetPos(c.pad))
		c.body.Resize(size.SubtractWidthHeight(2*c.pad, 2*c.pad))
	}
	r.min = func() fyne.Size { return c.body.MinSize().AddWidthHeight(2*c.pad, 2*c.pad) }
	r.refresh = func() {
		paint(back, theme.Panel, c.edge)
		r.objects = []fyne.CanvasObject{back, c.body}
		r.layout(c.Size())
		c.body.Refresh()
	}
	paint(back, theme.Panel, c.edge)
	r.objects = []fyne.CanvasObject{back, c.body}
	return r
}

// Notice is a card about something the person should know: a chip that says
// where, a title that says what, and a sentence with the next step.
type Notice struct {
	Card
	chip  *Chip
	title *Text
	text  *Text
}

// NewNotice makes a notice in the tone's colour. where may be empty; then the
// icon stands alone.
func NewNotice(tone theme.Tone, where, title, text string) *Notice {
	n := &Notice{
		chip:  NewChip(tone, where),
		title: NewParagraph(theme.Strong, theme.Ink, title),
		text:  NewParagraph(theme.Secondary, theme.Mute, text),
	}
	n.ExtendBaseWidget(n)
	n.edge, n.pad = tone.Text(), theme.Pad
	n.body = Column(theme.Gap, Row(theme.Gap, n.chip, Grow(1, n.title)), n.text)
	n.Set(tone, where, title, text)
	return n
}

// Set changes everything.
func (n *Notice) Set(tone theme.Tone, where, title, text string) {
	n.edge = tone.Text()
	n.chip.icon = toneIcon[tone]
	n.chip.Set(tone, where)
	n.title.SetText(title)
	n.text.SetText(text)
	n.text.Hidden = text == ""
	n.Refresh()
}

var toneIcon = map[theme.Tone]string{
	theme.Off: "info", theme.OK: "check", theme.Warn: "triangle-alert", theme.Bad: "circle-alert", theme.Info: "info",
}
