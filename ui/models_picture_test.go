package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"callboard/app/model"
	"callboard/app/models"
	"callboard/app/settings"
	"callboard/crypto/secret"
)

// someModels stores one model of each state.
func (s *stage) someModels() {
	s.t.Helper()
	add := func(preset int, url, id, key string, on bool, price model.Price) models.Entry {
		m := model.Presets()[preset].New()
		if url != "" {
			m.BaseURL = url
		}
		m.Name, m.Model, m.Enabled, m.Price = id, id, on, price
		e, err := s.app.Models.Save(s.t.Context(), models.SaveRequest{Model: m})
		if err == nil && key != "" {
			e, err = s.app.Models.SetKey(s.t.Context(), e.Model.ID, e.Revision, secret.FromString(key))
		}
		if err != nil {
			s.t.Fatal(err)
		}
		return e
	}
	unknown := model.Price{State: model.Unknown}
	add(0, "", "gpt-5-mini", modelKey, true, unknown)
	add(1, "", "qwen3-8b", "", true, model.Price{State: model.Zero})
	add(0, "", "gpt-5", "", false, unknown)
	add(3, "", "small-draft", "", false, unknown)
	e := add(5, "https://models.example/v1", "large", modelKey, true, unknown)
	e.Model.BaseURL = "https://other.example/v1"
	if _, err := s.app.Models.Save(s.t.Context(), models.SaveRequest{Model: e.Model, Revision: e.Revision}); err != nil {
		s.t.Fatal(err)
	}
	s.settle()
}

func TestModelPictures(t *testing.T) {
	for _, look := range []settings.Theme{settings.Light, settings.Dark} {
		t.Run(string(look), func(t *testing.T) {
			s := newStage(t, look)
			name := func(screen string) string { return "models-" + screen + string(look) }
			s.enter()
			s.do("Settings")
			s.Golden(name("empty-"))
			s.someModels()
			s.do("Settings")
			s.press(fyne.KeyTab, fyne.KeyTab, fyne.KeyDown)
			s.Golden(name(""))
			s.pressOn("Test…")
			s.Golden(name("test-"))
			s.press(fyne.KeyEscape)
			s.edit("Name", "")
			s.edit("Context, tokens", "")
			s.Golden(name("problem-"))
			s.do("Discard changes")
			s.pressOn("Add a model…")
			s.Golden(name("add-"))
		})
	}
}

func TestModelsInLargeText(t *testing.T) {
	s := newStage(t, settings.Light)
	if err := s.app.Settings.Update(func(v *settings.Settings) { v.Appearance.TextSize = 150 }); err != nil {
		t.Fatal(err)
	}
	s.w.applyTheme()
	s.enter()
	s.someModels()
	s.do("Settings")
	s.Golden("models-150-light")
	s.pressOn("Add a model…")
	s.Golden("models-add-150-light")
}
