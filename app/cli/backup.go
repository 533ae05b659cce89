package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"callboard/app/vault"
	"callboard/crypto/secret"
)

type backupCmd struct {
	Dir string `arg:"" help:"Folder for the backup; not there yet, or empty."`
	passphraseFlag
	BackupPassphraseFile string `help:"File whose first line is the passphrase of the backup; - reads standard input." placeholder:"FILE" required:""`
}

// Run unlocks the home and copies it.
func (c *backupCmd) Run(r *run) error {
	pass, err := c.read(r.p.Stdin)
	if err != nil {
		return err
	}
	defer pass.Wipe()
	own, err := passphraseFlag{c.BackupPassphraseFile}.read(r.p.Stdin)
	if err != nil {
		return err
	}
	defer own.Wipe()
	return r.open(func(s Services) error {
		if err := r.unlock(s, c.passphraseFlag, pass); err != nil {
			return err
		}
		done, err := s.Vault.Backup(r.ctx, vault.BackupRequest{Dir: c.Dir, Passphrase: own})
		if err != nil {
			return err
		}
		say(r.p.Stdout, fmt.Sprintf("Made the backup %s with %s. It opens with its own passphrase.", done.Dir, rows(done.Rows)))
		r.damaged(done.Damage)
		return nil
	})
}

// rows says how much a backup holds.
func rows(counts map[string]int) string {
	sum := 0
	for _, n := range slices.Collect(maps.Values(counts)) {
		sum += n
	}
	return amount(sum, "row")
}

// damaged names rows that were bad already when the backup was made.
func (r *run) damaged(bad []vault.Damage) {
	for _, d := range bad {
		say(r.p.Stdout, "It holds, as the home does, "+strings.TrimSuffix(damageLine(d), "."))
	}
}

type restoreCmd struct {
	Dir            string `arg:"" help:"The backup's folder."`
	PassphraseFile string `help:"File whose first line is the passphrase of the backup; - reads standard input." placeholder:"FILE" required:""`
}

// Run puts a backup in the place of the home.
func (c *restoreCmd) Run(r *run) error {
	pass, err := passphraseFlag{c.PassphraseFile}.read(r.p.Stdin)
	if err != nil {
		return err
	}
	defer pass.Wipe()
	return r.open(func(s Services) error {
		done, err := s.Vault.Restore(r.ctx, vault.RestoreRequest{From: c.Dir, Passphrase: pass})
		if err != nil {
			return err
		}
		say(r.p.Stdout, fmt.Sprintf("Restored %s as it was on %s. It opens with the backup's passphrase.",
			r.home.Dir, done.Made.UTC().Format("2006-01-02 at 15:04 MST")))
		if done.Aside != "" {
			say(r.p.Stdout, "What was there before is in "+done.Aside+".")
		}
		r.damaged(done.Damage)
		return nil
	})
}

// unlock opens the home, or says what is missing for that.
func (r *run) unlock(s Services, flag passphraseFlag, pass secret.Bytes) error {
	st := s.Vault.Status(r.ctx)
	switch {
	case st.State == vault.New:
		return vault.ErrNone
	case st.State == vault.Broken:
		return st.Problem
	case st.Protection == vault.Passphrase && flag.PassphraseFile == "":
		return errNoPassphrase
	}
	return s.Vault.Unlock(r.ctx, vault.UnlockRequest{Passphrase: pass})
}
