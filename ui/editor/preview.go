package editor

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
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

// maxNotices is how many problems are spelled out beside the form.
const maxNotices = 20

// preview is the file as it will be written, and what is worth knowing of it.
// The work is done off the drawing thread, one at a time; a change made
// meanwhile is picked up when it is done.
type preview struct {
	ed      *Editor
	title   *widget.Text
	facts   *widget.Text
	code    *widget.Code
	notices *fyne.Container
	scroll  *widget.Scroller
	below   *fyne.Container
	object  fyne.CanvasObject

	shown   *Draft // whose file is shown
	working bool
	again   bool
}

// written is what the background work finds out.
type written struct {
	name     string // of the file, for an agent without one
	change   profile.Change
	lines    []widget.CodeLine
	first    int // the first changed line, counted from 0; -1 for none
	problems []profile.Problem
}

func newPreview(e *Editor) *preview {
	p := &preview{
		ed:      e,
		title:   widget.NewCut(theme.Label, theme.Mute, ""),
		facts:   widget.NewText(theme.Label, theme.Mute, ""),
		code:    widget.NewCode(),
		notices: widget.Column(12),
	}
	p.scroll = widget.NewScroller(p.notices)
	p.below = widget.Grow(2, p.scroll.Object())
	p.object = widget.Column(12,
		widget.Row(theme.Gap, widget.Grow(1, p.title), p.facts),
		widget.Grow(3, p.code), p.below)
	p.code.SetWrap(true)
	return p
}

// reset has the next result scroll to what changed.
func (p *preview) reset() { p.shown = nil }

// update works out the file for the draft as it is now.
func (p *preview) update() {
	if p.ed.draft == nil || p.ed.draft.Base.Agent.ID == "" {
		return
	}
	if p.working {
		p.again = true
		return
	}
	p.working = true
	d, a := p.ed.draft, p.ed.draft.Agent.Clone()
	loop.Go(p.ed.cfg.Loop, p.ed.cfg.Context, func(context.Context) (written, error) {
		return assemble(a)
	}, func(w written, err error) {
		p.working = false
		if d == p.ed.draft {
			p.show(d, w, err)
		}
		if p.again || d != p.ed.draft {
			p.again = false
			p.update()
		}
	})
}

func assemble(a agent.Agent) (written, error) {
	if a.Source == nil {
		return assembleNew(a)
	}
	src := a.Source
	c, err := profile.Patch(*src, a)
	if err != nil {
		return written{lines: plainLines(src.Original), first: -1}, err
	}
	w := written{change: c}
	w.lines, w.first = diffWhole(c.Before, c.After)
	after := *src
	after.Original = c.After
	f, err := profile.Read(after)
	w.problems = f.Problems
	return w, err
}

// assembleNew is the file of an agent that has none yet, as an export to the
// tool in whose words it is written would make it.
func assembleNew(a agent.Agent) (written, error) {
	w := written{first: -1}
	format := profile.Format(a.Words().Dialect)
	if !slices.Contains(profile.Formats(), format) {
		format = profile.ClaudeCode
	}
	made, err := profile.Convert(a, format)
	if err != nil {
		return w, err
	}
	w.name, w.lines = made.Name, plainLines(made.Data)
	f, err := profile.Read(agent.Source{Format: string(format), Path: string(filepath.Separator) + made.Name, Original: made.Data})
	w.problems = f.Problems
	return w, err
}

// headline says which file is shown, and how.
func (p *preview) headline(src *agent.Source, w written, err error) {
	switch {
	case src == nil && err != nil:
		p.title.SetText("")
		p.facts.SetText("cannot be written as a file")
	case src == nil:
		p.title.SetText(w.name + ", as Export would write it")
		p.facts.SetText("not in a file")
	case err != nil:
		p.title.SetText(p.ed.fileName() + ", as it is now")
		p.facts.SetText("the edits cannot be written")
	default:
		p.title.SetText(p.ed.fileName() + map[bool]string{false: ", as it will be written", true: ", as it would be written"}[src.ReadOnly])
		p.facts.SetText(spanFacts(src, w.change))
	}
}

