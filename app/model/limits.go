package model

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"callboard/app/agent"
	"callboard/app/fault"
)

// The limits. Names and model ids are counted in runes, addresses in bytes,
// context and output in tokens, prices in micro-dollars per million tokens.
const (
	MaxName    = 128
	MaxModelID = 256
	MaxURL     = 2048
	MaxContext = 100_000_000
	MaxPrice   = 1_000_000_000_000
)

// ErrInvalid refuses a model that breaks a limit. The error's text names the
// first field that does; Check lists all of them.
var ErrInvalid = fault.New(fault.Invalid, "model_invalid", "not saved")

// Field names one editable field, as the wire spells it.
type Field string

// The fields that have rules.
const (
	FieldName       Field = "name"
	FieldBaseURL    Field = "base_url"
	FieldModel      Field = "model"
	FieldContext    Field = "context"
	FieldMaxOutput  Field = "max_output"
	FieldTokenField Field = "token_field"
	FieldJSONMode   Field = "json_mode"
	FieldPrice      Field = "price"
)

// Problem is one broken rule. Limit and Size are 0 where the rule is no size;
// Text is a plain sentence that never repeats the field's value.
type Problem struct {
	Field Field  `json:"field"`
	Text  string `json:"text"`
	Limit int64  `json:"limit,omitempty"`
	Size  int64  `json:"size,omitempty"`
}

// Check returns every rule m breaks, in the order of the form.
func Check(m Model) []Problem {
	var c checker
	c.line(FieldName, m.Name, "A name is needed.", MaxName)
	c.most(FieldBaseURL, int64(len(m.BaseURL)), MaxURL, "bytes")
	if _, problem := parse(m.BaseURL); problem != "" {
		c.add(FieldBaseURL, problem)
	}
	c.line(FieldModel, m.Model, "A model id is needed.", MaxModelID)
	c.between(FieldContext, int64(m.Context), 1, MaxContext, "tokens")
	room := min(m.Context, MaxContext)
	if room < 1 { // which is said of the context already
		room = MaxContext
	}
	c.between(FieldMaxOutput, int64(m.MaxOutput), 1, int64(room), "tokens, the context")
	switch m.TokenField {
	case MaxTokens, MaxCompletionTokens:
	default:
		c.add(FieldTokenField, "Callboard does not know this field.")
	}
	switch m.JSONMode {
	case Schema, Object, Prompt:
	default:
		c.add(FieldJSONMode, "Callboard does not know this JSON mode.")
	}
	c.price(m)
	return c.found
}

// Validate is Check as one error, nil when nothing is wrong.
func Validate(m Model) error {
	p := Check(m)
	if len(p) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s: %s", ErrInvalid, p[0].Field, strings.TrimSuffix(p[0].Text, "."))
}

type checker struct{ found []Problem }

func (c *checker) add(f Field, text string) {
	c.found = append(c.found, Problem{Field: f, Text: text})
}

func (c *checker) most(f Field, size, limit int64, unit string) {
	if size > limit {
		c.found = append(c.found, Problem{
			Field: f, Limit: limit, Size: size,
			Text: fmt.Sprintf("Too long: %d %s, at most %d.", size, unit, limit),
		})
	}
}

func (c *checker) between(f Field, size, least, most int64, unit string) {
	switch {
	case size < least:
		c.found = append(c.found, Problem{
			Field: f, Limit: least, Size: size, Text: fmt.Sprintf("Too small: %d, at least %d.", size, least),
		})
	case size > most:
		c.found = append(c.found, Problem{
			Field: f, Limit: most, Size: size, Text: fmt.Sprintf("Too large: %d, at most %d %s.", size, most, unit),
		})
	}
}

// line is one line of text that shows all of itself.
func (c *checker) line(f Field, s, missing string, limit int64) {
	if strings.TrimSpace(s) == "" {
		c.add(f, missing)
	}
	c.most(f, int64(utf8.RuneCountInString(s)), limit, "characters")
	if !utf8.ValidString(s) {
		c.add(f, "Holds bytes that are not UTF-8 text.")
	}
	for _, r := range s {
		if agent.Hidden(r) {
			c.add(f, fmt.Sprintf("Holds the hidden character U+%04X.", r))
			return
		}
	}
}

// price checks the figures against the state. A zero price is only believed of
// this machine.
func (c *checker) price(m Model) {
	p := m.Price
	switch p.State {
	case Priced:
		for _, n := range []int64{p.Input, p.Output} {
			c.between(FieldPrice, n, 1, MaxPrice, "micro-dollars")
		}
		c.between(FieldPrice, p.CachedInput, 0, max(0, p.Input), "micro-dollars, the price of input")
		if p.Source != Catalogue && p.Source != Person {
			c.add(FieldPrice, "Must say where it comes from.")
		}
	case Zero, Unknown:
		if p != (Price{State: p.State}) {
			c.add(FieldPrice, "Has figures but says it has none.")
		}
		if p.State == Zero && !IsLoopback(m.BaseURL) {
			c.add(FieldPrice, "Only a model on this machine can cost nothing.")
		}
	default:
		c.add(FieldPrice, "Callboard does not know this price state.")
	}
}
