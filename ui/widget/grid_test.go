package widget_test

import (
	"fmt"
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"callboard/ui/uitest"
	"callboard/ui/widget"
)

func gridNames(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("agent %d", i)
	}
	return out
}

func TestGridMovesAndPresses(t *testing.T) {
	g := widget.NewGrid(false)
	var told []string
	g.OnMoved = func(r, c int) { told = append(told, fmt.Sprint(r, ",", c)) }
	g.OnPressed = func(r, c int) { told = append(told, fmt.Sprint("press ", r, ",", c)) }
	g.OnTyped = func(r, c int, x rune) { told = append(told, fmt.Sprint(string(x), " ", r, ",", c)) }
	s := show(t, 500, 300, g)
	s.Focus(g)
	s.Press(fyne.KeyDown, fyne.KeySpace, fyne.KeyReturn)
	s.Type("s")
	if len(told) != 0 {
		t.Errorf("an empty grid told %q", told)
	}
	g.SetNames(gridNames(50), gridNames(3))
	s.Press(fyne.KeyUp, fyne.KeyDown, fyne.KeyRight, fyne.KeySpace, fyne.KeyEnd, fyne.KeyRight, fyne.KeyHome, fyne.KeyPageDown)
	s.Type("c")
	want := []string{"1,0", "1,1", "press 1,1", "1,2", "1,0", "7,0", "c 7,0"}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	told = nil
	s.TapAt(220+34+10, 10) // a head is no cell
	if len(told) != 0 {
		t.Errorf("a head told %q", told)
	}
	s.TapAt(220+34+10, 40+5)
	if len(told) != 2 || told[1][:5] != "press" {
		t.Errorf("a click told %q", told)
	}
	g.GoTo(49, 2)
	g.SetNames(gridNames(2), gridNames(1))
	if r, c := g.Current(); r != 1 || c != 0 {
		t.Errorf("current is %d,%d", r, c)
	}
}

func TestGridDrawsOnlyWhatIsInView(t *testing.T) {
	g := widget.NewGrid(false)
	asked := 0
	g.Level = func(int, int) widget.Level { asked++; return widget.Full }
	g.SetNames(gridNames(10_000), gridNames(10_000))
	s := show(t, 800, 600, g)
	asked = 0
	g.GoTo(9_999, 9_999)
	s.Settle()
	if asked == 0 || asked > 4*24*20 {
		t.Errorf("%d cells were asked for", asked)
	}
	if !s.Shows("agent 9999") {
		t.Errorf("the last row is not shown: %q", s.Texts())
	}
}

func TestGridPictures(t *testing.T) {
	for _, look := range looks {
		s := uitest.Blank(t, fyne.NewSize(560*look.scale, 260*look.scale), look.mode, look.scale)
		g := widget.NewGrid(false)
		names := []string{"reviewer", "数据库专家", "مراجع الشيفرة", "an agent of such a long name that it cannot be shown whole", "tester"}
		g.SetNames(names, names)
		g.Level = func(r, c int) widget.Level {
			if r == c {
				return widget.Never
			}
			return []widget.Level{widget.Blank, widget.Half, widget.Full}[(r+2*c)%3]
		}
		g.GoTo(2, 1)
		s.SetContent(widget.NewFrame(g))
		s.Focus(g)
		s.Golden("grid-" + look.name)
	}
}
