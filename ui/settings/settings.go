// Package settings is the screen of the settings: a list of pages and, beside
// it, the one chosen.
package settings

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

const listWidth float32 = 239 // and the rule beside it

// Page is one page of the settings. Show reads what it shows, each time it is
// turned to; Forget drops it, for a vault that is being locked.
type Page interface {
	Title() string
	Object() fyne.CanvasObject
	Show()
	Forget()
}

// Screen belongs to the Fyne thread.
type Screen struct {
	pages  []Page
	list   *widget.List
	room   *fyne.Container
	object fyne.CanvasObject
}

// New makes a screen of those pages that shows nothing until Show.
func New(pages ...Page) *Screen {
	s := &Screen{pages: pages, list: widget.NewPlainList(), room: container.NewStack()}
	items := make([]widget.Item, len(pages))
	for i, p := range pages {
		items[i] = widget.Item{ID: p.Title(), Name: p.Title()}
		p.Object().Hide()
		s.room.Add(p.Object())
	}
	s.list.SetItems(items)
	s.list.OnSelected = func(id string) { s.Show(id) }
	head := widget.Inset(theme.Pad, theme.Pad, 12, theme.Pad, widget.NewText(theme.Title, theme.Ink, "Settings"))
	side := widget.Sized(listWidth, 0, widget.Fill(theme.Panel,
		widget.Column(0, head, widget.NewRule(), widget.Grow(1, s.list))))
	s.object = widget.Panes(0, side, widget.NewRule(), widget.Grow(1, widget.Fill(theme.Bg, s.room)))
	return s
}

// Object is what to draw.
func (s *Screen) Object() fyne.CanvasObject { return s.object }

// Titles are the titles of the pages.
func (s *Screen) Titles() []string {
	var out []string
	for _, p := range s.pages {
		out = append(out, p.Title())
	}
	return out
}

// Show turns to the page of that title, or, where there is none, to the one
// that was shown last.
func (s *Screen) Show(title string) {
	titles := s.Titles()
	if !slices.Contains(titles, title) {
		title = s.list.Selected()
	}
	at := max(0, slices.Index(titles, title))
	s.list.Select(titles[at])
	for i, p := range s.pages {
		widget.Visible(p.Object(), i == at)
	}
	s.pages[at].Show()
	s.object.Refresh()
}

// FocusList gives the list of pages the keyboard.
func (s *Screen) FocusList() { loop.Focus(s.list) }

// Forget drops everything that was read.
func (s *Screen) Forget() {
	for _, p := range s.pages {
		p.Forget()
	}
}
