package llm

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"callboard/app/fault"
	"callboard/app/model"
)

// maxRefusal is how much of a refusal is looked at.
const maxRefusal = 64 << 10

// wire is one call's way to the endpoint. It remembers what happened there,
// so that nobody has to read it out of an error's text. For one goroutine.
type wire struct {
	http     *http.Client
	fault    *model.CallError // what the endpoint's status says
	answered bool
	body     *bounded
}

var errNoAnswer = errors.New("llm: no answer")

// Do sends one request. An answer that is no success ends here: the library
// never sees what the endpoint wrote with it.
func (w *wire) Do(req *http.Request) (*http.Response, error) {
	dress(req)
	resp, err := w.http.Do(req) //nolint:gosec // the address is the one the person entered
	if err != nil {
		return nil, errNoAnswer // its text names the address
	}
	w.answered = true
	if resp.StatusCode == http.StatusOK {
		w.body = &bounded{from: resp.Body, left: MaxResponse}
		resp.Body = w.body
		return resp, nil
	}
	text, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusal)) // what was cut off is not missed
	_ = resp.Body.Close()
	w.fault = refusal(resp, text)
	return nil, errNoAnswer
}

// dress sets what the transport would else choose itself.
func dress(req *http.Request) { req.Header.Set("User-Agent", "callboard") }

// refusal is what an answer without success means.
func refusal(resp *http.Response, text []byte) *model.CallError {
	e := &model.CallError{Rule: model.ErrRefused, Status: resp.StatusCode}
	switch s := resp.StatusCode; {
	case s >= 300 && s < 400:
		e.Rule = model.ErrRedirected
	case s == http.StatusUnauthorized, s == http.StatusForbidden:
		e.Rule = model.ErrAuth
	case s == http.StatusTooManyRequests:
		e.Rule = model.ErrRateLimited
		e.RetryAfter = seconds(resp.Header)
	case s == http.StatusBadRequest, s == http.StatusUnprocessableEntity:
		e.Unfit = true
		e.Blame = blame(text)
	}
	return e
}

// maxWait is the longest wait a person is told of: a day.
const maxWait = 24 * 60 * 60

// seconds reads Retry-After. Dates are left alone: whose clock is right is not
// known.
func seconds(h http.Header) int {
	n, err := strconv.Atoi(strings.TrimSpace(h.Get("Retry-After")))
	if err != nil || n < 0 {
		return 0
	}
	return min(n, maxWait)
}

// blame looks in a refusal for the names of the two fields endpoints disagree
// on. Where both or none stand, as in an echo of the request, nothing is said.
func blame(text []byte) model.Blame {
	names := func(words ...string) bool {
		return slices.ContainsFunc(words, func(s string) bool { return bytes.Contains(text, []byte(s)) })
	}
	tokens := names(string(model.MaxTokens), string(model.MaxCompletionTokens))
	format := names("response_format", "json_schema", "json_object")
	switch {
	case tokens && !format:
		return model.BlameTokenField
	case format && !tokens:
		return model.BlameJSONMode
	}
	return model.BlameNothing
}

// judge is the error of a call that the library ended with err, whose text
// goes no further.
func (w *wire) judge(ctx context.Context, err error) error {
	switch {
	case w.fault != nil:
		return w.fault
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return failed(model.ErrTimeout)
	case ctx.Err() != nil:
		return failed(model.ErrCancelled)
	case errors.Is(err, openai.ErrReasoningModelMaxTokensDeprecated):
		return &model.CallError{Rule: model.ErrRefused, Unfit: true, Blame: model.BlameTokenField}
	case w.body != nil && w.body.over:
		return failed(model.ErrTooLarge)
	case w.answered:
		return failed(model.ErrOutput)
	case errors.Is(err, errNoAnswer):
		return failed(model.ErrUnreachable)
	}
	return failed(model.ErrRefused) // the library itself will not send this
}

// bounded is a body that ends with an error at its limit.
type bounded struct {
	from io.ReadCloser
	left int64
	over bool
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		b.over = true
		return 0, errNoAnswer
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

func (b *bounded) Close() error { return b.from.Close() }

// capture keeps a request instead of sending it.
type capture struct{ sending model.Sending }

var errCaptured = errors.New("llm: captured")

// Do reads the request as the transport would write it.
func (c *capture) Do(req *http.Request) (*http.Response, error) {
	dress(req)
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, fault.New(fault.Internal, "internal", "the request cannot be read")
	}
	h := req.Header.Clone()
	h.Set("Host", req.URL.Host)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if h.Get("Authorization") != "" {
		h.Set("Authorization", placeholder)
	}
	for name, values := range h {
		for _, v := range values {
			c.sending.Headers = append(c.sending.Headers, model.Header{Name: name, Value: v})
		}
	}
	slices.SortFunc(c.sending.Headers, func(a, b model.Header) int { return strings.Compare(a.Name, b.Name) })
	c.sending.Method, c.sending.URL, c.sending.Body = req.Method, req.URL.String(), body
	return nil, errCaptured
}
