package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"callboard/app/settings"
	rosterui "callboard/ui/roster"
	"callboard/ui/widget"
)

// action is one thing a person can do, with its place in the menu and its key.
// This table is the only list of them: the menu is made from it, so every
// action has a key and every key a menu entry.
type action struct {
	menu  string
	title string
	key   fyne.KeyName
	mod   fyne.KeyModifier
	can   func(*Window) bool
	do    func(*Window)
}

const (
	ctrl      = fyne.KeyModifierShortcutDefault
	ctrlShift = fyne.KeyModifierShortcutDefault | fyne.KeyModifierShift
	ctrlAlt   = fyne.KeyModifierShortcutDefault | fyne.KeyModifierAlt
)

func actions() []action {
	return []action{
		{"File", "New agent…", fyne.KeyN, ctrl, (*Window).atRoster, func(w *Window) { w.roster.New() }},
		{"File", "Import agents…", fyne.KeyI, ctrl, (*Window).atRoster, (*Window).importAgents},
		{"File", "Choose a folder…", fyne.KeyO, ctrl, (*Window).importing, func(w *Window) { w.importer.Browse() }},
		{"File", "Import what was found", fyne.KeyReturn, ctrl, func(w *Window) bool { return w.importing() && w.importer.Ready() }, func(w *Window) { w.importer.Import() }},
		{"File", "Back to the roster", fyne.KeyW, ctrl, (*Window).aside, (*Window).back},
		{"File", "Folders…", fyne.KeyF, ctrlShift, (*Window).atRoster, (*Window).showFolders},
		{"File", "Save", fyne.KeyS, ctrl, (*Window).savable, (*Window).save},
		{"File", "Write to file…", fyne.KeyS, ctrlShift, (*Window).fileBehind, func(w *Window) { w.roster.WriteToFile() }},
		{"File", "Compare with the file…", fyne.KeyK, ctrlShift, (*Window).changedOutside, func(w *Window) { w.roster.Compare() }},
		{"File", "Export…", fyne.KeyE, ctrlShift, (*Window).selected, func(w *Window) { w.roster.Export() }},
		{"File", "Open in my editor", fyne.KeyO, ctrlShift, (*Window).inFile, (*Window).openFile},
		{"File", "Reveal in folder", fyne.KeyJ, ctrlShift, (*Window).inFile, (*Window).revealFile},
		{"File", "Discard changes", fyne.KeyR, ctrl, (*Window).savable, (*Window).discard},
		{"File", "Lock", fyne.KeyL, ctrl, (*Window).open, (*Window).lock},
		{"File", "Quit", fyne.KeyQ, ctrl, always, (*Window).quit},
		{"Edit", "Undo the edit", fyne.KeyZ, ctrl, always, func(w *Window) { w.undoEdit(&fyne.ShortcutUndo{}, (*rosterui.Screen).Undo) }},
		{"Edit", "Redo the edit", fyne.KeyY, ctrl, always, func(w *Window) { w.undoEdit(&fyne.ShortcutRedo{}, (*rosterui.Screen).Redo) }},
		{"Edit", "Find an agent", fyne.KeyF, ctrl, (*Window).atRoster, func(w *Window) { w.roster.Find() }},
		{"Edit", "Enable or disable the agent", fyne.KeyE, ctrl, (*Window).selected, func(w *Window) { w.roster.ToggleEnabled() }},
		{"Edit", "Duplicate", fyne.KeyD, ctrl, (*Window).selected, func(w *Window) { w.roster.Duplicate() }},
		{"Edit", "Delete", fyne.KeyDelete, ctrlShift, (*Window).anyChosen, func(w *Window) { w.roster.Delete() }},
		{"Edit", "Deleted agents…", fyne.KeyD, ctrlShift, (*Window).atRoster, func(w *Window) { w.roster.ShowDeleted() }},
		{"Edit", "Undo", fyne.KeyR, ctrlShift, func(w *Window) bool { return w.toasts.CanAct() }, func(w *Window) { w.toasts.Act() }},
		{"View", "Show or hide the passphrase", fyne.KeyP, ctrlShift, func(w *Window) bool { return !w.open() }, func(w *Window) { w.gate.Peek() }},
		{"View", "Next agent", fyne.KeyPageDown, ctrl, (*Window).atRoster, func(w *Window) { w.roster.Step(1) }},
		{"View", "Previous agent", fyne.KeyPageUp, ctrl, (*Window).atRoster, func(w *Window) { w.roster.Step(-1) }},
		{"View", "Go to…", fyne.KeyK, ctrl, (*Window).open, (*Window).showPalette},
		{"View", "Keys…", fyne.KeySlash, ctrl, always, (*Window).showKeys},
		{"View", "Profile", fyne.Key1, ctrl, (*Window).selected, func(w *Window) { w.roster.ShowTab(0) }},
		{"View", "Tools", fyne.Key2, ctrl, (*Window).selected, func(w *Window) { w.roster.ShowTab(1) }},
		{"View", "Access", fyne.Key3, ctrl, (*Window).selected, func(w *Window) { w.roster.ShowTab(2) }},
		{"View", "History", fyne.Key4, ctrl, (*Window).selected, func(w *Window) { w.roster.ShowTab(3) }},
		{"View", "Order by name", fyne.KeyN, ctrlAlt, (*Window).atRoster, func(w *Window) { w.roster.SetOrder(rosterui.ByName) }},
		{"View", "Last saved first", fyne.KeyU, ctrlAlt, (*Window).atRoster, func(w *Window) { w.roster.SetOrder(rosterui.BySaved) }},
		{"View", "Without groups", fyne.KeyG, ctrlAlt, (*Window).atRoster, func(w *Window) { w.roster.SetGroup(rosterui.NoGroups) }},
		{"View", "In groups by tool", fyne.KeyT, ctrlAlt, (*Window).atRoster, func(w *Window) { w.roster.SetGroup(rosterui.ByTool) }},
		{"View", "In groups by folder", fyne.KeyF, ctrlAlt, (*Window).atRoster, func(w *Window) { w.roster.SetGroup(rosterui.ByFolder) }},
		{"View", "Roster", fyne.KeyA, ctrlShift, (*Window).open, func(w *Window) { w.turn(placeRoster) }},
		{"View", "Who may call whom", fyne.KeyM, ctrl, (*Window).atRoster, (*Window).showAccess},
		{"View", "Settings", fyne.KeyComma, ctrl, (*Window).open, func(w *Window) { w.turn(placeSettings) }},
		{"View", "Light", fyne.KeyL, ctrlAlt, always, func(w *Window) { w.setTheme(settings.Light) }},
		{"View", "Dark", fyne.KeyD, ctrlAlt, always, func(w *Window) { w.setTheme(settings.Dark) }},
		{"View", "Like the desktop", fyne.KeyS, ctrlAlt, always, func(w *Window) { w.setTheme(settings.System) }},
	}
}

