package models

import (
	"context"
	"slices"
	"strings"

	"callboard/app/fault"
	"callboard/app/model"
	"callboard/app/models"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

const (
	addWidth   float32 = 820
	addPresets float32 = 232
	addHeight  float32 = 236 // of the presets, all six of them
	addKnown   float32 = 180
)

// adder is the sheet a new model begins in.
type adder struct {
	page    *Page
	presets []model.Preset
	found   []model.Known
	busy    bool

	from        *widget.List
	address, id *widget.Field
	search      *widget.Search
	known       *widget.List
	facts       *widget.Text
	sheet       *widget.Sheet
}

// Add lets the person choose what a new model begins from.
func (p *Page) Add() {
	a := &adder{
		page: p, presets: model.Presets(), from: widget.NewPlainList(), known: widget.NewList(),
		address: widget.NewField("Address"), id: widget.NewField("Model id"),
		search: widget.NewSearch("Search known models", ""), facts: widget.NewCut(theme.Label, theme.Mute, ""),
	}
	var items []widget.Item
	for _, x := range a.presets {
		items = append(items, widget.Item{ID: x.ID, Name: x.Name})
	}
	a.from.SetItems(items)
	a.from.OnSelected = a.begin
	a.address.SetPlaceholder("https://models.example/v1")
	a.address.OnChanged = func(string) { a.address.SetError(""); a.find() }
	a.id.OnChanged = func(string) { a.id.SetError(""); a.known.Select("") }
	a.id.SetPlaceholder("as the endpoint calls it")
	a.search.OnChanged = func(string) { a.find() }
	a.search.OnDown = func() { loop.Focus(a.known) }
	a.known.OnSelected = a.pick
	right := widget.Column(12, a.address, a.id, a.search,
		widget.Sized(0, addKnown, widget.NewFrame(a.known)), a.facts)
	body := widget.Column(12,
		widget.NewParagraph(theme.Body, theme.Mute, "Nothing is sent. The model starts disabled; set its key and test it next."),
		widget.Panes(theme.Pad, widget.Sized(addPresets, addHeight, widget.NewFrame(a.from)), widget.Grow(1, right)))
	a.sheet = widget.NewSheet("Add a model", body, "Cancel", "Add", a.add)
	a.sheet.SetWidth(addWidth)
	a.from.Select(items[0].ID)
	a.begin(items[0].ID)
	a.sheet.Open(p.object)
}

func (a *adder) preset() model.Preset {
	return a.presets[max(0, slices.IndexFunc(a.presets, func(x model.Preset) bool { return x.ID == a.from.Selected() }))]
}

// begin starts over from another preset.
func (a *adder) begin(string) {
	a.address.SetText(a.preset().BaseURL)
	a.address.SetError("")
	a.id.SetText("")
	a.id.SetError("")
	a.find()
}

// find lists the known models of the address, or of all providers where there
// is none yet.
func (a *adder) find() {
	address := strings.TrimSpace(a.address.Text())
	site := model.Site(address)
	a.found = slices.DeleteFunc(a.page.cfg.Models.Search(a.search.Text(), 0), func(k model.Known) bool {
		return address != "" && model.Site(k.BaseURL) != site
	})
	items := make([]widget.Item, len(a.found))
	for i, k := range a.found {
		items[i] = widget.Item{ID: k.BaseURL + "\n" + k.ID, Name: k.Name, Detail: knownWords(k)}
	}
	a.known.SetItems(items)
	a.facts.SetText(a.foundWords(address))
	a.facts.Refresh()
}

func (a *adder) foundWords(address string) string {
	switch {
	case model.IsLoopback(address):
		return "The price list knows no models of this machine: type the id your server uses."
	case len(a.found) == 0:
		return "None is known: type the id, and correct the limits after."
	}
	return words.Count(len(a.found), "known model") + ", prices per million tokens"
}

// pick takes a known model over.
func (a *adder) pick(id string) {
	for _, k := range a.found {
		if k.BaseURL+"\n"+k.ID == id {
			if a.address.Text() == "" {
				a.address.SetText(k.BaseURL)
			}
			a.id.SetText(k.ID)
			a.id.SetError("")
		}
	}
}

// model is what would be added.
func (a *adder) model() model.Model {
	m := a.preset().New()
	m.BaseURL, m.Model = strings.TrimSpace(a.address.Text()), strings.TrimSpace(a.id.Text())
	m.Name = m.Model
	if k, ok := a.page.cfg.Models.Known(m.BaseURL, m.Model); ok {
		m.Name = k.Name
		if k.Context > 0 {
			m.Context = k.Context
		}
		if k.MaxOutput > 0 {
			m.MaxOutput = k.MaxOutput
		}
		m.MaxOutput = min(m.MaxOutput, m.Context)
	}
	if r := []rune(m.Name); len(r) > model.MaxName {
		m.Name = string(r[:model.MaxName])
	}
	return m
}

func (a *adder) add() {
	m := a.model()
	a.address.SetError("")
	a.id.SetError("")
	wrong := model.Check(m)
	for _, x := range slices.Backward(wrong) {
		switch x.Field { //nolint:exhaustive // the others come from the preset
		case model.FieldBaseURL:
			a.address.SetError(x.Text)
			a.address.Focus()
		case model.FieldModel:
			a.id.SetError(x.Text)
			a.id.Focus()
		}
	}
	if len(wrong) > 0 || a.busy {
		a.sheet.Refresh()
		return
	}
	a.busy = true
	a.sheet.SetBusy(true)
	p := a.page
	loop.Go(p.cfg.Loop, p.cfg.Context, func(ctx context.Context) (models.Entry, error) {
		return p.cfg.Models.Save(ctx, models.SaveRequest{Model: m})
	}, func(e models.Entry, err error) {
		a.busy = false
		a.sheet.SetBusy(false)
		if err != nil {
			a.id.SetError(fault.Sentence(err))
			a.sheet.Refresh()
			return
		}
		a.sheet.Close()
		p.goTo(e)
		p.cfg.Say(m.Name+" added. It is disabled until you enable it.", nil)
	})
}
