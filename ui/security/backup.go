package security

import (
	"context"
	"strings"

	"callboard/app/vault"
	"callboard/ui/protect"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

func (p *Page) askBackup() {
	dir := widget.NewField("Folder")
	dir.SetHelper("Not there yet, or empty")
	var s *sheet
	var submit func()
	pair := protect.NewPair("Passphrase of the backup", func() { submit() })
	dir.OnSubmitted = func(string) { pair.Focus() }
	dir.OnChanged = func(string) { dir.SetError("") }
	submit = func() {
		path := words.Whole(strings.TrimSpace(dir.Text()), p.cfg.UserDir)
		if path == "" {
			dir.SetError("Name a folder.")
			dir.Focus()
			return
		}
		if !s.busy && pair.Agree() {
			p.backup(s, vault.BackupRequest{Dir: path, Passphrase: pair.Secret()})
		}
	}
	s = p.open("Cancel", "Back up", "Back up", false, submit, func() {
		dir.SetText("")
		pair.Forget()
	}, dir, pair.Object())
}

func (p *Page) backup(s *sheet, req vault.BackupRequest) {
	last := int64(-1)
	req.Progress = func(at vault.Progress) {
		if percent := at.Done * 100 / max(1, at.Total); percent != last {
			last = percent
			p.cfg.Loop.Post(func() {
				if s.busy && !s.gone {
					s.say(words.Number(int(at.Done))+" of "+words.Number(int(at.Total))+" bytes", theme.Mute)
				}
			})
		}
	}
	do(s, func(ctx context.Context) (vault.BackupResult, error) {
		defer req.Passphrase.Wipe()
		return p.cfg.Vault.Backup(ctx, req)
	}, func(got vault.BackupResult) {
		text := "The backup is in " + words.Path(got.Dir, p.cfg.UserDir) + "."
		if n := len(got.Damage); n > 0 {
			text += " It holds " + words.Count(n, "damaged row") + ", as the home does."
		}
		p.cfg.Say(text, nil)
	})
}
