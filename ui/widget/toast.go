package widget

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/loop"
	"callboard/ui/theme"
)

// toastStays is how long a toast stays when nobody touches it.
const toastStays = 8 * time.Second

// Toasts is the layer that tells what has just happened, at the bottom of the
// window, one sentence at a time, with a way to undo it if there is one. The
// window stacks one over its content.
type Toasts struct {
	fynewidget.BaseWidget
	loop   *loop.Loop
	card   *Card
	words  *Text
	button *Button
	away   *Button
	serial int
	shown  bool
	act    func()
}

// NewToasts makes the layer with nothing to show. Its waiting is the loop's.
func NewToasts(l *loop.Loop) *Toasts {
	t := &Toasts{loop: l, words: NewText(theme.Body, theme.Ink, "")}
	t.button = NewButton(Secondary, "", t.press)
	t.away = NewIconButton(Quiet, "x", "", t.Dismiss)
	t.card = NewCard(Row(theme.Pad, Inset(0, 0, 0, 8, t.words), t.button, t.away))
	t.card.pad = 8
	t.ExtendBaseWidget(t)
	return t
}

// Say says text for some seconds or until something else is said. With an
// action name ("Undo") it has a button that runs act once.
func (t *Toasts) Say(ctx context.Context, text, action string, act func()) {
	t.serial++
	t.shown, t.act = true, act
	t.words.SetText(text)
	t.button.SetText(action)
	t.button.Hidden = action == ""
	t.Refresh()
	serial := t.serial
	t.loop.Keep(ctx, func(ctx context.Context) {
		timer := time.NewTimer(toastStays)
		defer timer.Stop()
		select {
		case <-ctx.Done():
		case <-timer.C:
			t.loop.Post(func() { t.expire(serial) })
		}
	})
}

// Act runs the action of the toast that shows, as its button would.
func (t *Toasts) Act() { t.press() }

// CanAct reports whether a toast with an action shows.
func (t *Toasts) CanAct() bool { return t.shown && t.act != nil }

// Dismiss takes the toast away.
func (t *Toasts) Dismiss() {
	t.shown, t.act = false, nil
	t.words.SetText("") // it may name what is private
	t.Refresh()
}

func (t *Toasts) expire(serial int) {
	if serial == t.serial {
		t.Dismiss()
	}
}

func (t *Toasts) press() {
	act := t.act
	t.Dismiss()
	if act != nil {
		act()
	}
}

// CreateRenderer is for Fyne.
func (t *Toasts) CreateRenderer() fyne.WidgetRenderer {
	place := func(size fyne.Size) {
		t.card.Hidden = !t.shown
		min := t.card.MinSize()
		t.card.Resize(min)
		t.card.Move(fyne.NewPos(size.Width-min.Width-theme.PadDetail, size.Height-min.Height-theme.Scaled(stripHeight)-theme.Pad))
	}
	return &renderer{
		objects: []fyne.CanvasObject{t.card}, layout: place,
		min:     func() fyne.Size { return fyne.Size{} },
		refresh: func() { place(t.Size()); t.card.Refresh() },
	}
}
