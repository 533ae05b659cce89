package ui

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"callboard/app/event"
	"callboard/app/fault"
	"callboard/app/roster"
	"callboard/app/settings"
	"callboard/app/vault"
	"callboard/crypto/secret"
	"callboard/ui/folders"
	"callboard/ui/gate"
	"callboard/ui/importer"
	"callboard/ui/linked"
	"callboard/ui/loop"
	rosterui "callboard/ui/roster"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// Window is the one window: the gate, or the rail with the screen beside it
// and the strip below. It belongs to the Fyne thread.
type Window struct {
	ctx  context.Context //nolint:containedctx // the window's life, for events
	app  fyne.App
	win  fyne.Window
	loop *loop.Loop
	svc  Services

	gate     *gate.Gate
	roster   *rosterui.Screen
	importer *importer.Screen
	follower *linked.Follower
	linked   linked.State
	screens  *fyne.Container // the roster, and the importer over it
	inside   fyne.CanvasObject
	rooms    *fyne.Container // the gate, or what is inside
	strip    *widget.Strip
	toasts   *widget.Toasts
	hints    *widget.Hints
	menu     *fyne.MainMenu
	items    map[*fyne.MenuItem]action
}

func newWindow(ctx context.Context, app fyne.App, l *loop.Loop, svc Services) *Window {
	if svc.OpenURL == nil {
		svc.OpenURL = app.OpenURL
	}
	w := &Window{ctx: ctx, app: app, loop: l, svc: svc}
	w.applyTheme()
	w.win = app.NewWindow(AppName)
	w.toasts = widget.NewToasts(l)
	w.hints = widget.NewHints()
	w.gate = gate.New(gate.Config{
		Context: ctx, Loop: l, Vault: svc.Vault, Home: words.Path(svc.Home.Dir, userDir()), Opened: w.opened,
	})
	w.roster = rosterui.New(rosterui.Config{
		Context: ctx, Loop: l, Roster: svc.Roster, Files: svc.Profile, UserDir: userDir(), Start: svc.WorkDir,
		Import: w.importAgents, Look: w.importFrom, Accepted: w.accepted, Changed: w.refreshMenu, Say: w.say,
	})
	w.importer = importer.New(importer.Config{
		Context: ctx, Loop: l, Roster: svc.Roster, Folders: svc.Profile, Where: where(svc.WorkDir),
		UserDir: userDir(), Done: w.imported,
	})
	w.follower = linked.New(linked.Config{
		Context: ctx, Loop: l, Roster: svc.Roster, Folders: svc.Profile, Changed: w.linkedChanged,
	})
	w.strip = widget.NewStrip("")
	w.screens = container.NewStack(w.roster.Object(), w.importer.Object())
	w.importer.Object().Hide()
	rail := widget.NewRail(widget.RailItem{Icon: "users", Label: "Roster"})
	w.inside = widget.Column(0,
		widget.Grow(1, widget.Panes(0, rail, widget.Grow(1, w.screens))), w.strip)
	w.rooms = container.NewStack(w.gate.Object(), w.inside)
	w.inside.Hide()
	w.menu = w.mainMenu()
	w.win.SetMainMenu(w.menu)
	w.win.SetPadded(false)
	w.win.SetContent(container.NewStack(w.rooms, w.toasts, w.hints))
	w.win.Resize(fyne.NewSize(1280, 800))
	w.win.SetCloseIntercept(w.quit)
	w.win.SetOnDropped(w.dropped)
	w.refreshMenu()
	return w
}

// start shows the gate and follows the changes.
func (w *Window) start(pass secret.Bytes) {
	if pass.Empty() {
		w.gate.Look()
	} else {
		w.gate.Unlock(pass)
	}
	sub := w.svc.Changes.Subscribe()
	w.loop.Keep(w.ctx, func(ctx context.Context) {
		defer sub.Close()
		for {
			b, err := sub.Next(ctx)
			if err != nil {
				return
			}
			w.loop.Post(func() { w.follow(b) })
		}
	})
}

