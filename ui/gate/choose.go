package gate

import (
	"context"

	"callboard/app/vault"
	"callboard/ui/protect"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// chooser makes a new home under the protection that is chosen.
type chooser struct {
	gate   *Gate
	card   *widget.Card
	choice *protect.Choice
	fault  *widget.Text
	make   *widget.Button
	cancel *widget.Button
}

func newChooser(g *Gate) *chooser {
	c := &chooser{gate: g, fault: widget.NewParagraph(theme.Secondary, theme.Bad.Text(), "")}
	c.choice = protect.NewChoice(c.submit, vault.Passphrase, vault.Keyring, vault.File)
	c.choice.OnTurned = c.turn
	c.make = widget.NewButton(widget.Primary, "", c.submit)
	c.cancel = widget.NewButton(widget.Secondary, "Cancel", g.cancel)
	c.card = widget.NewCard(widget.Column(theme.Pad,
		widget.NewText(theme.Title, theme.Ink, "Protect your agents"),
		c.choice.Object(),
		widget.NewParagraph(theme.Secondary, theme.Mute,
			"Not encrypted: settings.json, and in backups/ the agent files that a write replaced."),
		widget.NewCut(theme.CodeSmall, theme.Faint, g.cfg.Home), c.fault,
		widget.Row(theme.Gap, c.make, c.cancel)))
	say(c.fault, "")
	c.setBusy(false)
	return c
}

// turn follows the choice of another kind.
func (c *chooser) turn() {
	say(c.fault, "")
	c.setBusy(c.gate.busy)
	c.gate.room.Refresh()
}

func (c *chooser) focus() { c.choice.Focus() }

func (c *chooser) submit() {
	if !c.choice.Agree() {
		return
	}
	req := vault.InitRequest{Protection: c.choice.Protection(), Passphrase: c.choice.Secret()}
	say(c.fault, "")
	if !c.gate.run(func(ctx context.Context) error {
		defer req.Passphrase.Wipe()
		return c.gate.cfg.Vault.Init(ctx, req)
	}, c.made, func(err error) {
		c.setBusy(false)
		say(c.fault, sentence(err))
		c.gate.room.Refresh()
	}) {
		req.Passphrase.Wipe()
		return
	}
	c.setBusy(true)
}

// made goes in, and has the recovery key offered.
func (c *chooser) made() {
	c.gate.opened()
	if c.gate.cfg.Made != nil {
		c.gate.cfg.Made()
	}
}

func (c *chooser) setBusy(busy bool) {
	c.make.SetBusy(busy)
	c.choice.SetReadOnly(busy)
	widget.Visible(c.cancel, busy)
	switch {
	case busy:
		c.make.SetText("Making the home…")
	case c.choice.Protection() == vault.File:
		c.make.SetText("Make it without a passphrase")
	default:
		c.make.SetText("Protect and start")
	}
}

// forget empties the boxes once the home is made.
func (c *chooser) forget() {
	c.setBusy(false)
	c.choice.Forget()
}
