package widget_test

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"callboard/ui/widget"
)

func TestFieldTellsWhatThePersonTypes(t *testing.T) {
	f := widget.NewField("Name")
	var got, entered string
	f.OnChanged = func(text string) { got = text }
	f.OnSubmitted = func(text string) { entered = text }
	s := show(t, 300, 100, f)
	f.SetText("rev")
	if got != "" {
		t.Errorf("SetText called OnChanged with %q", got)
	}
	s.Focus(f.Input())
	s.Press(fyne.KeyEnd)
	s.Type("iew")
	s.Press(fyne.KeyReturn)
	if got != "review" || entered != "review" || f.Text() != "review" {
		t.Errorf("changed %q, entered %q, holds %q", got, entered, f.Text())
	}
}

func TestReadOnlyFieldCannotBeTypedInto(t *testing.T) {
	f := widget.NewField("Limit")
	f.SetText("30")
	f.SetReadOnly(true)
	show(t, 300, 100, f)
	f.Input().TypedRune('x')
	if f.Text() != "30" {
		t.Errorf("holds %q", f.Text())
	}
	f.SetReadOnly(false)
	f.Input().TypedRune('x')
	if f.Text() == "30" {
		t.Error("still read-only")
	}
}

func TestFieldShowsItsErrorAndTakesRoomForIt(t *testing.T) {
	f := widget.NewField("Model")
	s := show(t, 200, 200, widget.Column(0, f))
	before := f.MinSize().Height
	f.SetError("No model of this name. Choose one from the list.")
	s.Settle()
	if !s.Shows("No model of this name") {
		t.Errorf("texts %q", s.Texts())
	}
	if after := f.MinSize().Height; after < before+2*16 {
		t.Errorf("height %v with an error of two lines, %v without", after, before)
	}
	f.SetError("")
	if f.MinSize().Height != before {
		t.Error("room stays when the error is gone")
	}
}

func TestTabLeavesATextAreaBothWays(t *testing.T) {
	name, text, more := widget.NewField("Name"), widget.NewCodeArea("Instructions", 3), widget.NewField("More")
	s := show(t, 300, 400, widget.Column(8, name, text, more))
	s.Focus(text.Input())
	s.Type("x")
	s.Press(fyne.KeyReturn, fyne.KeyTab)
	if s.Focused() != more.Input() || text.Text() != "x\n" {
		t.Errorf("Tab went to %T, text %q", s.Focused(), text.Text())
	}
	s.ShiftTab()
	s.ShiftTab()
	if s.Focused() != name.Input() {
		t.Errorf("Shift+Tab went to %T", s.Focused())
	}
}

func TestPassphraseIsShownOnlyOnDemand(t *testing.T) {
	f := widget.NewPassword("Passphrase")
	f.SetText("correct horse")
	s := show(t, 300, 100, f)
	if s.Shows("horse") {
		t.Fatalf("shown at once: %q", s.Texts())
	}
	f.Peek()
	if s.Settle(); !s.Shows("correct horse") {
		t.Errorf("not shown: %q", s.Texts())
	}
	f.Conceal()
	if s.Settle(); s.Shows("horse") {
		t.Error("still shown")
	}
}

func TestTabGoesFromOnePassphraseToTheNext(t *testing.T) {
	first, again := widget.NewPassword("Passphrase"), widget.NewPassword("Again")
	s := show(t, 300, 200, widget.Column(8, first, again))
	s.Focus(first.Input())
	s.Type("two words")
	s.Press(fyne.KeyTab)
	s.Type("two words")
	if s.Settle(); again.Text() != "two words" || s.Shows("two words") {
		t.Errorf("typed %q, shown %q", again.Text(), s.Texts())
	}
}

func TestSearch(t *testing.T) {
	q := widget.NewSearch("Search 9 agents", "Ctrl F")
	var got []string
	down := 0
	q.OnChanged = func(text string) { got = append(got, text) }
	q.OnDown = func() { down++ }
	s := show(t, 300, 60, q)
	s.Focus(q.Input())
	if !s.Shows("Ctrl F") {
		t.Error("no key hint in the empty box")
	}
	s.Type("ab")
	if s.Shows("Ctrl F") {
		t.Error("the key hint stays beside what was typed")
	}
	s.Press(fyne.KeyDown, fyne.KeyReturn, fyne.KeyEscape)
	if q.Text() != "" || down != 2 || len(got) != 3 || got[1] != "ab" || got[2] != "" {
		t.Errorf("text %q, %d times down, changes %q", q.Text(), down, got)
	}
}

func TestChoice(t *testing.T) {
	c := widget.NewChoice("Effort", "low", "medium", "high")
	var got []string
	c.OnChanged = func(option string) { got = append(got, option) }
	c.SetValue("medium")
	s := show(t, 300, 300, widget.Column(8, c))
	s.Focus(c)
	s.Press(fyne.KeyDown, fyne.KeyDown, fyne.KeyUp)
	if !slices.Equal(got, []string{"high", "medium"}) {
		t.Errorf("keys chose %v", got)
	}
	s.Press(fyne.KeyReturn)
	s.Tap("low")
	if c.Value() != "low" || s.Canvas().Overlays().Top() != nil {
		t.Errorf("the menu chose %q, still open %v", c.Value(), s.Canvas().Overlays().Top() != nil)
	}
	c.Disable()
	s.Tap("low")
	if s.Canvas().Overlays().Top() != nil {
		t.Error("a disabled choice opens")
	}
}
