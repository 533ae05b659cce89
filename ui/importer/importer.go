// Package importer is the screen that looks into a folder, shows what is there
// and what is broken, and brings the chosen agents into the roster in one step.
// It changes nothing in the folder.
package importer

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/profile"
	"callboard/app/roster"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// Roster is what an import needs of the roster.
type Roster interface {
	Match(context.Context, []agent.Agent) ([]roster.Match, error)
	Import(context.Context, []roster.Incoming) (roster.Imported, error)
}

// Folders is what an import needs of the folders a person added.
type Folders interface {
	Folders(context.Context) ([]profile.Folder, error)
	KeepFolder(ctx context.Context, path string, linked bool) (profile.Folder, error)
}

// Config is what the screen needs. Done is called with what was imported, or with the zero value when
// the person cancels.
type Config struct {
	Context context.Context //nolint:containedctx // events have no context of their own
	Loop    *loop.Loop
	Roster  Roster
	Folders Folders
	Where   profile.Where // where to look when no folder is named
	UserDir string        // shown as ~
	Done    func(roster.Imported)
}

// Screen belongs to the Fyne thread.
type Screen struct {
	cfg    Config
	found  *found
	stop   context.CancelFunc // ends the look that runs
	turn   int                // which visit of the screen this is
	busy   bool
	saving bool // the import runs

	folder  *widget.Field
	look    *widget.Button
	browse  *widget.Button
	cancel  *widget.Button
	act     *widget.Button
	facts   *widget.Text
	notice  *widget.Notice
	list    *widget.List
	empty   *widget.Empty
	link    *widget.Check
	detail  *detail
	object  fyne.CanvasObject
	results *fyne.Container
}

// New makes the screen with nothing found.
func New(cfg Config) *Screen {
	s := &Screen{cfg: cfg, found: &found{}, stop: func() {}}
	s.folder = widget.NewField("Folder or file")
	s.folder.SetPlaceholder("a repository, a folder or one file; empty: where your tools keep agents")
	s.link = widget.NewCheck("Keep this folder linked", "Its files are then edited in place and watched. What others change in them is shown, and taken over when you accept it.")
	s.link.Hide()
	s.folder.OnSubmitted = func(string) { s.Look() }
	s.look = widget.NewButton(widget.Secondary, "Look", s.Look)
	s.browse = widget.NewIconButton(widget.Secondary, "folder-open", "Browse…", s.Browse)
	s.cancel = widget.NewButton(widget.Secondary, "Cancel", s.Cancel)
	s.act = widget.NewButton(widget.Primary, "Import", s.Import)
	s.facts = widget.NewCut(theme.Secondary, theme.Mute, "")
	s.notice = widget.NewNotice(theme.Bad, "", "", "")
	s.link.OnChanged = func(widget.Tick) { s.show() }
	s.list = widget.NewList()
	s.list.OnSelected = func(id string) { s.choose(id) }
	s.empty = widget.NewEmpty("", "", nil)
	s.detail = newDetail(cfg.UserDir, s.leaveOut)
	s.object = s.arrange()
	s.show()
	return s
}

func (s *Screen) arrange() fyne.CanvasObject {
	pad := theme.PadDetail
	head := widget.Fill(theme.Panel, widget.Column(0,
		widget.Inset(theme.Pad, pad, theme.Pad, pad, widget.Row(12,
			widget.Grow(1, widget.Column(0, widget.NewText(theme.Title, theme.Ink, "Import agents"), s.facts)),
			widget.Row(theme.Gap, s.cancel, s.act))),
		widget.NewRule()))
	s.notice.Hide()
	ask := widget.Column(theme.Pad,
		widget.Panes(theme.Gap, widget.Grow(1, s.folder), widget.Inset(20, 0, 0, 0, s.look), widget.Inset(20, 0, 0, 0, s.browse)),
		s.notice)
	side := widget.Sized(400, 0, widget.Column(12, widget.Grow(1, widget.NewFrame(s.list)), s.link))
	s.results = widget.Panes(theme.Pad, side, widget.Grow(1, s.detail.object))
	return widget.Column(0, head, widget.Grow(1, widget.Fill(theme.Bg, widget.Inset(pad-4, pad, pad, pad,
		widget.Column(theme.Pad, ask, widget.Grow(1, container.NewStack(s.results, s.empty)))))))
}

// Object is what to draw.
func (s *Screen) Object() fyne.CanvasObject { return s.object }

// Start opens the screen on a folder and looks into it if it is named.
func (s *Screen) Start(folder string) {
	s.stop() // what another visit is still looking at
	s.turn++
	s.setBusy(false, "Look")
	s.found = &found{}
	s.folder.SetText(words.Path(folder, s.cfg.UserDir))
	s.warn("", "")
	s.show()
	s.folder.Focus()
	s.link.SetState(widget.Unticked)
	s.Look()
}