// follow brings the window up to date with what changed.
func (w *Window) follow(b event.Batch) {
	agents, places := false, false
	for _, c := range b.Changes {
		switch c.Kind {
		case event.Settings:
			w.applyTheme()
		case event.Agent:
			agents = true
		case event.Folder:
			places = true
		case event.Vault, event.Server:
		}
	}
	if agents && w.open() {
		w.roster.Reload(w.showFacts)
	}
	switch {
	case !w.open():
	case places:
		w.follower.Start()
	case agents && w.linked.Any():
		w.follower.Look()
	}
}

// linkedChanged shows what the linked folders hold.
func (w *Window) linkedChanged(s linked.State) {
	if !w.open() {
		return
	}
	w.linked = s
	w.roster.SetLinked(s)
	w.refreshMenu()
}

// showFolders opens the sheet of the added folders.
func (w *Window) showFolders() {
	folders.Open(folders.Config{
		Context: w.ctx, Loop: w.loop, Folders: w.svc.Profile, UserDir: userDir(), Say: w.say,
	}, w.win.Content())
}

// accepted says that a file's version was taken over.
func (w *Window) accepted(got roster.Imported) {
	w.roster.Reload(w.showFacts)
	w.say("Callboard has the file's version now.", func() { w.undoImport(got) })
}

// opened goes from the gate to the roster.
func (w *Window) opened() {
	w.gate.Object().Hide()
	w.inside.Show()
	w.showFacts()
	w.roster.Reload(w.showFacts)
	w.follower.Start()
	w.refreshMenu()
	if err := w.svc.Settings.Problem(); err != nil {
		w.say(fault.Sentence(err), nil)
	}
}

func (w *Window) showFacts() {
	st := w.svc.Vault.Status(w.ctx)
	protection := map[vault.Protection]string{vault.Passphrase: "passphrase", vault.File: "key.txt, no passphrase"}[st.Protection]
	facts := []widget.Fact{
		{Icon: "lock-open", Spans: []widget.Span{widget.Firm("Unlocked"), widget.Plain(" · " + protection)}},
		{Spans: []widget.Span{widget.Plain("Home "), widget.Address(words.Path(w.svc.Home.Dir, userDir()))}},
	}
	if n := len(st.Damage); n > 0 {
		facts = append(facts, widget.Fact{Icon: "triangle-alert", Spans: []widget.Span{
			widget.Firm(words.Count(n, "stored row")), widget.Plain(" damaged or missing"),
		}})
	}
	w.strip.SetFacts(facts...)
	w.showHint()
}

// showHint names the keys that matter on the screen.
func (w *Window) showHint() {
	if w.importing() {
		w.strip.SetHint("Ctrl Enter imports · Ctrl W leaves")
	} else {
		w.strip.SetHint("Ctrl F finds · Ctrl L locks")
	}
}

// say shows a passing message. What comes in after the vault was locked is not
// said: it may name what is private.
func (w *Window) say(text string, undo func()) {
	if !w.open() {
		return
	}
	label := ""
	if undo != nil {
		label = "Undo"
	}
	w.toasts.Say(w.ctx, text, label, undo)
	w.refreshMenu()
}

// importAgents goes to the importer and looks where the tools keep agents.
func (w *Window) importAgents() { w.importFrom("") }

// importFrom goes to the importer and looks into a folder or file.
func (w *Window) importFrom(path string) {
	w.roster.Object().Hide()
	w.importer.Object().Show()
	w.importer.Start(path)
	w.showHint()
	w.refreshMenu()
}

// imported comes back from the importer.
func (w *Window) imported(got roster.Imported) {
	w.importer.Object().Hide()
	w.roster.Object().Show()
	w.showHint()
	w.refreshMenu()
	if text := importedWords(got); text != "" {
		w.roster.Reload(func() { w.showFacts(); w.roster.FocusList() })
		w.say(text, func() { w.undoImport(got) })
	}
}

func importedWords(got roster.Imported) string {
	switch {
	case len(got.IDs) == 0 && len(got.Updated) == 0:
		return ""
	case len(got.Updated) == 0:
		return words.Count(len(got.IDs), "agent") + " imported. The files stay as they are."
	case len(got.IDs) == 0:
		return words.Count(len(got.Updated), "agent") + " updated from the files."
	}
	return fmt.Sprintf("%s imported, %d updated. The files stay as they are.", words.Count(len(got.IDs), "agent"), len(got.Updated))
}

