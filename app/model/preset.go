package model

// Preset is where a new model begins. Tools says whether the endpoint is known
// to take tool calls, NeedsKey whether it answers nobody without a key.
type Preset struct {
	ID         string     `json:"id"`
	Name       string     `json:"name"`
	BaseURL    string     `json:"base_url"`
	TokenField TokenField `json:"token_field"`
	JSONMode   JSONMode   `json:"json_mode"`
	Tools      bool       `json:"tools"`
	NeedsKey   bool       `json:"needs_key"`
}

// Presets are the endpoints Callboard knows, in the order a person is shown
// them; the last is any other that speaks the same protocol. The caller may
// change what it gets.
func Presets() []Preset {
	return []Preset{
		{
			ID: "openai", Name: "OpenAI", BaseURL: "https://api.openai.com/v1",
			TokenField: MaxCompletionTokens, JSONMode: Schema, Tools: true, NeedsKey: true,
		},
		// Ollama ignored max_completion_tokens, so that output had no cap.
		{ID: "ollama", Name: "Ollama", BaseURL: "http://127.0.0.1:11434/v1", TokenField: MaxTokens, JSONMode: Schema, Tools: true},
		// LM Studio refuses json_object.
		{ID: "lm_studio", Name: "LM Studio", BaseURL: "http://127.0.0.1:1234/v1", TokenField: MaxTokens, JSONMode: Schema, Tools: true},
		// vLLM takes tools only when started with --enable-auto-tool-choice.
		{ID: "vllm", Name: "vLLM", BaseURL: "http://127.0.0.1:8000/v1", TokenField: MaxTokens, JSONMode: Schema},
		{ID: "llama_cpp", Name: "llama.cpp", BaseURL: "http://127.0.0.1:8080/v1", TokenField: MaxTokens, JSONMode: Schema},
		{ID: "compatible", Name: "Other compatible endpoint", TokenField: MaxTokens, JSONMode: Schema, NeedsKey: true},
	}
}

// New is a model that begins at p: disabled, its price unknown, with limits
// that most models keep.
func (p Preset) New() Model {
	return Model{
		Name: p.Name, BaseURL: p.BaseURL, Context: 8192, MaxOutput: 2048,
		TokenField: p.TokenField, JSONMode: p.JSONMode, Price: Price{State: Unknown},
	}
}
