package editor

import (
	"context"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/profile"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

const (
	exportWidth  float32 = 960
	exportHeight float32 = 300 // of report and file
	exportLeast  float32 = 140
	exportRest   float32 = 460 // of the window, for all else
	fateWidth    float32 = 68
)

// exportSheet is the choice of a tool, with what would be lost and the file.
type exportSheet struct {
	ed     *Editor
	agent  agent.Agent
	offers []offer
	at     int
	there  []widget.CodeLine // what overwriting would change, where a file is in the way
	over   bool              // there is one
	busy   bool

	tabs   *widget.Tabs
	path   *widget.Field
	report *fyne.Container
	scroll *widget.Scroller
	title  *widget.Text
	facts  *widget.Text
	code   *widget.Code
	wider  *widget.Check
	same   *widget.Text // stands in its place where nothing is wider
	body   *fyne.Container
	sheet  *widget.Sheet
}

func newExportSheet(e *Editor, a agent.Agent, all []offer) *exportSheet {
	x := &exportSheet{
		ed: e, agent: a, offers: all,
		path:   widget.NewField("File"),
		report: widget.Column(12),
		title:  widget.NewCut(theme.Label, theme.Mute, ""),
		facts:  widget.NewText(theme.Label, theme.Mute, ""),
		code:   widget.NewCode(),
		wider:  widget.NewCheck("Write it although it may do more there", ""),
		same:   widget.NewParagraph(theme.Body, theme.Mute, "It may do no more there than here."),
	}
	var names []string
	for i, o := range all {
		names = append(names, o.to.Label())
		if a.Source != nil && o.to == profile.Format(a.Source.Format) && i == x.at {
			x.at++ // the first tool that is another one
		}
	}
	x.at = min(x.at, len(all)-1)
	x.tabs = widget.NewTabs(names...)
	x.tabs.OnSelected = x.pick
	x.path.OnChanged = x.typed
	x.wider.OnChanged = func(widget.Tick) { x.refresh() }
	x.scroll = widget.NewScroller(x.report)
	x.code.SetWrap(true)
	x.body = x.arrange()
	x.sheet = widget.NewSheet("Export "+a.Identity.Name, x.body, "Cancel", "Write", x.write)
	x.sheet.SetWidth(exportWidth)
	x.tabs.Select(x.at)
	x.pick(x.at)
	return x
}

func (x *exportSheet) arrange() *fyne.Container {
	text := "Makes a new file for another tool. The agent here and its file stay as they are."
	switch {
	case x.agent.Source == nil:
		text = "Makes a file for a tool. The agent here stays as it is."
	case x.ed.Dirty():
		text = "Makes a new file for another tool, with the edits that are not saved yet. The agent here and its file stay as they are."
	}
	if x.agent.Source == nil && x.ed.Dirty() {
		text = "Makes a file for a tool, with the edits that are not saved yet. The agent here stays as it is."
	}
	height := theme.Scaled(exportHeight)
	if c := loop.Canvas(x.ed.object); c != nil {
		height = max(theme.Scaled(exportLeast), min(height, c.Size().Height-theme.Scaled(exportRest)))
	}
	head := widget.NewText(theme.Label, theme.Mute, "What becomes of it")
	return widget.Column(12,
		widget.NewParagraph(theme.Body, theme.Mute, text),
		widget.Column(0, x.tabs, widget.NewRule()),
		x.path,
		widget.Panes(theme.PadDetail,
			widget.Grow(1, widget.Column(theme.Gap, head, widget.Fixed(0, height, x.scroll.Object()))),
			widget.Grow(1, widget.Column(theme.Gap,
				widget.Row(theme.Gap, widget.Grow(1, x.title), x.facts), widget.Fixed(0, height, x.code)))),
		x.wider, x.same)
}

func (x *exportSheet) open() { x.sheet.Open(x.ed.object) }

func (x *exportSheet) offer() *offer { return &x.offers[x.at] }

// pick shows the agent for another tool.
func (x *exportSheet) pick(index int) {
	x.at = index
	x.wider.SetState(widget.Unticked)
	x.path.SetText(words.Path(x.offer().path, x.ed.cfg.UserDir))
	x.clear()
	x.fill()
	x.refresh()
}

// typed takes another path.
func (x *exportSheet) typed(text string) {
	x.offer().path = words.Whole(strings.TrimSpace(text), x.ed.cfg.UserDir)
	x.clear()
	x.refresh()
}

// clear forgets the file that was in the way.
func (x *exportSheet) clear() {
	x.over, x.there = false, nil
	x.path.SetError("")
}

// fill lists what becomes of each thing.
func (x *exportSheet) fill() {
	x.report.Objects = nil
	if err := x.offer().err; err != nil {
		x.report.Add(widget.NewNotice(theme.Bad, "", "No file for "+x.offer().to.Label(), fault.Sentence(err)))
	}
	for _, f := range x.offer().made.Report {
		x.report.Add(fateRow(f))
	}
	x.scroll.ScrollToTop()
}

// outcomes are the tones of what became of a thing.
var outcomes = map[profile.Outcome]theme.Tone{
	profile.Kept: theme.OK, profile.Mapped: theme.Info, profile.Dropped: theme.Warn, profile.Capped: theme.Warn,
}

// fateRow is one line of the report.
func fateRow(f profile.Fate) fyne.CanvasObject {
	tone, ink := outcomes[f.Outcome], theme.Ink
	name := f.Field
	if f.Widens {
		tone, ink = theme.Bad, theme.Bad.Text()
		name += " · may do more there"
	}
	said := widget.Column(0, widget.NewParagraph(theme.Strong, ink, name))
	if f.Text != "" {
		said.Add(widget.NewParagraph(theme.Secondary, theme.Mute, f.Text))
	}
	return widget.Panes(12, widget.Sized(fateWidth, 0, widget.NewChip(tone, string(f.Outcome))), widget.Grow(1, said))
}

// refresh shows the file, or what would be overwritten, and what can be done.
func (x *exportSheet) refresh() {
	o := x.offer()
	name := filepath.Base(o.path)
	widens := o.err == nil && o.made.Widens()
	allowed := o.err == nil && (!widens || x.wider.State() == widget.Ticked)
	if x.over {
		x.title.SetText(name + ", what Overwrite would change")
		x.facts.SetText("goes to backups/ first")
		x.code.SetLines(x.there)
		x.sheet.SetAct("Overwrite", true, allowed)
	} else {
		x.title.SetText(name + ", as it will be written")
		x.facts.SetText(words.Count(len(o.made.Data), "byte"))
		x.code.SetLines(o.lines)
		x.sheet.SetAct("Write", widens, allowed)
	}
	widget.Visible(x.wider, widens)
	widget.Visible(x.same, o.err == nil && !widens)
	x.body.Refresh()
	x.sheet.Refresh()
}

// write makes the file. The sheet stays until that is done.
func (x *exportSheet) write() {
	o := x.offer()
	if x.busy || o.err != nil || o.made.Widens() && x.wider.State() != widget.Ticked {
		return
	}
	if !filepath.IsAbs(o.path) {
		x.refuse("Give the whole path.")
		return
	}
	if end := filepath.Ext(o.made.Name); !strings.EqualFold(filepath.Ext(o.path), end) {
		x.refuse("A file for " + o.to.Label() + " ends in " + end + ". Give such a name.")
		return
	}
	x.setBusy(true)
	made, path, over, src := o.made, o.path, x.over, x.agent.Source
	loop.Go(x.ed.cfg.Loop, x.ed.cfg.Context, func(ctx context.Context) (tried, error) {
		return x.ed.export(ctx, src, made, path, over)
	}, func(t tried, err error) {
		x.setBusy(false)
		switch {
		case err != nil:
			x.refuse(fault.Sentence(err))
		case t.there:
			x.over, x.there = true, t.diff
			x.refuse("A file of this name is already there. Choose another name, or overwrite it: what it holds goes to backups/ first.")
			x.refresh()
		default:
			x.sheet.Close()
			x.ed.exported(path, t.done)
		}
	})
}

func (x *exportSheet) refuse(why string) {
	x.path.SetError(why)
	x.sheet.Refresh()
}

// setBusy keeps all of it as it is while the file is written.
func (x *exportSheet) setBusy(busy bool) {
	x.busy = busy
	x.path.SetReadOnly(busy)
	x.sheet.SetBusy(busy)
}
