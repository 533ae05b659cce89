package widget_test

import (
	"testing"

	"fyne.io/fyne/v2"

	"callboard/ui/theme"
	"callboard/ui/uitest"
	"callboard/ui/widget"
)

// show puts content into a light window at scale 1.
func show(t *testing.T, width, height float32, content fyne.CanvasObject) *uitest.Screen {
	t.Helper()
	return uitest.Window(t, content, fyne.NewSize(width, height), theme.Light, 1)
}

func TestButtonIsPressedByEnterSpaceAndPointer(t *testing.T) {
	n := 0
	b := widget.NewButton(widget.Primary, "Save", func() { n++ })
	s := show(t, 200, 100, widget.Row(8, b))
	s.Press(fyne.KeyTab, fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace, fyne.KeyA)
	if n != 3 {
		t.Errorf("%d presses by keys, want 3", n)
	}
	s.Tap("Save")
	if n != 4 {
		t.Errorf("%d presses, want 4", n)
	}
}

func TestDisabledAndBusyButtonsDoNothing(t *testing.T) {
	n := 0
	press := func() { n++ }
	off, busy, on := widget.NewButton(widget.Secondary, "Off", press), widget.NewButton(widget.Secondary, "Busy", press), widget.NewButton(widget.Secondary, "On", press)
	off.Disable()
	busy.SetBusy(true)
	s := show(t, 400, 100, widget.Row(8, off, busy, on))
	s.Tap("Off")
	s.Tap("Busy")
	s.Press(fyne.KeyTab)
	if s.Focused() != fyne.Focusable(busy) {
		t.Fatalf("Tab went to %v, want past the disabled button", s.Focused())
	}
	s.Press(fyne.KeySpace)
	if n != 0 {
		t.Errorf("pressed %d times", n)
	}
	busy.SetBusy(false)
	s.Press(fyne.KeySpace)
	off.SetEnabled(true)
	s.Tap("Off")
	if n != 2 {
		t.Errorf("pressed %d times after enabling, want 2", n)
	}
}

func TestCheckToggles(t *testing.T) {
	var got []widget.Tick
	c := widget.NewCheck("Run commands", "Partly granted.")
	c.OnChanged = func(state widget.Tick) { got = append(got, state) }
	c.SetState(widget.Partly)
	s := show(t, 300, 100, c)
	s.Press(fyne.KeyTab, fyne.KeySpace, fyne.KeySpace)
	s.Tap("Run commands")
	want := []widget.Tick{widget.Ticked, widget.Unticked, widget.Ticked}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("states %v, want %v", got, want)
	}
	c.Disable()
	s.Tap("Run commands")
	if len(got) != 3 {
		t.Error("a disabled box changed")
	}
}

// picking is what rail, tabs and filters share.
type picking interface {
	fyne.CanvasObject
	fyne.Focusable
	Select(int)
}

func TestPickersMoveByKeyAndPointer(t *testing.T) {
	var got []int
	record := func(i int) { got = append(got, i) }
	r, tabs, filters := rail(), widget.NewTabs("Profile", "Tools", "Settings"), widget.NewFilters("All 9", "Native 4", "Settings")
	r.OnSelected, tabs.OnSelected, filters.OnSelected = record, record, record
	for _, c := range []struct {
		name        string
		part        picking
		back, forth fyne.KeyName
	}{
		{"rail", r, fyne.KeyUp, fyne.KeyDown},
		{"tabs", tabs, fyne.KeyLeft, fyne.KeyRight},
		{"filters", filters, fyne.KeyLeft, fyne.KeyRight},
	} {
		t.Run(c.name, func(t *testing.T) {
			got = nil
			s := show(t, 400, 300, c.part)
			c.part.Select(1)
			if len(got) != 0 {
				t.Fatal("Select called OnSelected")
			}
			s.Focus(c.part)
			s.Press(c.forth, c.forth, fyne.KeyHome, c.back, fyne.KeyEnd, c.back)
			if want := "2 0 2 1"; ints(got) != want {
				t.Errorf("keys picked %s, want %s", ints(got), want)
			}
			got = nil
			s.Canvas().Unfocus()
			s.Tap("Settings")
			if ints(got) != "2" {
				t.Errorf("the pointer picked %s", ints(got))
			}
			if s.Focused() != fyne.Focusable(c.part) {
				t.Error("a click did not give it the keyboard")
			}
		})
	}
}

func ints(list []int) string {
	out := ""
	for i, n := range list {
		if i > 0 {
			out += " "
		}
		out += string(rune('0' + n))
	}
	return out
}
