package widget_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/uitest"
	"callboard/ui/widget"
)

type sheetCase struct {
	s     *uitest.Screen
	under *widget.Button
	name  *widget.Field
	acted int
}

func openSheet(t *testing.T) *sheetCase {
	t.Helper()
	c := &sheetCase{under: widget.NewButton(widget.Secondary, "Under", nil), name: widget.NewField("Name")}
	sheet := widget.NewSheet("Rename", c.name, "Cancel", "Rename it", func() { c.acted++ })
	c.s = show(t, 700, 400, container.NewStack(widget.Row(0, c.under)))
	c.s.Focus(c.under)
	sheet.Open(c.under)
	c.s.Settle()
	return c
}

func (c *sheetCase) open() bool { return c.s.Canvas().Overlays().Top() != nil }

func TestSheetTakesEscAndEnterFromItsField(t *testing.T) {
	c := openSheet(t)
	if c.s.Focused() != c.name.Input() {
		t.Fatalf("focus on %T, want the field", c.s.Focused())
	}
	c.s.Press(fyne.KeyReturn)
	if c.acted != 1 || !c.open() {
		t.Errorf("Enter acted %d times, open %v", c.acted, c.open())
	}
	c.s.Press(fyne.KeyEscape)
	if c.acted != 1 || c.open() {
		t.Errorf("Esc: acted %d times, open %v", c.acted, c.open())
	}
	if c.s.Focused() != fyne.Focusable(c.under) {
		t.Errorf("focus went to %T, want back", c.s.Focused())
	}
}

func TestSheetButtonsAndTabOrder(t *testing.T) {
	c := openSheet(t)
	c.s.Press(fyne.KeyTab, fyne.KeyTab)
	if _, ok := c.s.Focused().(*widget.Button); !ok {
		t.Fatalf("Tab Tab went to %T", c.s.Focused())
	}
	c.s.Press(fyne.KeySpace)
	c.s.Tap("Rename it")
	if c.acted != 2 {
		t.Errorf("acted %d times, want 2", c.acted)
	}
	c.s.TapAt(5, 5) // beside the card
	if !c.open() {
		t.Error("a click beside the card was an answer")
	}
	c.s.Press(fyne.KeyEscape) // from a button
	if c.open() {
		t.Error("Esc on a button did not cancel")
	}
}

func TestEnterOnASheetWithoutFields(t *testing.T) {
	for _, danger := range []bool{false, true} {
		acted := 0
		s := show(t, 700, 400, container.NewStack(widget.NewButton(widget.Quiet, "Under", nil)))
		sheet := widget.NewSheet("Delete 3 agents", widget.NewParagraph(theme.Body, theme.Mute, "They can be brought back."), "Keep", "Delete", func() { acted++ })
		if danger {
			sheet.SetDanger()
		}
		sheet.Open(s.Canvas().Content())
		s.Press(fyne.KeyReturn)
		if want := map[bool]int{false: 1, true: 0}[danger]; acted != want {
			t.Errorf("danger %v: acted %d times, want %d", danger, acted, want)
		}
		if open := s.Canvas().Overlays().Top() != nil; open == danger {
			t.Errorf("danger %v: still open: %v", danger, open)
		}
	}
}

func TestToast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := loop.NewTest()
		defer l.Close()
		toasts, undone := widget.NewToasts(l), 0
		s := show(t, 600, 300, container.NewStack(toasts))
		say := func(text string) { toasts.Say(context.Background(), text, "Undo", func() { undone++ }); s.Settle() }
		wait := func(d time.Duration) { time.Sleep(d); synctest.Wait(); l.Drain(); s.Settle() }

		say("Deleted 3 agents.")
		s.Tap("Undo")
		if undone != 1 || s.Shows("Deleted") {
			t.Errorf("undone %d times, shows %q", undone, s.Texts())
		}
		say("First.")
		wait(5 * time.Second)
		say("Second.")
		wait(5 * time.Second) // the first one's time is over
		if !s.Shows("Second.") {
			t.Error("an older toast's end took a newer one away")
		}
		wait(5 * time.Second)
		if s.Shows("Second.") {
			t.Error("the toast stays for ever")
		}
	})
}

func TestStripDropsWhatHasNoRoom(t *testing.T) {
	s := show(t, 1280, 30, strip())
	if !s.Shows("Ctrl F") || !s.Shows("~/.local/share/callboard") {
		t.Errorf("wide strip shows %q", s.Texts())
	}
	s.Resize(fyne.NewSize(360, 30))
	if s.Shows("Ctrl F") || s.Shows("~/.local") || !s.Shows("Unlocked · passphrase") {
		t.Errorf("narrow strip shows %q", s.Texts())
	}
}

func TestEveryPartFollowsAChangeOfLook(t *testing.T) {
	build := func() fyne.CanvasObject {
		notice := widget.NewNotice(theme.Warn, "line 5", "Title", "Text")
		check := widget.NewCheck("Read", "Why")
		check.SetState(widget.Ticked)
		field := widget.NewField("Name")
		field.SetError("Wrong.")
		return container.NewStack(widget.Fill(theme.Bg, widget.Panes(8, rail(), widget.Fixed(300, 0, listPane()),
			widget.Grow(1, widget.Column(8, detailHead(), notice, check, field, strip())))))
	}
	fresh := uitest.Blank(t, fyne.NewSize(1100, 600), theme.Dark, 1.5)
	fresh.SetContent(build())
	want := fresh.Picture()
	changed := uitest.Blank(t, fyne.NewSize(1100, 600), theme.Light, 1)
	changed.SetContent(build())
	changed.Picture()
	changed.SetTheme(theme.Dark, 1.5)
	got, n := changed.Picture(), 0
	for y := range 600 {
		for x := range 1100 {
			if got.At(x, y) != want.At(x, y) {
				n++
			}
		}
	}
	if n > 0 {
		t.Errorf("%d pixels differ from a window made in the dark look", n)
	}
}
