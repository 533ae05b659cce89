package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetest "fyne.io/fyne/v2/test"

	"callboard/app/llm/llmtest"
	"callboard/app/model"
	"callboard/app/models"
	"callboard/app/settings"
)

const modelKey = "sk-CANARY-1f6c20d7"

// tabTo goes on with Tab until the part that shows text has the keyboard.
func (s *stage) tabTo(text string) {
	s.t.Helper()
	for range 80 {
		if o, ok := s.Focused().(fyne.CanvasObject); ok && says(o, text) {
			return
		}
		s.press(fyne.KeyTab)
	}
	s.t.Fatalf("Tab does not come to %q: %q", text, s.Texts())
}

func says(o fyne.CanvasObject, text string) bool {
	var parts []fyne.CanvasObject
	switch o := o.(type) {
	case *canvas.Text:
		return o.Text == text
	case *fyne.Container:
		parts = o.Objects
	case fyne.Widget:
		parts = fynetest.WidgetRenderer(o).Objects()
	}
	for _, p := range parts {
		if says(p, text) {
			return true
		}
	}
	return false
}

// pressOn presses the part that shows text.
func (s *stage) pressOn(text string) {
	s.t.Helper()
	s.tabTo(text)
	s.press(fyne.KeySpace)
}

// addModel adds a model of an endpoint through the sheet.
func (s *stage) addModel(address, id string) {
	s.t.Helper()
	s.do("Settings")
	s.pressOn("Add a model…")
	s.press(fyne.KeyEnd) // any compatible endpoint
	s.edit("Address", address)
	s.edit("Model id", id)
	s.press(fyne.KeyReturn)
	s.w.toasts.Dismiss()
}

func (s *stage) model() models.Entry {
	s.t.Helper()
	l, err := s.app.Models.List(s.t.Context())
	if err != nil || len(l.Models) == 0 {
		s.t.Fatalf("no model: %+v %v", l, err)
	}
	return l.Models[0]
}

func TestAModelIsAddedFromAPreset(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.do("Settings")
	s.wants("No models yet.")
	s.pressOn("Add a model…")
	s.wants("OpenAI", "Ollama", "LM Studio", "vLLM", "llama.cpp", "Other compatible endpoint")
	s.press(fyne.KeyReturn) // in the list of presets: nothing
	s.edit("Model id", "")
	s.press(fyne.KeyReturn)
	s.wants("A model id is needed.")
	s.press(fyne.KeyTab)
	s.Type("gpt-5 mini")
	s.press(fyne.KeyDown, fyne.KeyHome, fyne.KeyDown)
	s.ShiftTab()
	s.ShiftTab()
	s.press(fyne.KeyReturn)
	e := s.model()
	if !strings.Contains(e.Model.Model, "gpt-5") || e.Model.BaseURL != "https://api.openai.com/v1" || e.Model.Enabled || e.Model.Price.State != model.Priced {
		t.Fatalf("%+v", e)
	}
	s.wants(e.Model.Name+" added.", "no key", "per million tokens", "From Callboard's price list, ", "No key. One you set")
	s.edit("Name", "mini")
	s.edit("Context, tokens", "lots")
	s.wants("Write a whole number of tokens.")
	s.press(fyne.KeyReturn)
	if s.model().Model.Name == "mini" {
		t.Error("saved with a fault")
	}
	s.edit("Context, tokens", "9,000")
	s.edit("Output at most, tokens", "500")
	s.do("Save")
	if m := s.model().Model; m.Name != "mini" || m.Context != 9000 || m.MaxOutput != 500 {
		t.Errorf("%+v", m)
	}
	s.edit("Name", "other")
	s.do("Discard changes")
	if s.w.models.Edited() || !s.Shows("mini") {
		t.Errorf("not discarded: %q", s.Texts())
	}
}

