package editor

import (
	"strings"

	"fyne.io/fyne/v2"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/tool"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// AtomNames are the atoms in words.
var AtomNames = map[tool.Atom]string{
	tool.FSRead:      "Read files",
	tool.FSList:      "List and search files",
	tool.FSWrite:     "Write files",
	tool.ExecuteBash: "Run commands, also through subagents",
	tool.WebFetch:    "Fetch from the web",
}

// toolsPage shows what the tool list grants and why, and lets the person tick
// an atom or write the tokens.
type toolsPage struct {
	ed      *Editor
	enabled *widget.Check
	atoms   map[tool.Atom]*widget.Check
	tokens  *widget.Field
	denied  *widget.Field
	fields  map[agent.Field]*widget.Field
	omit    *widget.Button
	doubt   *widget.Notice
	grants  *fyne.Container
	object  fyne.CanvasObject
}

func newToolsPage(e *Editor) *toolsPage {
	p := &toolsPage{
		ed:      e,
		enabled: widget.NewCheck("Enabled", ""),
		atoms:   map[tool.Atom]*widget.Check{},
		tokens:  widget.NewField("Tools, as the file states them"),
		denied:  widget.NewField("Denied tools"),
		doubt:   widget.NewNotice(theme.Warn, "", "", ""),
		grants:  widget.Column(theme.Gap),
	}
	p.fields = map[agent.Field]*widget.Field{agent.Tools: p.tokens, agent.Denied: p.denied}
	p.enabled.OnChanged = func(widget.Tick) { e.ToggleEnabled() }
	p.omit = widget.NewButton(widget.Secondary, "Leave the list out", p.leaveOut)
	p.tokens.OnChanged = func(text string) { e.draft.SetTools(text); e.touched() }
	p.denied.OnChanged = func(text string) { e.draft.SetDenied(text); e.touched() }
	p.denied.SetPlaceholder("none")
	list := []fyne.CanvasObject{widget.NewText(theme.Heading, theme.Ink, "What it may do")}
	for _, a := range tool.Atoms() {
		check := widget.NewCheck(AtomNames[a], "")
		check.OnChanged = func(t widget.Tick) { p.tick(a, t == widget.Ticked) }
		p.atoms[a] = check
		list = append(list, check)
	}
	left := widget.Column(theme.Pad, p.doubt, widget.NewCard(widget.Column(12, list...)),
		widget.NewCard(widget.Column(12, p.enabled)))
	right := widget.Column(theme.Pad,
		widget.NewCard(widget.Column(12, p.tokens, p.denied, widget.Row(theme.Gap, p.omit, widget.Space()))),
		widget.NewCard(p.grants))
	p.object = widget.NewScroller(widget.Panes(theme.Pad, widget.Grow(1, left), widget.Grow(1, right))).Object()
	return p
}

func (p *toolsPage) tick(a tool.Atom, on bool) {
	if err := p.ed.draft.SetAtom(a, on); err != nil {
		p.ed.fail("Not changed", fault.Sentence(err))
		p.refresh()
		return
	}
	p.fill()
	p.ed.touched()
}

func (p *toolsPage) leaveOut() {
	p.ed.draft.OmitTools()
	p.fill()
	p.ed.touched()
}

// fill puts the draft into the boxes.
func (p *toolsPage) fill() {
	p.tokens.SetText(p.ed.draft.TypedTools())
	p.denied.SetText(p.ed.draft.TypedDenied())
}

func (p *toolsPage) refresh() {
	d := p.ed.draft
	tell(p.fields, d.Problems())
	g := d.Agent.Grants()
	ticks := map[tool.Level]widget.Tick{tool.Off: widget.Unticked, tool.Partly: widget.Partly, tool.On: widget.Ticked}
	for _, grant := range g.Atoms {
		p.atoms[grant.Atom].SetState(ticks[grant.Level])
		p.atoms[grant.Atom].SetReason(grant.Why)
	}
	p.tokens.SetPlaceholder(stated(d.Agent.Access.Tools))
	p.omit.SetEnabled(d.Agent.Access.Tools.Stated != tool.Omitted)
	if !g.Certain {
		p.doubt.Set(theme.Warn, "", "Nothing is granted for certain", capital(g.Doubt)+". Tick what the agent needs, or leave the list out.")
	}
	widget.Visible(p.doubt, !g.Certain)
	p.enabled.SetEnabled(g.Certain)
	p.enabled.SetState(ticks[map[bool]tool.Level{true: tool.On, false: tool.Off}[d.Agent.Enabled]])
	p.enabled.SetReason(enabledWhy(d.Agent.Enabled, g.Certain))
	p.showGrants(g)
	p.object.Refresh()
}

// showGrants lists everything the tool list comes to besides the atoms.
func (p *toolsPage) showGrants(g tool.Grants) {
	p.grants.Objects = []fyne.CanvasObject{widget.NewText(theme.Heading, theme.Ink, "Also in the list")}
	add := func(label string, tokens []string) {
		if len(tokens) > 0 {
			p.grants.Add(widget.NewParagraphSpans(
				widget.Span{Text: label + " ", Role: theme.Body, Ink: theme.Mute},
				widget.Span{Text: strings.Join(tokens, ", "), Role: theme.CodeSmall, Ink: theme.Ink}))
		}
	}
	add("Tool servers:", g.Servers)
	add("Other tools:", g.Other)
	add("Unknown, granting nothing:", g.Unknown)
	for _, n := range g.Notes {
		p.grants.Add(widget.NewParagraph(theme.Secondary, theme.Mute, n.Text))
	}
	if len(p.grants.Objects) == 1 {
		p.grants.Add(widget.NewParagraph(theme.Secondary, theme.Mute, "Nothing else."))
	}
}

func stated(l tool.List) string {
	switch l.Stated {
	case tool.Omitted:
		return "left out: all tools, to Claude Code"
	case tool.Empty:
		return "blank"
	case tool.Unread:
		return "cannot be read for certain"
	case tool.Listed:
	}
	return ""
}

func enabledWhy(enabled, certain bool) string {
	switch {
	case !certain:
		return "Off while it is not known what its tools grant."
	case enabled:
		return "It may be used."
	default:
		return "Kept and edited here, but not used."
	}
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
