// Package ui is the window. It draws what the services hold and hands them
// what the person asks for; it keeps nothing of its own on disk and shows
// nothing private in a title, a log or a notification.
package ui

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"callboard/app/event"
	"callboard/app/home"
	"callboard/app/models"
	"callboard/app/profile"
	"callboard/app/roster"
	"callboard/app/servers"
	"callboard/app/settings"
	"callboard/app/vault"
	"callboard/assets"
	"callboard/crypto/secret"
	"callboard/ui/loop"
)

// AppName is what the program is called.
const AppName = "Callboard"

// Services is what the window works on. Close is called once, after the window
// has gone.
type Services struct {
	Vault    *vault.Service
	Roster   *roster.Service
	Profile  *profile.Service
	Models   *models.Service
	Servers  *servers.Service
	Settings *settings.Service
	Changes  *event.Feed
	Home     home.Home
	WorkDir  string               // where the program was started; empty if that is not known
	OpenURL  func(*url.URL) error // hands an address to the desktop; if nil the Fyne app does
	Ticks    <-chan time.Time     // once a second; if nil they are the window's own
	Close    func(context.Context) error
}

// Run shows the window until it is closed or ctx ends, then closes the
// services. Where another window works on the home, that one comes to the front
// and Run returns. newApp makes the Fyne app; it is not called when there is no
// display, which is ErrNoDisplay. pass, if not empty, opens the vault and is
// wiped. Run must be called from the main goroutine.
func Run(ctx context.Context, newApp func() fyne.App, svc Services, pass secret.Bytes) (err error) {
	defer func() {
		if failed := svc.Close(context.WithoutCancel(ctx)); err == nil {
			err = failed
		}
	}()
	if err := display(ctx, os.Getenv); err != nil {
		return err
	}
	d := &door{home: svc.Home}
	if raised, err := d.enter(ctx); raised || err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	return show(ctx, newApp, svc, pass, d)
}

// show is the window's whole life. The toolkit panics when the screen goes away
// while it starts; that is no display, like any other.
func show(ctx context.Context, newApp func() fyne.App, svc Services, pass secret.Bytes, d *door) (err error) {
	defer func() {
		switch p := recover(); {
		case p == nil:
		case strings.Contains(fmt.Sprint(p), "GLFW library is not initialized"):
			err = ErrNoDisplay
		default:
			panic(p)
		}
	}()
	app := newApp()
	app.SetIcon(fyne.NewStaticResource("callboard.png", assets.AppPNG()))
	l := loop.New()
	w := newWindow(ctx, app, l, svc)
	w.door = d
	d.answer(func() { l.Post(w.raise) }, func() { l.Post(w.leave) })
	app.Lifecycle().SetOnStarted(func() { w.start(pass) })
	l.Keep(ctx, func(inner context.Context) {
		<-inner.Done()
		if ctx.Err() != nil { // a signal, not the window's own end
			l.Post(w.leave)
		}
	})
	w.win.ShowAndRun()
	l.Close()
	return nil
}
