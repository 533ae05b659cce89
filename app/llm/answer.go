package llm

import (
	"encoding/json"
	"strings"

	openai "github.com/sashabaranov/go-openai"
	"github.com/sashabaranov/go-openai/jsonschema"

	"callboard/app/model"
)

// maxCount is the most tokens one call is believed to have used.
const maxCount = 1 << 40

// answer is what a response says, or why it says nothing.
func (p *prepared) answer(res openai.ChatCompletionResponse) (model.Answer, error) {
	if len(res.Choices) == 0 {
		return model.Answer{}, failed(model.ErrOutput)
	}
	c := res.Choices[0]
	switch {
	case c.FinishReason == openai.FinishReasonLength:
		return model.Answer{}, failed(model.ErrTruncated)
	case c.FinishReason == openai.FinishReasonContentFilter, c.Message.Refusal != "":
		return model.Answer{}, failed(model.ErrRefused)
	case c.FinishReason == "", c.FinishReason == openai.FinishReasonNull, c.Message.Content == "":
		return model.Answer{}, failed(model.ErrOutput) // cut off, or a tool call nobody asked for
	}
	text, ok := p.check.take(c.Message.Content)
	if !ok {
		return model.Answer{}, failed(model.ErrOutput)
	}
	return model.Answer{Text: text, Finish: finish(c.FinishReason), Usage: usage(res.Usage)}, nil
}

// finish keeps the reasons the protocol has; another is the endpoint's own word
// and does not travel on.
func finish(r openai.FinishReason) string {
	if r == openai.FinishReasonStop {
		return string(r)
	}
	return "other"
}

// usage believes figures that can be: a call without a prompt token is none.
func usage(u openai.Usage) model.Usage {
	if u.PromptTokens <= 0 || u.CompletionTokens < 0 || u.PromptTokens > maxCount || u.CompletionTokens > maxCount {
		return model.Usage{}
	}
	return model.Usage{In: u.PromptTokens, Out: u.CompletionTokens, Known: true}
}

// checker holds an answer to the schema of its request. The zero value takes
// any text. Keys the schema does not name pass: who decodes the value refuses
// them.
type checker struct {
	schema *jsonschema.Definition
	fenced bool // the answer may stand in a code block
}

func newChecker(r model.Request) (checker, error) {
	if len(r.Schema) == 0 {
		return checker{}, nil
	}
	var d jsonschema.Definition
	if err := json.Unmarshal(r.Schema, &d); err != nil || !sound(d) {
		return checker{}, errSchema
	}
	return checker{schema: &d, fenced: r.JSONMode != model.Schema}, nil
}

// sound reports whether the library can check against d: it takes the items of
// every array for granted.
func sound(d jsonschema.Definition) bool {
	if d.Type == jsonschema.Array && (d.Items == nil || !sound(*d.Items)) {
		return false
	}
	for _, p := range d.Properties {
		if !sound(p) {
			return false
		}
	}
	for _, p := range d.AnyOf {
		if !sound(p) {
			return false
		}
	}
	for _, p := range d.Defs {
		if !sound(p) {
			return false
		}
	}
	return true
}

// take is the JSON value in text, or all of text where no JSON was asked for.
func (c checker) take(text string) (string, bool) {
	if c.schema == nil {
		return text, true
	}
	if c.fenced {
		text = unfence(text)
	}
	text = strings.TrimSpace(text)
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return "", false
	}
	return text, jsonschema.Validate(*c.schema, v)
}

// unfence takes the block out of an answer that is one code block, which models
// make of JSON when only words hold them to it.
func unfence(text string) string {
	inner, ok := strings.CutPrefix(strings.TrimSpace(text), "```")
	if !ok {
		return text
	}
	inner, ok = strings.CutSuffix(inner, "```")
	if !ok {
		return text
	}
	if head, rest, ok := strings.Cut(inner, "\n"); ok && (head == "" || head == "json") {
		return rest
	}
	return text
}
