// Package uitest draws and drives parts of the window in tests, in software
// and without a display: the look, a fixed text scale, one pixel a unit.
//
// It promises that the same content gives the same picture on every machine as
// long as its text is Latin and the build tag ci keeps system fonts out. It is
// for tests only and holds one app at a time, so tests that use it must not
// run in parallel.
package uitest

import (
	"image"
	"testing"

	"fyne.io/fyne/v2"
	fynetest "fyne.io/fyne/v2/test"

	"callboard/ui/theme"
)

// Screen is a window of a test.
type Screen struct {
	t      testing.TB
	window fyne.Window
}

// Fyne's own look for tests lacks fonts and sizes; parts that are made before
// a window would not survive it.
func init() { plain() }

// plain is the app of no test.
func plain() { fynetest.NewApp().Settings().SetTheme(theme.New(theme.Light, 1)) }

// Window shows content in a window of that size with that look. The window is
// gone when the test ends.
func Window(t testing.TB, content fyne.CanvasObject, size fyne.Size, mode theme.Mode, scale float32) *Screen {
	t.Helper()
	s := Blank(t, size, mode, scale)
	s.SetContent(content)
	return s
}

// Blank is a window with nothing in it yet. Content that is made after it has
// the look from the start.
func Blank(t testing.TB, size fyne.Size, mode theme.Mode, scale float32) *Screen {
	t.Helper()
	app := fynetest.NewApp()
	t.Cleanup(plain)
	app.Settings().SetTheme(theme.New(mode, scale))
	w := app.NewWindow("")
	t.Cleanup(w.Close)
	w.SetPadded(false)
	w.Resize(size)
	return &Screen{t: t, window: w}
}

// SetContent shows content instead.
func (s *Screen) SetContent(content fyne.CanvasObject) {
	size := s.Canvas().Size()
	s.window.SetContent(content)
	s.window.Resize(size)
	s.Settle()
}

// SetTheme changes the look while the window is shown.
func (s *Screen) SetTheme(mode theme.Mode, scale float32) {
	fyne.CurrentApp().Settings().SetTheme(theme.New(mode, scale))
	s.Settle()
}

// Resize changes the size of the window.
func (s *Screen) Resize(size fyne.Size) {
	s.window.Resize(size)
	s.Settle()
}

// Window is the window itself, for menus and titles.
func (s *Screen) Window() fyne.Window { return s.window }

// Canvas is the canvas of the window.
func (s *Screen) Canvas() fyne.Canvas { return s.window.Canvas() }

// Settle lays everything out as the real driver does between frames. Heights
// that depend on widths need a second round.
func (s *Screen) Settle() {
	for range 2 {
		for _, root := range s.roots() {
			root.Refresh()
		}
	}
}

// Picture is what the window looks like now.
func (s *Screen) Picture() image.Image {
	s.Settle()
	return s.Canvas().Capture()
}

// Golden compares the window with testdata/name.png; see the function Golden.
func (s *Screen) Golden(name string) {
	s.t.Helper()
	Golden(s.t, s.Picture(), name)
}

// roots are the content and all overlays, bottom first.
func (s *Screen) roots() []fyne.CanvasObject {
	var roots []fyne.CanvasObject
	if c := s.Canvas().Content(); c != nil {
		roots = append(roots, c)
	}
	return append(roots, s.Canvas().Overlays().List()...)
}

// Of drives a window that the code under test made with fynetest's app. The
// caller closes it.
func Of(t testing.TB, w fyne.Window) *Screen {
	s := &Screen{t: t, window: w}
	s.Settle()
	return s
}
