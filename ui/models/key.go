package models

import (
	"context"

	"callboard/app/fault"
	"callboard/app/models"
	"callboard/crypto/secret"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// keyCard takes a key in and never shows one.
type keyCard struct {
	page   *Page
	text   *widget.Text
	box    *widget.Field
	remove *widget.Button
	object *widget.Card
}

func newKeyCard(p *Page) *keyCard {
	c := &keyCard{page: p, text: widget.NewParagraph(theme.Secondary, theme.Mute, ""), box: widget.NewPassword("New key")}
	c.box.OnSubmitted = func(string) { c.keep() }
	c.box.OnChanged = func(string) { c.box.SetError("") }
	set := widget.NewButton(widget.Secondary, "Set key", c.keep)
	c.remove = widget.NewButton(widget.Danger, "Remove key", c.drop)
	c.object = widget.NewCard(widget.Column(12, widget.NewText(theme.Heading, theme.Ink, "Key"), c.text, c.box,
		widget.Row(theme.Gap, set, widget.Space(), c.remove)))
	return c
}

func (c *keyCard) show(e models.Entry) {
	c.text.SetText(keyWords(e))
	c.text.SetInk(theme.Mute)
	if e.HasKey && !e.KeyFits {
		c.text.SetInk(theme.Warn.Text())
	}
	widget.Visible(c.remove, e.HasKey)
}

// clear empties the box.
func (c *keyCard) clear() {
	c.box.SetText("")
	c.box.SetError("")
	c.box.Conceal()
}

// keep sets the key for the saved address, which must be the one that is shown.
func (c *keyCard) keep() {
	d := c.page.draft()
	switch {
	case d == nil:
		return
	case c.box.Text() == "":
		c.box.SetError("Type or paste the key.")
		c.box.Focus()
		return
	case d.address != d.base.Model.BaseURL:
		c.box.SetError("Not set: save the new address first. A key belongs to the address that is saved.")
		return
	}
	id, revision, key := d.base.Model.ID, d.base.Revision, secret.FromString(c.box.Text())
	loop.Go(c.page.cfg.Loop, c.page.cfg.Context, func(ctx context.Context) (models.Entry, error) {
		defer key.Wipe()
		return c.page.cfg.Models.SetKey(ctx, id, revision, key)
	}, func(e models.Entry, err error) { c.done(id, e, err, "Key set for "+e.KeySite+".") })
}

func (c *keyCard) drop() {
	d := c.page.draft()
	if d == nil {
		return
	}
	id, revision := d.base.Model.ID, d.base.Revision
	loop.Go(c.page.cfg.Loop, c.page.cfg.Context, func(ctx context.Context) (models.Entry, error) {
		return c.page.cfg.Models.ClearKey(ctx, id, revision)
	}, func(e models.Entry, err error) { c.done(id, e, err, "Key removed.") })
}

// done says how a change of the key went, if its model is still shown.
func (c *keyCard) done(id string, e models.Entry, err error, text string) {
	if err != nil {
		if c.page.want == id {
			c.box.SetError(fault.Sentence(err))
			c.page.object.Refresh()
		}
		return
	}
	if c.page.want == id {
		c.clear()
	}
	c.page.adopt(e)
	c.page.cfg.Say(text, nil)
}
