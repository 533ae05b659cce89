package security

import (
	"context"

	"callboard/app/fault"
	"callboard/app/settings"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

var minutes = []int{0, 1, 5, 15, 60}

// autoLock is when the home locks by itself.
type autoLock struct {
	page  *Page
	after *widget.Filters
	sleep *widget.Check
	card  *widget.Card
}

func newAutoLock(p *Page) *autoLock {
	a := &autoLock{
		page: p, after: widget.NewFilters("Never", "1 minute", "5 minutes", "15 minutes", "60 minutes"),
		sleep: widget.NewCheck("Lock when the computer slept", ""),
	}
	a.after.OnSelected = func(i int) { a.update(func(s *settings.Security) { s.AutoLock = minutes[i] }) }
	a.sleep.OnChanged = func(t widget.Tick) {
		a.update(func(s *settings.Security) { s.LockOnSleep = t == widget.Ticked })
	}
	a.card = card("Lock by itself", widget.NewParagraph(theme.Secondary, theme.Mute, "After so long without a key or a click."), a.after, a.sleep)
	return a
}

func (a *autoLock) update(change func(*settings.Security)) {
	loop.Go(a.page.cfg.Loop, a.page.cfg.Context, func(context.Context) (struct{}, error) {
		return struct{}{}, a.page.cfg.File.Update(func(s *settings.Settings) { change(&s.Security) })
	}, func(_ struct{}, err error) {
		if err != nil {
			a.page.cfg.Say(fault.Sentence(err), nil)
		}
		a.show()
	})
}

func (a *autoLock) show() {
	set := a.page.cfg.File.Get().Security
	nearest := 0
	for i, m := range minutes {
		if m <= set.AutoLock {
			nearest = i
		}
	}
	a.after.Select(nearest)
	a.sleep.SetState(map[bool]widget.Tick{true: widget.Ticked}[set.LockOnSleep])
	a.card.Refresh()
}
