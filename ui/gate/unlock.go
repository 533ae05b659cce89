package gate

import (
	"context"

	"callboard/app/vault"
	"callboard/crypto/secret"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// unlocker opens a home that is locked.
type unlocker struct {
	gate  *Gate
	card  *widget.Card
	pass  *widget.Field
	fault *widget.Text
	press *widget.Button
	plain bool
}

func newUnlocker(g *Gate) *unlocker {
	u := &unlocker{
		gate:  g,
		pass:  widget.NewPassword("Passphrase"),
		fault: widget.NewParagraph(theme.Secondary, theme.Bad.Text(), ""),
	}
	u.press = widget.NewIconButton(widget.Primary, "lock-open", "Unlock", u.submit)
	u.pass.OnSubmitted = func(string) { u.submit() }
	u.pass.OnChanged = func(string) { u.pass.SetError("") }
	u.card = widget.NewCard(nil)
	u.fit(vault.Passphrase)
	return u
}

// prepare fits the card to the protection. Without a passphrase there is
// nothing to type, so it opens at once and shows only what may go wrong.
func (u *unlocker) prepare(p vault.Protection) {
	u.fit(p)
	if !u.plain {
		u.pass.Focus()
	}
}

func (u *unlocker) fit(p vault.Protection) {
	u.plain = p == vault.File
	say(u.fault, "")
	title := widget.NewText(theme.Title, theme.Ink, "Callboard is locked")
	path := widget.NewCut(theme.CodeSmall, theme.Faint, u.gate.cfg.Home)
	if u.plain {
		u.card.SetBody(widget.Column(theme.Pad, title, path, u.fault, widget.Row(theme.Gap, u.press)))
		return
	}
	u.card.SetBody(widget.Column(theme.Pad, title, u.pass, path, u.fault, widget.Row(theme.Gap, u.press)))
}

func (u *unlocker) submit() {
	if !u.plain && u.pass.Text() == "" {
		u.pass.SetError("Type the passphrase.")
		u.pass.Focus()
		return
	}
	u.open(secret.FromString(u.pass.Text()))
}

func (u *unlocker) open(pass secret.Bytes) {
	say(u.fault, "")
	u.pass.SetError("")
	u.setBusy(true)
	u.gate.run(pass, func(ctx context.Context) error {
		return u.gate.cfg.Vault.Unlock(ctx, vault.UnlockRequest{Passphrase: pass})
	}, func(why string) {
		u.setBusy(false)
		if u.plain {
			say(u.fault, why)
		} else {
			u.pass.SetError(why)
			u.pass.Focus()
		}
		u.card.Refresh()
	})
}

func (u *unlocker) setBusy(busy bool) {
	u.press.SetBusy(busy)
	u.pass.SetReadOnly(busy)
	if busy {
		u.press.SetText("Unlocking…")
	} else {
		u.press.SetText("Unlock")
	}
}

// forget empties the box once the vault is open.
func (u *unlocker) forget() {
	u.setBusy(false)
	u.pass.SetText("")
	u.pass.Conceal()
}
