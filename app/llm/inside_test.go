package llm

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	openai "github.com/sashabaranov/go-openai"
	"pgregory.net/rapid"

	"callboard/app/model"
)

var yesOrNo = json.RawMessage(`{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`)

// FuzzResponse: whatever an endpoint answers, what comes out is a value of the
// schema or one of the rules, and no rule repeats what was answered.
func FuzzResponse(f *testing.F) {
	for _, body := range []string{
		``, `null`, `[]`, `{}`, `{"choices":[]}`, `{"choices":[{}]}`,
		`{"choices":[{"message":{"content":"{\"ok\":true}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`,
		"{\"choices\":[{\"message\":{\"content\":\"```json\\n{\\\"ok\\\":false}\\n```\"},\"finish_reason\":\"eos\"}]}",
		`{"choices":[{"message":{"content":[{"type":"text","text":"a"}]},"finish_reason":"stop"}]}`,
		`{"choices":[{"message":{"content":null,"tool_calls":[{"function":{"arguments":{}}}]},"finish_reason":"tool_calls"}]}`,
		`{"choices":[{"message":{"content":"a"},"finish_reason":"length"}],"usage":{"prompt_tokens":-1}}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var res openai.ChatCompletionResponse
		if json.Unmarshal(body, &res) != nil {
			return
		}
		for _, mode := range []model.JSONMode{model.Schema, model.Prompt} {
			p, err := prepare("https://models.example/v1", model.Request{Schema: yesOrNo, JSONMode: mode})
			if err != nil {
				t.Fatal(err)
			}
			a, err := p.answer(res)
			if err != nil {
				call, ok := errors.AsType[*model.CallError](err)
				if !ok || err.Error() != call.Rule.Error() {
					t.Errorf("%v", err)
				}
				continue
			}
			var v struct{ OK *bool }
			if json.Unmarshal([]byte(a.Text), &v) != nil || v.OK == nil {
				t.Errorf("passed: %q", a.Text)
			}
			if a.Usage.In < 0 || a.Usage.Out < 0 || a.Usage.Known != (a.Usage.In > 0) || strings.Trim(a.Finish, "abcdefghijklmnopqrstuvwxyz") != "" {
				t.Errorf("%+v", a)
			}
		}
	})
}

func TestMicro(t *testing.T) {
	for dollars, want := range map[float64]int64{
		0: 0, 0.1: 100_000, 0.3: 300_000, 2.5: 2_500_000, 0.003625: 3_625, 1e-9: 1, 4e-6: 4, 1.2e-6: 2,
		-1: 0, math.Inf(1): 0, 1e300: 0,
	} {
		if got := micro(dollars); got != want {
			t.Errorf("micro(%v) = %d, want %d", dollars, got, want)
		}
	}
	if micro(math.NaN()) != 0 {
		t.Error("no number has a price")
	}
	rapid.Check(t, func(t *rapid.T) { // what is written with six digits comes out exactly
		n := rapid.Int64Range(1, 1_000_000_000).Draw(t, "n")
		if got := micro(float64(n) / 1e6); got != n {
			t.Errorf("%d became %d", n, got)
		}
	})
}

func TestUnfence(t *testing.T) {
	for in, want := range map[string]string{
		"{}":                   "{}",
		"```json\n{}\n```":     "{}\n",
		" ```\n{}```\n":        "{}",
		"```json {}```":        "```json {}```",
		"```python\n{}\n```":   "```python\n{}\n```",
		"```json\n{}":          "```json\n{}",
		"```":                  "```",
		"so: ```json\n{}\n```": "so: ```json\n{}\n```",
	} {
		if got := unfence(in); got != want {
			t.Errorf("%q became %q", in, got)
		}
	}
}