func TestAKeyIsSetAndNeverShown(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.addModel("https://models.example/v1", "big")
	hidden := func(when string) {
		t.Helper()
		for _, text := range s.Texts() {
			if strings.Contains(text, "CANARY") {
				t.Errorf("%s: %q", when, text)
			}
		}
	}
	s.edit("New key", modelKey)
	hidden("while it is typed")
	s.press(fyne.KeyReturn)
	hidden("once it is kept")
	s.wants("Key set for https://models.example:443.", "A key is kept.", "disabled")
	s.FocusField("New key")
	s.do("Undo the edit")
	hidden("after undo in the box")
	if e := s.model(); !e.HasKey || !e.KeyFits {
		t.Errorf("%+v", e)
	}
	s.edit("Address", "https://other.example/v1")
	s.edit("New key", "another")
	s.press(fyne.KeyReturn)
	s.wants("Not set: save the new address first.")
	s.do("Save")
	s.wants("key for another site", "it was entered for https://models.example:443 and is not sent anywhere else")
	s.pressOn("Test…")
	s.wants("Not tested", "the key was entered for another address")
	s.pressOn("Remove key")
	s.wants("Key removed.", "no key")
	if s.model().HasKey {
		t.Error("the key is still there")
	}
}

func TestATestSendsWhatItShowed(t *testing.T) {
	ep := llmtest.New(t,
		llmtest.Picky{Text: `{"ok":true}`, Fields: []model.TokenField{model.MaxCompletionTokens}, Modes: []model.JSONMode{model.Schema}}.Reply())
	s := newStage(t, settings.Light)
	s.enter()
	s.addModel(ep.URL, "qwen3-8b")
	s.edit("New key", modelKey)
	s.press(fyne.KeyReturn)
	s.edit("Name", "local")
	s.pressOn("Test…")
	s.wants("Not tested", "Save or discard the changes first.")
	s.do("Save")
	s.pressOn("Test…")
	s.wants("Nothing has been sent.", "POST "+ep.URL+"/chat/completions", "Authorization: redacted", `"model":"qwen3-8b"`,
		"up to 3 further requests may follow", "Only if that form is refused")
	if n := len(ep.Calls()); n != 0 || s.Shows(modelKey) {
		t.Fatalf("%d requests before the word", n)
	}
	s.press(fyne.KeyReturn)
	s.wants("It works", "12 tokens in and 5 out", "max_completion_tokens", "It is saved.", "Refused with status 400")
	if calls := ep.Calls(); len(calls) != 2 || calls[0].Header.Get("Authorization") != "Bearer "+modelKey {
		t.Errorf("%d requests", len(calls))
	}
	s.press(fyne.KeyEscape)
	if f := s.model().Model.TokenField; f != model.MaxCompletionTokens {
		t.Errorf("%s is kept", f)
	}
	s.wants("max_completion_tokens")
}

func TestATestThatFailsOrIsCancelled(t *testing.T) {
	ep := llmtest.New(t, llmtest.Refused(401, llmtest.Canary), llmtest.Hang())
	s := newStage(t, settings.Light)
	s.enter()
	s.addModel(ep.URL, "qwen3-8b")
	s.pressOn("Test…")
	s.press(fyne.KeyReturn)
	s.wants("It does not work yet", "asks for a key it accepts", "Set the key", "Refused with status 401")
	if s.Shows("CANARY") {
		t.Errorf("the endpoint's words are shown: %q", s.Texts())
	}
	s.press(fyne.KeyEscape)
	s.pressOn("Test…")
	s.Press(fyne.KeyReturn)
	call := ep.Wait(t, 1)
	s.Settle()
	s.wants("Waiting for ")
	s.Press(fyne.KeyEscape)
	<-call.Gone
	s.settle()
	s.wants("The test was cancelled.")
	if s.Shows("It does not work") {
		t.Error("the answer to a cancelled test came through")
	}
	s.pressOn("Test…")
	s.Press(fyne.KeyReturn)
	call = ep.Wait(t, 2)
	s.do("Lock")
	<-call.Gone
	s.settle()
	if s.Shows("qwen3-8b") || s.Shows("cancelled") {
		t.Errorf("after locking: %q", s.Texts())
	}
}

