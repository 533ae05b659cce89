package editor

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/roster"
	"callboard/app/tool"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// FieldWords are the fields of an agent in words.
var FieldWords = map[agent.Field]string{
	agent.Name: "name", agent.Description: "description", agent.Instructions: "instructions",
	agent.ProviderName: "what it runs on", agent.Model: "model", agent.Effort: "effort",
	agent.Tools: "tools", agent.Denied: "denied tools", agent.Bound: "bounds", agent.Sees: "who it may see",
	agent.Calls: "who it may call", agent.Enabled: "enabled", agent.Color: "colour",
}

// inWords lists fields.
func inWords(fields []agent.Field) string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = FieldWords[f]
	}
	return strings.Join(out, ", ")
}

// historyPage lists the earlier states of the agent, with what each differs in
// from what is stored now.
type historyPage struct {
	ed      *Editor
	all     []roster.Version
	of      string // the agent they are of, and its revision
	list    *widget.List
	title   *widget.Text
	code    *widget.Code
	restore *widget.Button
	none    *widget.Empty
	body    *fyne.Container
	object  fyne.CanvasObject
}

func newHistoryPage(e *Editor) *historyPage {
	p := &historyPage{
		ed: e, list: widget.NewTextList(), code: widget.NewCode(),
		title: widget.NewCut(theme.Heading, theme.Ink, ""),
		none:  widget.NewEmpty("No earlier versions. Each save keeps the one before it, the last 50.", "", nil),
	}
	p.list.OnSelected = func(string) { p.show() }
	p.restore = widget.NewButton(widget.Secondary, "Bring into the draft", p.takeBack)
	p.code.SetWrap(true)
	p.body = widget.Panes(theme.Pad, widget.Grow(2, widget.NewFrame(p.list)),
		widget.Grow(3, widget.Column(12, widget.Row(theme.Gap, widget.Grow(1, p.title), p.restore), widget.Grow(1, p.code))))
	p.object = container.NewStack(p.body, p.none)
	return p
}

// fill reads the history, where the page shows and another one's was read last.
func (p *historyPage) fill() {
	d := p.ed.draft
	of := fmt.Sprint(d.Base.Agent.ID, " ", d.Base.Revision)
	if !p.object.Visible() || of == p.of {
		return
	}
	p.of, p.all = of, nil
	p.put()
	if d.Base.Agent.ID == "" {
		return
	}
	loop.Go(p.ed.cfg.Loop, p.ed.cfg.Context, func(ctx context.Context) ([]roster.Version, error) {
		return p.ed.cfg.Roster.History(ctx, d.Base.Agent.ID)
	}, func(all []roster.Version, err error) {
		if p.of != of {
			return
		}
		if err != nil {
			p.ed.fail("The history cannot be read", fault.Sentence(err))
			return
		}
		p.all = all
		p.put()
	})
}

// put shows what was read.
func (p *historyPage) put() {
	items := make([]widget.Item, len(p.all))
	after := p.ed.draft.Base.Agent
	for i, v := range p.all {
		items[i] = widget.Item{ID: fmt.Sprint(v.Revision), Name: "Until " + words.When(v.Replaced), Detail: "Then changed: " + inWords(agent.Diff(v.Agent, after))}
		if len(agent.Diff(v.Agent, after)) == 0 {
			items[i].Detail = "Then its file was read or written"
		}
		after = v.Agent
	}
	p.list.SetItems(items)
	if len(items) > 0 {
		p.list.Select(items[0].ID)
	}
	widget.Visible(p.none, len(items) == 0)
	widget.Visible(p.body, len(items) > 0)
	p.show()
}

// chosen is the version that is selected.
func (p *historyPage) chosen() (roster.Version, bool) {
	for _, v := range p.all {
		if fmt.Sprint(v.Revision) == p.list.Selected() {
			return v, true
		}
	}
	return roster.Version{}, false
}

