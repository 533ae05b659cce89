// Package palette is the sheet that leads to everything by name: actions,
// places and agents.
package palette

import (
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"callboard/app/agent"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

const (
	width  float32 = 560
	height float32 = 360
	most           = 200 // rows; who has more to choose from types on
)

// Entry is one thing to go to or do. Detail says what it is, and its key.
type Entry struct {
	Name   string
	Detail string
	Do     func()
}

// Open shows the sheet over the window that of is in. The chosen entry is done
// after the sheet has gone.
func Open(entries []Entry, of fyne.CanvasObject) {
	search, list := widget.NewSearch("An action, a place or an agent", ""), widget.NewTextList()
	none := widget.NewText(theme.Secondary, theme.Mute, "Nothing of that name.")
	var found []Entry
	var sheet *widget.Sheet
	do := func(i int) {
		if i < 0 || i >= len(found) {
			return
		}
		chosen := found[i]
		sheet.Close()
		chosen.Do()
	}
	show := func(query string) {
		found = Find(entries, query)
		items := make([]widget.Item, len(found))
		for i, e := range found {
			items[i] = widget.Item{ID: strconv.Itoa(i), Name: e.Name, Detail: e.Detail}
		}
		list.SetItems(items)
		list.Select("0")
		widget.Visible(none, len(found) == 0)
	}
	at := func() int {
		i, err := strconv.Atoi(list.Selected())
		if err != nil {
			return -1
		}
		return i
	}
	search.OnChanged = show
	search.OnDown = func() { loop.Focus(list) }
	search.OnEnter = func() { do(at()) }
	list.OnEnter = func(string) { do(at()) }
	body := widget.Column(12, search, none, widget.Sized(0, height, widget.NewFrame(list)))
	sheet = widget.NewSheet("Go to", body, "Close", "", nil)
	sheet.SetWidth(width)
	show("")
	sheet.Open(of)
}

// Find is the entries whose name and detail hold every word of query, case and
// Unicode form aside: those whose name begins with it first, else in their own
// order.
func Find(entries []Entry, query string) []Entry {
	whole := strings.TrimSpace(agent.Fold(query))
	words := strings.Fields(whole)
	var first, rest []Entry
	for _, e := range entries {
		name, text := agent.Fold(e.Name), agent.Fold(e.Name+"\n"+e.Detail)
		switch {
		case slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }):
		case whole != "" && strings.HasPrefix(name, whole):
			first = append(first, e)
		default:
			rest = append(rest, e)
		}
	}
	all := append(first, rest...)
	return all[:min(len(all), most)]
}
