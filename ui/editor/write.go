package editor

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

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

// job is one write: of the draft's agent as it was stored at that revision.
type job struct {
	draft    *Draft
	id       string
	revision uint64
	plan     profile.Plan
}

// WriteToFile saves the draft, shows what would change in the file and writes
// it once that is confirmed.
func (e *Editor) WriteToFile() {
	if d := e.draft; e.CanWrite() && !e.busy {
		e.save(func() { e.prepare(d) })
	}
}

// prepare works out the write of what is stored, and asks. Nothing can be
// saved meanwhile.
func (e *Editor) prepare(d *Draft) {
	if d != e.draft && !e.linked(d) {
		return // another agent is shown, or none
	}
	if !d.Base.Unwritten {
		e.cfg.Say(e.fileName()+" says this already.", nil)
		return
	}
	j := job{draft: d, id: d.Base.Agent.ID, revision: d.Base.Revision}
	a := d.Base.Agent.Clone()
	e.setBusy(true)
	loop.Go(e.cfg.Loop, e.cfg.Context, func(ctx context.Context) (profile.Plan, error) {
		return e.cfg.Files.Preview(ctx, a)
	}, func(p profile.Plan, err error) {
		e.setBusy(false)
		j.plan = p
		switch {
		case d != e.draft && !e.linked(d):
			return
		case err != nil:
			e.tell(d, "Not written", fault.Sentence(err))
		case p.State == profile.Same && e.linked(d):
			e.write(j, profile.WriteOptions{}, "Saved, and written to "+filepath.Base(p.Path)+".")
		case p.State == profile.Same:
			e.confirm(j)
		case p.State == profile.Written:
			e.write(j, profile.WriteOptions{}, filepath.Base(p.Path)+" says this already.")
		case d != e.draft:
			e.tell(d, "Not written", "The file on disk changed. Open the agent and compare.")
		default:
			e.resolve(j)
		}
	})
}

// confirm shows the lines that change.
func (e *Editor) confirm(j job) {
	var sheet *widget.Sheet
	name := filepath.Base(j.plan.Path)
	changes := " in the file changes."
	if len(j.plan.Change.Spans) != 1 {
		changes = " in the file change."
	}
	text := words.Count(len(j.plan.Change.Spans), "place") + changes + " Every other byte stays. " +
		"The file as it is now goes to backups/."
	sheet = widget.NewSheet("Write "+name, e.sheetBody(j.plan.Path, text, j.plan.Change.Before, j.plan.Change.After),
		"Cancel", "Write", func() {
			sheet.Close()
			e.write(j, profile.WriteOptions{}, "Written to "+name+". The file as it was is in backups/.")
		})
	sheet.SetWidth(diffWidth)
	sheet.Open(e.object)
}

// resolve says that the file is not what the agent was read from, and offers
// what can be done.
func (e *Editor) resolve(j job) {
	var sheet *widget.Sheet
	path := widget.NewField("Save elsewhere as")
	elsewhere := func() { e.saveElsewhere(j, path, sheet) }
	path.OnSubmitted = func(string) { elsewhere() }
	row := widget.Row(theme.Gap, widget.Grow(1, path),
		widget.Inset(20, 0, 0, 0, widget.NewButton(widget.Secondary, "Save elsewhere", elsewhere)))
	if j.plan.State == profile.Missing {
		path.SetText(words.Path(j.plan.Path, e.cfg.UserDir))
		text := "Not written. Save elsewhere, or put the file back."
		sheet = widget.NewSheet("The file is gone",
			widget.Column(theme.Pad, widget.NewParagraph(theme.Body, theme.Ink, text), row), "Cancel", "", nil)
	} else {
		path.SetText(words.Path(beside(j.plan.Path, "-edited"), e.cfg.UserDir))
		text := "Not written. Below: what Overwrite would replace. It goes to backups/ first."
		body := widget.Column(theme.Pad, widget.Grow(1, e.sheetBody(j.plan.Path, text, j.plan.Disk, j.plan.Change.After)), row)
		sheet = widget.NewSheet("The file on disk changed", body, "Cancel", "Overwrite", func() {
			sheet.Close()
			e.write(j, profile.WriteOptions{Overwrite: true},
				"Written to "+filepath.Base(j.plan.Path)+". The file as it was is in backups/.")
		})
		sheet.SetDanger()
	}
	sheet.SetWidth(diffWidth)
	sheet.Open(e.object)
}

