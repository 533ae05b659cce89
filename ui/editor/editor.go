package editor

import (
	"context"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/roster"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// Roster is what the editor does with stored agents.
type Roster interface {
	Save(context.Context, roster.SaveRequest) (roster.Entry, error)
	SetSource(ctx context.Context, id string, revision uint64, src agent.Source) (roster.Entry, error)
	Import(context.Context, []roster.Incoming) (roster.Imported, error)
	KeepOver(ctx context.Context, id string, revision uint64, read agent.Agent) (roster.Entry, error)
	Get(ctx context.Context, id string) (roster.Entry, error)
	History(ctx context.Context, id string) ([]roster.Version, error)
}

// Files is what the editor does with agent files.
type Files interface {
	Preview(context.Context, agent.Agent) (profile.Plan, error)
	Write(context.Context, profile.Plan, profile.WriteOptions) (agent.Source, error)
	SaveElsewhere(ctx context.Context, plan profile.Plan, path string) (agent.Source, error)
	Export(ctx context.Context, made profile.Conversion, path string, o profile.WriteOptions) (profile.Exported, error)
	UndoExport(context.Context, profile.Exported) error
}

// Config is what an editor needs. Context is the window's life. Changed is
// called after every change to the draft or to what is stored; Restore is
// called when an undo brought a draft's edits back, whatever is shown by then;
// Say shows a passing message, with an undo if there is one.
type Config struct {
	Context context.Context //nolint:containedctx // events have no context of their own
	Loop    *loop.Loop
	Roster  Roster
	Files   Files
	UserDir string // shown as ~
	Start   string // where the program was started; empty if that is not known
	Changed func()
	Restore func(*Draft)
	Agents  func() []roster.Summary // all there are, by name
	Matrix  func()                  // goes to who may call whom
	Say     func(text string, undo func())

	// Linked reports whether a file is in a linked folder, so that saving writes
	// it too, and Accepted is told of a file's version that was taken over.
	Linked   func(path string) bool
	Accepted func(roster.Imported)
}

// Editor shows one draft at a time. It belongs to the Fyne thread.
type Editor struct {
	cfg   Config
	draft *Draft

	head     *header
	tabs     *widget.Tabs
	profile  *profilePage
	tools    *toolsPage
	access   *accessPage
	history  *historyPage
	notice   *widget.Notice
	notices  *fyne.Container
	proposal *proposalBar
	pages    *fyne.Container
	object   fyne.CanvasObject
	busy     bool
}

// New makes an editor that shows nothing until Show.
func New(cfg Config) *Editor {
	e := &Editor{cfg: cfg, notice: widget.NewNotice(theme.Bad, "", "", "")}
	e.head = newHeader(e)
	e.tabs = widget.NewTabs("Profile", "Tools", "Access", "History")
	e.tabs.OnSelected = e.turn
	e.profile = newProfilePage(e)
	e.tools = newToolsPage(e)
	e.access = newAccessPage(e)
	e.history = newHistoryPage(e)
	e.proposal = newProposalBar(e)
	e.notices = widget.Inset(0, 0, theme.Pad, 0, e.notice)
	e.notices.Hide()
	e.pages = container.NewStack(e.profile.object, e.tools.object, e.access.object, e.history.object)
	pad := theme.PadDetail
	e.object = widget.Column(0,
		widget.Fill(theme.Panel, widget.Column(0,
			widget.Inset(theme.Pad, pad, 0, pad, e.head.object),
			widget.Inset(10, pad, 0, pad, e.tabs),
			widget.NewRule(),
		)),
		widget.Grow(1, widget.Fill(theme.Bg, widget.Inset(pad-4, pad, pad, pad,
			widget.Column(0, e.proposal.object, e.notices, widget.Grow(1, e.pages))))),
	)
	e.turn(0)
	return e
}

// Object is what to draw.
func (e *Editor) Object() fyne.CanvasObject { return e.object }

// Draft is the draft that is shown, nil before Show.
func (e *Editor) Draft() *Draft { return e.draft }

// Show shows a draft, which the caller keeps.
func (e *Editor) Show(d *Draft) {
	e.draft = d
	e.clear()
	e.profile.fill()
	e.tools.fill()
	e.access.fill()
	e.history.fill()
	e.refresh()
}

// The tabs.
const (
	tabProfile = iota
	tabTools
	tabAccess
	tabHistory
)

// ShowTab turns to the tab of that number.
func (e *Editor) ShowTab(index int) {
	e.tabs.Select(index)
	e.turn(index)
}

// FocusName gives the box for the name the keyboard, with the name chosen.
func (e *Editor) FocusName() {
	e.ShowTab(0)
	e.profile.name.Focus()
	if box, ok := e.profile.name.Input().(fyne.Shortcutable); ok {
		box.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
}

func (e *Editor) turn(index int) {
	for i, page := range e.pages.Objects {
		widget.Visible(page, i == index)
	}
	if index == tabHistory && e.draft != nil {
		e.history.fill()
	}
}

// touched is called by the pages after each change to the draft.
func (e *Editor) touched() {
	e.draft.note()
	e.clear()
	e.refresh()
	e.cfg.Changed()
}

// refresh brings all but the boxes being typed in up to date.
func (e *Editor) refresh() {
	e.head.refresh()
	e.profile.refresh()
	e.tools.refresh()
	e.access.refresh()
}

// fail shows what did not happen and the next step, above the page.
func (e *Editor) fail(title, text string) {
	e.notice.Set(theme.Bad, "", title, text)
	e.notices.Show()
	e.object.Refresh()
}

func (e *Editor) clear() {
	if e.notices.Visible() {
		e.notices.Hide()
		e.object.Refresh()
	}
}

// fileName is the name of the draft's file, empty without one.
func (e *Editor) fileName() string {
	if e.draft.Agent.Source == nil {
		return ""
	}
	return filepath.Base(e.draft.Agent.Source.Path)
}

// Forget empties every box and drops the draft, for a vault that is being
// locked.
func (e *Editor) Forget() {
	e.draft = NewDraft(roster.Entry{})
	e.clear()
	e.profile.fill()
	e.profile.preview.forget()
	e.tools.fill()
	e.access.fill()
	e.history.forget()
	e.refresh()
	e.draft = nil
}
