package gate

import (
	"context"

	"callboard/app/vault"
	"callboard/crypto/secret"
	"callboard/ui/loop"
	"callboard/ui/protect"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// unlocker opens a home that is locked.
type unlocker struct {
	gate    *Gate
	card    *widget.Card
	pass    *widget.Field
	note    *widget.Text
	fault   *widget.Text
	press   *widget.Button
	cancel  *widget.Button
	recover *widget.Button
	by      vault.Protection
}

func newUnlocker(g *Gate) *unlocker {
	u := &unlocker{
		gate:  g,
		pass:  widget.NewPassword("Passphrase"),
		note:  widget.NewParagraph(theme.Body, theme.Ink, "The system keyring holds the key. It may ask for its own password first."),
		fault: widget.NewParagraph(theme.Secondary, theme.Bad.Text(), ""),
	}
	u.press = widget.NewIconButton(widget.Primary, "lock-open", "Unlock", u.submit)
	u.cancel = widget.NewButton(widget.Secondary, "Cancel", g.cancel)
	u.recover = widget.NewButton(widget.Quiet, "Use the recovery key…", g.askRecovery)
	u.pass.OnSubmitted = func(string) { u.submit() }
	u.pass.OnChanged = func(string) { u.pass.SetError("") }
	u.card = widget.NewCard(widget.Column(theme.Pad,
		widget.NewText(theme.Title, theme.Ink, "Callboard is locked"), u.note, u.pass,
		widget.NewCut(theme.CodeSmall, theme.Faint, g.cfg.Home), u.fault,
		widget.Row(theme.Gap, u.press, u.cancel, u.recover)))
	u.fit(vault.Status{Protection: vault.Passphrase})
	return u
}

// prepare fits the card to the home. Without a passphrase there is nothing to
// type, only a button to press.
func (u *unlocker) prepare(st vault.Status) {
	u.fit(st)
	if u.by == vault.Passphrase {
		u.pass.Focus()
	} else {
		loop.Focus(u.press)
	}
}

func (u *unlocker) fit(st vault.Status) {
	u.by = st.Protection
	say(u.fault, "")
	widget.Visible(u.note, u.by == vault.Keyring)
	widget.Visible(u.pass, u.by == vault.Passphrase)
	widget.Visible(u.recover, st.Recovery)
	u.setBusy(false)
}

func (u *unlocker) submit() {
	if u.by != vault.Passphrase {
		u.open(secret.Bytes{})
		return
	}
	if u.pass.Text() == "" {
		u.pass.SetError("Type the passphrase.")
		u.pass.Focus()
		return
	}
	u.open(secret.FromString(u.pass.Text()))
}

func (u *unlocker) open(pass secret.Bytes) {
	say(u.fault, "")
	u.pass.SetError("")
	if !u.gate.run(func(ctx context.Context) error {
		defer pass.Wipe()
		return u.gate.cfg.Vault.Unlock(ctx, vault.UnlockRequest{Passphrase: pass})
	}, u.gate.opened, u.failed) {
		pass.Wipe()
		return
	}
	u.setBusy(true)
}

func (u *unlocker) failed(err error) {
	u.setBusy(false)
	if u.by == vault.Passphrase {
		u.pass.SetError(sentence(err))
		u.pass.Focus()
	} else {
		say(u.fault, sentence(err))
		loop.Focus(u.press)
	}
	u.gate.room.Refresh()
}

func (u *unlocker) setBusy(busy bool) {
	u.press.SetBusy(busy)
	u.pass.SetReadOnly(busy)
	u.recover.SetEnabled(!busy)
	widget.Visible(u.cancel, busy && u.by == vault.Keyring)
	switch {
	case busy && u.by == vault.Keyring:
		u.press.SetText("Asking the keyring…")
	case busy:
		u.press.SetText("Unlocking…")
	default:
		u.press.SetText("Unlock")
	}
	u.card.Refresh()
}

// forget empties the box once the vault is open.
func (u *unlocker) forget() {
	u.setBusy(false)
	protect.Empty(u.pass)
}
