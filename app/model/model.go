// Package model is what a model is: one endpoint a person configured, the model
// id it is asked for, its limits and its price. It also holds the words of one
// call, so that services and the client that makes calls speak of the same
// thing without knowing each other. It reads nothing and sends nothing.
package model

// Model is one configured endpoint with a model id. ID is a 26-character ULID.
// Model is the provider's own id, sent as it is. Context and MaxOutput are in
// tokens. A Model holds no key: keys are written and never read back.
type Model struct {
	ID         string     `json:"id"`
	Name       string     `json:"name"`
	BaseURL    string     `json:"base_url"`
	Model      string     `json:"model"`
	Enabled    bool       `json:"enabled"`
	Context    int        `json:"context"`
	MaxOutput  int        `json:"max_output"`
	TokenField TokenField `json:"token_field"`
	JSONMode   JSONMode   `json:"json_mode"`
	Price      Price      `json:"price"`
}

// TokenField is the request field that carries the output cap.
type TokenField string

// The two fields endpoints know: newer OpenAI models refuse the first, most
// local servers ignore or refuse the second.
const (
	MaxTokens           TokenField = "max_tokens"
	MaxCompletionTokens TokenField = "max_completion_tokens"
)

// Other is the field that f is not.
func (f TokenField) Other() TokenField {
	if f == MaxTokens {
		return MaxCompletionTokens
	}
	return MaxTokens
}

// JSONMode is how an endpoint is held to JSON.
type JSONMode string

// The modes, from the strictest down: a schema the endpoint enforces, any JSON
// object, and words in the prompt. The answer is checked here in each of them.
const (
	Schema JSONMode = "schema"
	Object JSONMode = "object"
	Prompt JSONMode = "prompt"
)

// Below is m and the modes less strict than it, strictest first. A mode that
// does not exist has none.
func (m JSONMode) Below() []JSONMode {
	all := []JSONMode{Schema, Object, Prompt}
	for i := range all {
		if all[i] == m {
			return all[i:]
		}
	}
	return nil
}

// PriceState says what is known of a price.
type PriceState string

// Unknown is not zero: what needs a price refuses it. Zero is a person's word
// that a model on this machine costs nothing.
const (
	Priced  PriceState = "priced"
	Zero    PriceState = "zero"
	Unknown PriceState = "unknown"
)

// PriceSource says where the figures of a price come from.
type PriceSource string

// Catalogue is the price list that is part of the program.
const (
	Catalogue PriceSource = "catalogue"
	Person    PriceSource = "person"
)

// Price is what tokens cost, in micro-dollars per million tokens: 2,500,000 is
// $2.50 for a million. Only Priced has figures, a source and the day the
// figures are of (2006-01-02). CachedInput is what input read from the
// provider's cache costs; 0 is not known, and it then costs Input. The figures
// are base rates: some providers ask more for very long prompts.
type Price struct {
	State       PriceState  `json:"state"`
	Input       int64       `json:"input,omitempty"`
	Output      int64       `json:"output,omitempty"`
	CachedInput int64       `json:"cached_input,omitempty"`
	Source      PriceSource `json:"source,omitempty"`
	Date        string      `json:"date,omitempty"`
}

// Known is one model of the catalogue. BaseURL is where its provider answers;
// ID is what the provider calls it. MaxOutput is the output cap the catalogue
// suggests. A Price there is Priced or Unknown.
type Known struct {
	Provider  string `json:"provider"`
	BaseURL   string `json:"base_url"`
	ID        string `json:"id"`
	Name      string `json:"name"`
	Context   int    `json:"context"`
	MaxOutput int    `json:"max_output"`
	Price     Price  `json:"price"`
}
