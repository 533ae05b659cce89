package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"callboard/ui/palette"
	"callboard/ui/widget"
)

const (
	keysWidth  float32 = 520
	keysHeight float32 = 460
)

// inWords is the key of an action as a person writes it.
func (a action) inWords() string {
	var out []string
	for _, m := range []struct {
		mod  fyne.KeyModifier
		word string
	}{{ctrl, "Ctrl"}, {fyne.KeyModifierShift, "Shift"}, {fyne.KeyModifierAlt, "Alt"}} {
		if a.mod&m.mod != 0 {
			out = append(out, m.word)
		}
	}
	name := map[fyne.KeyName]string{
		fyne.KeyReturn: "Enter", fyne.KeyPageUp: "Page Up", fyne.KeyPageDown: "Page Down",
	}[a.key]
	if name == "" {
		name = string(a.key)
	}
	return strings.Join(append(out, name), " ")
}

// showPalette leads to every action that can be done now, every page of the
// settings and every agent.
func (w *Window) showPalette() {
	var out []palette.Entry
	for _, a := range actions() {
		if a.can(w) && a.title != "Go to…" {
			out = append(out, palette.Entry{Name: strings.TrimSuffix(a.title, "…"), Detail: a.menu + " · " + a.inWords(), Do: func() { w.act(a) }})
		}
	}
	for _, title := range w.settings.Titles() {
		out = append(out, palette.Entry{Name: title, Detail: "Settings", Do: func() { w.showSettings(title) }})
	}
	for _, a := range w.roster.Agents() {
		detail := "Agent"
		if a.Description != "" {
			detail += " · " + a.Description
		}
		out = append(out, palette.Entry{Name: a.Name, Detail: detail, Do: func() {
			w.goTo(w.roster.Object())
			w.roster.Show(a.ID)
		}})
	}
	palette.Open(out, w.win.Content())
}

// showKeys lists every key.
func (w *Window) showKeys() {
	list := widget.NewTextList()
	var items []widget.Item
	menu := ""
	for _, a := range actions() {
		if a.menu != menu {
			menu = a.menu
			items = append(items, widget.Item{Name: menu})
		}
		items = append(items, widget.Item{ID: a.title, Name: strings.TrimSuffix(a.title, "…"), Detail: a.inWords()})
	}
	items = append(items, widget.Item{Name: "In lists and tables"})
	for _, more := range [][2]string{
		{"Mark a row", "Space, or Ctrl and a click"},
		{"Mark up to a row", "Shift and a click"},
		{"Mark all", "Ctrl A"},
		{"Take all marks away", "Esc"},
		{"Go to the next name with a letter", "the letter"},
		{"Change who may call whom", "Space, S or C"},
		{"Next or previous part", "Tab, Shift Tab"},
	} {
		items = append(items, widget.Item{ID: more[0], Name: more[0], Detail: more[1]})
	}
	list.SetItems(items)
	list.Select(items[1].ID)
	sheet := widget.NewSheet("Keys", widget.Sized(0, keysHeight, widget.NewFrame(list)), "Close", "", nil)
	sheet.SetWidth(keysWidth)
	sheet.Open(w.win.Content())
}
