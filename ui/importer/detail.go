package importer

import (
	"strings"

	"fyne.io/fyne/v2"

	"callboard/app/roster"
	"callboard/app/tool"
	"callboard/ui/editor"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// detail shows one found file: what it grants, what is wrong, and its text.
type detail struct {
	file    *file
	userDir string
	name    *widget.Text
	path    *widget.Text
	facts   *widget.Text
	take    *widget.Check
	notices *fyne.Container
	scroll  *widget.Scroller
	below   *fyne.Container
	code    *widget.Code
	object  fyne.CanvasObject
}

func newDetail(userDir string, leaveOut func(*file, bool)) *detail {
	d := &detail{
		userDir: userDir,
		name:    widget.NewCut(theme.Heading, theme.Ink, ""),
		path:    widget.NewCut(theme.CodeSmall, theme.Mute, ""),
		facts:   widget.NewParagraph(theme.Secondary, theme.Mute, ""),
		take:    widget.NewCheck("Import this one", ""),
		notices: widget.Column(12),
		code:    widget.NewCode(),
	}
	d.take.OnChanged = func(t widget.Tick) { leaveOut(d.file, t != widget.Ticked) }
	d.code.SetNumbers(true)
	d.scroll = widget.NewScroller(d.notices)
	d.below = widget.Grow(2, d.scroll.Object())
	d.object = widget.Column(12,
		widget.Row(theme.Gap, widget.Grow(1, widget.Column(2, d.name, d.path, d.facts)), d.take),
		widget.Grow(3, d.code), d.below)
	return d
}

func (d *detail) show(f *file) {
	d.file = f
	d.name.SetText(f.name())
	d.path.SetText(words.Path(f.path, d.userDir))
	d.facts.SetText(f.grants())
	d.take.SetEnabled(f.can())
	d.take.SetState(map[bool]widget.Tick{true: widget.Ticked}[f.can() && !f.leftOut])
	d.showFile()
	d.notices.Objects = nil
	if f.why != "" {
		tone := theme.Info
		if f.broken {
			tone = theme.Bad
		}
		d.notices.Add(widget.NewNotice(tone, "", "Not imported", f.why))
	}
	d.standing()
	for _, p := range f.read.Problems {
		d.notices.Add(editor.NoticeOf(p))
	}
	d.notices.Refresh()
	d.scroll.ScrollToTop()
	widget.Visible(d.below, len(d.notices.Objects) > 0)
	d.object.Refresh()
}

// showFile shows the file, or what in it differs from the roster's agent.
func (d *detail) showFile() {
	src, stored := d.file.read.Agent.Source, d.file.match.Stored.Agent.Source
	switch {
	case src == nil:
		d.code.SetText("")
	case d.file.can() && d.file.renews() && stored != nil:
		d.code.SetNumbers(false)
		d.code.SetLines(editor.DiffCode(stored.Original, src.Original))
		return
	default:
		d.code.SetText(string(src.Original))
	}
	d.code.SetNumbers(true)
}

// standing says how the file stands to the roster, and to others of its name.
func (d *detail) standing() {
	f := d.file
	add := func(tone theme.Tone, title, text string) {
		d.notices.Add(widget.NewNotice(tone, "", title, text))
	}
	switch f.match.State {
	case roster.Fresh:
	case roster.Same:
		add(theme.Info, "In the roster already", "The file says what it said. Edit the agent there.")
	case roster.Edited:
		add(theme.Info, "In the roster, with edits", "The file says what it said. The edits are not written to it yet.")
	case roster.Changed:
		add(theme.Info, "Changed on disk", "Above: what differs from the roster's copy. Importing takes the file's version; Undo brings yours back.")
	case roster.Both:
		add(theme.Warn, "Changed here and on disk", "Above: what changed in the file. Importing takes the file's version; Undo brings your edits back.")
	}
	if more := f.widened(); len(more) > 0 {
		add(theme.Warn, "It may do more than before", "The file now also grants "+editor.GrantWords(more)+".")
	}
	if f.read.Origin.ReadOnly {
		add(theme.Info, "Not yours to write", "The file belongs to a plugin or to this machine's administrator. Edits stay in Callboard.")
	}
	for _, s := range f.read.Standings {
		tone, title := theme.Info, "Others have this name"
		if s.Known && !s.Wins {
			tone, title = theme.Warn, "Not the one "+s.Tool.Label()+" uses"
		}
		s.Other = words.Path(s.Other, d.userDir)
		add(tone, title, s.Sentence())
	}
}

// grants says what the agent may do, as its file stands.
func (x *file) grants() string {
	if x.why != "" {
		return ""
	}
	g := x.read.Agent.Grants()
	if g.OwnDefault {
		return "Comes disabled: " + g.Doubt + "."
	}
	if !g.Certain {
		return "Comes disabled, with no tools: " + g.Doubt + "."
	}
	var may []string
	for _, grant := range g.Atoms {
		name := strings.ToLower(editor.AtomNames[grant.Atom])
		switch grant.Level {
		case tool.On:
			may = append(may, name)
		case tool.Partly:
			may = append(may, name+" (in part)")
		case tool.Off:
		}
	}
	if len(g.Servers) > 0 {
		may = append(may, "use tool servers")
	}
	if len(may) == 0 {
		return "May do nothing with tools."
	}
	return "May " + strings.Join(may, "; ") + "."
}

// forget shows nothing.
func (d *detail) forget() {
	d.file = &file{}
	d.name.SetText("")
	d.path.SetText("")
	d.facts.SetText("")
	d.code.SetText("")
	d.notices.Objects = nil
	d.notices.Refresh()
}
