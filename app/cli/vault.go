package cli

import (
	"fmt"

	"callboard/app/vault"
)

type windowCmd struct{ passphraseFlag }

// Run opens the window, unlocked if a passphrase file was given.
func (c *windowCmd) Run(r *run) error {
	pass, err := c.read(r.p.Stdin)
	if err != nil {
		return err
	}
	defer pass.Wipe()
	return r.p.Window(r.ctx, r.home, pass)
}

type initCmd struct {
	Protect string `help:"How the key is kept: passphrase (key.age), keyring (of the system) or file (key.txt, readable by whoever reads your files)." enum:"passphrase,keyring,file" required:""`
	passphraseFlag
}

// Run makes the home.
func (c *initCmd) Run(r *run) error {
	pass, err := c.read(r.p.Stdin)
	if err != nil {
		return err
	}
	defer pass.Wipe()
	if c.Protect == string(vault.Passphrase) && c.PassphraseFile == "" {
		return errNoPassphrase
	}
	return r.open(func(s Services) error {
		req := vault.InitRequest{Protection: vault.Protection(c.Protect), Passphrase: pass}
		if err := s.Vault.Init(r.ctx, req); err != nil {
			return err
		}
		say(r.p.Stdout, "Made "+r.home.Dir+". "+keep(req.Protection))
		return nil
	})
}

func keep(p vault.Protection) string {
	switch p {
	case vault.File:
		return "Anyone who can read key.txt can read your agents."
	case vault.Keyring:
		return "Its key is in the system keyring; if that is lost, so are your agents."
	case vault.Passphrase:
		return "A forgotten passphrase cannot be recovered."
	}
	return ""
}

type verifyCmd struct{ passphraseFlag }

// Run unlocks the home, reads every row and names the damaged ones.
func (c *verifyCmd) Run(r *run) error {
	pass, err := c.read(r.p.Stdin)
	if err != nil {
		return err
	}
	defer pass.Wipe()
	return r.open(func(s Services) error {
		if err := r.unlock(s, c.passphraseFlag, pass); err != nil {
			return err
		}
		return r.report(s)
	})
}

func (r *run) report(s Services) error {
	bad, err := s.Vault.Verify(r.ctx)
	if err != nil {
		return err
	}
	list, err := s.Roster.List(r.ctx)
	if err != nil {
		return err
	}
	say(r.p.Stdout, count(len(list.Agents))+" can be read.")
	for _, d := range bad {
		say(r.p.Stdout, damageLine(d))
	}
	if len(bad) > 0 {
		return exit(Failed)
	}
	return nil
}

func damageLine(d vault.Damage) string {
	return fmt.Sprintf("%s %s: %s (%s)", d.Table, d.ID, inWords(d.Rule), d.Rule)
}

// inWords says what a rule of the store means for the row it names.
func inWords(rule string) string {
	switch rule {
	case "row_corrupt":
		return "damaged on disk"
	case "row_moved":
		return "not the row that belongs there"
	case "row_missing":
		return "gone"
	case "row_unknown":
		return "put there by another program"
	default:
		return "cannot be read"
	}
}

func count(agents int) string { return amount(agents, "agent") }

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run(r *run) error {
	say(r.p.Stdout, "callboard "+r.p.Version)
	return nil
}
