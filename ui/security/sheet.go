package security

import (
	"context"

	"fyne.io/fyne/v2"

	"callboard/app/fault"
	"callboard/app/vault"
	"callboard/crypto/secret"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// sheet asks for something and then does it, once. Closing it ends the work.
type sheet struct {
	page *Page
	card *widget.Sheet
	why  *widget.Text
	gone bool
	busy bool
	stop context.CancelFunc
}

// open shows a sheet; forget is called when it has gone.
func (p *Page) open(cancel, title, act string, danger bool, submit, forget func(), parts ...fyne.CanvasObject) *sheet {
	s := &sheet{page: p, why: widget.NewParagraph(theme.Secondary, theme.Mute, "")}
	s.why.Hide()
	s.card = widget.NewSheet(title, widget.Column(theme.Pad, append(parts, s.why)...), cancel, act, submit)
	if danger {
		s.card.SetDanger()
	}
	s.card.OnClosed = func() {
		s.gone = true
		if s.stop != nil {
			s.stop()
		}
		if forget != nil {
			forget()
		}
	}
	s.card.Open(p.object)
	return s
}

// say is a line below the parts.
func (s *sheet) say(text string, ink theme.Token) {
	s.why.SetInk(ink)
	s.why.SetText(text)
	widget.Visible(s.why, text != "")
	s.card.Refresh()
}

// do works off the drawing thread. When that went well the sheet closes and
// done goes on; after it has gone only that it was done is said.
func do[T any](s *sheet, work func(context.Context) (T, error), done func(T)) {
	if s.busy {
		return
	}
	ctx, stop := context.WithCancel(s.page.cfg.Context)
	s.busy, s.stop = true, stop
	s.say("Working…", theme.Mute)
	s.card.SetBusy(true)
	loop.Go(s.page.cfg.Loop, ctx, work, func(v T, err error) {
		stop()
		s.busy = false
		switch {
		case err != nil && s.page.cfg.Vault.Status(s.page.cfg.Context).State != vault.Open:
			s.card.Close()
			s.page.cfg.Lost()
		case s.gone && err == nil:
			if key, ok := any(v).(secret.Bytes); ok {
				key.Wipe()
			}
			s.page.cfg.Say("It was done before it could be cancelled.", nil)
		case s.gone:
		case err != nil:
			s.card.SetBusy(false)
			s.say(fault.Sentence(err), theme.Bad.Text())
		default:
			s.card.Close()
			done(v)
		}
	})
}