// Look reads the folder; pressed again while it runs, it stops.
func (s *Screen) Look() {
	if s.busy {
		s.stop()
		return
	}
	path := words.Whole(strings.TrimSpace(s.folder.Text()), s.cfg.UserDir)
	s.warn("", "")
	ctx, stop := context.WithCancel(s.cfg.Context)
	s.stop = stop
	turn := s.turn
	s.setBusy(true, "Stop")
	loop.Go(s.cfg.Loop, ctx, func(ctx context.Context) (*found, error) {
		return look(ctx, s.cfg, path, func(n int) {
			s.cfg.Loop.Post(func() { s.progress(n) })
		})
	}, func(f *found, err error) {
		stop()
		if s.turn != turn {
			return // the screen was left meanwhile
		}
		s.setBusy(false, "Look")
		switch {
		case ctx.Err() != nil && s.cfg.Context.Err() == nil && err != nil:
			s.warn("Stopped", "Nothing was imported.")
		case err != nil:
			s.found = &found{}
			s.warn("Nothing to show", fault.Sentence(err))
		default:
			s.found = f
		}
		s.show()
	})
}

func (s *Screen) progress(n int) {
	if s.busy {
		s.facts.SetText("Looking… " + words.Count(n, "file"))
	}
}

// Import brings the chosen agents in, all of them or none.
func (s *Screen) Import() {
	in, _ := s.found.chosen()
	link := ""
	if s.link.Visible() && s.link.State() == widget.Ticked {
		link = s.found.named
	}
	if s.busy || len(in) == 0 && link == "" {
		return
	}
	turn := s.turn
	s.setBusy(true, "Look")
	s.act.SetBusy(true)
	s.saving = true
	loop.Go(s.cfg.Loop, s.cfg.Context, func(ctx context.Context) (roster.Imported, error) {
		if link != "" {
			if _, err := s.cfg.Folders.KeepFolder(ctx, link, true); err != nil {
				return roster.Imported{}, err
			}
		}
		return s.cfg.Roster.Import(ctx, in)
	}, func(got roster.Imported, err error) {
		s.saving = false
		s.act.SetBusy(false)
		s.setBusy(false, "Look")
		if s.turn != turn {
			return // the vault was locked meanwhile
		}
		if err != nil {
			s.warn("Nothing was imported", fault.Sentence(err))
			return
		}
		s.close(got)
	})
}

// Cancel leaves the screen; a look that runs is stopped. An import that has
// begun is all or nothing and takes a moment, so it is waited for.
func (s *Screen) Cancel() {
	if s.saving {
		return
	}
	s.stop()
	s.close(roster.Imported{})
}

func (s *Screen) close(got roster.Imported) {
	s.Forget()
	s.cfg.Done(got)
}

// Forget drops everything that was read.
func (s *Screen) Forget() {
	s.stop()
	s.turn++
	s.setBusy(false, "Look")
	s.found = &found{}
	s.folder.SetText("")
	s.warn("", "")
	s.detail.forget()
	s.show()
}

func (s *Screen) setBusy(busy bool, word string) {
	s.busy = busy
	s.look.SetText(word)
	s.browse.SetEnabled(!busy)
	s.cancel.SetEnabled(!s.saving)
	s.folder.SetReadOnly(busy)
	s.act.SetEnabled(!busy && s.worth())
}

func (s *Screen) warn(title, text string) {
	s.notice.Set(theme.Bad, "", title, text)
	widget.Visible(s.notice, title != "")
	s.object.Refresh()
}

func (s *Screen) choose(id string) {
	if f := s.found.byID(id); f != nil {
		s.detail.show(f)
	}
}

// leaveOut takes a file out of the import or back in.
func (s *Screen) leaveOut(f *file, out bool) {
	f.leftOut = out
	s.show()
}

// Ready reports whether an import would do anything.
func (s *Screen) Ready() bool { return !s.busy && s.worth() }

// worth reports whether there is anything to import or to link.
func (s *Screen) worth() bool {
	in, _ := s.found.chosen()
	return len(in) > 0 || s.link.Visible() && s.link.State() == widget.Ticked
}

// actWords say what the import would do.
func (s *Screen) actWords() string {
	in, fresh := s.found.chosen()
	renewed := len(in) - fresh
	switch {
	case renewed == 0 && fresh == 0 && s.link.Visible() && s.link.State() == widget.Ticked:
		return "Link the folder"
	case renewed == 0 && fresh == 0:
		return "Import"
	case renewed == 0:
		return "Import " + words.Count(fresh, "agent")
	case fresh == 0:
		return "Update " + words.Count(renewed, "agent")
	}
	return fmt.Sprintf("Import %d, update %d", fresh, renewed)
}

// show brings everything in line with what was found.
func (s *Screen) show() {
	s.act.SetText(s.actWords())
	widget.Visible(s.link, s.found.named != "")
	s.act.SetEnabled(!s.busy && s.worth())
	s.facts.SetText(s.found.facts(s.cfg.UserDir))
	s.list.SetItems(s.found.items(s.cfg.UserDir))
	some := len(s.found.files) > 0
	widget.Visible(s.results, some)
	widget.Visible(s.empty, !some)
	s.empty.SetText(s.found.emptyWords(s.cfg.UserDir))
	if some {
		if s.found.byID(s.list.Selected()) == nil {
			s.list.Select(s.found.files[0].id)
		}
		s.choose(s.list.Selected())
	}
	s.object.Refresh()
}
