package servers

import (
	"context"
	"errors"
	"strings"

	"callboard/app/fault"
	"callboard/app/servers"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// adder is the sheet that begins a new server.
type adder struct {
	page          *Page
	name          *widget.Field
	how           *widget.Choice
	command, addr *widget.Field
	sheet         *widget.Sheet
	busy          bool
}

// openAdd asks for what a new server needs at least.
func (p *Page) openAdd() {
	if !p.may() {
		return
	}
	a := &adder{
		page:    p,
		name:    widget.NewField("Name"),
		how:     widget.NewChoice("How it is reached", transportWords...),
		command: widget.NewField("Command"),
		addr:    widget.NewField("Address"),
	}
	a.name.SetPlaceholder("github")
	a.command.SetPlaceholder("a name to look up, or an absolute path")
	a.addr.SetPlaceholder("https://")
	a.how.SetValue(transportWords[0])
	a.how.OnChanged = func(string) { a.suit() }
	text := "Agents name its tools by it, as @name/tool. Nothing is run or contacted yet."
	a.sheet = widget.NewSheet("Add a tool server", widget.Column(12, a.name,
		widget.NewParagraph(theme.Secondary, theme.Mute, text), a.how, a.command, a.addr), "Cancel", "Add", a.add)
	a.suit()
	a.sheet.Open(p.object)
	p.asked = a.forget
}

func (a *adder) web() bool { return a.how.Value() == transportWords[1] }

// suit shows the box that the transport needs.
func (a *adder) suit() {
	widget.Visible(a.command, !a.web())
	widget.Visible(a.addr, a.web())
	a.sheet.Refresh()
}

// forget empties the boxes of a sheet that was taken away.
func (a *adder) forget() {
	a.name.SetText("")
	a.command.SetText("")
	a.addr.SetText("")
}

func (a *adder) add() {
	if a.busy {
		return
	}
	s := servers.Server{Name: strings.TrimSpace(a.name.Text()), Enabled: true, Transport: servers.Stdio}
	if a.web() {
		s.Transport, s.URL = servers.HTTP, strings.TrimSpace(a.addr.Text())
	} else {
		s.Command = words.Whole(strings.TrimSpace(a.command.Text()), a.page.cfg.UserDir)
	}
	if !a.good(servers.Check(s)) {
		return
	}
	p := a.page
	a.setBusy(true)
	run(p.cfg.Context, p, func(ctx context.Context) (servers.Entry, error) {
		return p.cfg.Servers.Save(ctx, servers.SaveRequest{Server: s})
	}, func(e servers.Entry, err error) {
		a.setBusy(false)
		if err != nil {
			a.fail(err)
			return
		}
		a.sheet.Close()
		p.want = e.Server.ID
		p.Reload()
	})
}

func (a *adder) setBusy(busy bool) {
	a.busy = busy
	a.sheet.SetBusy(busy)
}

// good says what is wrong below the boxes, and goes to the first.
func (a *adder) good(found []servers.Problem) bool {
	boxes := map[servers.Field]*widget.Field{
		servers.FieldName: a.name, servers.FieldCommand: a.command, servers.FieldURL: a.addr,
	}
	for field, box := range boxes {
		box.SetError("")
		for _, p := range found {
			if p.Field == field {
				box.SetError(p.Text)
				break
			}
		}
	}
	if len(found) > 0 {
		if box := boxes[found[0].Field]; box != nil {
			box.Focus()
		}
	}
	a.sheet.Refresh()
	return len(found) == 0
}

func (a *adder) fail(err error) {
	box := a.command
	switch {
	case errors.Is(err, servers.ErrName):
		box = a.name
	case a.web():
		box = a.addr
	}
	box.SetError(fault.Sentence(err))
	box.Focus()
	a.sheet.Refresh()
}