// undoImport takes a whole import back.
func (w *Window) undoImport(got roster.Imported) {
	loop.Go(w.loop, w.ctx, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, w.svc.Roster.Undo(ctx, got)
	}, func(_ struct{}, err error) {
		if err != nil {
			w.say(fault.Sentence(err), nil)
			return
		}
		w.roster.Reload(w.showFacts)
		w.say("The import is taken back.", nil)
	})
}

// lock locks the vault, after asking if edits would be lost.
func (w *Window) lock() {
	w.leaving("Lock Callboard", "Discard and lock", w.lockNow)
}

// lockNow takes everything private off the screen and out of the window's
// memory first: the disk may take its time.
func (w *Window) lockNow() {
	w.inside.Hide()
	w.toasts.Dismiss()
	w.closeOverlays()
	w.follower.Stop()
	w.linked = linked.State{}
	w.importer.Forget()
	w.importer.Object().Hide()
	w.roster.Forget()
	w.roster.Object().Show()
	w.gate.Clear()
	w.gate.Object().Show()
	w.refreshMenu()
	loop.Go(w.loop, w.ctx, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, w.svc.Vault.Lock(ctx)
	}, func(_ struct{}, err error) {
		w.gate.Locked()
		if err != nil {
			w.toasts.Say(w.ctx, fault.Sentence(err), "", nil)
		}
	})
}

// closeOverlays takes away every sheet and menu.
func (w *Window) closeOverlays() {
	all := w.win.Canvas().Overlays()
	for _, o := range all.List() {
		if sheet, ok := o.(*widget.Sheet); ok {
			sheet.Close()
		} else {
			all.Remove(o)
		}
	}
}

// quit closes the window, after asking if edits would be lost.
func (w *Window) quit() {
	w.leaving("Quit Callboard", "Discard and quit", w.leave)
}

func (w *Window) leave() {
	w.win.SetCloseIntercept(nil)
	w.app.Quit()
}

// leaving goes on at once when nothing would be lost, else it asks.
func (w *Window) leaving(title, discard string, then func()) {
	names := w.roster.Unsaved()
	if len(names) == 0 {
		then()
		return
	}
	text := names[0] + " has changes that are not saved."
	if len(names) > 1 {
		text = fmt.Sprintf("%d agents have changes that are not saved.", len(names))
	}
	var sheet *widget.Sheet
	sheet = widget.NewSheet(title, widget.NewParagraph(theme.Body, theme.Ink, text), "Keep editing", discard, func() {
		sheet.Close()
		then()
	})
	sheet.SetDanger()
	sheet.Open(w.win.Content())
}

func (w *Window) applyTheme() {
	mode := map[settings.Theme]theme.Mode{settings.Light: theme.Light, settings.Dark: theme.Dark}[w.svc.Settings.Get().Appearance.Theme]
	if mode == "" {
		mode = theme.System
	}
	w.app.Settings().SetTheme(theme.New(mode, 1))
}

func (w *Window) setTheme(t settings.Theme) {
	loop.Go(w.loop, w.ctx, func(context.Context) (struct{}, error) {
		if err := w.svc.Home.Create(); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, w.svc.Settings.Update(func(s *settings.Settings) { s.Appearance.Theme = t })
	}, func(_ struct{}, err error) {
		if err != nil {
			w.say(fault.Sentence(err), nil)
		}
		w.applyTheme()
	})
}

// What can be done now.

func (w *Window) open() bool { return w.inside.Visible() }

func (w *Window) atRoster() bool { return w.open() && w.roster.Object().Visible() }

func (w *Window) importing() bool { return w.open() && w.importer.Object().Visible() }

func (w *Window) selected() bool { return w.atRoster() && w.roster.Selected() }

func (w *Window) edited() bool { return w.atRoster() && w.roster.Edited() }

func (w *Window) changedOutside() bool { return w.atRoster() && w.roster.CanCompare() }

func (w *Window) fileBehind() bool { return w.atRoster() && w.roster.FileBehind() }