func (p *preview) show(d *Draft, w written, err error) {
	src := d.Agent.Source
	p.headline(src, w, err)
	p.code.SetLines(w.lines)
	if p.shown != d && w.first > 3 {
		p.code.ScrollTo(w.first - 3)
	}
	p.shown = d
	p.notices.Objects = nil
	if err != nil && len(d.Problems()) == 0 { // else the boxes say what is wrong
		p.notices.Add(widget.NewNotice(theme.Bad, "", "This edit cannot be written to the file", fault.Sentence(err)))
	}
	if src != nil && src.ReadOnly {
		p.notices.Add(widget.NewNotice(theme.Info, "", "The file is not yours to write",
			"It belongs to a plugin or to this machine's administrator. You can edit and save the agent here; the file stays as it is."))
	}
	for i, problem := range w.problems {
		if i == maxNotices {
			p.notices.Add(widget.NewParagraph(theme.Secondary, theme.Mute,
				fmt.Sprintf("and %d more", len(w.problems)-i)))
			break
		}
		p.notices.Add(NoticeOf(problem))
	}
	p.notices.Refresh()
	p.scroll.ScrollToTop()
	widget.Visible(p.below, len(p.notices.Objects) > 0)
	p.object.Refresh()
}

// NoticeOf shows a problem of a file.
func NoticeOf(problem profile.Problem) *widget.Notice {
	where := ""
	if problem.Line > 0 {
		where = fmt.Sprintf("line %d", problem.Line)
	}
	title, rest, _ := strings.Cut(problem.Text, ". ")
	return widget.NewNotice(toneOf(problem.Level), where, strings.TrimSuffix(title, "."), rest)
}

func toneOf(l profile.Level) theme.Tone {
	switch l {
	case profile.Error:
		return theme.Bad
	case profile.Warning:
		return theme.Warn
	case profile.Notice:
	}
	return theme.Info
}

func spanFacts(src *agent.Source, c profile.Change) string {
	facts := map[string]string{"crlf": "CRLF kept · ", "mixed": "mixed line ends kept · "}[src.EOL]
	if src.BOM {
		facts = "BOM kept · " + facts
	}
	if len(c.Spans) == 0 {
		return facts + "unchanged"
	}
	return facts + words.Count(len(c.Spans), "span") + " changed"
}

func plainLines(text []byte) []widget.CodeLine {
	lines, _ := diffWhole(text, text)
	return lines
}

// diffWhole is the whole file after, with the lines of before that go in
// between, and the first line that differs, -1 for none.
func diffWhole(before, after []byte) ([]widget.CodeLine, int) {
	whole := strings.Split(strings.TrimSuffix(string(after), "\n"), "\n")
	diff := profile.DiffLines(before, after)
	from, to := 0, 0 // whole[:from] comes before the diff, whole[to:] after it
	for _, l := range diff {
		if l.Kind == profile.LineRemoved {
			continue
		}
		if to == 0 {
			from = l.Line - 1
		}
		to = l.Line
	}
	var out []widget.CodeLine
	for _, l := range whole[:min(from, len(whole))] {
		out = append(out, widget.CodeLine{Text: strings.TrimSuffix(l, "\r")})
	}
	first := -1
	for _, l := range diff {
		if first < 0 && l.Kind != profile.LineSame {
			first = len(out)
		}
		out = append(out, DiffLine(l))
	}
	for _, l := range whole[min(to, len(whole)):] {
		out = append(out, widget.CodeLine{Text: strings.TrimSuffix(l, "\r")})
	}
	return out, first
}

// DiffLine is a line of a diff as the code view shows it.
func DiffLine(l profile.DiffLine) widget.CodeLine {
	return widget.CodeLine{Text: l.Text, Change: map[profile.DiffKind]widget.Change{
		profile.LineAdded: widget.Added, profile.LineRemoved: widget.Removed,
	}[l.Kind]}
}

// forget shows nothing.
func (p *preview) forget() {
	p.title.SetText("")
	p.facts.SetText("")
	p.code.SetLines(nil)
	p.notices.Objects = nil
	p.notices.Refresh()
}
