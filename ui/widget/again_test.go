package widget_test

import (
	"testing"

	"fyne.io/fyne/v2"

	"callboard/ui/theme"
	"callboard/ui/widget"
)

// TestRenderersAreMadeAgain: the toolkit throws away what draws a part that was
// not seen for a while, and asks for it again.
func TestRenderersAreMadeAgain(t *testing.T) {
	list, grid, strip := widget.NewList(), widget.NewGrid(false), widget.NewStrip("hint")
	list.SetItems(agents)
	grid.SetNames([]string{"a"}, []string{"b"})
	strip.SetFacts(widget.Fact{Spans: []widget.Span{widget.Plain("fact")}})
	for name, part := range map[string]fyne.Widget{
		"rail": rail(), "tabs": widget.NewTabs("One", "Two", "Three"), "filters": widget.NewFilters("All", "Some"),
		"list": list, "grid": grid, "strip": strip, "button": widget.NewIconButton(widget.Primary, "plus", "Add", nil),
		"check": widget.NewCheck("Label", "reason"), "choice": widget.NewChoice("Label", "a", "b"),
		"field": widget.NewField("Label"), "area": widget.NewTextArea("Label", 3), "password": widget.NewPassword("Label"),
		"search": widget.NewSearch("Search", "Ctrl F"), "code": widget.NewCode(), "chip": widget.NewChip(theme.OK, "ready"),
		"notice": widget.NewNotice(theme.Warn, "line 1", "Title", "Text"), "avatar": widget.NewAvatar("a b", 28),
		"icon": widget.NewIcon("check", theme.Ink), "empty": widget.NewEmpty("Nothing", "Do", nil),
		"card": widget.NewCard(widget.NewText(theme.Body, theme.Ink, "x")), "text": widget.NewText(theme.Body, theme.Ink, "x"),
		"rule": widget.NewRule(), "sheet": widget.NewSheet("Title", widget.NewText(theme.Body, theme.Ink, "x"), "Cancel", "Do", nil),
	} {
		t.Run(name, func(t *testing.T) {
			show(t, 400, 300, part)
			first := part.CreateRenderer()
			first.Layout(fyne.NewSize(400, 300))
			first.Refresh()
			want := len(first.Objects())
			for range 2 {
				again := part.CreateRenderer()
				again.Layout(fyne.NewSize(400, 300))
				again.Refresh()
				if got := len(again.Objects()); got != want {
					t.Errorf("drawn again with %d objects, first with %d", got, want)
				}
			}
			first.Refresh() // what was thrown away may still be told
		})
	}
}
