package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"callboard/app/fault"
	"callboard/app/llm"
	"callboard/app/llm/llmtest"
	"callboard/app/model"
	"callboard/crypto/secret"
)

// proxied counts connections to the proxy that the environment of these tests
// names.
var proxied atomic.Int32

func TestMain(m *testing.M) {
	proxy := httptest.NewServer(http.NotFoundHandler())
	proxy.Config.ConnState = func(net.Conn, http.ConnState) { proxied.Add(1) }
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "NO_PROXY", "no_proxy"} {
		value := proxy.URL
		if strings.HasPrefix(strings.ToUpper(name), "NO") {
			value = ""
		}
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		proxy.Close()
		os.Exit(code)
	}), goleak.IgnoreCurrent())
}

const (
	key    = "sk-CANARY-key-91c2"
	prompt = "CANARY-prompt-55d1"
	yes    = `{"ok": true}`
)

var schema = json.RawMessage(`{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"],"additionalProperties":false}`)

func request() model.Request {
	return model.Request{
		Model: "m", Messages: []model.Message{{Role: model.User, Text: prompt}},
		MaxTokens: 64, TokenField: model.MaxTokens, JSONMode: model.Schema, Schema: schema,
	}
}

func client(t *testing.T) *llm.Client {
	t.Helper()
	c := llm.New()
	t.Cleanup(c.Close)
	return c
}

func complete(t *testing.T, url string, r model.Request) (model.Answer, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return client(t).Complete(ctx, url, secret.FromString(key), r)
}

// chain is everything an error can be made to print.
func chain(err error) string {
	var b strings.Builder
	var walk func(error)
	walk = func(err error) {
		if err == nil {
			return
		}
		fmt.Fprintf(&b, "%v|%+v|%#v|%s\n", err, err, err, fault.Sentence(err))
		walk(errors.Unwrap(err))
		if many, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range many.Unwrap() {
				walk(e)
			}
		}
	}
	walk(err)
	return b.String()
}

func TestEveryFaultHasItsCodeAndNoWordOfOthers(t *testing.T) {
	for name, tc := range map[string]struct {
		reply llmtest.Reply
		want  string
	}{
		"400":                       {llmtest.Refused(400, "no"), "provider_refused 400 unfit"},
		"400 names max_tokens":      {llmtest.Refused(400, "'max_tokens' is not supported"), "provider_refused 400 unfit token_field"},
		"400 names the format":      {llmtest.Refused(400, "response_format of type json_object"), "provider_refused 400 unfit json_mode"},
		"400 Ollama":                {llmtest.Ollama(400), "provider_refused 400 unfit"},
		"422 FastAPI":               {llmtest.FastAPI(422), "provider_refused 422 unfit"},
		"400 vLLM":                  {llmtest.Flat(400), "provider_refused 400 unfit"},
		"400 echo":                  {llmtest.Echo(400), "provider_refused 400 unfit"},
		"401":                       {llmtest.Refused(401, "bad key"), "provider_auth 401"},
		"403":                       {llmtest.HTML(403), "provider_auth 403"},
		"404 Ollama":                {llmtest.Ollama(404), "provider_refused 404"},
		"404 page":                  {llmtest.HTML(404), "provider_refused 404"},
		"429":                       {llmtest.RateLimited(""), "provider_rate_limited 429"},
		"429 with seconds":          {llmtest.RateLimited("17"), "provider_rate_limited 429 after 17"},
		"429 with a date":           {llmtest.RateLimited("Wed, 21 Oct 2026 07:28:00 GMT"), "provider_rate_limited 429"},
		"429 for ever":              {llmtest.RateLimited("999999999"), "provider_rate_limited 429 after 86400"},
		"429 before":                {llmtest.RateLimited("-1"), "provider_rate_limited 429"},
		"500":                       {llmtest.Refused(500, "oh"), "provider_refused 500"},
		"500 empty":                 {llmtest.JSON(500, ""), "provider_refused 500"},
		"500 echo":                  {llmtest.Echo(500), "provider_refused 500"},
		"502 page":                  {llmtest.HTML(502), "provider_refused 502"},
		"204":                       {llmtest.JSON(204, ""), "provider_refused 204"},
		"301":                       {llmtest.Redirect(301, "http://127.0.0.1:1/"), "provider_redirected 301"},
		"200 page":                  {llmtest.HTML(200), "output_invalid"},
		"200 garbage":               {llmtest.Garbage(), "output_invalid"},
		"200 empty":                 {llmtest.JSON(200, ""), "output_invalid"},
		"200 null":                  {llmtest.JSON(200, "null"), "output_invalid"},
		"200 echo":                  {llmtest.Echo(200), "output_invalid"},
		"200 error":                 {llmtest.Ollama(200), "output_invalid"},
		"no choices":                {llmtest.NoChoices(), "output_invalid"},
		"no finish reason":          {llmtest.NoFinish(yes), "output_invalid"},
		"half an answer as whole":   {llmtest.Short(), "output_invalid"},
		"cut in the body":           {llmtest.Cut(), "output_invalid"},
		"no JSON":                   {llmtest.Answer(llmtest.Canary), "output_invalid"},
		"fenced in schema mode":     {llmtest.Answer("```json\n" + yes + "\n```"), "output_invalid"},
		"two values":                {llmtest.Answer(yes + yes), "output_invalid"},
		"JSON of another form":      {llmtest.Answer(`{"ok":"` + llmtest.Canary + `"}`), "output_invalid"},
		"JSON that lacks a field":   {llmtest.Answer(`{}`), "output_invalid"},
		"no text":                   {llmtest.Answer(""), "output_invalid"},
		"tool call nobody wanted":   {llmtest.Finish("", "tool_calls"), "output_invalid"},
		"at the limit":              {llmtest.Finish(`{"ok"`, "length"), "output_truncated"},
		"filtered":                  {llmtest.Finish(llmtest.Canary, "content_filter"), "provider_refused"},
		"closed without a word":     {llmtest.Drop(), "provider_unreachable"},
		"more than is taken":        {llmtest.Huge(llm.MaxResponse), "response_too_large"},
		"a refusal that is endless": {llmtest.JSON(500, strings.Repeat(llmtest.Canary, 1<<18)), "provider_refused 500"},
	} {
		t.Run(name, func(t *testing.T) {
			e := llmtest.New(t, tc.reply)
			a, err := complete(t, e.URL, request())
			if a != (model.Answer{}) {
				t.Errorf("an answer: %+v", a)
			}
			call, ok := errors.AsType[*model.CallError](err)
			if !ok {
				t.Fatalf("%v is no call error", err)
			}
			got := fault.RuleOf(err)
			if call.Status != 0 {
				got += fmt.Sprintf(" %d", call.Status)
			}
			if call.RetryAfter != 0 {
				got += fmt.Sprintf(" after %d", call.RetryAfter)
			}
			if _, unfit := model.Unfit(err); unfit {
				got = strings.TrimSpace(got + " unfit " + string(call.Blame))
			}
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			if s := chain(err); strings.Contains(s, "CANARY") || strings.Contains(s, "127.0.0.1") {
				t.Errorf("an error tells: %s", s)
			}
			if n := len(e.Calls()); n != 1 {
				t.Errorf("%d requests, want one", n)
			}
		})
	}
}

