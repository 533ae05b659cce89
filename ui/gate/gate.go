// Package gate is what stands before the roster: choosing how a new home is
// protected, unlocking one, and saying plainly what is wrong with one. It
// holds a passphrase no longer than the call that uses it.
package gate

import (
	"context"
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"callboard/app/fault"
	"callboard/app/vault"
	"callboard/crypto/secret"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

const cardWidth float32 = 480

// Vault is what the gate does with the vault.
type Vault interface {
	Status(context.Context) vault.Status
	Init(context.Context, vault.InitRequest) error
	Unlock(context.Context, vault.UnlockRequest) error
	Recover(context.Context, vault.RecoverRequest) error
}

// Config is what a gate needs. Context is the window's life. Home is the
// folder to name. Opened is called once the vault is open, and Made, if there
// is one, after it when the home was made just now.
type Config struct {
	Context context.Context //nolint:containedctx // events have no context of their own
	Loop    *loop.Loop
	Vault   Vault
	Home    string
	Opened  func()
	Made    func()
}

// Gate shows one card at a time. It belongs to the Fyne thread.
type Gate struct {
	cfg    Config
	room   *fyne.Container
	object fyne.CanvasObject
	choose *chooser
	unlock *unlocker
	broken *broken

	recover *recoverer
	busy    bool
	stop    context.CancelCauseFunc // ends what runs
}

// New makes a gate that shows nothing until Look.
func New(cfg Config) *Gate {
	g := &Gate{cfg: cfg, room: container.NewCenter()}
	g.object = widget.Fill(theme.Bg, g.room)
	g.choose = newChooser(g)
	g.unlock = newUnlocker(g)
	g.broken = newBroken(g)
	g.recover = newRecoverer(g)
	return g
}

// Object is what to draw.
func (g *Gate) Object() fyne.CanvasObject { return g.object }

// Look shows what fits the vault's state. A vault whose key lies in a file is
// opened at once; a keyring, which may ask, waits for a press.
func (g *Gate) Look() {
	st := g.cfg.Vault.Status(g.cfg.Context)
	switch st.State {
	case vault.New:
		g.show(g.choose.card)
		g.choose.focus()
	case vault.Locked:
		g.show(g.unlock.card)
		g.unlock.prepare(st)
		if st.Protection == vault.File {
			g.unlock.submit()
		}
	case vault.Broken:
		g.broken.say(st)
		g.show(g.broken.card)
	case vault.Open:
		g.opened()
	}
}

// Locked shows the card for a vault that the person has just locked. One
// without a passphrase waits for a press instead of opening again at once.
func (g *Gate) Locked() {
	st := g.cfg.Vault.Status(g.cfg.Context)
	if st.State != vault.Locked {
		g.Look()
		return
	}
	g.show(g.unlock.card)
	g.unlock.prepare(st)
}

// Peek shows or hides what is typed as a passphrase.
func (g *Gate) Peek() {
	g.choose.choice.Peek()
	g.unlock.pass.Peek()
	g.recover.key.Peek()
	g.recover.choice.Peek()
}

// Clear shows nothing, while the vault is being locked.
func (g *Gate) Clear() {
	g.room.Objects = nil
	g.room.Refresh()
}

// Unlock opens the vault with a passphrase that came from elsewhere, and wipes
// it. If it is wrong the gate says so; a vault that has nothing to unlock is
// shown as by Look.
func (g *Gate) Unlock(pass secret.Bytes) {
	st := g.cfg.Vault.Status(g.cfg.Context)
	if st.State != vault.Locked {
		pass.Wipe()
		g.Look()
		return
	}
	g.show(g.unlock.card)
	g.unlock.prepare(st)
	g.unlock.open(pass)
}

func (g *Gate) show(card fyne.CanvasObject) {
	g.room.Objects = []fyne.CanvasObject{widget.Sized(cardWidth, 0, card)}
	g.room.Refresh()
}

// errStopped is the cause of an end that the person asked for.
var errStopped = errors.New("stopped by the person")

// run does work off the drawing thread, one at a time, and goes on with done
// or failed. It reports whether it took the work.
func (g *Gate) run(work func(context.Context) error, done func(), failed func(error)) bool {
	if g.busy {
		return false
	}
	ctx, stop := context.WithCancelCause(g.cfg.Context)
	g.busy, g.stop = true, stop
	loop.Go(g.cfg.Loop, ctx, func(inner context.Context) (struct{}, error) {
		err := work(inner)
		if err != nil && errors.Is(context.Cause(ctx), errStopped) {
			err = errStopped
		}
		return struct{}{}, err
	}, func(_ struct{}, err error) {
		stop(nil)
		g.busy, g.stop = false, nil
		if err != nil {
			failed(err)
			return
		}
		done()
	})
	return true
}

// cancel ends what runs.
func (g *Gate) cancel() {
	if g.stop != nil {
		g.stop(errStopped)
	}
}

func (g *Gate) opened() {
	g.choose.forget()
	g.unlock.forget()
	g.recover.forget()
	g.cfg.Opened()
}

// sentence is what a person reads about an error.
func sentence(err error) string {
	if errors.Is(err, errStopped) {
		return "Cancelled. Nothing was changed."
	}
	return fault.Sentence(err)
}

// say shows what went wrong; without words it takes no room.
func say(where *widget.Text, why string) {
	where.SetText(why)
	if why == "" {
		where.Hide()
	} else {
		where.Show()
	}
}
