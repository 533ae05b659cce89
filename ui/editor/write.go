package editor

import (
	"context"
	"errors"
	"path/filepath"

	"fyne.io/fyne/v2"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/profile"
	"callboard/app/roster"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

const (
	diffWidth  float32 = 720
	diffHeight float32 = 280
)

// WriteToFile saves the draft, shows what would change in the file and writes
// it once that is confirmed.
func (e *Editor) WriteToFile() {
	if !e.CanWrite() || e.busy {
		return
	}
	e.save(func() { e.plan(e.draft) })
}

// plan works out the write of what is stored, and asks.
func (e *Editor) plan(d *Draft) {
	a := d.Base.Agent.Clone()
	loop.Go(e.cfg.Loop, e.cfg.Context, func(ctx context.Context) (profile.Plan, error) {
		return e.cfg.Files.Preview(ctx, a)
	}, func(p profile.Plan, err error) {
		if d != e.draft {
			return // locked, or another agent is shown
		}
		if err != nil {
			e.fail("Not written", fault.Sentence(err))
			return
		}
		switch p.State {
		case profile.Same:
			e.confirm(d, p)
		case profile.Written:
			e.write(d, p, profile.WriteOptions{}, nil)
		case profile.Changed, profile.Missing:
			e.resolve(d, p)
		}
	})
}

// confirm shows the lines that change.
func (e *Editor) confirm(d *Draft, p profile.Plan) {
	var sheet *widget.Sheet
	text := words.Count(len(p.Change.Spans), "span") + " of the file changes. Every other byte stays. " +
		"The file as it is now goes to backups/."
	sheet = widget.NewSheet("Write "+filepath.Base(p.Path), e.sheetBody(p.Path, text, p.Change.Before, p.Change.After),
		"Cancel", "Write", func() { e.write(d, p, profile.WriteOptions{}, sheet) })
	sheet.SetWidth(diffWidth)
	sheet.Open(e.object)
}

// resolve says that the file is not what the agent was read from, and offers
// what can be done.
func (e *Editor) resolve(d *Draft, p profile.Plan) {
	title, text := "The file on disk changed", "Not written. Below: what Overwrite would replace. It goes to backups/ first."
	if p.State == profile.Missing {
		title, text = "The file is gone", "Not written. Save elsewhere, or put the file back."
	}
	path := widget.NewField("Save elsewhere as")
	path.SetText(words.Path(p.Path, e.cfg.UserDir))
	var sheet *widget.Sheet
	elsewhere := widget.NewButton(widget.Secondary, "Save elsewhere", func() {
		e.saveElsewhere(d, p, path, sheet)
	})
	path.OnSubmitted = func(string) { e.saveElsewhere(d, p, path, sheet) }
	row := widget.Row(theme.Gap, widget.Grow(1, path), widget.Inset(20, 0, 0, 0, elsewhere))
	if p.State == profile.Missing {
		sheet = widget.NewSheet(title, widget.Column(theme.Pad, widget.NewParagraph(theme.Body, theme.Ink, text), row), "Cancel", "", nil)
	} else {
		body := widget.Column(theme.Pad, widget.Grow(1, e.sheetBody(p.Path, text, p.Disk, p.Change.After)), row)
		sheet = widget.NewSheet(title, body, "Cancel", "Overwrite", func() {
			e.write(d, p, profile.WriteOptions{Overwrite: true}, sheet)
		})
		sheet.SetDanger()
	}
	sheet.SetWidth(diffWidth)
	sheet.Open(e.object)
}

func (e *Editor) sheetBody(path, text string, before, after []byte) fyne.CanvasObject {
	code := widget.NewCode()
	var lines []widget.CodeLine
	for _, l := range profile.DiffLines(before, after) {
		lines = append(lines, DiffLine(l))
	}
	code.SetLines(lines)
	return widget.Column(12,
		widget.NewCut(theme.CodeSmall, theme.Mute, words.Path(path, e.cfg.UserDir)),
		widget.NewParagraph(theme.Body, theme.Ink, text),
		widget.Fixed(0, theme.Scaled(diffHeight), code))
}

// write writes the file and records what it holds. A sheet is closed first,
// so that what goes wrong is said where the person is.
func (e *Editor) write(d *Draft, p profile.Plan, o profile.WriteOptions, sheet *widget.Sheet) {
	if sheet != nil {
		sheet.Close()
	}
	e.record(d, func(ctx context.Context) (agent.Source, error) { return e.cfg.Files.Write(ctx, p, o) },
		"Written to "+filepath.Base(p.Path)+". The file as it was is in backups/.")
}

func (e *Editor) saveElsewhere(d *Draft, p profile.Plan, path *widget.Field, sheet *widget.Sheet) {
	to := words.Whole(path.Text(), e.cfg.UserDir)
	if !filepath.IsAbs(to) {
		path.SetError("Give the whole path.")
		return
	}
	sheet.Close()
	e.record(d, func(ctx context.Context) (agent.Source, error) { return e.cfg.Files.SaveElsewhere(ctx, p, to) },
		"Saved as "+filepath.Base(to)+". The agent belongs to that file now.")
}

// errNotRecorded means that the file is written and the roster does not know.
var errNotRecorded = errors.New("not recorded")

func (e *Editor) record(d *Draft, write func(context.Context) (agent.Source, error), done string) {
	e.setBusy(true)
	id, rev := d.Base.Agent.ID, d.Base.Revision
	loop.Go(e.cfg.Loop, e.cfg.Context, func(ctx context.Context) (roster.Entry, error) {
		src, err := write(ctx)
		if err != nil {
			return roster.Entry{}, err
		}
		entry, err := e.cfg.Roster.SetSource(ctx, id, rev, src)
		if err != nil {
			return entry, errors.Join(errNotRecorded, err)
		}
		return entry, nil
	}, func(entry roster.Entry, err error) {
		e.setBusy(false)
		switch {
		case errors.Is(err, errNotRecorded):
			e.fail("The file is written, but Callboard could not record it", "Write again: it will find the file done.")
		case err != nil:
			e.fail("Not written", fault.Sentence(err))
		default:
			e.rebase(d, entry)
			e.cfg.Say(done, nil)
		}
	})
}