func TestNobodyThere(t *testing.T) {
	var lc net.ListenConfig
	l, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	if _, err := complete(t, "http://"+addr+"/v1", request()); !errors.Is(err, model.ErrUnreachable) || strings.Contains(chain(err), "CANARY") {
		t.Errorf("%v", err)
	}
}

func TestAnAnswer(t *testing.T) {
	plain := request()
	plain.Schema = nil
	object, words := request(), request()
	object.JSONMode, words.JSONMode = model.Object, model.Prompt
	known := model.Usage{In: 12, Out: 5, Known: true}
	for name, tc := range map[string]struct {
		request model.Request
		reply   llmtest.Reply
		want    model.Answer
	}{
		"text":                {plain, llmtest.Answer("hello"), model.Answer{Text: "hello", Finish: "stop", Usage: known}},
		"schema":              {request(), llmtest.Answer(" " + yes + "\n"), model.Answer{Text: yes, Finish: "stop", Usage: known}},
		"object":              {object, llmtest.Answer(yes), model.Answer{Text: yes, Finish: "stop", Usage: known}},
		"fenced":              {words, llmtest.Answer("```json\n" + yes + "\n```\n"), model.Answer{Text: yes, Finish: "stop", Usage: known}},
		"no usage":            {plain, llmtest.NoUsage("hello"), model.Answer{Text: "hello", Finish: "stop"}},
		"slow":                {plain, llmtest.Slow(50*time.Millisecond, llmtest.Answer("hello")), model.Answer{Text: "hello", Finish: "stop", Usage: known}},
		"a reason of its own": {plain, llmtest.Finish("hello", llmtest.Canary), model.Answer{Text: "hello", Finish: "other", Usage: known}},
		"usage that cannot be": {
			plain, llmtest.JSON(200, `{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":-4,"completion_tokens":5}}`),
			model.Answer{Text: "a", Finish: "stop"},
		},
		"large, but not too large": {
			plain, llmtest.Huge(llm.MaxResponse - 256<<10),
			model.Answer{Text: strings.Repeat("a", llm.MaxResponse-256<<10), Finish: "stop"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := complete(t, llmtest.New(t, tc.reply).URL, tc.request)
			if diff := cmp.Diff(tc.want, a); diff != "" || err != nil {
				t.Error(err, diff)
			}
		})
	}
}
