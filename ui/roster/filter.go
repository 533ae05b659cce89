package roster

import (
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/app/roster"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// Order is what the list is sorted by.
type Order int

// The orders.
const (
	ByName Order = iota
	BySaved
)

// Group is what the list is divided by.
type Group int

// The groups. Folders are those of the agents' files.
const (
	NoGroups Group = iota
	ByTool
	ByFolder
)

var (
	orderWords = map[Order]string{ByName: "By name", BySaved: "Last saved first"}
	groupWords = map[Group]string{NoGroups: "", ByTool: "in groups by tool", ByFolder: "in groups by folder"}
)

// narrow is one way to narrow the list: the word of its chip, and which agents
// it keeps.
type narrow struct {
	word  string
	keeps func(roster.Summary) bool
}

// view is what of the roster the list shows, and how.
type view struct {
	screen  *Screen
	chips   *widget.Filters
	ways    []narrow
	current string // the word of the chip
	order   Order
	group   Group
	how     *widget.Button
	object  *fyne.Container
}

func newView(s *Screen) *view {
	v := &view{screen: s, chips: widget.NewFilters("All")}
	v.chips.OnSelected = func(i int) {
		v.current = v.ways[i].word
		s.filter()
	}
	v.how = widget.NewIconButton(widget.Quiet, "chevron-down", "", v.choose)
	v.object = widget.Column(theme.Gap, v.chips, widget.Row(0, v.how, widget.Space()))
	v.name()
	return v
}

// offer makes the chips for the agents there are: one for each tool where there
// are several, and what wants attention.
func (v *view) offer() {
	all := v.screen.all
	v.ways = []narrow{{"All", func(roster.Summary) bool { return true }}}
	var tools []string
	for _, a := range all {
		if label := a.Dialect.Label(); !slices.Contains(tools, label) {
			tools = append(tools, label)
		}
	}
	slices.Sort(tools)
	if len(tools) > 1 {
		for _, tool := range tools {
			v.ways = append(v.ways, narrow{tool, func(a roster.Summary) bool { return a.Dialect.Label() == tool }})
		}
	}
	v.ways = append(v.ways,
		narrow{"Needs attention", v.screen.needsAttention},
		narrow{"Disabled", func(a roster.Summary) bool { return !a.Enabled }})
	chips := []string{}
	v.ways = slices.DeleteFunc(v.ways, func(w narrow) bool {
		n := 0
		for _, a := range all {
			if w.keeps(a) {
				n++
			}
		}
		if n == 0 && w.word != "All" {
			return true
		}
		chips = append(chips, w.word+" "+words.Number(n))
		return false
	})
	at := slices.IndexFunc(v.ways, func(w narrow) bool { return w.word == v.current })
	if at < 0 {
		at, v.current = 0, "All"
	}
	v.chips.SetNames(chips...)
	v.chips.Select(at)
	widget.Visible(v.object, len(all) > 1)
	widget.Visible(v.chips, len(v.ways) > 1)
}

// pick is the agents to show, in order.
func (v *view) pick(query string) []roster.Summary {
	keeps := v.ways[0].keeps
	for _, w := range v.ways {
		if w.word == v.current {
			keeps = w.keeps
		}
	}
	var out []roster.Summary
	for _, a := range roster.Filter(v.screen.all, query) {
		if keeps(a) {
			out = append(out, a)
		}
	}
	if v.order == BySaved {
		slices.SortStableFunc(out, func(a, b roster.Summary) int { return b.Updated.Compare(a.Updated) })
	}
	if v.group == NoGroups {
		return out
	}
	heads := map[string]string{}
	for _, a := range out {
		heads[a.ID] = v.head(a)
	}
	slices.SortStableFunc(out, func(a, b roster.Summary) int { return strings.Compare(heads[a.ID], heads[b.ID]) })
	return out
}

// head is the head of the group an agent is in, empty without groups.
func (v *view) head(a roster.Summary) string {
	switch v.group {
	case ByTool:
		return a.Dialect.Label()
	case ByFolder:
		if a.Path == "" {
			return "In no file"
		}
		return words.Path(filepath.Dir(a.Path), v.screen.cfg.UserDir)
	case NoGroups:
	}
	return ""
}

// choose shows the menu of orders and groups.
func (v *view) choose() {
	at := loop.Canvas(v.how)
	if at == nil {
		return
	}
	entry := func(text string, on bool, do func()) *fyne.MenuItem {
		item := fyne.NewMenuItem(text, do)
		item.Checked = on
		return item
	}
	var items []*fyne.MenuItem
	for _, o := range []Order{ByName, BySaved} {
		items = append(items, entry(orderWords[o], v.order == o, func() { v.screen.SetOrder(o) }))
	}
	items = append(items, fyne.NewMenuItemSeparator())
	for _, g := range []Group{NoGroups, ByTool, ByFolder} {
		text := "No groups"
		if g != NoGroups {
			text = strings.ToUpper(groupWords[g][:1]) + groupWords[g][1:]
		}
		items = append(items, entry(text, v.group == g, func() { v.screen.SetGroup(g) }))
	}
	menu := fynewidget.NewPopUpMenu(fyne.NewMenu("", items...), at)
	menu.ShowAtRelativePosition(fyne.NewPos(0, v.how.Size().Height), v.how)
}

// name says on the button how the list is ordered.
func (v *view) name() {
	text := orderWords[v.order]
	if v.group != NoGroups {
		text += ", " + groupWords[v.group]
	}
	v.how.SetText(text)
	v.object.Refresh()
}

// SetOrder sorts the list.
func (s *Screen) SetOrder(o Order) {
	s.view.order = o
	s.view.name()
	s.filter()
}

// SetGroup divides the list.
func (s *Screen) SetGroup(g Group) {
	s.view.group = g
	s.view.name()
	s.filter()
}
