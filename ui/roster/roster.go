// Package roster is the screen of the agents: a list to search and, beside it,
// the editor of the one chosen. Edits that are not saved stay with their agent
// while another one is looked at.
package roster

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"callboard/app/fault"
	"callboard/app/profile"
	"callboard/app/roster"
	"callboard/ui/editor"
	"callboard/ui/linked"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

const listWidth float32 = 335 // and the rule beside it

// Service is what the screen reads.
type Service interface {
	editor.Roster
	List(context.Context) (roster.List, error)
	Undo(context.Context, roster.Change) error
	SetEnabled(ctx context.Context, ids []string, on bool) (done roster.Change, kept int, err error)
	Delete(ctx context.Context, ids []string) error
	Deleted(context.Context) ([]roster.Gone, error)
	BringBack(ctx context.Context, ids []string) error
	Purge(ctx context.Context, ids ...string) (int, error)
	KeepDraft(context.Context, roster.Draft) error
	DropDraft(ctx context.Context, id string) error
	Drafts(context.Context) ([]roster.Draft, error)
}

// Config is what the screen needs. Import starts an import; Changed is called
// when what can be done may have changed.
type Config struct {
	Context context.Context //nolint:containedctx // events have no context of their own
	Loop    *loop.Loop
	Roster  Service
	Files   editor.Files
	UserDir string
	Start   string // where the program was started; empty if that is not known
	Import  func()
	Changed func()
	Matrix  func() // goes to who may call whom
	Say     func(text string, undo func())

	// Look goes to the importer, on a folder, and Accepted is told of a file's
	// version that was taken over.
	Look     func(folder string)
	Accepted func(roster.Imported)
}

// Screen belongs to the Fyne thread.
type Screen struct {
	cfg     Config
	all     []roster.Summary
	shown   []roster.Summary
	drafts  map[string]*editor.Draft // agents with unsaved changes, and the shown one
	keeper  keeper
	want    string // the agent that is to be shown
	arrives string // the same, where it was just made and is to be named
	linked  linked.State
	turn    int // of the list; late answers of an earlier one are dropped

	search *widget.Search
	view   *view
	bulk   *bulkBar
	list   *widget.List
	none   *widget.Empty
	detail *fyne.Container
	blank  *widget.Empty
	fresh  *freshBar
	bad    *widget.Notice // what of the list cannot be read
	lost   *widget.Notice // why the chosen agent cannot be read
	editor *editor.Editor
	object fyne.CanvasObject
}

// New makes a screen that lists nothing until Reload.
func New(cfg Config) *Screen {
	s := &Screen{cfg: cfg, drafts: map[string]*editor.Draft{}, keeper: keeper{kept: map[string]int{}}}
	s.editor = editor.New(editor.Config{
		Context: cfg.Context, Loop: cfg.Loop, Roster: cfg.Roster, Files: cfg.Files,
		UserDir: cfg.UserDir, Start: cfg.Start, Changed: s.changed, Restore: s.restore, Say: cfg.Say,
		Agents: func() []roster.Summary { return s.all }, Matrix: cfg.Matrix,
		Linked: func(path string) bool { return s.linked.Linked(path) }, Accepted: cfg.Accepted,
	})
	s.search = widget.NewSearch("Search", "Ctrl F")
	s.search.OnChanged = func(string) { s.filter() }
	s.list = widget.NewList()
	s.search.OnDown = s.enterList
	s.list.OnSelected = s.choose
	s.list.OnMarked = s.mark
	s.view = newView(s)
	s.bulk = newBulkBar(s)
	s.none = widget.NewEmpty("No agent fits the search. Esc empties it.", "", nil)
	s.blank = widget.NewEmpty("No agents yet. Import the ones your tools already have, or write a new one.", "Import agents…", cfg.Import)
	s.blank.Offer("New agent…", s.New)
	s.bad = widget.NewNotice(theme.Bad, "", "", "")
	s.fresh = newFreshBar(s)
	s.lost = widget.NewNotice(theme.Bad, "", "", "")
	s.detail = container.NewStack(s.blank, s.editor.Object(), container.NewCenter(widget.Sized(480, 0, s.lost)))
	s.reveal(s.blank)
	s.object = widget.Panes(0, s.side(), widget.NewRule(), widget.Grow(1, widget.Fill(theme.Bg, s.detail)))
	return s
}

func (s *Screen) side() fyne.CanvasObject {
	bring := widget.NewButton(widget.Secondary, "Import", s.cfg.Import)
	add := widget.NewIconButton(widget.Primary, "plus", "New agent", s.New)
	head := widget.Inset(theme.Pad, theme.Pad, 12, theme.Pad, widget.Column(theme.Gap,
		widget.Row(theme.Gap, widget.NewText(theme.Title, theme.Ink, "Roster"), widget.Space(), bring, add),
		s.search, s.view.object, s.bulk.object, s.fresh.object, s.bad))
	s.bad.Hide()
	body := container.NewStack(s.list, s.none)
	return widget.Sized(listWidth, 0, widget.Fill(theme.Panel,
		widget.Column(0, head, widget.NewRule(), widget.Grow(1, body))))
}