// beside suggests another name in the same folder. Some tools go by an end of
// two parts.
func beside(path, mark string) string {
	ext := filepath.Ext(path)
	for _, two := range []string{".agent.md", ".chatmode.md"} {
		if strings.HasSuffix(path, two) {
			ext = two
		}
	}
	return strings.TrimSuffix(path, ext) + mark + ext
}

func (e *Editor) sheetBody(path, text string, before, after []byte) fyne.CanvasObject {
	code := widget.NewCode()
	code.SetWrap(true)
	code.SetLines(DiffCode(before, after))
	return widget.Column(12,
		widget.NewCut(theme.CodeSmall, theme.Mute, words.Path(path, e.cfg.UserDir)),
		widget.NewParagraph(theme.Body, theme.Ink, text),
		widget.Sized(0, diffHeight, code))
}

// DiffCode is what differs between two versions of a file, for a code view.
func DiffCode(before, after []byte) []widget.CodeLine {
	var lines []widget.CodeLine
	for _, l := range profile.DiffLines(before, after) {
		line := DiffLine(l)
		line.Text = map[widget.Change]string{widget.Same: "  ", widget.Added: "+ ", widget.Removed: "- "}[line.Change] + line.Text
		lines = append(lines, line)
	}
	return lines
}

// write writes the file and records what it holds.
func (e *Editor) write(j job, o profile.WriteOptions, done string) {
	e.record(j, func(ctx context.Context) (agent.Source, error) { return e.cfg.Files.Write(ctx, j.plan, o) },
		func() { e.cfg.Say(done, nil) },
		func(why string) { e.tell(j.draft, "Not written", why) })
}

// tell says what did not happen to a draft, above the page if it is shown and
// else in passing.
func (e *Editor) tell(d *Draft, title, why string) {
	if d == e.draft {
		e.fail(title, why)
		return
	}
	e.cfg.Say(d.Base.Agent.Identity.Name+": "+strings.ToLower(title)+". "+why, nil)
}

// saveElsewhere makes another file. The sheet stays until that is done.
func (e *Editor) saveElsewhere(j job, path *widget.Field, sheet *widget.Sheet) {
	to := words.Whole(strings.TrimSpace(path.Text()), e.cfg.UserDir)
	if !filepath.IsAbs(to) {
		path.SetError("Give the whole path.")
		return
	}
	path.SetError("")
	e.record(j, func(ctx context.Context) (agent.Source, error) { return e.cfg.Files.SaveElsewhere(ctx, j.plan, to) },
		func() {
			sheet.Close()
			e.cfg.Say("Saved as "+filepath.Base(to)+". The agent belongs to that file now.", nil)
		}, path.SetError)
}

// errNotRecorded means that the file is written and the roster does not know.
var errNotRecorded = fault.New(fault.Unavailable, "not_recorded", "the file is written, but Callboard could not record it").
	Then("Write again: it will find the file done.")

// record does a write, records what the file holds and calls one of done and
// failed.
func (e *Editor) record(j job, write func(context.Context) (agent.Source, error), done func(), failed func(why string)) {
	if e.busy {
		return
	}
	e.setBusy(true)
	loop.Go(e.cfg.Loop, e.cfg.Context, func(ctx context.Context) (roster.Entry, error) {
		src, err := write(ctx)
		if err != nil {
			return roster.Entry{}, err
		}
		entry, err := e.cfg.Roster.SetSource(ctx, j.id, j.revision, src)
		if err != nil {
			return entry, fmt.Errorf("%w: %w", errNotRecorded, err)
		}
		return entry, nil
	}, func(entry roster.Entry, err error) {
		e.setBusy(false)
		if err != nil {
			failed(fault.Sentence(err))
			return
		}
		e.rebase(j.draft, entry)
		done()
	})
}
