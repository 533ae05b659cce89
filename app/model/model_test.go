package model_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"callboard/app/fault"
	"callboard/app/model"
)

func good() model.Model {
	m := model.Presets()[0].New()
	m.Model = "gpt-5-mini"
	return m
}

func TestEveryPresetIsOneModelIDAwayFromGood(t *testing.T) {
	for _, p := range model.Presets() {
		m := p.New()
		m.Model = "x"
		if p.ID == "compatible" {
			m.BaseURL = "https://models.example/v1"
		}
		if got := model.Check(m); got != nil {
			t.Errorf("%s: %+v", p.ID, got)
		}
		if local := strings.HasPrefix(p.BaseURL, "http://"); local != model.IsLoopback(p.BaseURL) || local == p.NeedsKey {
			t.Errorf("%s: plain http %v, loopback %v, needs a key %v", p.ID, local, model.IsLoopback(p.BaseURL), p.NeedsKey)
		}
	}
}

func TestCheckNamesFieldLimitAndSize(t *testing.T) {
	long := strings.Repeat("ä", model.MaxName+1)
	for name, tc := range map[string]struct {
		spoil func(*model.Model)
		want  model.Problem
	}{
		"no name":           {func(m *model.Model) { m.Name = " " }, model.Problem{Field: "name", Text: "A name is needed."}},
		"long name":         {func(m *model.Model) { m.Name = long }, model.Problem{Field: "name", Limit: 128, Size: 129, Text: "Too long: 129 characters, at most 128."}},
		"bidi name":         {func(m *model.Model) { m.Name = "a\u202eb" }, model.Problem{Field: "name", Text: "Holds the hidden character U+202E."}},
		"newline in name":   {func(m *model.Model) { m.Name = "a\nb" }, model.Problem{Field: "name", Text: "Holds the hidden character U+000A."}},
		"name no text":      {func(m *model.Model) { m.Name = "a\xff" }, model.Problem{Field: "name", Text: "Holds bytes that are not UTF-8 text."}},
		"no model id":       {func(m *model.Model) { m.Model = "" }, model.Problem{Field: "model", Text: "A model id is needed."}},
		"control in id":     {func(m *model.Model) { m.Model = "a\x00" }, model.Problem{Field: "model", Text: "Holds the hidden character U+0000."}},
		"no context":        {func(m *model.Model) { m.Context, m.MaxOutput = 0, 2048 }, model.Problem{Field: "context", Limit: 1, Text: "Too small: 0, at least 1."}},
		"negative output":   {func(m *model.Model) { m.MaxOutput = -1 }, model.Problem{Field: "max_output", Limit: 1, Size: -1, Text: "Too small: -1, at least 1."}},
		"output > context":  {func(m *model.Model) { m.MaxOutput = 9000 }, model.Problem{Field: "max_output", Limit: 8192, Size: 9000, Text: "Too large: 9000, at most 8192 tokens, the context."}},
		"unknown field":     {func(m *model.Model) { m.TokenField = "tokens" }, model.Problem{Field: "token_field", Text: "Callboard does not know this field."}},
		"unknown mode":      {func(m *model.Model) { m.JSONMode = "" }, model.Problem{Field: "json_mode", Text: "Callboard does not know this JSON mode."}},
		"no price state":    {func(m *model.Model) { m.Price = model.Price{} }, model.Problem{Field: "price", Text: "Callboard does not know this price state."}},
		"zero but remote":   {func(m *model.Model) { m.Price.State = model.Zero }, model.Problem{Field: "price", Text: "Only a model on this machine can cost nothing."}},
		"zero with figures": {func(m *model.Model) { m.Price.Input = 3 }, model.Problem{Field: "price", Text: "Has figures but says it has none."}},
		"priced at nothing": {
			func(m *model.Model) { m.Price = model.Price{State: model.Priced, Output: 1, Source: model.Person} },
			model.Problem{Field: "price", Limit: 1, Text: "Too small: 0, at least 1."},
		},
		"cached above input": {
			func(m *model.Model) {
				m.Price = model.Price{State: model.Priced, Input: 1, Output: 1, CachedInput: 2, Source: model.Person}
			},
			model.Problem{Field: "price", Limit: 1, Size: 2, Text: "Too large: 2, at most 1 micro-dollars, the price of input."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := good()
			tc.spoil(&m)
			if diff := cmp.Diff([]model.Problem{tc.want}, model.Check(m)); diff != "" {
				t.Error(diff)
			}
			err := model.Validate(m)
			if !errors.Is(err, model.ErrInvalid) || fault.RuleOf(err) != "model_invalid" || !strings.Contains(err.Error(), string(tc.want.Field)) {
				t.Errorf("Validate = %v", err)
			}
		})
	}
}

