package gate

import (
	"context"
	"errors"

	"callboard/app/vault"
	"callboard/crypto/secret"
	"callboard/ui/protect"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// recoverer opens a home with its recovery key and protects it anew.
type recoverer struct {
	gate   *Gate
	card   *widget.Card
	key    *widget.Field
	choice *protect.Choice
	fault  *widget.Text
	press  *widget.Button
	cancel *widget.Button
	back   *widget.Button
}

func newRecoverer(g *Gate) *recoverer {
	r := &recoverer{
		gate:  g,
		key:   widget.NewPassword("Recovery key"),
		fault: widget.NewParagraph(theme.Secondary, theme.Bad.Text(), ""),
	}
	r.key.SetHelper("Blanks and capitals do not matter")
	r.choice = protect.NewChoice(r.submit, vault.Passphrase, vault.Keyring, vault.File)
	r.choice.OnTurned = func() { g.room.Refresh() }
	r.key.OnSubmitted = func(string) { r.choice.Focus() }
	r.key.OnChanged = func(string) { r.key.SetError("") }
	r.press = widget.NewButton(widget.Primary, "", r.submit)
	r.cancel = widget.NewButton(widget.Secondary, "Cancel", g.cancel)
	r.back = widget.NewButton(widget.Quiet, "Back", r.leave)
	r.card = widget.NewCard(widget.Column(theme.Pad,
		widget.NewText(theme.Title, theme.Ink, "Open with the recovery key"), r.key,
		widget.NewText(theme.Heading, theme.Ink, "Protect the home from now on"), r.choice.Object(),
		widget.NewParagraph(theme.Secondary, theme.Mute,
			"The recovery key stays the same. The key that was lost opens this home no longer."),
		r.fault, widget.Row(theme.Gap, r.press, r.cancel, r.back)))
	say(r.fault, "")
	r.setBusy(false)
	return r
}

// askRecovery shows the card for the recovery key.
func (g *Gate) askRecovery() {
	if g.busy {
		return
	}
	say(g.recover.fault, "")
	g.unlock.forget()
	g.show(g.recover.card)
	g.recover.key.Focus()
}

func (r *recoverer) submit() {
	if r.key.Text() == "" {
		r.key.SetError("Type the recovery key.")
		r.key.Focus()
		return
	}
	if !r.choice.Agree() {
		return
	}
	say(r.fault, "")
	req := vault.RecoverRequest{
		Key: secret.FromString(r.key.Text()), Protection: r.choice.Protection(), Passphrase: r.choice.Secret(),
	}
	wipe := func() {
		req.Key.Wipe()
		req.Passphrase.Wipe()
	}
	if !r.gate.run(func(ctx context.Context) error {
		defer wipe()
		return r.gate.cfg.Vault.Recover(ctx, req)
	}, r.gate.opened, r.failed) {
		wipe()
		return
	}
	r.setBusy(true)
}

func (r *recoverer) failed(err error) {
	r.setBusy(false)
	if errors.Is(err, vault.ErrRecoveryKey) {
		r.key.SetError(sentence(err))
		r.key.Focus()
	} else {
		say(r.fault, sentence(err))
	}
	r.gate.room.Refresh()
}

func (r *recoverer) setBusy(busy bool) {
	r.press.SetBusy(busy)
	r.press.SetText(map[bool]string{true: "Opening…", false: "Open and protect"}[busy])
	r.key.SetReadOnly(busy)
	r.choice.SetReadOnly(busy)
	r.back.SetEnabled(!busy)
	widget.Visible(r.cancel, busy)
	r.card.Refresh()
}

// leave goes back to the card that led here.
func (r *recoverer) leave() {
	r.forget()
	r.gate.Locked()
}

// forget empties the boxes.
func (r *recoverer) forget() {
	r.setBusy(false)
	protect.Empty(r.key)
	r.choice.Forget()
}
