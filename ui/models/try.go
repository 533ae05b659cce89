package models

import (
	"context"
	"fmt"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"callboard/app/fault"
	"callboard/app/models"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

const (
	planWidth  float32 = 760
	planHeight float32 = 300
	planLeast  float32 = 120
	planRest   float32 = 340 // of the window, for all else
)

// Test shows what a test of the shown model would send. Nothing is sent before
// the person says so there.
func (p *Page) Test() {
	d := p.draft()
	switch {
	case d == nil:
		return
	case d.dirty():
		p.form.say("Not tested", "A test uses what is saved. Save or discard the changes first.")
		return
	}
	id, name := d.base.Model.ID, d.base.Model.Name
	loop.Go(p.cfg.Loop, p.cfg.Context, func(ctx context.Context) (models.Plan, error) {
		return p.cfg.Models.Plan(ctx, id)
	}, func(plan models.Plan, err error) {
		switch {
		case p.want != id || !p.object.Visible():
		case err != nil:
			p.form.say("Not tested", fault.Sentence(err))
		default:
			p.openPlan(name, plan)
		}
	})
}

// openPlan shows the requests and waits for the word to send the first.
func (p *Page) openPlan(name string, plan models.Plan) {
	code, wait := widget.NewCode(), widget.NewParagraph(theme.Body, theme.Mute, "Waiting for "+plan.Host+". Cancel ends the call.")
	code.SetWrap(true)
	code.SetText(planText(plan))
	wait.Hide()
	height := theme.Scaled(planHeight)
	if c := loop.Canvas(p.object); c != nil {
		height = max(theme.Scaled(planLeast), min(height, c.Size().Height-theme.Scaled(planRest)))
	}
	body := widget.Column(12, widget.NewParagraph(theme.Body, theme.Ink, planWords(plan)), widget.Fixed(0, height, code), wait)
	ctx, cancel := context.WithCancel(p.cfg.Context)
	running, over := false, false
	var sheet *widget.Sheet
	sheet = widget.NewSheet("Test "+name, body, "Cancel", "Send it", func() {
		running = true
		wait.Show()
		sheet.SetBusy(true)
		sheet.Refresh()
		loop.Go(p.cfg.Loop, ctx, func(ctx context.Context) (models.Result, error) {
			return p.cfg.Models.Test(ctx, plan.ID, plan.Revision)
		}, func(r models.Result, err error) {
			if over {
				return // cancelled, and said so
			}
			running = false
			sheet.Close()
			p.tested(name, plan, r, err)
		})
	})
	sheet.OnClosed = func() {
		over = true
		cancel()
		if running {
			p.cfg.Say("The test was cancelled. What had been sent by then may have reached "+plan.Host+".", nil)
		}
	}
	sheet.SetWidth(planWidth)
	sheet.Open(p.object)
}

// planWords says who would get what.
func planWords(plan models.Plan) string {
	text := "Nothing has been sent. This goes to " + plan.Host + " when you press Send it."
	if n := plan.AtMost - 1; n > 0 {
		text += fmt.Sprintf(" Only while it refuses the form of a request (status 400 or 422), up to %s may follow, in the forms shown below the first.", words.Count(n, "further request"))
	}
	return text
}

// planText is every request that may be sent, as it travels.
func planText(plan models.Plan) string {
	var b strings.Builder
	write := func(r models.Planned) {
		fmt.Fprintf(&b, "%s %s\n", r.Sending.Method, r.Sending.URL)
		for _, h := range r.Sending.Headers {
			fmt.Fprintf(&b, "%s: %s\n", h.Name, h.Value)
		}
		fmt.Fprintf(&b, "\n%s\n", r.Sending.Body)
	}
	write(plan.First)
	for _, r := range plan.Further {
		fmt.Fprintf(&b, "\n--- Only if that form is refused: %s\n", inWords(r.Form))
		write(r)
	}
	return b.String()
}

// tested tells how a test went.
func (p *Page) tested(name string, plan models.Plan, r models.Result, err error) {
	if len(r.Attempts) > 0 {
		p.adopt(r.Entry)
	}
	n := widget.NewNotice(theme.OK, plan.Host, "It works", workedWords(r))
	switch {
	case err != nil:
		n.Set(theme.Bad, plan.Host, "The test did not end well", fault.Sentence(err))
	case !r.OK:
		n.Set(theme.Bad, plan.Host, "It does not work yet", fault.Sentence(r.Err))
	}
	body := widget.Column(12, n)
	if sent := sentWords(r.Attempts); sent != "" {
		body.Add(widget.NewParagraph(theme.Secondary, theme.Mute, sent))
	}
	widget.NewSheet("Test of "+name, body, "Close", "", nil).Open(fyne.CanvasObject(p.object))
}

func workedWords(r models.Result) string {
	text := "It answered as asked in " + took(r.Took)
	if r.Usage.Known {
		text += ", with " + words.Count(r.Usage.In, "token") + " in and " + words.Number(r.Usage.Out) + " out"
	}
	text += ". The form that works: " + inWords(r.Form)
	if r.Saved {
		return text + ". It is saved."
	}
	return text + "."
}

// sentWords lists the requests that went out.
func sentWords(all []models.Attempt) string {
	var lines []string
	for i, a := range all {
		line := fmt.Sprintf("Request %d: %s. ", i+1, inWords(a.Form))
		switch {
		case a.Code == "ok":
			line += "Answered"
		case a.Status != 0:
			line += fmt.Sprintf("Refused with status %d", a.Status)
		default:
			line += "No answer"
		}
		lines = append(lines, line+" after "+took(a.Took)+".")
	}
	return strings.Join(lines, "\n")
}

func took(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
