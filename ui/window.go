package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"callboard/app/event"
	"callboard/app/fault"
	"callboard/app/roster"
	"callboard/crypto/secret"
	"callboard/ui/access"
	"callboard/ui/folders"
	"callboard/ui/gate"
	"callboard/ui/importer"
	"callboard/ui/linked"
	"callboard/ui/loop"
	modelsui "callboard/ui/models"
	"callboard/ui/protect"
	rosterui "callboard/ui/roster"
	"callboard/ui/security"
	serversui "callboard/ui/servers"
	settingsui "callboard/ui/settings"
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
	access   *access.Screen
	settings *settingsui.Screen
	security *security.Page
	models   *modelsui.Page
	servers  *serversui.Page
	follower *linked.Follower
	linked   linked.State
	screens  *fyne.Container   // one of them is shown
	working  fyne.CanvasObject // the screen that the rail's first place leads to
	rail     *widget.Rail
	inside   fyne.CanvasObject
	rooms    *fyne.Container // the gate, or what is inside
	idle     idle
	door     *door
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
	w := &Window{ctx: ctx, app: app, loop: l, svc: svc, door: &door{home: svc.Home}}
	w.applyTheme()
	w.win = app.NewWindow(AppName)
	w.toasts = widget.NewToasts(l)
	w.hints = widget.NewHints()
	w.gate = gate.New(gate.Config{
		Context: ctx, Loop: l, Vault: svc.Vault, Home: words.Path(svc.Home.Dir, userDir()), Opened: w.opened,
		Made: func() { w.security.Offer() },
	})
	w.roster = rosterui.New(rosterui.Config{
		Context: ctx, Loop: l, Roster: svc.Roster, Files: svc.Profile, UserDir: userDir(), Start: svc.WorkDir,
		Import: w.importAgents, Look: w.importFrom, Accepted: w.accepted, Changed: w.refreshMenu, Matrix: w.showAccess, Say: w.say,
	})
	w.importer = importer.New(importer.Config{
		Context: ctx, Loop: l, Roster: svc.Roster, Folders: svc.Profile, Where: where(svc.WorkDir),
		UserDir: userDir(), Done: w.imported,
	})
	w.follower = linked.New(linked.Config{
		Context: ctx, Loop: l, Roster: svc.Roster, Folders: svc.Profile, Changed: w.linkedChanged,
	})
	w.access = access.New(access.Config{
		Context: ctx, Loop: l, Roster: svc.Roster, Back: w.back, Say: w.say,
	})
	w.servers = serversui.New(serversui.Config{Context: ctx, Loop: l, Servers: svc.Servers, UserDir: userDir(), Say: w.say})
	w.settings = settingsui.New(w.pages()...)
	w.strip = widget.NewStrip("")
	w.screens = container.NewStack(w.roster.Object(), w.importer.Object(), w.access.Object(), w.settings.Object())
	w.rail = widget.NewRail(widget.RailItem{Icon: "users", Label: "Roster"}, widget.RailItem{Icon: "settings", Label: "Settings"})
	w.rail.OnSelected = w.turn
	w.inside = widget.Column(0,
		widget.Grow(1, widget.Panes(0, w.rail, widget.Grow(1, w.screens))), w.strip)
	w.goTo(w.roster.Object())
	w.rooms = container.NewStack(w.gate.Object(), w.inside)
	w.inside.Hide()
	w.menu = w.mainMenu()
	w.win.SetMainMenu(w.menu)
	w.win.SetPadded(false)
	w.win.SetContent(container.NewStack(w.rooms, w.toasts, w.hints))
	w.win.Resize(w.sizeBefore())
	w.win.SetCloseIntercept(w.quit)
	w.win.SetOnDropped(w.dropped)
	w.refreshMenu()
	return w
}

// start shows the gate and follows the changes.
func (w *Window) start(pass secret.Bytes) {
	if w.door.other.PID != 0 {
		w.takeOver(pass)
	} else {
		w.look(pass)
	}
	w.watchIdle()
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

// look shows the gate, and opens it with a passphrase that is not empty.
func (w *Window) look(pass secret.Bytes) {
	if pass.Empty() {
		w.gate.Look()
	} else {
		w.gate.Unlock(pass)
	}
}

// raise brings the window to the front.
func (w *Window) raise() {
	w.win.Show()
	w.win.RequestFocus()
}

// follow brings the window up to date with what changed.
func (w *Window) follow(b event.Batch) {
	agents, places, models, tools := false, false, false, false
	for _, c := range b.Changes {
		switch c.Kind {
		case event.Settings:
			w.applyTheme()
		case event.Agent:
			agents = true
		case event.Folder:
			places = true
		case event.Model:
			models = true
		case event.Server:
			tools = true
		case event.Vault:
		}
	}
	if agents && w.open() {
		w.roster.Reload(w.showFacts)
		if w.atAccess() {
			w.access.Reload(nil)
		}
	}
	if models && w.open() {
		w.models.Reload()
	}
	if tools && w.open() {
		w.servers.Reload()
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
	w.claimLate()
	w.gate.Object().Hide()
	w.inside.Show()
	w.showFacts()
	w.roster.Reload(func() {
		w.showFacts()
		w.roster.Resume()
		w.tidy()
	})
	w.follower.Start()
	w.refreshMenu()
	if err := w.svc.Settings.Problem(); err != nil {
		w.say(fault.Sentence(err), nil)
	}
}

// tidy removes what is kept for a time and has had it, and reads every row, so
// that a damaged one is known before it is needed.
func (w *Window) tidy() {
	loop.Go(w.loop, w.ctx, func(ctx context.Context) (int, error) {
		if _, err := w.svc.Roster.Purge(ctx); err != nil {
			return 0, err
		}
		bad, err := w.svc.Vault.Verify(ctx)
		return len(bad), err
	}, func(bad int, err error) {
		if err == nil && bad > 0 && w.open() {
			w.roster.Reload(w.showFacts)
		}
	})
}

func (w *Window) showFacts() {
	st := w.svc.Vault.Status(w.ctx)
	facts := []widget.Fact{
		{Icon: "lock-open", Spans: []widget.Span{widget.Firm("Unlocked"), widget.Plain(" · " + protect.Word(st.Protection))}},
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
