package widget_test

import (
	"fmt"
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"callboard/ui/theme"
	"callboard/ui/widget"
)

func manyItems(n int) []widget.Item {
	items := make([]widget.Item, n)
	for i := range items {
		items[i] = widget.Item{ID: fmt.Sprint(i), Name: fmt.Sprintf("agent %d", i), Tone: theme.OK, State: "ready"}
	}
	return items
}

func TestListMovesByKeys(t *testing.T) {
	l := widget.NewList()
	var got []string
	l.OnSelected = func(id string) { got = append(got, id) }
	l.SetItems(agents)
	s := show(t, 336, 300, l)
	s.Focus(l)
	s.Press(fyne.KeyDown, fyne.KeyDown, fyne.KeyUp, fyne.KeyUp, fyne.KeyEnd, fyne.KeyHome)
	if want := []string{"1", "2", "1", "7", "1"}; !slices.Equal(got, want) {
		t.Errorf("keys chose %v, want %v", got, want)
	}
	got = nil
	s.Type("rr")
	s.Tap("docs-writer")
	if want := []string{"7", "1", "4"}; !slices.Equal(got, want) {
		t.Errorf("letters and pointer chose %v, want %v", got, want)
	}
	s.Press(fyne.KeyReturn)
	if got[len(got)-1] != "4" || len(got) != 4 {
		t.Errorf("Enter told %v", got)
	}
}

func TestListKeepsTheSelectedIDAcrossItems(t *testing.T) {
	l := widget.NewList()
	called := false
	l.OnSelected = func(string) { called = true }
	l.SetItems(agents)
	l.Select("3")
	s := show(t, 336, 300, l)
	l.SetItems(agents[:2])
	s.Settle()
	l.SetItems(append([]widget.Item{{ID: "9", Name: "new"}}, agents...))
	if l.Selected() != "3" || called {
		t.Errorf("selected %q, callback %v", l.Selected(), called)
	}
	s.Focus(l)
	s.Press(fyne.KeyUp)
	if l.Selected() != "2" {
		t.Errorf("Up from 3 went to %s", l.Selected())
	}
}

func TestListDrawsOnlyWhatIsInView(t *testing.T) {
	l := widget.NewList()
	l.SetItems(manyItems(100_000))
	s := show(t, 336, 590, l)
	if n := len(s.Texts()); n > 40 {
		t.Errorf("%d texts for ten rows", n)
	}
	l.Select("99999")
	s.Settle()
	if !s.Shows("agent 99999") || s.Shows("agent 3") {
		t.Errorf("after Select of the last: %q", s.Texts())
	}
	s.Focus(l)
	s.Press(fyne.KeyHome)
	s.Settle()
	if !s.Shows("agent 3") || s.Shows("agent 99999") {
		t.Errorf("after Home: %q", s.Texts())
	}
	l.SetItems(nil)
	s.Settle()
	s.Press(fyne.KeyDown, fyne.KeyEnd, fyne.KeyReturn)
	s.Type("a")
	if len(s.Texts()) != 0 {
		t.Errorf("an empty list shows %q", s.Texts())
	}
}

var grouped = []widget.Item{
	{Name: "~/code/shop"},
	{ID: "1", Name: "reviewer"},
	{ID: "2", Name: "planner"},
	{Name: "No file"},
	{ID: "3", Name: "tester"},
}

func TestListStepsOverHeads(t *testing.T) {
	l := widget.NewList()
	var got []string
	l.OnSelected = func(id string) { got = append(got, id) }
	l.SetItems(grouped)
	s := show(t, 336, 300, l)
	s.Focus(l)
	s.Press(fyne.KeyHome, fyne.KeyDown, fyne.KeyDown, fyne.KeyUp, fyne.KeyUp, fyne.KeyUp, fyne.KeyEnd, fyne.KeyPageUp)
	if want := []string{"1", "2", "3", "2", "1", "3", "1"}; !slices.Equal(got, want) {
		t.Errorf("keys chose %v, want %v", got, want)
	}
	got = nil
	s.Tap("No file")
	s.Type("n")
	if len(got) != 0 {
		t.Errorf("a head was chosen: %v", got)
	}
	s.Tap("tester")
	if !slices.Equal(got, []string{"3"}) {
		t.Errorf("the row below a head is %v", got)
	}
	l.SetItems([]widget.Item{{Name: "only"}, {Name: "heads"}})
	s.Press(fyne.KeyHome, fyne.KeyEnd, fyne.KeyDown)
	if !slices.Equal(got, []string{"3"}) {
		t.Errorf("a head was chosen: %v", got)
	}
}

func TestListMarks(t *testing.T) {
	l := widget.NewList()
	told := 0
	l.SetItems(grouped)
	s := show(t, 336, 300, l)
	s.Focus(l)
	s.Press(fyne.KeyHome, fyne.KeySpace)
	l.TypedShortcut(&fyne.ShortcutSelectAll{})
	if len(l.Marked()) != 0 {
		t.Errorf("a list without marks has %v", l.Marked())
	}
	l.OnMarked = func() { told++ }
	s.Press(fyne.KeySpace)
	s.Press(fyne.KeyDown, fyne.KeyDown, fyne.KeySpace)
	if want := []string{"1", "3"}; !slices.Equal(l.Marked(), want) || told != 2 {
		t.Errorf("marked %v, told %d times", l.Marked(), told)
	}
	s.Press(fyne.KeySpace)
	l.TypedShortcut(&fyne.ShortcutSelectAll{})
	if want := []string{"1", "2", "3"}; !slices.Equal(l.Marked(), want) {
		t.Errorf("select all marked %v", l.Marked())
	}
	l.SetItems(grouped[:3])
	if want := []string{"1", "2"}; !slices.Equal(l.Marked(), want) {
		t.Errorf("of the rows that are left %v are marked", l.Marked())
	}
	s.Press(fyne.KeyEscape)
	if len(l.Marked()) != 0 {
		t.Errorf("Esc left %v", l.Marked())
	}
}
