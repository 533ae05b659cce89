package llm_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/llm/llmtest"
	"callboard/app/model"
	"callboard/crypto/secret"
)

// TestThePreviewIsWhatTravels: every header and byte, but for the key.
func TestThePreviewIsWhatTravels(t *testing.T) {
	system := request()
	system.Messages = append([]model.Message{{Role: model.System, Text: "be brief"}}, system.Messages...)
	system.JSONMode, system.TokenField = model.Prompt, model.MaxCompletionTokens
	for name, r := range map[string]model.Request{"schema": request(), "words": system} {
		for _, k := range []string{key, ""} {
			t.Run(name+" "+k, func(t *testing.T) {
				e := llmtest.New(t, llmtest.Answer(yes))
				c := client(t)
				p, err := c.Preview(t.Context(), e.URL+"/", k != "", r)
				if err != nil || len(e.Calls()) != 0 {
					t.Fatal(err, e.Calls())
				}
				if _, err := c.Complete(t.Context(), e.URL+"/", secret.FromString(k), r); err != nil {
					t.Fatal(err)
				}
				call := e.Calls()[0]
				if p.Method != call.Method || p.URL != strings.TrimSuffix(e.URL, "/v1")+call.Path || string(p.Body) != string(call.Body) {
					t.Errorf("%s %s\n%s\n%s %s\n%s", p.Method, p.URL, p.Body, call.Method, call.Path, call.Body)
				}
				sent := map[string]string{"Host": call.Host}
				for name := range call.Header {
					sent[name] = call.Header.Get(name)
				}
				if auth, ok := sent["Authorization"]; ok != (k != "") || ok && auth != "Bearer "+key {
					t.Errorf("Authorization %q", auth)
				} else if ok {
					sent["Authorization"] = "redacted"
				}
				shown := map[string]string{}
				for _, h := range p.Headers {
					shown[h.Name] = h.Value
				}
				if diff := cmp.Diff(sent, shown); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestTheFormOfARequest(t *testing.T) {
	r := request()
	r.JSONMode, r.TokenField = model.Object, model.MaxCompletionTokens
	e := llmtest.New(t, llmtest.Answer(yes))
	if _, err := complete(t, e.URL, r); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"model": "m", "max_completion_tokens": 64.0, "stream": false,
		"response_format": map[string]any{"type": "json_object"},
		"messages": []any{
			map[string]any{"role": "system", "content": "Answer with one JSON object that fits this JSON Schema, and nothing else:\n" + string(schema)},
			map[string]any{"role": "user", "content": prompt},
		},
	}
	var got map[string]any
	if err := json.Unmarshal(e.Calls()[0].Body, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestWhatIsNotSent: a request that breaks a rule never leaves.
func TestWhatIsNotSent(t *testing.T) {
	e := llmtest.New(t, llmtest.Answer(yes))
	bad, gpt := request(), request()
	bad.Schema = json.RawMessage(`{"type":"array"}`)
	gpt.Model = "gpt-5-mini"
	if _, err := complete(t, "http://models.example/v1", request()); !errors.Is(err, model.ErrInvalid) {
		t.Errorf("plain http elsewhere: %v", err)
	}
	if _, err := complete(t, e.URL, bad); err == nil {
		t.Error("a schema that cannot be checked was sent")
	}
	_, err := complete(t, e.URL, gpt)
	if call, ok := model.Unfit(err); !ok || call.Blame != model.BlameTokenField || call.Status != 0 {
		t.Errorf("max_tokens for a model that refuses it: %v", err)
	}
	if n := len(e.Calls()); n != 0 {
		t.Errorf("%d requests", n)
	}
}
