package editor

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"callboard/app/agent"
	"callboard/app/roster"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// The columns of the table.
var accessColumns = []string{"See", "Call"}

// everyone is the first row.
const everyone = "Everyone, now and later"

// accessPage says which agents this one may see and call.
type accessPage struct {
	ed     *Editor
	others []roster.Summary // those that the search finds
	search *widget.Search
	grid   *widget.Grid
	none   *widget.Empty
	from   *widget.Text // who may call this one
	object fyne.CanvasObject
}

func newAccessPage(e *Editor) *accessPage {
	p := &accessPage{
		ed: e, grid: widget.NewGrid(true),
		search: widget.NewSearch("Search agents", ""),
		none:   widget.NewEmpty("There is no other agent to see or call.", "", nil),
		from:   widget.NewParagraph(theme.Body, theme.Ink, ""),
	}
	p.search.OnChanged = func(string) { p.fill() }
	p.search.OnDown = func() { loop.Focus(p.grid) }
	p.grid.Level = p.level
	p.grid.OnPressed = p.press
	p.grid.OnTyped = func(row, _ int, r rune) {
		if col := strings.IndexRune("sc", r); col >= 0 {
			p.press(row, col)
		}
	}
	left := widget.Column(theme.Pad,
		widget.NewParagraph(theme.Body, theme.Mute, "What is not ticked is refused. Who may be called may be seen, too. Space ticks."),
		p.search, widget.Grow(1, container.NewStack(widget.NewFrame(p.grid), p.none)))
	right := widget.Column(theme.Pad, widget.NewCard(widget.Column(12,
		widget.NewText(theme.Heading, theme.Ink, "Who may call this agent"), p.from,
		widget.Row(0, widget.NewButton(widget.Secondary, "Who may call whom…", e.cfg.Matrix), widget.Space()))))
	p.object = widget.Panes(theme.Pad, widget.Grow(3, left), widget.Grow(2, right))
	return p
}

// Listed is called when the agents were read again.
func (e *Editor) Listed() {
	if e.draft != nil {
		e.access.fill()
	}
}

// fill puts the other agents into the table.
func (p *accessPage) fill() {
	self := p.ed.draft.Base.Agent.ID
	p.others = nil
	for _, a := range roster.Filter(p.ed.cfg.Agents(), p.search.Text()) {
		if a.ID != self {
			p.others = append(p.others, a)
		}
	}
	rows := []string{everyone}
	for _, a := range p.others {
		rows = append(rows, a.Name)
	}
	p.grid.SetNames(rows, accessColumns)
	alone := len(p.ed.cfg.Agents()) < 2
	widget.Visible(p.none, alone)
	widget.Visible(p.search, !alone)
	p.callers(self)
}

// maxCallers is how many callers are named.
const maxCallers = 12

// callers names the agents that may call this one.
func (p *accessPage) callers(self string) {
	var names []string
	for _, a := range p.ed.cfg.Agents() {
		if a.ID != self && a.Reach.May(agent.Call, self) {
			names = append(names, a.Name)
		}
	}
	switch n := len(names); {
	case n == 0:
		p.from.SetText("No other agent.")
	case n > maxCallers:
		p.from.SetText(fmt.Sprintf("%s: %s and %d more.", words.Count(n, "agent"), strings.Join(names[:maxCallers], ", "), n-maxCallers))
	default:
		p.from.SetText(words.Count(n, "agent") + ": " + strings.Join(names, ", ") + ".")
	}
}

func (p *accessPage) id(row int) string {
	if row == 0 {
		return agent.Everyone
	}
	return p.others[row-1].ID
}

func (p *accessPage) level(row, col int) widget.Level {
	if p.ed.draft == nil || row > len(p.others) {
		return widget.Blank
	}
	r := p.ed.draft.Agent.Roster
	on := r.May([]agent.Action{agent.See, agent.Call}[col], p.id(row))
	if row == 0 {
		on = []bool{r.See.All, r.See.All && r.Call.All}[col]
	}
	if on {
		return widget.Full
	}
	return widget.Blank
}

// press gives or takes one right.
func (p *accessPage) press(row, col int) {
	d, do := p.ed.draft, []agent.Action{agent.See, agent.Call}[col]
	on := p.level(row, col) == widget.Blank
	next := d.Agent.Roster.Allow(do, p.id(row), on)
	if next.Equal(d.Agent.Roster) {
		p.ed.cfg.Say(fmt.Sprintf("It may %s everyone. Untick the first row to choose.", do), nil)
		return
	}
	d.Agent.Roster = next
	p.grid.Refresh()
	p.ed.touched()
}

func (p *accessPage) refresh() { p.grid.Refresh() }
