package widget_test

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetest "fyne.io/fyne/v2/test"

	"callboard/ui/theme"
	"callboard/ui/widget"
)

// drawn is every text object below o that is in view, in drawing order,
// without empty ones.
func drawn(o fyne.CanvasObject) []string {
	var all []string
	if !o.Visible() {
		return nil
	}
	switch o := o.(type) {
	case *canvas.Text:
		if o.Text != "" {
			all = append(all, o.Text)
		}
	case *fyne.Container:
		for _, child := range o.Objects {
			all = append(all, drawn(child)...)
		}
	case fyne.Widget:
		for _, child := range fynetest.WidgetRenderer(o).Objects() {
			all = append(all, drawn(child)...)
		}
	}
	return all
}

func contains(all []string, text string) bool {
	for _, one := range all {
		if one == text {
			return true
		}
	}
	return false
}

const sentence = "Finds correctness and concurrency faults in a change and proves each with a failing case."

func TestParagraphWrapsAndAsksForItsHeight(t *testing.T) {
	p := widget.NewParagraph(theme.Body, theme.Ink, sentence)
	below := widget.NewText(theme.Body, theme.Ink, "below")
	s := show(t, 200, 300, widget.Column(0, p, below))
	rows := drawn(p)
	if len(rows) < 3 || strings.Join(rows, "") != sentence {
		t.Fatalf("rows %q", rows)
	}
	for _, row := range rows {
		if w := fyne.MeasureText(strings.TrimRight(row, " "), 14, theme.Regular).Width; w > 200 {
			t.Errorf("row %q is %v wide", row, w)
		}
	}
	if got, want := below.Position().Y, float32(20*len(rows)); got != want {
		t.Errorf("what follows is at %v, want %v", got, want)
	}
	s.Resize(fyne.NewSize(1000, 300))
	if n := len(drawn(p)); n != 1 || below.Position().Y != 20 {
		t.Errorf("%d rows in a wide window, what follows is at %v", n, below.Position().Y)
	}
}

func TestParagraphBreaksAWordThatIsTooLong(t *testing.T) {
	word := strings.Repeat("x", 100)
	p := widget.NewParagraph(theme.Body, theme.Ink, "a "+word)
	show(t, 100, 400, widget.Column(0, p))
	if rows := drawn(p); len(rows) < 8 || strings.Join(rows, "") != "a "+word {
		t.Errorf("rows %q", rows)
	}
}

func TestCutTextKeepsItsFullTextAndShowsItUnderThePointer(t *testing.T) {
	cut, hints := widget.NewCut(theme.Body, theme.Ink, sentence), widget.NewHints()
	s := show(t, 200, 200, container.NewStack(widget.Column(0, cut), hints))
	shown := drawn(cut)
	if len(shown) != 1 || !strings.HasSuffix(shown[0], "…") || !strings.HasPrefix(sentence, strings.TrimSuffix(shown[0], "…")) {
		t.Fatalf("drawn %q", shown)
	}
	if w := fyne.MeasureText(shown[0], 14, theme.Regular).Width; w > 200 {
		t.Errorf("%q is %v wide", shown[0], w)
	}
	if !cut.Cut() || cut.FullText() != sentence {
		t.Errorf("cut %v, full text %q", cut.Cut(), cut.FullText())
	}
	fynetest.MoveMouse(s.Canvas(), fyne.NewPos(50, 10))
	if hints.FullText() != sentence || len(drawn(hints)) < 2 {
		t.Errorf("the hint shows %q", drawn(hints))
	}
	fynetest.MoveMouse(s.Canvas(), fyne.NewPos(50, 150))
	if hints.FullText() != "" || len(drawn(hints)) != 0 {
		t.Errorf("the hint stays: %q", drawn(hints))
	}
	s.Resize(fyne.NewSize(900, 200))
	if cut.Cut() || drawn(cut)[0] != sentence {
		t.Errorf("still cut in a wide window: %q", drawn(cut))
	}
}

func TestLayouts(t *testing.T) {
	fixed, hidden := widget.Fixed(50, 30, widget.NewRule()), widget.Fixed(50, 30, widget.NewRule())
	one, two := widget.Grow(1, widget.NewRule()), widget.Grow(3, widget.NewRule())
	hidden.Hide()
	row := widget.Panes(10, fixed, hidden, one, two)
	show(t, 470, 100, row)
	if one.Size().Width != 100 || two.Size().Width != 300 || two.Position().X != 170 || fixed.Size().Height != 100 {
		t.Errorf("widths %v and %v, at %v, height %v", one.Size().Width, two.Size().Width, two.Position().X, fixed.Size().Height)
	}
	low, tall := widget.Fixed(50, 20, widget.NewRule()), widget.Fixed(50, 80, widget.NewRule())
	show(t, 300, 80, widget.Row(0, low, tall))
	if low.Position().Y != 30 || low.Size().Height != 20 {
		t.Errorf("a low part of a row is at %v, %v high", low.Position().Y, low.Size().Height)
	}
	fill := widget.Grow(1, widget.NewRule())
	top := widget.Fixed(0, 25, widget.NewRule())
	show(t, 100, 200, widget.Column(5, top, fill))
	if fill.Size().Height != 170 || fill.Position().Y != 30 {
		t.Errorf("the part that grows is %v high at %v", fill.Size().Height, fill.Position().Y)
	}
}
