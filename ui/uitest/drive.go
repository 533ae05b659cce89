package uitest

import (
	"fyne.io/fyne/v2"
	fynetest "fyne.io/fyne/v2/test"
)

// Focus gives o the keyboard and fails the test when it does not take it.
func (s *Screen) Focus(o fyne.Focusable) {
	s.t.Helper()
	s.Canvas().Focus(o)
	if s.Canvas().Focused() != o {
		s.t.Fatalf("%T did not take the focus", o)
	}
}

// Focused is the object that has the keyboard, nil for none.
func (s *Screen) Focused() fyne.Focusable { return s.Canvas().Focused() }

// FocusField gives the keyboard to the box under that label, on the top
// overlay or the content, and fails the test when there is none.
func (s *Screen) FocusField(label string) {
	s.t.Helper()
	s.Settle()
	n, ok := s.find(label)
	if !ok {
		s.t.Fatalf("no label %q among %q", label, s.Texts())
	}
	for i := len(n.over) - 1; i >= 0; i-- {
		if f, ok := n.over[i].(interface{ Input() fyne.Focusable }); ok {
			s.Focus(f.Input())
			return
		}
	}
	s.t.Fatalf("text %q labels no box", label)
}

// Type types text into the focused object.
func (s *Screen) Type(text string) {
	s.t.Helper()
	for _, r := range text {
		f := s.Focused()
		if f == nil {
			s.t.Fatalf("nothing has the focus to type %q", text)
		}
		f.TypedRune(r)
	}
}

// Press presses keys one after the other. Tab moves the focus unless the
// focused object takes it, as in the real window.
func (s *Screen) Press(keys ...fyne.KeyName) {
	s.t.Helper()
	for _, key := range keys {
		f := s.Focused()
		if tab, ok := f.(fyne.Tabbable); key == fyne.KeyTab && (!ok || !tab.AcceptsTab()) {
			s.Canvas().FocusNext()
			continue
		}
		ev := &fyne.KeyEvent{Name: key}
		if f != nil {
			f.TypedKey(ev)
		} else if h := s.Canvas().OnTypedKey(); h != nil {
			h(ev)
		} else {
			s.t.Fatalf("nothing takes the key %s", key)
		}
	}
}

// ShiftTab moves the focus back.
func (s *Screen) ShiftTab() { s.Canvas().FocusPrevious() }

// Tap clicks the middle of the object that shows exactly text. It fails the
// test when there is none or a click there would reach nothing.
func (s *Screen) Tap(text string) {
	s.t.Helper()
	s.Settle()
	n, ok := s.find(text)
	if !ok {
		s.t.Fatalf("no text %q to tap among %q", text, s.Texts())
	}
	if !tappable(n) {
		s.t.Fatalf("text %q is not in anything that takes a tap", text)
	}
	size := n.obj.Size()
	pos := fyne.CurrentApp().Driver().AbsolutePositionForObject(n.obj)
	fynetest.TapCanvas(s.Canvas(), pos.AddXY(size.Width/2, size.Height/2))
	s.Settle()
}

// TapAt clicks a place of the window.
func (s *Screen) TapAt(x, y float32) {
	fynetest.TapCanvas(s.Canvas(), fyne.NewPos(x, y))
	s.Settle()
}

func tappable(n node) bool {
	for _, o := range append(n.over, n.obj) {
		if _, ok := o.(fyne.Tappable); ok {
			return true
		}
	}
	return false
}
