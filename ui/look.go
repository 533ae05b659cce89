package ui

import (
	"context"

	"fyne.io/fyne/v2"

	"callboard/app/fault"
	"callboard/app/home"
	"callboard/app/settings"
	"callboard/ui/loop"
	"callboard/ui/theme"
)

func (w *Window) applyTheme() {
	look := w.svc.Settings.Get().Appearance
	mode := map[settings.Theme]theme.Mode{settings.Light: theme.Light, settings.Dark: theme.Dark}[look.Theme]
	if mode == "" {
		mode = theme.System
	}
	w.app.Settings().SetTheme(theme.New(mode, float32(look.TextSize)/100))
}

func (w *Window) setTheme(t settings.Theme) {
	loop.Go(w.loop, w.ctx, func(context.Context) (struct{}, error) {
		if err := w.svc.Home.Create(); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, w.svc.Settings.Update(func(s *settings.Settings) { s.Appearance.Theme = t })
	}, func(_ struct{}, err error) {
		if err != nil {
			w.say(fault.Sentence(err), nil)
		}
		w.applyTheme()
	})
}

// The size of a window that was never opened before.
const (
	firstWidth  float32 = 1280
	firstHeight float32 = 800
)

// sizeBefore is how large the window was when it was last closed.
func (w *Window) sizeBefore() fyne.Size {
	last := w.svc.Settings.Get().Window
	if last.Width < 640 || last.Height < 400 { // hardly what the person chose
		return fyne.NewSize(firstWidth, firstHeight)
	}
	return fyne.NewSize(float32(last.Width), float32(last.Height))
}

// keepSize remembers how large the window is, in a home that is there. It is
// no loss if that cannot be written.
func (w *Window) keepSize() {
	size := w.win.Canvas().Size()
	now := settings.Window{Width: int(size.Width), Height: int(size.Height)}
	if there, err := home.Exists(w.svc.Home.Dir); err != nil || !there || now == w.svc.Settings.Get().Window {
		return
	}
	_ = w.svc.Settings.Update(func(s *settings.Settings) { s.Window = now })
}
