package servers

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"callboard/app/fault"
	"callboard/app/servers"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

const (
	planWidth  float32 = 720
	planHeight float32 = 280
	saidHeight float32 = 140
)

// asker is the sheet that shows what a discovery would run or contact. Its
// press is the consent, and starts it.
type asker struct {
	page   *Page
	server servers.Server
	plan   servers.Plan
	stop   context.CancelFunc
	busy   bool

	notice *widget.Notice
	lead   *widget.Text
	code   *widget.Code
	line   *widget.Text // how it goes
	body   *fyne.Container
	sheet  *widget.Sheet
}

// ask opens the sheet for the server that is shown. It runs nothing.
func (p *Page) ask() {
	s := p.detail.form.base.Server
	run(p.cfg.Context, p, func(ctx context.Context) (servers.Plan, error) {
		return p.cfg.Servers.Plan(ctx, s.ID)
	}, func(plan servers.Plan, err error) {
		if err != nil {
			p.detail.fail("Not asked", err)
			return
		}
		newAsker(p, s, plan).sheet.Open(p.object)
	})
}

func newAsker(p *Page, s servers.Server, plan servers.Plan) *asker {
	a := &asker{
		page: p, server: s, stop: func() {},
		notice: widget.NewNotice(theme.Warn, "", "", ""),
		lead:   widget.NewParagraph(theme.Body, theme.Ink, ""),
		code:   widget.NewCode(),
		line:   widget.NewParagraph(theme.Secondary, theme.Mute, ""),
	}
	a.notice.Hide()
	a.line.Hide()
	a.code.SetWrap(true)
	a.body = widget.Column(12, a.notice, a.lead, widget.Sized(0, planHeight, a.code), a.line)
	a.sheet = widget.NewSheet("List the tools of "+s.Name, a.body, "Cancel", "Run it", a.press)
	a.sheet.SetWidth(planWidth)
	a.sheet.OnClosed = func() { a.stop() }
	a.show(plan)
	p.asked = a.forget
	return a
}

// forget empties the sheet and ends what it began.
func (a *asker) forget() {
	a.stop()
	a.plan = servers.Plan{}
	a.code.SetText("")
}

// show shows a plan and what its press would do.
func (a *asker) show(plan servers.Plan) {
	a.plan = plan
	lead, act := "This program is run on this computer, as you, to ask it for its tools. It can do what you can.", "Run it"
	if plan.Transport == servers.HTTP {
		lead, act = "This address is contacted to ask it for its tools. It gets the headers named here.", "Contact it"
	}
	if plan.Consented {
		lead += " You agreed to exactly this on " + words.When(plan.At) + "."
	} else {
		act = "I have read this. " + act
	}
	a.lead.SetText(lead)
	a.code.SetText(strings.Join(planLines(plan), "\n"))
	why := lacking(a.server, plan)
	if why != "" {
		a.tell(theme.Bad, "Cannot be asked now", why)
	}
	a.sheet.SetAct(act, false, why == "")
	a.sheet.Refresh()
}

// lacking says why a plan cannot be carried out.
func lacking(s servers.Server, p servers.Plan) string {
	switch {
	case !s.Enabled:
		return reason(servers.Disabled)
	case len(p.Missing) > 0:
		return "No value is set for " + strings.Join(p.Missing, ", ") + ". Set it first."
	case p.Transport == servers.Stdio && p.Path == "":
		return reason(servers.CommandMissing)
	}
	return ""
}

// planLines are the facts of a plan, one a line, with nothing left out.
func planLines(p servers.Plan) []string {
	if p.Transport == servers.HTTP {
		return append([]string{"Contacts       " + exact(p.URL)}, named("Sends headers  ", p.Headers)...)
	}
	path := "nothing: " + exact(p.Command) + " was not found"
	if p.Path != "" {
		path = exact(p.Path)
	}
	out := []string{"Runs           " + path}
	if p.Target != "" {
		out = append(out, "which links to "+exact(p.Target))
	}
	args := make([]string, len(p.Args))
	for i, a := range p.Args {
		args[i] = exact(a)
	}
	out = append(out, named("With arguments ", args)...)
	out = append(out, "Starts in      "+exact(p.Dir))
	out = append(out, named("Sets           ", p.Env)...)
	return append(out, named("Passes on      ", p.Inherited)...)
}

// named lists words below each other behind a label.
func named(label string, list []string) []string {
	if len(list) == 0 {
		return []string{label + "nothing"}
	}
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = label + w
		label = strings.Repeat(" ", len(label))
	}
	return out
}