func TestAddresses(t *testing.T) {
	for url, want := range map[string]struct{ site, host string }{
		"https://api.openai.com/v1":                   {"https://api.openai.com:443", "api.openai.com"},
		"HTTPS://API.OpenAI.com:0443/v1/":             {"https://api.openai.com:443", "api.openai.com"},
		"https://api.openai.com:8443":                 {"https://api.openai.com:8443", "api.openai.com:8443"},
		"http://127.0.0.1:11434/v1":                   {"http://127.0.0.1:11434", "127.0.0.1:11434"},
		"http://127.9.9.9":                            {"http://127.9.9.9:80", "127.9.9.9"},
		"http://LOCALHOST:1234/v1":                    {"http://localhost:1234", "localhost:1234"},
		"http://[::1]:8080/v1":                        {"http://[::1]:8080", "[::1]:8080"},
		"http://[::ffff:127.0.0.1]/v1":                {"http://[::ffff:127.0.0.1]:80", "[::ffff:127.0.0.1]"},
		"https://10.0.0.5/v1":                         {"https://10.0.0.5:443", "10.0.0.5"},
		"":                                            {},
		"api.openai.com/v1":                           {},
		"ftp://127.0.0.1/":                            {},
		"file:///etc/passwd":                          {},
		"https:api.openai.com":                        {},
		"https://":                                    {},
		"https:///v1":                                 {},
		"https://user@api.openai.com/":                {},
		"https://user:pw@api.openai.com/":             {},
		"https://api.openai.com/v1?key=1":             {},
		"https://api.openai.com/v1?":                  {},
		"https://api.openai.com/v1#":                  {},
		"https://api.openai.com /v1":                  {},
		"https://api.openai.com/v1\r\nX:1":            {},
		"https://аpi.openai.com/v1":                   {}, // a Cyrillic а
		"https://api.openai.com:/v1":                  {},
		"https://api.openai.com:0/v1":                 {},
		"https://api.openai.com:65536/v1":             {},
		"https://a..b/v1":                             {},
		"https://a_b;c/v1":                            {},
		"https://[fe80::1%25eth0]/v1":                 {},
		"http://192.168.1.5:11434/v1":                 {},
		"http://localhost.example/v1":                 {},
		"http://localhost./v1":                        {},
		"http://0.0.0.0:11434/v1":                     {},
		"http://2130706433/v1":                        {},
		"http://127.1/v1":                             {},
		"http://127.0.0.1.example/v1":                 {},
		`http://127.0.0.1\@example.com/v1`:            {},
		"https://api.openai.com/v1/chat/completions":  {},
		"https://api.openai.com/v1/chat/completions/": {},
	} {
		m := good()
		m.BaseURL = url
		if got := model.Site(url); got != want.site {
			t.Errorf("Site(%q) = %q", url, got)
		}
		if got := model.Host(url); got != want.host {
			t.Errorf("Host(%q) = %q", url, got)
		}
		if bad := model.Check(m) != nil; bad != (want.site == "") {
			t.Errorf("%q: %v", url, model.Check(m))
		}
		if model.IsLoopback(url) && !strings.HasPrefix(want.site, "http://") {
			t.Errorf("%q is no loopback", url)
		}
	}
}

// TestPlainHTTPIsLoopback: whatever is written, an address that passes and is
// not https names this machine, and what passes has a host and an site.
func TestPlainHTTPIsLoopback(t *testing.T) {
	part := rapid.SampledFrom([]string{
		"http", "https", "://", "/", "127.0.0.1", "localhost", "[::1]", "::1", "example.com", "@", ":", "80", "?", "#",
		".", "%", "..", "LOCALHOST", "\\", "v1", " ", "0x7f.1", "é",
	})
	rapid.Check(t, func(t *rapid.T) {
		url := strings.Join(rapid.SliceOfN(part, 0, 8).Draw(t, "parts"), "")
		if rapid.Bool().Draw(t, "scheme") {
			url = "http://" + url
		}
		o := model.Site(url)
		if o == "" {
			return
		}
		if !strings.HasPrefix(o, "https://") && !model.IsLoopback(url) {
			t.Errorf("%q passes as %q", url, o)
		}
		if model.Host(url) == "" || model.Site(o) != o {
			t.Errorf("%q: host %q, site of the site %q", url, model.Host(url), model.Site(o))
		}
	})
}

func TestModesBelow(t *testing.T) {
	for m, want := range map[model.JSONMode][]model.JSONMode{
		model.Schema: {model.Schema, model.Object, model.Prompt},
		model.Prompt: {model.Prompt},
		"":           nil,
	} {
		if diff := cmp.Diff(want, m.Below()); diff != "" {
			t.Errorf("%s: %s", m, diff)
		}
	}
}

func TestACallErrorSaysItsFigures(t *testing.T) {
	err := error(&model.CallError{Rule: model.ErrRateLimited, Status: 429, RetryAfter: 7})
	if !errors.Is(err, model.ErrRateLimited) || fault.RuleOf(err) != "provider_rate_limited" || fault.KindOf(err) != fault.Rate {
		t.Errorf("%v is no rate limit", err)
	}
	want := "The endpoint asks to wait: too many calls, or nothing left on the account: status 429, again in 7 s. Wait, then try again."
	if got := fault.Sentence(err); got != want {
		t.Error(got)
	}
	if _, yes := model.Unfit(err); yes {
		t.Error("a rate limit is about the form of the request")
	}
}
