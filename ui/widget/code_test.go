package widget_test

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"callboard/ui/widget"
)

func TestCodeDrawsOnlyWhatIsInView(t *testing.T) {
	c := widget.NewCode()
	c.SetNumbers(true)
	c.SetText(strings.Repeat("twenty-six bytes in a line\n", 20_000) + "the end")
	s := show(t, 400, 400, c)
	inner := fyne.CanvasObject(c)
	if n := len(drawn(inner)); n > 60 {
		t.Errorf("%d texts drawn for twenty rows", n)
	}
	s.Focus(c)
	s.Press(fyne.KeyEnd)
	s.Settle()
	if all := drawn(inner); !contains(all, "the end") || !contains(all, "20001") {
		t.Errorf("End shows %q", all)
	}
	s.Press(fyne.KeyHome, fyne.KeyDown)
	s.Settle()
	if all := drawn(inner); !contains(all, "2") || contains(all, "the end") {
		t.Errorf("Home shows %q", all)
	}
}

func TestCodeCutsALongLineToTheView(t *testing.T) {
	c := widget.NewCode()
	c.SetText(strings.Repeat("é0123456789", 50_000) + "Z")
	s := show(t, 400, 100, c)
	s.Settle()
	for _, text := range drawn(c) {
		if len(text) > 200 {
			t.Errorf("drew %d bytes of a long line", len(text))
		}
	}
	if !strings.HasPrefix(drawn(c)[0], "é012") && !contains(drawn(c), "") {
		t.Errorf("begins %q", drawn(c))
	}
}

func TestCodeWrapsBetweenWordsAndLosesNothing(t *testing.T) {
	const text = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen\n\nlast"
	c := widget.NewCode()
	c.SetText(text)
	c.SetWrap(true)
	show(t, 200, 300, c)
	rows := drawn(c)
	joined := strings.Join(rows, "")
	if want := strings.ReplaceAll(text, "\n", ""); joined != want {
		t.Errorf("rows %q", rows)
	}
	for _, row := range rows {
		if strings.HasPrefix(row, " ") {
			t.Errorf("row %q begins with a space", row)
		}
	}
	if len(rows) < 5 {
		t.Errorf("%d rows, want the text wrapped", len(rows))
	}
	if c.FullText() != text {
		t.Errorf("full text %q", c.FullText())
	}
}

func TestCodeLines(t *testing.T) {
	c := widget.NewCode()
	c.SetText("a\tb\r\n\tc\r\n")
	if got := c.FullText(); got != "a   b\n    c" {
		t.Errorf("lines %q", got)
	}
}
