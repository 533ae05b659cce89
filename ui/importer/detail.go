package importer

import (
	"strings"

	"fyne.io/fyne/v2"

	"callboard/app/tool"
	"callboard/ui/editor"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// detail shows one found file: what it grants, what is wrong, and its text.
type detail struct {
	file    *file
	name    *widget.Text
	facts   *widget.Text
	take    *widget.Check
	notices *fyne.Container
	scroll  *widget.Scroller
	below   *fyne.Container
	code    *widget.Code
	object  fyne.CanvasObject
}

func newDetail(leaveOut func(*file, bool)) *detail {
	d := &detail{
		name:    widget.NewCut(theme.Heading, theme.Ink, ""),
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
		widget.Row(theme.Gap, widget.Grow(1, widget.Column(2, d.name, d.facts)), d.take),
		widget.Grow(3, d.code), d.below)
	return d
}

func (d *detail) show(f *file) {
	d.file = f
	d.name.SetText(f.name())
	d.facts.SetText(f.grants())
	d.take.SetEnabled(f.can())
	d.take.SetState(map[bool]widget.Tick{true: widget.Ticked}[f.can() && !f.leftOut])
	d.code.SetText("")
	if f.read.Agent.Source != nil {
		d.code.SetText(string(f.read.Agent.Source.Original))
	}
	d.notices.Objects = nil
	if f.why != "" {
		tone := theme.Info
		if f.broken {
			tone = theme.Bad
		}
		d.notices.Add(widget.NewNotice(tone, "", "Not imported", f.why))
	}
	if f.known {
		d.notices.Add(widget.NewNotice(theme.Info, "", "In the roster already", "Edit it there."))
	}
	for _, p := range f.read.Problems {
		d.notices.Add(editor.NoticeOf(p))
	}
	d.notices.Refresh()
	d.scroll.ScrollToTop()
	widget.Visible(d.below, len(d.notices.Objects) > 0)
	d.object.Refresh()
}

// grants says what the agent may do, as its file stands.
func (x *file) grants() string {
	if x.why != "" {
		return x.path
	}
	g := x.read.Agent.Grants()
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
	d.facts.SetText("")
	d.code.SetText("")
	d.notices.Objects = nil
	d.notices.Refresh()
}
