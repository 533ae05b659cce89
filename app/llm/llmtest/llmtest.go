// Package llmtest gives tests an endpoint that speaks the chat completions
// protocol over a real socket on this machine, by a script: good answers and
// every way endpoints were seen to fail. It is for tests only.
package llmtest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// Canary stands in what every failing reply writes: it must be found in no
// error, no log and no file.
const Canary = "the endpoint's own words, CANARY-7f3a"

// Reply answers one request whose body was read.
type Reply func(w http.ResponseWriter, r *http.Request, body []byte)

// Call is one request as it came in. Gone is closed when the client went away
// before the reply was done, Done when the reply is over.
type Call struct {
	Method string
	Path   string
	Host   string
	Header http.Header
	Body   []byte
	Gone   <-chan struct{}
	Done   <-chan struct{}
}

// Field is a field of the call's JSON body, nil when there is none.
func (c Call) Field(name string) any {
	var fields map[string]any
	if json.Unmarshal(c.Body, &fields) != nil {
		return nil
	}
	return fields[name]
}

// Endpoint answers at URL, a base URL. Its methods may be called from any
// goroutine.
type Endpoint struct {
	URL string

	ending context.Context // over when the test ends, which lets go of replies that hang

	mu     sync.Mutex
	script []Reply
	calls  []Call
}

// New starts an endpoint that gives the replies in turn, the last one for ever.
// It ends with the test.
func New(t testing.TB, script ...Reply) *Endpoint {
	t.Helper()
	ending, end := context.WithCancel(context.WithoutCancel(t.Context()))
	e := &Endpoint{script: script, ending: ending}
	srv := httptest.NewServer(e)
	e.URL = srv.URL + "/v1"
	t.Cleanup(func() {
		end()
		srv.CloseClientConnections()
		srv.Close()
	})
	return e
}

// Calls is every request so far.
func (e *Endpoint) Calls() []Call {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]Call(nil), e.calls...)
}

// Wait is call number n, from 0, once it came in. It fails the test when that
// takes very long.
func (e *Endpoint) Wait(t testing.TB, n int) Call {
	t.Helper()
	for range 3000 {
		if calls := e.Calls(); len(calls) > n {
			return calls[n]
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("call %d never came", n)
	return Call{}
}

// ServeHTTP notes the request and plays the next reply.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went away while it sent
	}
	gone, done := make(chan struct{}), make(chan struct{})
	defer close(done)
	stop := context.AfterFunc(r.Context(), func() { close(gone) })
	defer stop()
	reply := e.next(Call{
		Method: r.Method, Path: r.URL.Path, Host: r.Host, Header: r.Header.Clone(), Body: body, Gone: gone, Done: done,
	})
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(e.ending, cancel)()
	reply(w, r.WithContext(ctx), body)
}

func (e *Endpoint) next(c Call) Reply {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls = append(e.calls, c)
	return e.script[min(len(e.calls), len(e.script))-1]
}
