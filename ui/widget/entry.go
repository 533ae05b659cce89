package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	fynetheme "fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/loop"
	"callboard/ui/theme"
)

// entry is Fyne's entry without a box of its own, for the parts that draw one.
// Tab always moves on, also from several lines, so that nothing traps the
// keyboard.
type entry struct {
	fynewidget.Entry
	focusChanged func()
	key          func(fyne.KeyName) bool // true when it took the key
	hasFocus     bool
}

func newEntry() *entry {
	e := &entry{}
	e.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	e.ExtendBaseWidget(e)
	return e
}

// bare is the look inside an entry: no box, no edge, that text size.
func bare(size float32) *theme.Variation {
	return &theme.Variation{
		Sizes: map[fyne.ThemeSizeName]float32{
			fynetheme.SizeNameInputBorder: 0, fynetheme.SizeNameText: size,
		},
		Colors: map[fyne.ThemeColorName]theme.Token{
			fynetheme.ColorNameInputBackground: theme.Clear, fynetheme.ColorNameInputBorder: theme.Clear,
			fynetheme.ColorNameDisabled: theme.Mute,
		},
	}
}

// AcceptsTab is false: Tab goes to the next part.
func (e *entry) AcceptsTab() bool { return false }

// FocusGained is for Fyne.
func (e *entry) FocusGained() {
	e.hasFocus = true
	e.Entry.FocusGained()
	e.told()
}

// FocusLost is for Fyne.
func (e *entry) FocusLost() {
	e.hasFocus = false
	e.Entry.FocusLost()
	e.told()
}

func (e *entry) told() {
	if e.focusChanged != nil {
		e.focusChanged()
	}
}

// TypedKey offers the key to the part around it, then to a sheet, then types.
func (e *entry) TypedKey(ev *fyne.KeyEvent) {
	loop.Input(e)
	if e.key != nil && e.key(ev.Name) {
		return
	}
	if ev.Name == fyne.KeyEscape && toSheet(e, ev.Name) {
		return
	}
	e.Entry.TypedKey(ev)
	enter := ev.Name == fyne.KeyReturn || ev.Name == fyne.KeyEnter
	if enter && !e.MultiLine && e.OnSubmitted == nil {
		toSheet(e, ev.Name)
	}
}

// TypedRune types.
func (e *entry) TypedRune(r rune) {
	loop.Input(e)
	e.Entry.TypedRune(r)
}

// TypedShortcut pastes, copies and so on.
func (e *entry) TypedShortcut(s fyne.Shortcut) {
	loop.Input(e)
	e.Entry.TypedShortcut(s)
}

// MouseDown sets the cursor.
func (e *entry) MouseDown(ev *desktop.MouseEvent) {
	loop.Input(e)
	e.Entry.MouseDown(ev)
}

// TextBox is the box that types into, if f is one.
func TextBox(f fyne.Focusable) (fyne.Shortcutable, bool) {
	e, ok := f.(*entry)
	return e, ok
}
