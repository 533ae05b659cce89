package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"callboard/app/instance"
	"callboard/app/vault"
)

type serveCmd struct{ passphraseFlag }

// Run keeps the home open until a signal, or a window that takes over.
func (c *serveCmd) Run(r *run) error {
	pass, err := c.read(r.p.Stdin)
	if err != nil {
		return err
	}
	defer pass.Wipe()
	return r.open(func(s Services) error {
		if s.Vault.Status(r.ctx).State == vault.New {
			return vault.ErrNone
		}
		ctx, stop := context.WithCancel(r.ctx)
		defer stop()
		claim, err := instance.Take(instance.Config{
			Home: r.home, Role: instance.Headless, Log: slog.New(slog.DiscardHandler), Stop: stop,
		})
		if errors.Is(err, instance.ErrTaken) {
			return r.taken(err)
		}
		if err != nil {
			return err
		}
		defer func() { _ = claim.Close() }() // the system gives it up too
		if err := r.unlock(s, c.passphraseFlag, pass); err != nil {
			return err
		}
		pass.Wipe()
		say(r.p.Stdout, "The home is open. Ctrl C ends it, and so does a window that takes over.")
		<-ctx.Done()
		err = s.Vault.Lock(context.WithoutCancel(ctx))
		say(r.p.Stdout, "The home is locked.")
		return err
	})
}

// taken names who has the home.
func (r *run) taken(err error) error {
	who, silent := instance.Who(r.ctx, r.home)
	if silent != nil {
		return err
	}
	as := map[instance.Role]string{instance.Window: "with a window", instance.Headless: "without a window"}[who.Role]
	return fmt.Errorf("%w: process %d, %s", err, who.PID, as)
}