// exact is text as it is, in quotes where its ends or what is in it could be
// mistaken.
func exact(text string) string {
	quoted := strconv.Quote(text)
	if text == "" || quoted != `"`+text+`"` || strings.Contains(text, " ") {
		return quoted
	}
	return text
}

func (a *asker) tell(tone theme.Tone, title, text string) {
	a.notice.Set(tone, "", title, text)
	widget.Visible(a.notice, title != "")
	a.sheet.Refresh()
}

// press agrees to what is shown and asks the server. Enter on the text that is
// to be read only leaves it: nobody agrees by a key pressed once too often.
func (a *asker) press() {
	if a.busy {
		return
	}
	if c := loop.Canvas(a.code); c != nil && c.Focused() == fyne.Focusable(a.code) {
		c.FocusNext()
		return
	}
	p, plan := a.page, a.plan
	ctx, stop := context.WithCancel(p.cfg.Context)
	a.stop = stop
	a.setBusy(true)
	run(ctx, p, func(ctx context.Context) (servers.Discovered, error) {
		if _, err := p.cfg.Servers.Consent(ctx, plan.ID, plan.Digest); err != nil {
			return servers.Discovered{}, err
		}
		return p.cfg.Servers.Discover(ctx, plan.ID)
	}, func(d servers.Discovered, err error) {
		ended := ctx.Err() != nil
		stop()
		a.setBusy(false)
		a.answer(d, err, ended)
	})
}

func (a *asker) setBusy(busy bool) {
	a.busy = busy
	a.sheet.SetBusy(busy)
	a.line.SetText("Asking " + a.server.Name + " for its tools. This takes at most " + words.Count(int(a.server.Timeout().Seconds()), "second") + ". Cancel stops it.")
	widget.Visible(a.line, busy)
	a.sheet.Refresh()
}

// answer shows what came of the press.
func (a *asker) answer(d servers.Discovered, err error, ended bool) {
	p := a.page
	switch {
	case ended, d.Code == servers.Cancelled:
		p.cfg.Say("Stopped. What is known of "+a.server.Name+" stays as it was.", nil)
	case errors.Is(err, servers.ErrPlanMoved), errors.Is(err, servers.ErrConsent), errors.Is(err, servers.ErrChanged):
		a.moved()
	case err != nil:
		a.tell(theme.Bad, "Not asked", fault.Sentence(err))
	default:
		a.sheet.Close()
		if d.Code == "" {
			p.changes[a.server.ID] = d.Changes
			p.detail.tabs.Select(1)
			p.detail.turn()
		}
		p.openResult(a.server, d)
	}
	p.Reload()
}

// moved shows what would be run by now, to be read again.
func (a *asker) moved() {
	p := a.page
	run(p.cfg.Context, p, func(ctx context.Context) (servers.Plan, error) {
		return p.cfg.Servers.Plan(ctx, a.server.ID)
	}, func(plan servers.Plan, err error) {
		if err != nil {
			a.tell(theme.Bad, "Not asked", fault.Sentence(err))
			return
		}
		a.tell(theme.Warn, "Changed since it was shown", "Nothing was listed. This is what it would be now: read it again.")
		a.show(plan)
	})
}

// openResult says what a server answered. Its own words are shown only here.
func (p *Page) openResult(s servers.Server, d servers.Discovered) {
	body := widget.Column(12)
	if d.Code == "" {
		body.Add(widget.NewParagraph(theme.Body, theme.Ink, listed(d.Known)))
		body.Add(widget.NewParagraph(theme.Body, theme.Mute, changed(d.Changes)))
	} else {
		body.Add(widget.NewNotice(theme.Bad, "", "Not listed", reason(d.Code)))
		if len(d.Known.Tools) > 0 {
			body.Add(widget.NewParagraph(theme.Body, theme.Mute, "The tools it had before stay listed, marked unready."))
		}
	}
	p.asked = func() {}
	if d.Said != "" {
		code := widget.NewCode()
		code.SetWrap(true)
		code.SetText(d.Said)
		body.Add(widget.Column(theme.Gap, widget.NewText(theme.Label, theme.Mute, "The server's own words, which may be wrong"),
			widget.Sized(0, saidHeight, code)))
		p.asked = func() { code.SetText("") }
	}
	sheet := widget.NewSheet("The tools of "+s.Name, body, "Close", "", nil)
	sheet.SetWidth(planWidth)
	sheet.Open(p.object)
}
