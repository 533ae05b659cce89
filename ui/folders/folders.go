// Package folders is the sheet of the folders a person added: which of them
// are linked, and a way to add or drop one.
package folders

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"

	"callboard/app/fault"
	"callboard/app/profile"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// Service is what the sheet works on.
type Service interface {
	Folders(context.Context) ([]profile.Folder, error)
	KeepFolder(ctx context.Context, path string, linked bool) (profile.Folder, error)
	DropFolder(ctx context.Context, id string) error
}

// Config is what the sheet needs.
type Config struct {
	Context context.Context //nolint:containedctx // events have no context of their own
	Loop    *loop.Loop
	Folders Service
	UserDir string // shown as ~
	Say     func(text string, undo func())
}

// sheet is the open sheet. It belongs to the Fyne thread.
type sheet struct {
	cfg  Config
	path *widget.Field
	rows *fyne.Container
	card *widget.Sheet
}

// Open shows the sheet over the window that of is in.
func Open(cfg Config, of fyne.CanvasObject) {
	s := &sheet{cfg: cfg, path: widget.NewField("Add a folder"), rows: widget.Column(12)}
	s.path.SetPlaceholder("~/code/shop")
	s.path.OnSubmitted = func(string) { s.add() }
	add := widget.NewButton(widget.Secondary, "Add", s.add)
	text := "Import looks into these besides where your tools keep agents. The files of a linked one are edited in place and watched: what others change in them is shown, and taken over when you accept it."
	body := widget.Column(theme.Pad, widget.NewParagraph(theme.Body, theme.Ink, text), s.rows,
		widget.Row(theme.Gap, widget.Grow(1, s.path), widget.Inset(20, 0, 0, 0, add)))
	s.card = widget.NewSheet("Folders", body, "Close", "", nil)
	s.card.SetWidth(640)
	s.show(nil)
	s.card.Open(of)
	s.read()
}

// read lists the folders anew.
func (s *sheet) read() {
	loop.Go(s.cfg.Loop, s.cfg.Context, s.cfg.Folders.Folders, func(all []profile.Folder, err error) {
		if err != nil {
			s.path.SetError(fault.Sentence(err))
			return
		}
		s.show(all)
	})
}

func (s *sheet) show(all []profile.Folder) {
	s.rows.Objects = nil
	if len(all) == 0 {
		s.rows.Add(widget.NewParagraph(theme.Secondary, theme.Mute, "No folder was added yet."))
	}
	for _, f := range all {
		link := widget.NewCheck("Linked", "")
		link.SetState(map[bool]widget.Tick{true: widget.Ticked}[f.Linked])
		link.OnChanged = func(t widget.Tick) { s.keep(f.Path, t == widget.Ticked) }
		drop := widget.NewIconButton(widget.Secondary, "x", "Remove", func() { s.drop(f) })
		s.rows.Add(widget.Row(12, widget.Grow(1, widget.NewCut(theme.Code, theme.Ink, words.Path(f.Path, s.cfg.UserDir))), link, drop))
	}
	s.rows.Refresh()
	s.card.Refresh()
}

func (s *sheet) add() {
	path := words.Whole(strings.TrimSpace(s.path.Text()), s.cfg.UserDir)
	if path == "" {
		s.path.SetError("Name a folder.")
		s.path.Focus()
		return
	}
	s.keep(path, true)
}

// keep adds a folder or changes whether it is linked.
func (s *sheet) keep(path string, linked bool) {
	s.path.SetError("")
	loop.Go(s.cfg.Loop, s.cfg.Context, func(ctx context.Context) (profile.Folder, error) {
		return s.cfg.Folders.KeepFolder(ctx, path, linked)
	}, func(_ profile.Folder, err error) {
		if err != nil {
			s.path.SetError(fault.Sentence(err))
			return
		}
		s.path.SetText("")
		s.read()
	})
}

// drop takes a folder off the list; the message that says so can undo it.
func (s *sheet) drop(f profile.Folder) {
	loop.Go(s.cfg.Loop, s.cfg.Context, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.cfg.Folders.DropFolder(ctx, f.ID)
	}, func(_ struct{}, err error) {
		if err != nil {
			s.path.SetError(fault.Sentence(err))
			return
		}
		s.read()
		s.cfg.Say(words.Path(f.Path, s.cfg.UserDir)+" is off the list. Its files and agents stay.", func() { s.keep(f.Path, f.Linked) })
	})
}
