package servers

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// errShut ends a request on a way that is closed.
var errShut = errors.New("servers: the connection is closed")

// errNotLocal refuses a name that stands for another computer.
var errNotLocal = errors.New("servers: not this computer")

// web is the way to a server with an address. It adds the headers, follows no
// redirect, asks no proxy, and remembers the last refusal, because the protocol
// above only says that it could not go on.
type web struct {
	url     string
	headers map[string][]byte
	base    *http.Transport
	shut    chan struct{}
	once    sync.Once

	status  atomic.Int64 // of the last answer that was a refusal, 0 after one that was not
	touched atomic.Bool  // an answer came
	over    atomic.Bool  // a bound was reached
	total   atomic.Int64
}

func openWeb(st standing) channel {
	dialer := &net.Dialer{Timeout: 10 * time.Second}
	if u, err := url.Parse(st.plan.URL); err != nil || u.Scheme != "https" {
		dialer.Control = onlyLoopback
	}
	return &web{
		url: st.plan.URL, headers: st.values.Headers, shut: make(chan struct{}),
		base: &http.Transport{
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: 10 * time.Second,
			MaxResponseHeaderBytes: 64 << 10, DisableCompression: true,
		},
	}
}

// onlyLoopback holds a connection without TLS to this computer, whatever its
// name is taken to mean.
func onlyLoopback(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil || !loopback(host) {
		return errNotLocal
	}
	return nil
}

func (w *web) transport() mcp.Transport {
	return &mcp.StreamableClientTransport{
		Endpoint: w.url, HTTPClient: &http.Client{Transport: w}, MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: maxMessage,
	}
}

// RoundTrip sends one request with the headers.
func (w *web) RoundTrip(req *http.Request) (*http.Response, error) {
	select {
	case <-w.shut:
		return nil, errShut
	default:
	}
	req = req.Clone(req.Context())
	for n, v := range w.headers {
		req.Header.Set(n, string(v))
	}
	resp, err := w.base.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	w.touched.Store(true)
	if req.Method != http.MethodDelete { // taking leave is no answer
		w.status.Store(0)
		if resp.StatusCode >= 300 {
			w.status.Store(int64(resp.StatusCode))
		}
	}
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		_ = resp.Body.Close()
		return nil, errShut // the client above would follow it
	}
	resp.Body = &body{ReadCloser: resp.Body, w: w}
	return resp, nil
}

// body is an answer within the bounds.
type body struct {
	io.ReadCloser
	w    *web
	read int64
}

// Read reads on within the bounds, as long as the way is open.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	if b.w.total.Add(int64(n)) > maxTalk || b.read > maxMessage {
		b.w.over.Store(true)
		return 0, errOver
	}
	return n, err
}

// hangUp lets no request begin any more. Those under way end with their context.
func (w *web) hangUp() { w.once.Do(func() { close(w.shut) }) }

func (w *web) close() {
	w.hangUp()
	w.base.CloseIdleConnections()
}

func (w *web) verdict() Code {
	status := w.status.Load()
	switch {
	case w.over.Load():
		return TooLarge
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusProxyAuthRequired:
		return Auth
	case status >= 300 && status < 400:
		return Redirects
	case status >= 400:
		return Refused
	case !w.touched.Load():
		return Unreachable
	}
	return ""
}

func (w *web) said(redactor) string { return "" }