func always(*Window) bool { return true }

// shortcut is the key as the toolkit knows it: it has names of its own for some.
func (a action) shortcut() fyne.Shortcut {
	switch {
	case a.mod == ctrl && a.key == fyne.KeyZ:
		return &fyne.ShortcutUndo{}
	case a.mod == ctrl && a.key == fyne.KeyY:
		return &fyne.ShortcutRedo{}
	}
	return &desktop.CustomShortcut{KeyName: a.key, Modifier: a.mod}
}

// inSheets reports whether the action is also for the boxes of a sheet.
func (a action) inSheets() bool { return a.mod == ctrl && (a.key == fyne.KeyZ || a.key == fyne.KeyY) }

// mainMenu makes the menu of the table. Entries that cannot be used now are
// greyed by refreshMenu.
func (w *Window) mainMenu() *fyne.MainMenu {
	var menus []*fyne.Menu
	w.items = map[*fyne.MenuItem]action{}
	for _, a := range actions() {
		item := fyne.NewMenuItem(a.title, func() { w.act(a) })
		item.Shortcut = a.shortcut()
		item.IsQuit = a.title == "Quit"
		w.items[item] = a
		if n := len(menus); n == 0 || menus[n-1].Label != a.menu {
			menus = append(menus, fyne.NewMenu(a.menu))
		}
		m := menus[len(menus)-1]
		m.Items = append(m.Items, item)
	}
	return fyne.NewMainMenu(menus...)
}

// act does an action if it can be done now. A key pressed too early, or while
// a sheet waits for its answer, does nothing; but locking and quitting are
// always possible, and take the sheet away as Esc does.
func (w *Window) act(a action) {
	w.hints.Clear()
	w.idle.touched()
	if a.title == "Lock" || a.title == "Quit" {
		w.closeOverlays()
	}
	if _, asked := w.win.Canvas().Overlays().Top().(*widget.Sheet); (!asked || a.inSheets()) && a.can(w) {
		a.do(w)
	}
}

// refreshMenu greys what cannot be done now. Keys stay alive: act decides.
func (w *Window) refreshMenu() {
	changed := false
	for item, a := range w.items {
		if off := !a.can(w); item.Disabled != off {
			item.Disabled, changed = off, true
		}
	}
	if changed {
		w.menu.Refresh()
	}
}
