package editor

import (
	"context"
	"path/filepath"

	"fyne.io/fyne/v2"

	"callboard/app/fault"
	"callboard/app/profile"
	"callboard/app/roster"
	"callboard/ui/linked"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// proposalBar says that the file of a linked folder was changed outside, and
// leads to what changed.
type proposalBar struct {
	ed      *Editor
	shown   linked.Proposal
	there   bool
	title   *widget.Text
	text    *widget.Text
	chip    *widget.Chip
	compare *widget.Button
	object  *fyne.Container
}

func newProposalBar(e *Editor) *proposalBar {
	p := &proposalBar{
		ed:    e,
		chip:  widget.NewChip(theme.Info, "changed outside"),
		title: widget.NewParagraph(theme.Strong, theme.Ink, ""),
		text:  widget.NewParagraph(theme.Secondary, theme.Mute, ""),
	}
	p.compare = widget.NewButton(widget.Secondary, "Compare…", e.Compare)
	p.object = widget.Inset(0, 0, theme.Pad, 0, widget.NewCard(widget.Row(12,
		widget.Grow(1, widget.Column(4, widget.Row(theme.Gap, p.chip, widget.Grow(1, p.title)), p.text)), p.compare)))
	p.object.Hide()
	return p
}

// show takes what a linked folder proposes for the shown agent.
func (p *proposalBar) show(x linked.Proposal, there bool) {
	p.shown, p.there = x, there
	switch {
	case !there:
	case x.Gone:
		p.chip.Set(theme.Warn, "file")
		p.title.SetText("The file cannot be found or read")
		p.text.SetText(x.Why + " The agent here stays as it is.")
	case len(x.Widened) > 0:
		p.chip.Set(theme.Warn, "changed outside")
		p.title.SetText("The file's version may do more")
		p.text.SetText("It also grants " + GrantWords(x.Widened) + ". Callboard keeps its version until you accept it.")
	default:
		p.chip.Set(theme.Info, "changed outside")
		p.title.SetText("The file was changed outside")
		p.text.SetText("Callboard keeps its version until you accept the file's.")
	}
	widget.Visible(p.compare, there && !x.Gone)
	widget.Visible(p.object, there)
}

// Propose shows what a linked folder proposes for the shown agent, if it does.
func (e *Editor) Propose(x linked.Proposal, there bool) {
	e.proposal.show(x, there)
	e.object.Refresh()
}

// CanCompare reports whether the shown agent's file was changed outside.
func (e *Editor) CanCompare() bool {
	return e.draft != nil && e.proposal.there && !e.proposal.shown.Gone
}

// Compare shows what changed outside, and takes it over if the person says so.
func (e *Editor) Compare() {
	if !e.CanCompare() || e.busy {
		return
	}
	x := e.proposal.shown
	name := filepath.Base(x.File.Path)
	code := widget.NewCode()
	code.SetWrap(true)
	code.SetLines(DiffCode(x.Stored.Agent.Source.Original, x.File.Agent.Source.Original))
	body := widget.Column(12, widget.NewCut(theme.CodeSmall, theme.Mute, words.Path(x.File.Path, e.cfg.UserDir)))
	if len(x.Widened) > 0 {
		body.Add(widget.NewNotice(theme.Warn, "", "It may do more than before", "The file now also grants "+GrantWords(x.Widened)+"."))
	}
	text := "Accepting takes the file's version over. Undo brings the one here back."
	if x.Both || e.draft.Dirty() {
		text = "The agent was edited here too. Accepting takes the file's version over. Undo brings back what is saved here; what is not saved is lost."
	}
	body.Add(widget.NewParagraph(theme.Body, theme.Ink, text))
	for _, p := range x.File.Problems {
		if p.Level == profile.Warning || p.Level == profile.Error {
			body.Add(NoticeOf(p))
		}
	}
	body.Add(widget.Sized(0, diffHeight, code))
	var sheet *widget.Sheet
	keep := widget.NewButton(widget.Secondary, "Keep mine", func() { e.keepMine(x, sheet) })
	body.Add(widget.Row(theme.Gap,
		widget.Grow(1, widget.NewParagraph(theme.Secondary, theme.Mute, "Keep mine leaves the agent here as it is. Write it to the file to put the change there back.")), keep))
	sheet = widget.NewSheet(name+" was changed outside", body, "Later", "Accept", func() { e.accept(x, sheet) })
	if len(x.Widened) > 0 || x.Both || e.draft.Dirty() {
		sheet.SetDanger()
	}
	sheet.SetWidth(diffWidth)
	sheet.Open(e.object)
}

// keepMine refuses the file's version.
func (e *Editor) keepMine(x linked.Proposal, sheet *widget.Sheet) {
	d := e.draft
	if d == nil || e.busy {
		return
	}
	sheet.Close()
	e.setBusy(true)
	loop.Go(e.cfg.Loop, e.cfg.Context, func(ctx context.Context) (roster.Entry, error) {
		return e.cfg.Roster.KeepOver(ctx, x.Stored.Agent.ID, x.Stored.Revision, x.File.Agent)
	}, func(entry roster.Entry, err error) {
		e.setBusy(false)
		if err != nil {
			e.tell(d, "Not kept", fault.Sentence(err))
			return
		}
		e.rebase(d, entry)
	})
}

// accept gives the agent what its file says.
func (e *Editor) accept(x linked.Proposal, sheet *widget.Sheet) {
	d := e.draft
	if d == nil || e.busy {
		return
	}
	sheet.Close()
	if !x.File.Importable() {
		e.fail("Not accepted", "The file breaks a limit. Mend it, then compare again.")
		return
	}
	e.setBusy(true)
	in := roster.Incoming{Agent: x.File.Agent, ID: x.Stored.Agent.ID, Revision: x.Stored.Revision}
	loop.Go(e.cfg.Loop, e.cfg.Context, func(ctx context.Context) (roster.Imported, error) {
		return e.cfg.Roster.Import(ctx, []roster.Incoming{in})
	}, func(got roster.Imported, err error) {
		e.setBusy(false)
		if err != nil {
			e.fail("Not accepted", fault.Sentence(err))
			return
		}
		d.Discard()
		e.cfg.Accepted(got)
	})
}