// Object is what to draw.
func (s *Screen) Object() fyne.CanvasObject { return s.object }

// Reload reads the list again and then calls then, which may be nil.
func (s *Screen) Reload(then func()) {
	s.turn++
	turn := s.turn
	loop.Go(s.cfg.Loop, s.cfg.Context, s.cfg.Roster.List, func(l roster.List, err error) {
		if s.turn != turn {
			return
		}
		s.tell(l.Unreadable, err)
		if err != nil {
			return
		}
		s.all = l.Agents
		s.view.offer()
		s.filter()
		s.editor.Listed()
		s.follow()
		if then != nil {
			then()
		}
	})
}

// tell says what of the list cannot be read.
func (s *Screen) tell(unreadable int, err error) {
	switch {
	case err != nil:
		s.bad.Set(theme.Bad, "", "The agents cannot be read", fault.Sentence(err))
		s.bad.Show()
	case unreadable > 0:
		s.bad.Set(theme.Bad, words.Count(unreadable, "agent"), "cannot be read", "Damaged on disk. The others work. Restore a backup of the home to get it back.")
		s.bad.Show()
	default:
		s.bad.Hide()
	}
	s.object.Refresh()
}

// enterList goes from the search to the list, and opens the first match when
// the agent that is shown is none.
func (s *Screen) enterList() {
	s.FocusList()
	isShown := func(a roster.Summary) bool { return a.ID == s.want }
	if len(s.shown) > 0 && !slices.ContainsFunc(s.shown, isShown) {
		s.choose(s.shown[0].ID)
	}
}

// FocusList gives the list the keyboard.
func (s *Screen) FocusList() { loop.Focus(s.list) }

// filter shows what the search finds.
func (s *Screen) filter() {
	s.shown = s.view.pick(s.search.Text())
	s.search.SetPlaceholder("Search " + words.Count(len(s.all), "agent"))
	s.list.SetItems(s.items())
	widget.Visible(s.search, len(s.all) > 0)
	widget.Visible(s.none, len(s.shown) == 0 && len(s.all) > 0)
	widget.Visible(s.list, len(s.shown) > 0)
	s.list.Refresh()
}

// items are the rows of the list, with the heads of groups.
func (s *Screen) items() []widget.Item {
	out := make([]widget.Item, 0, len(s.shown))
	mixed, head := s.mixed(), ""
	for _, a := range s.shown {
		if next := s.view.head(a); next != head {
			head = next
			out = append(out, widget.Item{Name: head})
		}
		out = append(out, s.item(a, mixed))
	}
	return out
}

// item is the row of one agent; mixed says that several tools' agents are here.
func (s *Screen) item(a roster.Summary, mixed bool) widget.Item {
	x := widget.Item{ID: a.ID, Name: a.Name, Detail: a.Description}
	if a.Description == "" {
		x.Detail = "No description"
	}
	if mixed && a.Format != "" && s.view.group != ByTool {
		x.Detail = profile.Format(a.Format).Label() + " · " + x.Detail
	}
	x.Tone, x.State = s.state(a)
	return x
}

// mixed reports whether the agents come from files of more than one tool.
func (s *Screen) mixed() bool {
	return slices.ContainsFunc(s.all, func(a roster.Summary) bool { return a.Format != s.all[0].Format })
}

// state is the one thing about an agent that the list points out.
func (s *Screen) state(a roster.Summary) (theme.Tone, string) {
	d := s.drafts[a.ID]
	proposal, proposed := s.linked.Proposals[a.ID]
	switch {
	case d != nil && d.Dirty():
		return theme.Info, "draft"
	case proposed && proposal.Gone:
		return theme.Warn, "file gone"
	case proposed && len(proposal.Widened) > 0:
		return theme.Warn, "changed outside"
	case proposed:
		return theme.Info, "changed outside"
	case !a.Certain && !a.OwnDefault:
		return theme.Warn, "tools unclear"
	case a.SameName:
		return theme.Warn, "same name"
	case a.Unwritten:
		return theme.Warn, "not written"
	case !a.Certain:
		return theme.Off, "tool's default"
	case !a.Enabled:
		return theme.Off, "disabled"
	}
	return theme.Off, ""
}

// needsAttention reports whether the list points an agent out as one to look at.
func (s *Screen) needsAttention(a roster.Summary) bool {
	_, proposed := s.linked.Proposals[a.ID]
	tone, _ := s.state(a)
	return proposed || tone == theme.Warn
}

// changed is called by the editor, after each change of the shown draft.
func (s *Screen) changed() {
	s.keepSoon()
	for _, a := range s.shown {
		if a.ID == s.Shown() {
			s.list.SetItem(s.item(a, s.mixed()))
		}
	}
	s.cfg.Changed()
}
