package models

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"callboard/app/model"
	"callboard/app/models"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

var (
	tokenFields = []model.TokenField{model.MaxTokens, model.MaxCompletionTokens}
	jsonModes   = []model.JSONMode{model.Schema, model.Object, model.Prompt}
	modeWords   = []string{"Enforced schema", "Any JSON object", "Words in the prompt"}
)

func modeWord(m model.JSONMode) string { return modeWords[max(0, slices.Index(jsonModes, m))] }

// inWords is how a request is put.
func inWords(f models.Form) string {
	return string(f.TokenField) + ", " + strings.ToLower(modeWord(f.JSONMode)[:1]) + modeWord(f.JSONMode)[1:]
}

// state is the chip of a model: what keeps it from being used, or that nothing
// does.
func state(e models.Entry) (theme.Tone, string) {
	switch {
	case e.HasKey && !e.KeyFits:
		return theme.Warn, "key for another site"
	case !e.HasKey && !model.IsLoopback(e.Model.BaseURL):
		return theme.Warn, "no key"
	case !e.Model.Enabled:
		return theme.Off, "disabled"
	}
	return theme.OK, "ready"
}

func item(e models.Entry) widget.Item {
	tone, text := state(e)
	return widget.Item{
		ID: e.Model.ID, Name: e.Model.Name, Detail: model.Host(e.Model.BaseURL) + " · " + e.Model.Model, Tone: tone, State: text,
	}
}

// figures is a price with figures in words.
func figures(p model.Price) string {
	text := "$" + dollars(p.Input) + " in and $" + dollars(p.Output) + " out per million tokens"
	if p.CachedInput > 0 {
		text += ", $" + dollars(p.CachedInput) + " in from the cache"
	}
	return text
}

// priceWords says what is known of a price and where it is from.
func priceWords(p model.Price) string {
	switch p.State {
	case model.Zero:
		return "Declared free. Callboard takes your word for it: choose this only where nothing behind the address costs anything."
	case model.Priced:
		from := "Callboard's price list"
		if p.Source == model.Person {
			from = "you"
		}
		text := figures(p) + ". From " + from
		if day, err := time.Parse(time.DateOnly, p.Date); err == nil {
			text += ", " + words.Day(day)
		}
		return text + "."
	case model.Unknown:
	}
	return "Unknown, which is not free: what needs a price refuses this model."
}

// keyWords says whether there is a key, and where it goes.
func keyWords(e models.Entry) string {
	switch {
	case !e.HasKey:
		return "No key. One you set is only ever sent to the site it was entered for."
	case !e.KeyFits:
		return "A key is kept, but it was entered for " + e.KeySite + " and is not sent anywhere else. Set the key of the new address, or remove it."
	}
	return "A key is kept. It is only ever sent to " + e.KeySite + ", and never shown."
}

// knownWords is a model of the catalogue in one line.
func knownWords(k model.Known) string {
	parts := []string{k.Provider, k.ID}
	if k.Context > 0 {
		parts = append(parts, words.Number(k.Context)+" tokens")
	}
	price := "price unknown"
	if k.Price.State == model.Priced {
		price = fmt.Sprintf("$%s in, $%s out", dollars(k.Price.Input), dollars(k.Price.Output))
	}
	return strings.Join(append(parts, price), " · ")
}
