package security

import (
	"callboard/crypto/secret"
	"callboard/ui/widget"
)

const recoveryLead = "It opens the home alone, when the passphrase, the keyring or the key file is lost. " +
	"It is shown once and kept nowhere."

// Offer asks after a home was made whether there shall be a recovery key.
func (p *Page) Offer() { p.askRecovery() }

func (p *Page) askRecovery() {
	text := recoveryLead
	if p.cfg.Vault.Status(p.cfg.Context).Recovery {
		text += " The one there is opens the home no longer."
	}
	var s *sheet
	s = p.open("Later", "Recovery key", "Make a recovery key", false, func() {
		do(s, p.cfg.Vault.NewRecovery, p.showRecovery)
	}, nil, body(text))
}

// showRecovery shows a new recovery key, this once.
func (p *Page) showRecovery(key secret.Bytes) {
	box := widget.NewCodeArea("Recovery key", 3)
	box.SetText(string(key.Reveal()))
	key.Wipe()
	var s *sheet
	s = p.open("Close", "Your recovery key", "I have it", false, func() { s.card.Close() }, func() { box.SetText("") },
		body("Copy or print it now, and keep it on paper or in another safe. It is never shown again."), box)
	p.changed()
}
