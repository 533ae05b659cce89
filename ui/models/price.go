package models

import (
	"fyne.io/fyne/v2"

	"callboard/app/model"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// What can be said of a price.
const (
	sayList    = "As in the price list"
	sayUnknown = "Unknown"
	sayFree    = "Declared free"
	sayOwn     = "Own figures"
)

// priceCard is what is known of the shown model's price.
type priceCard struct {
	form            *form
	choice          *widget.Choice
	text            *widget.Text
	in, out, cached *widget.Field
	figures         *fyne.Container
	object          *widget.Card
}

func newPriceCard(f *form) *priceCard {
	c := &priceCard{
		form: f, choice: widget.NewChoice("What is known of it"), text: widget.NewParagraph(theme.Secondary, theme.Mute, ""),
		in: widget.NewField("In, $"), out: widget.NewField("Out, $"), cached: widget.NewField("In, cached, $"),
	}
	c.cached.SetPlaceholder("as in")
	c.choice.OnChanged = c.chose
	c.figures = widget.Panes(12, widget.Grow(1, c.in), widget.Grow(1, c.out), widget.Grow(1, c.cached))
	c.object = widget.NewCard(widget.Column(12, widget.NewText(theme.Heading, theme.Ink, "Price"), c.choice, c.figures, c.text))
	return c
}

func (c *priceCard) chose(option string) {
	d := c.form.page.draft()
	if d == nil {
		return
	}
	d.price = map[string]pricing{sayFree: free, sayOwn: own}[option]
	if d.price != own {
		c.in.SetText("")
		c.out.SetText("")
		c.cached.SetText("")
	}
	c.form.changed()
}

// show says what holds for m, the draft as it would be saved.
func (c *priceCard) show(d *draft, m model.Model, wrong string) {
	known, ok := c.form.page.cfg.Models.Known(m.BaseURL, m.Model)
	list := sayUnknown
	if ok && known.Price.State == model.Priced {
		list = sayList
	}
	options := []string{list}
	if model.IsLoopback(m.BaseURL) {
		options = append(options, sayFree)
	}
	c.choice.SetOptions(append(options, sayOwn)...)
	c.choice.SetValue(map[pricing]string{listed: list, free: sayFree, own: sayOwn}[d.price])
	price := m.Price
	if d.price == listed && ok {
		price = known.Price
	}
	c.text.SetText(priceWords(price))
	c.text.SetInk(theme.Mute)
	if wrong != "" {
		c.text.SetText(wrong)
		c.text.SetInk(theme.Bad.Text())
	}
	widget.Visible(c.figures, d.price == own)
}

func (c *priceCard) forget() {
	c.choice.SetValue("")
	c.text.SetText("")
}