func TestAModelIsDisabledDeletedAndBack(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.addModel("http://127.0.0.1:9/v1", "small")
	s.edit("New key", modelKey)
	s.press(fyne.KeyReturn)
	s.edit("Name", "renamed")
	s.pressOn("Enable")
	s.wants("ready", "small enabled.")
	s.pressOn("Disable")
	s.wants("disabled", "small disabled. Nothing uses it")
	s.do("Save") // the edit outlived both
	if e := s.model(); e.Model.Enabled || e.Model.Name != "renamed" {
		t.Errorf("%+v", e)
	}
	s.tabTo("Delete")
	s.press(fyne.KeySpace)
	s.wants("No models yet.", "renamed deleted, its key for good. Undo brings it back without the key.")
	s.do("Undo")
	s.wants("renamed is back, without its key.")
	if e := s.model(); e.HasKey || e.Model.Name != "renamed" {
		t.Errorf("%+v", e)
	}
}

func TestTheThreePrices(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.addModel("http://127.0.0.1:9/v1", "small")
	s.wants("Unknown, which is not free")
	s.FocusField("Output at most, tokens")
	s.tabTo("Unknown")
	s.press(fyne.KeyDown)
	s.wants("Declared free. Callboard takes your word for it")
	s.edit("Address", "https://models.example/v1")
	s.wants("Only a model on this machine can cost nothing.")
	s.edit("Address", "http://127.0.0.1:9/v1")
	s.do("Save")
	if p := s.model().Model.Price; p.State != model.Zero {
		t.Errorf("%+v", p)
	}
	s.FocusField("Output at most, tokens")
	s.tabTo("Declared free")
	s.press(fyne.KeyDown)
	s.wants("Write the figures in dollars")
	s.edit("In, $", "2.5")
	s.edit("Out, $", "10")
	s.do("Save")
	want := model.Price{State: model.Priced, Input: 2_500_000, Output: 10_000_000, Source: model.Person, Date: "2026-11-30"}
	if p := s.model().Model.Price; p != want {
		t.Errorf("%+v", p)
	}
	s.wants("$2.50 in and $10.00 out per million tokens. From you, 30 November 2026.")
}

func TestAModelChangedElsewhere(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.addModel("http://127.0.0.1:9/v1", "small")
	elsewhere := func(name string) {
		t.Helper()
		e := s.model()
		e.Model.Name = name
		if _, err := s.app.Models.Save(t.Context(), models.SaveRequest{Model: e.Model, Revision: e.Revision}); err != nil {
			t.Fatal(err)
		}
	}
	elsewhere("theirs")
	s.until("the page follows", func() bool { return s.Shows("theirs") })
	s.edit("Name", "mine")
	elsewhere("theirs again")
	s.until("the page says so", func() bool { return s.Shows("Changed elsewhere") })
	s.do("Save")
	s.wants("Not saved", "the model was changed elsewhere since you opened it", "discard")
	s.do("Quit")
	s.wants("Changes to 1 model are not saved and will be lost.")
	s.press(fyne.KeyEscape)
	s.do("Discard changes")
	s.wants("theirs again")
	if s.w.models.Edited() || s.Shows("Not saved") {
		t.Errorf("%q", s.Texts())
	}
}

func TestLockingForgetsTheModels(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.addModel("https://models.example/v1", "small-one")
	s.edit("New key", modelKey)
	s.do("Lock")
	s.w.settings.Object().Show()
	s.w.models.Object().Show()
	s.w.inside.Show() // what was left behind would show
	s.settle()
	for _, part := range []string{"small-one", "models.example", "CANARY", "8192"} {
		if s.Shows(part) {
			t.Errorf("%q is still there: %q", part, s.Texts())
		}
	}
}
