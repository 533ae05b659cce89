package ui

import (
	"fyne.io/fyne/v2"

	modelsui "callboard/ui/models"
	"callboard/ui/security"
	settingsui "callboard/ui/settings"
	"callboard/ui/widget"
)

// The places of the rail.
const (
	placeRoster = iota
	placeSettings
)

// pages are those of the settings.
func (w *Window) pages() []settingsui.Page {
	cfg := settingsui.Config{Context: w.ctx, Loop: w.loop, File: w.svc.Settings, Changed: w.applyTheme, Say: w.say}
	w.security = security.New(security.Config{
		Context: w.ctx, Loop: w.loop, Vault: w.svc.Vault, File: w.svc.Settings, UserDir: userDir(),
		Changed: w.showFacts, Lost: w.lost, Say: w.say,
	})
	w.models = modelsui.New(modelsui.Config{Context: w.ctx, Loop: w.loop, Models: w.svc.Models, Changed: w.refreshMenu, Say: w.say})
	return []settingsui.Page{w.models, w.servers, settingsui.NewAppearance(cfg), w.security}
}

// lost goes to the gate when the vault has locked itself.
func (w *Window) lost() {
	if w.open() {
		w.lockNow()
	}
}

// goTo shows one of the screens, and where it is on the rail.
func (w *Window) goTo(screen fyne.CanvasObject) {
	for _, o := range w.screens.Objects {
		widget.Visible(o, o == screen)
	}
	if screen == w.settings.Object() {
		w.rail.Select(placeSettings)
	} else {
		w.rail.Select(placeRoster)
		w.working = screen
	}
	w.showHint()
	w.refreshMenu()
}

// turn goes to a place of the rail.
func (w *Window) turn(place int) {
	switch place {
	case placeRoster:
		w.goTo(w.working)
	case placeSettings:
		w.showSettings("")
	}
}

// showSettings turns to a page of the settings, by its title, or to the one
// that was shown last.
func (w *Window) showSettings(page string) {
	w.goTo(w.settings.Object())
	w.settings.Show(page)
	w.settings.FocusList()
}

// showAccess goes to who may call whom, on the row of the shown agent.
func (w *Window) showAccess() {
	w.goTo(w.access.Object())
	w.access.Show(w.roster.Shown())
}

// back goes from the import, or from who may call whom, to the roster.
func (w *Window) back() {
	if w.importing() {
		w.importer.Cancel()
		return
	}
	w.goTo(w.roster.Object())
	w.roster.FocusList()
}

// showHint names the keys that matter on the screen.
func (w *Window) showHint() {
	switch {
	case w.importing():
		w.strip.SetHint("Ctrl Enter imports · Ctrl W leaves")
	case w.atAccess():
		w.strip.SetHint("Space changes · S sees · C calls · Ctrl W leaves")
	default:
		w.strip.SetHint("Ctrl K for everything")
	}
}

// What can be done now.

func (w *Window) open() bool { return w.inside.Visible() }

func (w *Window) atRoster() bool { return w.open() && w.roster.Object().Visible() }

func (w *Window) importing() bool { return w.open() && w.importer.Object().Visible() }

func (w *Window) atAccess() bool { return w.open() && w.access.Object().Visible() }

func (w *Window) aside() bool { return w.importing() || w.atAccess() }

func (w *Window) selected() bool { return w.atRoster() && w.roster.Selected() }

func (w *Window) anyChosen() bool { return w.atRoster() && w.roster.AnyChosen() }

func (w *Window) edited() bool { return w.atRoster() && w.roster.Edited() }

func (w *Window) modelEdited() bool {
	return w.open() && w.settings.Object().Visible() && w.models.Object().Visible() && w.models.Edited()
}

func (w *Window) savable() bool { return w.edited() || w.modelEdited() }

// save stores the edits that are shown.
func (w *Window) save() {
	if w.modelEdited() {
		w.models.Save()
		return
	}
	w.roster.Save()
}

// discard throws the edits that are shown away.
func (w *Window) discard() {
	if w.modelEdited() {
		w.models.Discard()
		return
	}
	w.roster.Discard()
}

func (w *Window) changedOutside() bool { return w.atRoster() && w.roster.CanCompare() }

func (w *Window) fileBehind() bool { return w.atRoster() && w.roster.FileBehind() }
