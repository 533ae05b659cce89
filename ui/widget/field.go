package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/loop"
	"callboard/ui/theme"
)

const (
	fieldHeight float32 = 36
	fieldGap    float32 = 4   // between label, box and error
	fieldErrGap float32 = 5   // between the error's icon and text
	entryLift   float32 = 0.6 // puts the letters of Fyne's entry in the middle
)

// Field is a label above a box to type in, with room for a helper text beside
// the label and an error below the box.
type Field struct {
	fynewidget.BaseWidget
	// OnChanged is called with the text after each change by the person, not
	// after SetText. OnSubmitted is called on Enter in a single line.
	OnChanged, OnSubmitted func(string)

	label, helper *Text
	fault         *Text
	entry         *entry
	inner         *container.ThemeOverride
	ground        theme.Token
	area          bool // several lines
	quiet         bool // while SetText runs
	eye           *peek
}

// NewField is a single line.
func NewField(label string) *Field { return newField(label, newEntry(), 14) }

// NewPassword is a single line whose text is hidden until the person asks to
// see it.
func NewPassword(label string) *Field {
	e := newEntry()
	e.Password = true
	var f *Field
	eye := newPeek(func() { f.Peek() })
	e.ActionItem = eye // before anything asks the box for its size, which would give it Fyne's own
	f = newField(label, e, 14)
	f.eye = eye
	return f
}

// Peek shows or hides the text of a password.
func (f *Field) Peek() { f.conceal(!f.entry.Password) }

// Conceal hides the text of a password.
func (f *Field) Conceal() { f.conceal(true) }

func (f *Field) conceal(hidden bool) {
	f.entry.Password = hidden
	f.eye.icon.set(map[bool]string{true: "eye", false: "eye-off"}[f.entry.Password], theme.Mute)
	f.entry.Refresh()
}

// NewTextArea is several lines of text, rows of them high. The text wraps.
func NewTextArea(label string, rows int) *Field {
	return newArea(label, newEntry(), 14, rows)
}

// NewCodeArea is several lines of instructions or code in the mono font, at
// least rows of them high; it takes the height it is given. The text wraps.
func NewCodeArea(label string, rows int) *Field {
	e := newEntry()
	e.TextStyle = theme.Mono
	return newArea(label, e, 13, rows)
}

func newArea(label string, e *entry, size float32, rows int) *Field {
	e.MultiLine, e.Wrapping = true, fyne.TextWrapWord
	e.SetMinRowsVisible(rows)
	f := newField(label, e, size)
	f.area, f.ground = true, theme.Panel
	f.Refresh()
	return f
}

// newField draws around an entry that is set up: Fyne makes its renderer as
// soon as it gets its look.
func newField(label string, e *entry, textSize float32) *Field {
	f := &Field{
		label:  NewText(theme.Label, theme.Mute, label),
		helper: NewCut(theme.Label, theme.Mute, ""),
		fault:  NewParagraph(theme.Small, theme.Bad.Text(), ""),
		entry:  e,
		ground: theme.Bg,
	}
	f.helper.SetAlign(fyne.TextAlignTrailing)
	f.inner = container.NewThemeOverride(e, bare(textSize))
	e.focusChanged = f.Refresh
	e.OnChanged = func(text string) {
		if f.OnChanged != nil && !f.quiet {
			f.OnChanged(text)
		}
	}
	f.ExtendBaseWidget(f)
	return f
}

// Text is what is in the box.
func (f *Field) Text() string { return f.entry.Text }

// SetText puts text in the box without calling OnChanged.
func (f *Field) SetText(text string) {
	f.quiet = true
	f.entry.SetText(text)
	f.quiet = false
}

// SetPlaceholder is what an empty box shows.
func (f *Field) SetPlaceholder(text string) { f.entry.SetPlaceHolder(text) }

// SetHelper is a short fact at the right of the label.
func (f *Field) SetHelper(text string) { f.helper.SetText(text) }

// SetError says below the box what is wrong; empty takes it away.
func (f *Field) SetError(text string) {
	if f.fault.FullText() == text {
		return
	}
	f.fault.SetText(text)
	f.Refresh()
}

