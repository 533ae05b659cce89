// Package llm calls models: one chat completion a call, over the protocol that
// OpenAI made common, and it knows what models cost. It promises that a call
// goes to the address it was given and nowhere else (no proxy, no redirect),
// once (no retry), that what comes back is bounded and checked, and that no
// error holds a word of the endpoint, the prompt or the key. It keeps nothing
// and logs nothing.
package llm

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"callboard/app/fault"
	"callboard/app/model"
	"callboard/crypto/secret"
)

// MaxResponse is how much of an answer is read.
const MaxResponse = 8 << 20

const (
	reachTime   = 10 * time.Second // to connect, and again to agree on TLS
	idleTime    = 90 * time.Second
	maxHeaders  = 64 << 10
	placeholder = "redacted"
)

// Client makes calls. It may be used from any goroutine. What it keeps is idle
// connections; Close ends them.
type Client struct{ http *http.Client }

// New makes a client. It connects to nothing.
func New() *Client {
	t := &http.Transport{
		Proxy:                  nil, // whatever the environment says
		DialContext:            dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSNextProto:           map[string]func(string, *tls.Conn) http.RoundTripper{}, // HTTP/1.1, where a cancel closes the connection
		TLSHandshakeTimeout:    reachTime,
		IdleConnTimeout:        idleTime,
		MaxResponseHeaderBytes: maxHeaders,
		DisableCompression:     true, // a small answer stays small
	}
	return &Client{http: &http.Client{
		Transport:     t,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Close ends idle connections. Calls under way are not touched: they end with
// their contexts.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// dial connects. localhost is this machine, whatever a name server says.
func dial(ctx context.Context, network, addr string) (net.Conn, error) {
	d := net.Dialer{Timeout: reachTime}
	host, port, err := net.SplitHostPort(addr)
	if err != nil || host != "localhost" {
		return d.DialContext(ctx, network, addr)
	}
	conn, err := d.DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		conn, err = d.DialContext(ctx, network, net.JoinHostPort("::1", port))
	}
	return conn, err
}

// Complete makes one call and waits for the whole answer, for as long as ctx
// lets it: a caller must set a deadline. An empty key sends none. Every error
// is a *model.CallError, but for a base URL or request that breaks a rule, of
// which nothing was sent.
func (c *Client) Complete(ctx context.Context, baseURL string, key secret.Bytes, r model.Request) (model.Answer, error) {
	p, err := prepare(baseURL, r)
	if err != nil {
		return model.Answer{}, err
	}
	w := &wire{http: c.http}
	res, err := p.send(ctx, w, string(key.Reveal()))
	if err != nil {
		return model.Answer{}, w.judge(ctx, err)
	}
	return p.answer(res)
}

// Preview is the request that Complete would send, without sending it. keyed
// says whether there would be a key.
func (c *Client) Preview(ctx context.Context, baseURL string, keyed bool, r model.Request) (model.Sending, error) {
	p, err := prepare(baseURL, r)
	if err != nil {
		return model.Sending{}, err
	}
	key := ""
	if keyed {
		key = placeholder
	}
	var seen capture
	if _, err := p.send(ctx, &seen, key); !errors.Is(err, errCaptured) {
		return model.Sending{}, (&wire{}).judge(ctx, err)
	}
	return seen.sending, nil
}

// prepared is a request in the library's form.
type prepared struct {
	baseURL string
	body    openai.ChatCompletionRequest
	check   checker
}

func prepare(baseURL string, r model.Request) (*prepared, error) {
	if model.Site(baseURL) == "" {
		return nil, fmt.Errorf("%w: %s", model.ErrInvalid, model.FieldBaseURL)
	}
	check, err := newChecker(r)
	if err != nil {
		return nil, err
	}
	body := openai.ChatCompletionRequest{Model: r.Model}
	if r.TokenField == model.MaxCompletionTokens {
		body.MaxCompletionTokens = r.MaxTokens
	} else {
		body.MaxTokens = r.MaxTokens //nolint:staticcheck // the only field local servers know
	}
	for _, m := range worded(r) {
		body.Messages = append(body.Messages, openai.ChatCompletionMessage{Role: string(m.Role), Content: m.Text})
	}
	if len(r.Schema) > 0 {
		body.ResponseFormat = format(r)
	}
	return &prepared{baseURL: baseURL, body: body, check: check}, nil
}

// worded is the messages, with the schema in words where the endpoint is not
// held to it otherwise. It joins a system message that is there, because some
// endpoints take only one.
func worded(r model.Request) []model.Message {
	if len(r.Schema) == 0 || r.JSONMode == model.Schema {
		return r.Messages
	}
	words := "Answer with one JSON object that fits this JSON Schema, and nothing else:\n" + string(r.Schema)
	if len(r.Messages) > 0 && r.Messages[0].Role == model.System {
		first := model.Message{Role: model.System, Text: r.Messages[0].Text + "\n\n" + words}
		return append([]model.Message{first}, r.Messages[1:]...)
	}
	return append([]model.Message{{Role: model.System, Text: words}}, r.Messages...)
}

func format(r model.Request) *openai.ChatCompletionResponseFormat {
	switch r.JSONMode {
	case model.Schema:
		return &openai.ChatCompletionResponseFormat{
			Type:       openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{Name: "answer", Schema: r.Schema, Strict: true},
		}
	case model.Object:
		return &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	case model.Prompt:
	}
	return nil
}

// send hands the request to the library, which speaks to the endpoint through w.
func (p *prepared) send(ctx context.Context, w openai.HTTPDoer, key string) (openai.ChatCompletionResponse, error) {
	cfg := openai.DefaultConfig(key)
	cfg.BaseURL = p.baseURL
	cfg.HTTPClient = w
	return openai.NewClientWithConfig(cfg).CreateChatCompletion(ctx, p.body)
}

// failed is a call that ended by rule.
func failed(rule *fault.Error) error { return &model.CallError{Rule: rule} }

var errSchema = errors.New("llm: the schema of a request cannot be read")
