package security

import (
	"context"

	"callboard/app/vault"
	"callboard/crypto/secret"
	"callboard/ui/protect"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

func (p *Page) askPassphrase() {
	now := widget.NewPassword("Current passphrase")
	var s *sheet
	var submit func()
	pair := protect.NewPair("New passphrase", func() { submit() })
	now.OnSubmitted = func(string) { pair.Focus() }
	submit = func() {
		if !s.busy && pair.Agree() {
			p.protect(s, vault.ProtectRequest{
				Current: secret.FromString(now.Text()), Protection: vault.Passphrase, Passphrase: pair.Secret(),
			})
		}
	}
	s = p.open("Cancel", "Change passphrase", "Change passphrase", false, submit, func() {
		protect.Empty(now)
		pair.Forget()
	}, now, pair.Object())
}

func (p *Page) askProtection() {
	by := p.cfg.Vault.Status(p.cfg.Context).Protection
	now := widget.NewPassword("Current passphrase")
	widget.Visible(now, by == vault.Passphrase)
	var s *sheet
	var submit func()
	choice := protect.NewChoice(func() { submit() }, protect.Others(by)...)
	choice.OnTurned = func() { s.card.Refresh() }
	now.OnSubmitted = func(string) { submit() }
	submit = func() {
		if !s.busy && choice.Agree() {
			p.protect(s, vault.ProtectRequest{
				Current: secret.FromString(now.Text()), Protection: choice.Protection(), Passphrase: choice.Secret(),
			})
		}
	}
	s = p.open("Cancel", "Change protection", "Change protection", false, submit, func() {
		protect.Empty(now)
		choice.Forget()
	}, choice.Object(), now)
}

func (p *Page) protect(s *sheet, req vault.ProtectRequest) {
	do(s, func(ctx context.Context) (vault.ProtectResult, error) {
		defer req.Current.Wipe()
		defer req.Passphrase.Wipe()
		return p.cfg.Vault.Protect(ctx, req)
	}, func(got vault.ProtectResult) {
		p.changed()
		text := holds[req.Protection]
		if got.Was == vault.Passphrase {
			text += " " + vault.OldBackups
		}
		if got.EntryLeft {
			text += " The keyring kept the old entry: remove “callboard” in the keyring's own window."
		}
		var told *sheet
		told = p.open("Close", "The protection was changed", "New data key…", false, func() {
			told.card.Close()
			p.askRekey()
		}, nil, body(text))
	})
}

func (p *Page) askRekey() {
	var s *sheet
	s = p.open("Cancel", "New data key", "Make a new data key", false, func() {
		do(s, func(ctx context.Context) (struct{}, error) {
			return struct{}{}, p.cfg.Vault.Rekey(ctx)
		}, func(struct{}) {
			p.changed()
			p.cfg.Say("Every row is encrypted with a new data key.", nil)
		})
	}, nil, body("Every row is encrypted anew, so that copies made before do not open what is saved from now on."),
		widget.NewParagraph(theme.Secondary, theme.Mute, "Everything else waits meanwhile."))
}
