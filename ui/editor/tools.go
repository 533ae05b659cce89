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

// GrantWords puts what tool.Grants.Effective lists into words: atoms by their
// names, tool servers as they are.
func GrantWords(effective []string) string {
	out := make([]string, len(effective))
	for i, e := range effective {
		atom, part := strings.CutPrefix(e, "~")
		name, known := AtomNames[tool.Atom(atom)]
		switch {
		case !known:
			out[i] = e
		case part:
			out[i] = strings.ToLower(name) + " (in part)"
		default:
			out[i] = strings.ToLower(name)
		}
	}
	return strings.Join(out, "; ")
}

// toolsPage shows what the tool list grants and why, and lets the person tick
// an atom or write the tokens, as far as the agent's file has a place for it.
type toolsPage struct {
	ed      *Editor
	enabled *widget.Check
	fixed   *widget.Text // why no atom can be ticked
	atoms   map[tool.Atom]*widget.Check
	bounds  map[string]*widget.Field // by the key in the file; one is shown at most
	values  *widget.Text             // what it can be
	bound   *fyne.Container          // both
	tokens  *widget.Field
	denied  *widget.Field
	fields  map[agent.Field]*widget.Field
	omit    *widget.Button
	omitRow *fyne.Container
	doubt   *widget.Notice
	also    *widget.Card
	grants  *fyne.Container
	object  fyne.CanvasObject
}

func newToolsPage(e *Editor) *toolsPage {
	p := &toolsPage{
		ed:      e,
		enabled: widget.NewCheck("Enabled", ""),
		fixed:   widget.NewParagraph(theme.Secondary, theme.Mute, ""),
		atoms:   map[tool.Atom]*widget.Check{},
		bounds:  map[string]*widget.Field{},
		values:  widget.NewParagraph(theme.Secondary, theme.Mute, ""),
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
	p.object = widget.NewScroller(widget.Panes(theme.Pad, widget.Grow(1, p.left()), widget.Grow(1, p.right()))).Object()
	return p
}

// left is what the agent may do.
func (p *toolsPage) left() fyne.CanvasObject {
	list := widget.Column(12, widget.NewText(theme.Heading, theme.Ink, "What it may do"), p.fixed)
	for _, a := range tool.Atoms() {
		check := widget.NewCheck(AtomNames[a], "")
		check.OnChanged = func(t widget.Tick) { p.tick(a, t == widget.Ticked) }
		p.atoms[a] = check
		list.Add(check)
	}
	return widget.Column(theme.Pad, p.doubt, widget.NewCard(list), widget.NewCard(widget.Column(12, p.enabled)))
}

// right is what its file says.
func (p *toolsPage) right() fyne.CanvasObject {
	p.bound = widget.Column(6)
	for key, b := range bounds {
		box := widget.NewField(b.label)
		box.SetPlaceholder("not stated")
		box.OnChanged = func(text string) { p.ed.draft.SetBound(text); p.ed.touched() }
		p.bounds[key] = box
		p.bound.Add(box)
	}
	p.bound.Add(p.values)
	p.omitRow = widget.Row(theme.Gap, p.omit, widget.Space())
	p.also = widget.NewCard(p.grants)
	return widget.Column(theme.Pad,
		widget.NewCard(widget.Column(12, p.bound, p.tokens, p.denied, p.omitRow)), p.also)
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

// fill puts the draft into the boxes and shows those its file has a place for.
func (p *toolsPage) fill() {
	d, k := p.ed.draft, kindOf(p.ed.draft.Agent)
	p.tokens.SetText(d.TypedTools())
	p.denied.SetText(d.TypedDenied())
	p.fixed.SetText(k.fixed())
	p.tokens.SetReadOnly(!k.writesList())
	for _, check := range p.atoms {
		check.SetEnabled(k.facts.Edits)
	}
	widget.Visible(p.fixed, k.fixed() != "")
	p.fillBound(k)
	widget.Visible(p.omitRow, k.writesList())
	place(p.tokens, p.tokens, k.hasList())
	place(p.denied, p.denied, k.denies())
	p.object.Refresh()
}

// fillBound shows the box of the word that bounds the agent, if there is one.
func (p *toolsPage) fillBound(k kind) {
	delete(p.fields, agent.Bound)
	for key, box := range p.bounds {
		box.SetText("")
		here := k.bounds() && key == k.facts.Bound
		if here {
			p.fields[agent.Bound] = box
			box.SetText(p.ed.draft.TypedBound())
		}
		place(box, box, here)
	}
	p.values.SetText(k.bound().values)
	widget.Visible(p.bound, k.bounds())
}

func (p *toolsPage) refresh() {
	d, k := p.ed.draft, kindOf(p.ed.draft.Agent)
	tell(p.fields, d.Problems())
	g, l := d.Agent.Grants(), d.Agent.Access.Tools
	ticks := map[tool.Level]widget.Tick{tool.Off: widget.Unticked, tool.Partly: widget.Partly, tool.On: widget.Ticked}
	for _, grant := range g.Atoms {
		p.atoms[grant.Atom].SetState(ticks[grant.Level])
		p.atoms[grant.Atom].SetReason(grant.Why)
	}
	p.tokens.SetPlaceholder(k.stated(l))
	p.omit.SetEnabled(l.Stated != tool.Omitted)
	if !g.Certain {
		tone, title, text := k.doubt(l, g)
		p.doubt.Set(tone, "", title, text)
	}
	widget.Visible(p.doubt, !g.Certain)
	p.enabled.SetEnabled(g.Certain)
	p.enabled.SetState(ticks[map[bool]tool.Level{true: tool.On, false: tool.Off}[d.Agent.Enabled]])
	p.enabled.SetReason(enabledWhy(d.Agent.Enabled, g.Certain))
	p.showGrants(k, l, g)
	p.object.Refresh()
}

// showGrants lists everything the tools come to besides the atoms. Where the
// file lists none, there may be nothing to say.
func (p *toolsPage) showGrants(k kind, l tool.List, g tool.Grants) {
	title := "Also in the list"
	if !k.hasList() {
		title = "Beyond that"
	}
	p.grants.Objects = []fyne.CanvasObject{widget.NewText(theme.Heading, theme.Ink, title)}
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
	widget.Visible(p.also, len(p.grants.Objects) > 1 || l.Stated == tool.Listed)
	if len(p.grants.Objects) == 1 {
		p.grants.Add(widget.NewParagraph(theme.Secondary, theme.Mute, "Nothing else."))
	}
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