// show shows how the chosen version differs from what is stored.
func (p *historyPage) show() {
	v, there := p.chosen()
	if !there {
		p.code.SetLines(nil)
		p.title.SetText("")
		return
	}
	stored := p.ed.draft.Base.Agent
	p.title.SetText("From then to now")
	if len(agent.Diff(v.Agent, stored)) == 0 {
		p.title.SetText("The same as now")
	}
	p.code.SetLines(diffAgents(v.Agent, stored, p.ed.cfg.Agents()))
	p.object.Refresh()
}

// takeBack puts the chosen version into the draft, to be saved.
func (p *historyPage) takeBack() {
	v, there := p.chosen()
	d := p.ed.draft
	if !there || p.ed.busy {
		return
	}
	next := v.Agent.Clone()
	next.ID, next.Source = d.Agent.ID, d.Agent.Source
	if len(agent.Diff(next, d.Agent)) == 0 && len(d.unread) == 0 {
		p.ed.cfg.Say("The draft is the same as this version.", nil)
		return
	}
	d.Agent, d.unread = next, nil
	d.keepCertain()
	p.ed.Show(d)
	p.ed.touched()
	p.ed.cfg.Say("The version is in the draft. Save keeps it.", func() { p.ed.Undo() })
}

// forget drops what was read.
func (p *historyPage) forget() {
	p.of, p.all = "", nil
	p.put()
}

// diffAgents is how two states of an agent differ, in words and lines.
func diffAgents(before, after agent.Agent, all []roster.Summary) []widget.CodeLine {
	names := namesOf(all)
	lines, _ := diffWhole(asText(before, names), asText(after, names))
	return lines
}

// namesOf are the names of agents, by id.
func namesOf(all []roster.Summary) map[string]string {
	out := map[string]string{}
	for _, a := range all {
		out[a.ID] = a.Name
	}
	return out
}

// asText is an agent as lines to compare.
func asText(a agent.Agent, names map[string]string) []byte {
	var b strings.Builder
	for _, f := range []agent.Field{
		agent.Name, agent.Description, agent.Model, agent.Effort, agent.Tools, agent.Denied, agent.Bound,
		agent.Sees, agent.Calls, agent.Enabled, agent.Color,
	} {
		if value := valueOf(a, f, names); value != "" {
			fmt.Fprintf(&b, "%s: %s\n", FieldWords[f], strings.ReplaceAll(value, "\n", "\n    "))
		}
	}
	b.WriteString("\n" + strings.TrimSuffix(a.Identity.Instructions, "\n") + "\n")
	return []byte(b.String())
}

// valueOf is one field of an agent in words.
func valueOf(a agent.Agent, f agent.Field, names map[string]string) string {
	switch f {
	case agent.Name:
		return a.Identity.Name
	case agent.Description:
		return a.Identity.Description
	case agent.Instructions:
		return a.Identity.Instructions
	case agent.ProviderName:
		return runsOn(a)
	case agent.Model:
		return a.Run.Model
	case agent.Effort:
		return a.Run.Effort
	case agent.Tools:
		return stated(a.Access.Tools)
	case agent.Denied:
		return tool.Join(a.Access.Denied)
	case agent.Bound:
		return a.Access.Bound
	case agent.Sees:
		return setWords(a.Roster.See, names)
	case agent.Calls:
		return setWords(a.Roster.Call, names)
	case agent.Enabled:
		return map[bool]string{true: "yes", false: "no"}[a.Enabled]
	case agent.Color:
		return a.Look.Color
	}
	return ""
}

// stated is a tool list in words.
func stated(l tool.List) string {
	switch l.Stated {
	case tool.Omitted:
		return "(not stated)"
	case tool.Empty:
		return "(empty)"
	case tool.Listed, tool.Unread:
	}
	return tool.Join(l.Tokens)
}

// setWords names the agents of a set; those that are gone are counted.
func setWords(s agent.Set, names map[string]string) string {
	if s.All {
		return "everyone"
	}
	var out []string
	gone := 0
	for _, id := range s.IDs {
		if name := names[id]; name != "" {
			out = append(out, name)
		} else {
			gone++
		}
	}
	if gone > 0 {
		out = append(out, words.Count(gone, "agent")+" no longer here")
	}
	return strings.Join(out, ", ")
}
