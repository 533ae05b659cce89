package gate

import (
	"context"
	"fmt"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"callboard/app/vault"
	"callboard/crypto/secret"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// chooser makes a new home: with a passphrase, or, chosen explicitly, without.
type chooser struct {
	gate  *Gate
	card  *widget.Card
	first *widget.Field
	again *widget.Field
	fault *widget.Text
	make  *widget.Button
	other *widget.Button
	plain bool
}

func newChooser(g *Gate) *chooser {
	c := &chooser{
		gate:  g,
		first: widget.NewPassword("Passphrase"),
		again: widget.NewPassword("The same again"),
		fault: widget.NewParagraph(theme.Secondary, theme.Bad.Text(), ""),
	}
	c.first.SetHelper(fmt.Sprintf("%d characters or more", vault.MinPassphrase))
	c.make = widget.NewButton(widget.Primary, "", c.submit)
	c.other = widget.NewButton(widget.Quiet, "", c.turn)
	c.first.OnSubmitted = func(string) { c.again.Focus() }
	c.again.OnSubmitted = func(string) { c.submit() }
	c.first.OnChanged = func(string) { c.first.SetError("") }
	c.again.OnChanged = func(string) { c.again.SetError("") }
	c.card = widget.NewCard(nil)
	say(c.fault, "")
	c.show()
	return c
}

func (c *chooser) show() {
	parts := []fyne.CanvasObject{
		widget.NewText(theme.Title, theme.Ink, "Protect your agents"),
		widget.NewParagraph(theme.Body, theme.Ink, c.lead()),
	}
	if !c.plain {
		parts = append(parts, c.first, c.again)
	}
	parts = append(parts, widget.NewParagraph(theme.Secondary, theme.Mute,
		"Not encrypted: settings.json, and in backups/ the agent files that a write replaced."),
		widget.NewCut(theme.CodeSmall, theme.Faint, c.gate.cfg.Home), c.fault,
		widget.Row(theme.Gap, c.make, c.other))
	if c.plain {
		c.make.SetText("Make it without a passphrase")
		c.other.SetText("Use a passphrase")
	} else {
		c.make.SetText("Protect and start")
		c.other.SetText("Go without a passphrase…")
	}
	c.card.SetBody(widget.Column(theme.Pad, parts...))
}

func (c *chooser) lead() string {
	if c.plain {
		return "The key lies readable in key.txt. Anyone who can read your files can read your agents. " +
			"Fit for a computer whose disk is encrypted and whose account is only yours."
	}
	return "What you keep here is encrypted on disk and opens with this passphrase. " +
		"Nobody can recover a forgotten one."
}

func (c *chooser) turn() {
	c.plain = !c.plain
	say(c.fault, "")
	c.show()
	c.focus()
}

func (c *chooser) focus() {
	if !c.plain {
		c.first.Focus()
	}
}

func (c *chooser) submit() {
	req := vault.InitRequest{Protection: vault.File}
	if !c.plain {
		if !c.agree() {
			return
		}
		req = vault.InitRequest{Protection: vault.Passphrase, Passphrase: secret.FromString(c.first.Text())}
	}
	say(c.fault, "")
	c.setBusy(true)
	c.gate.run(req.Passphrase, func(ctx context.Context) error {
		return c.gate.cfg.Vault.Init(ctx, req)
	}, func(why string) {
		c.setBusy(false)
		say(c.fault, why)
		c.card.Refresh()
	})
}

// agree checks both passphrases and says beside the box what is missing.
func (c *chooser) agree() bool {
	n := utf8.RuneCountInString(c.first.Text())
	switch {
	case n < vault.MinPassphrase:
		c.first.SetError(fmt.Sprintf("Too short: %d characters, at least %d.", n, vault.MinPassphrase))
		c.first.Focus()
		return false
	case c.first.Text() != c.again.Text():
		c.again.SetError("The two are not the same.")
		c.again.Focus()
		return false
	}
	return true
}

func (c *chooser) setBusy(busy bool) {
	c.make.SetBusy(busy)
	c.other.SetEnabled(!busy)
	if busy {
		c.make.SetText("Making the home…")
		return
	}
	c.show()
}

// forget empties the boxes once the home is made.
func (c *chooser) forget() {
	c.setBusy(false)
	for _, f := range []*widget.Field{c.first, c.again} {
		f.SetText("")
		f.Conceal()
	}
}
