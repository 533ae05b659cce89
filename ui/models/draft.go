package models

import (
	"math"
	"strconv"
	"strings"

	"callboard/app/model"
	"callboard/app/models"
)

// pricing is what a person says of a price.
type pricing int

const (
	listed pricing = iota // nothing: what the catalogue says holds, if anything
	free
	own
)

// edit is what the boxes hold. Figures stay as they were typed.
type edit struct {
	name, address, id, context, maxOutput string
	tokenField                            model.TokenField
	jsonMode                              model.JSONMode
	price                                 pricing
	in, out, cached                       string
}

// draft is a stored model and the edits that are not saved.
type draft struct {
	base models.Entry
	edit
}

func newDraft(e models.Entry) *draft { return &draft{e, editOf(e.Model)} }

func editOf(m model.Model) edit {
	e := edit{
		name: m.Name, address: m.BaseURL, id: m.Model,
		context: strconv.Itoa(m.Context), maxOutput: strconv.Itoa(m.MaxOutput),
		tokenField: m.TokenField, jsonMode: m.JSONMode,
	}
	switch {
	case m.Price.State == model.Zero:
		e.price = free
	case m.Price.State == model.Priced && m.Price.Source == model.Person:
		e.price = own
		e.in, e.out = dollars(m.Price.Input), dollars(m.Price.Output)
		if m.Price.CachedInput > 0 {
			e.cached = dollars(m.Price.CachedInput)
		}
	}
	return e
}

func (d *draft) dirty() bool { return d.edit != editOf(d.base.Model) }

// model is what would be saved, and what is wrong with it by field.
func (d *draft) model() (model.Model, map[model.Field]string) {
	m, wrong := d.base.Model, map[model.Field]string{}
	m.Name, m.BaseURL, m.Model = strings.TrimSpace(d.name), strings.TrimSpace(d.address), strings.TrimSpace(d.id)
	m.TokenField, m.JSONMode = d.tokenField, d.jsonMode
	var ok bool
	if m.Context, ok = tokens(d.context); !ok {
		wrong[model.FieldContext] = "Write a whole number of tokens."
	}
	if m.MaxOutput, ok = tokens(d.maxOutput); !ok {
		wrong[model.FieldMaxOutput] = "Write a whole number of tokens."
	}
	if m.Price, ok = d.kept(); !ok {
		wrong[model.FieldPrice] = "Write the figures in dollars, as 2.50; in and out are needed."
	}
	for _, p := range model.Check(m) {
		if wrong[p.Field] == "" {
			wrong[p.Field] = p.Text
		}
	}
	return m, wrong
}

// kept is the price as it is saved.
func (d *draft) kept() (model.Price, bool) {
	switch d.price {
	case free:
		return model.Price{State: model.Zero}, true
	case own:
		p := model.Price{State: model.Priced, Source: model.Person}
		if before := d.base.Model.Price; before.Source == model.Person {
			p.Date = before.Date
		}
		var in, out, cached bool
		p.Input, in = micro(d.in)
		p.Output, out = micro(d.out)
		p.CachedInput, cached = micro(d.cached)
		return p, in && out && (cached || strings.TrimSpace(d.cached) == "")
	case listed:
	}
	return model.Price{State: model.Unknown}, true
}

// tokens reads a number of tokens, also with commas between thousands.
func tokens(text string) (int, bool) {
	n, err := strconv.Atoi(strings.ReplaceAll(strings.TrimSpace(text), ",", ""))
	return n, err == nil
}

// micro reads dollars as micro-dollars.
func micro(text string) (int64, bool) {
	f, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(text), "$"), 64)
	if err != nil || !(f >= 0 && f <= model.MaxPrice/1e6) {
		return 0, false
	}
	return int64(math.Round(f * 1e6)), true
}

// dollars writes micro-dollars with as many digits as they have, at least two
// after the point.
func dollars(n int64) string {
	whole, part := strconv.FormatInt(n/1e6, 10), strconv.FormatInt(1e6+n%1e6, 10)[1:]
	end := strings.TrimRight(part[2:], "0")
	return whole + "." + part[:2] + end
}