// SetReadOnly keeps the person from changing the text; it can still be read
// and copied.
func (f *Field) SetReadOnly(readOnly bool) {
	if readOnly {
		f.entry.Disable()
	} else {
		f.entry.Enable()
	}
	f.Refresh()
}

// Focus gives the box the keyboard.
func (f *Field) Focus() { loop.Focus(f.entry) }

// Input is the part that takes the keyboard, for tests and the Tab order.
func (f *Field) Input() fyne.Focusable { return f.entry }

func (f *Field) boxHeight() float32 {
	if !f.area {
		return theme.Scaled(fieldHeight)
	}
	return f.inner.MinSize().Height
}

func (f *Field) minSize() fyne.Size {
	height := f.boxHeight()
	if f.label.FullText() != "" {
		height += theme.Label.LineHeight() + fieldGap
	}
	if f.fault.FullText() != "" {
		height += fieldGap + f.fault.MinSize().Height
	}
	return fyne.NewSize(max(f.label.MinSize().Width, theme.Scaled(64)), height)
}

// edge is the colour of the box's border.
func (f *Field) edge() theme.Token {
	switch {
	case f.entry.hasFocus:
		return theme.Accent
	case f.fault.FullText() != "":
		return theme.Bad.Text()
	}
	return theme.Line
}

// CreateRenderer is for Fyne.
func (f *Field) CreateRenderer() fyne.WidgetRenderer {
	back, focus := box(theme.RadiusField), newRing(theme.RadiusField-theme.FocusRing)
	mark := newIcon("circle-alert", theme.Bad.Text())
	place := func(size fyne.Size) {
		f.place(size, mark, func(pos fyne.Position, s fyne.Size) {
			back.Move(pos)
			back.Resize(s)
			focus.Move(pos)
			focus.Resize(s)
		})
	}
	refresh := func() {
		f.submit()
		ground := f.ground
		if f.entry.Disabled() {
			ground = theme.Bg
		}
		paint(back, ground, f.edge())
		focus.shown = f.entry.hasFocus
		focus.refresh()
		mark.refresh()
		mark.Hidden = f.fault.FullText() == ""
		place(f.Size())
	}
	refresh()
	return &renderer{
		objects: []fyne.CanvasObject{f.label, f.helper, back, f.inner, focus.Rectangle, mark.Image, f.fault},
		layout:  place, min: f.minSize, refresh: refresh,
	}
}

// submit hands Enter on only when somebody waits for it, so that a sheet can
// have it otherwise.
func (f *Field) submit() {
	f.entry.OnSubmitted = f.OnSubmitted
}

func (f *Field) place(size fyne.Size, mark *icon, boxAt func(fyne.Position, fyne.Size)) {
	top, line := float32(0), theme.Label.LineHeight()
	if f.label.FullText() != "" {
		label := f.label.MinSize()
		f.label.Resize(label)
		f.helper.Move(fyne.NewPos(label.Width+theme.Gap, 0))
		f.helper.Resize(fyne.NewSize(size.Width-label.Width-theme.Gap, line))
		top = line + fieldGap
	}
	side, below := theme.Scaled(chipIcon), float32(0)
	f.fault.Resize(fyne.NewSize(size.Width-side-fieldErrGap, 0))
	if f.fault.FullText() != "" {
		below = f.fault.MinSize().Height + fieldGap
	}
	height := theme.Scaled(fieldHeight)
	if f.area {
		height = max(f.boxHeight(), size.Height-top-below)
	}
	boxAt(fyne.NewPos(0, top), fyne.NewSize(size.Width, height))
	inner := f.inner.MinSize().Height
	if f.area {
		inner = height
	}
	f.inner.Move(fyne.NewPos(1.5, top+(height-inner)/2-entryLift))
	f.inner.Resize(fyne.NewSize(size.Width-3, inner))
	mark.Resize(fyne.NewSquareSize(side))
	mark.Move(fyne.NewPos(0, top+height+fieldGap+middle(theme.Small.LineHeight(), side)))
	f.fault.Move(fyne.NewPos(side+fieldErrGap, top+height+fieldGap))
}
