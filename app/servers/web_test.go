//go:build unix

package servers_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"callboard/app/servers"
)

// web is a saved server at a handler's address, with one header.
func (s *scene) web(name string, h http.Handler, seconds int) string {
	s.t.Helper()
	srv := httptest.NewServer(h)
	s.t.Cleanup(srv.Close)
	return s.at(name, srv.URL+"/mcp", seconds)
}

func (s *scene) at(name, url string, seconds int) string {
	s.t.Helper()
	id := s.save(servers.Server{Name: name, Enabled: true, Transport: servers.HTTP, URL: url, Headers: []string{"Authorization"}, Seconds: seconds}, 0).Server.ID
	s.set(id, nil, map[string]string{"Authorization": "Bearer " + canary})
	s.agree(id)
	return id
}

// guarded lets only requests with the header through.
func guarded(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+canary {
			http.Error(w, "who are you", http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, r)
	})
}

func TestDiscoverOverHTTP(t *testing.T) {
	for name, opts := range map[string]*mcp.StreamableHTTPOptions{
		"sessions": nil, "stateless": {Stateless: true}, "json": {JSONResponse: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
			s := newScene(t)
			id := s.web("web", guarded(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return tools() }, opts)), 60)
			d := s.discover(id)
			if diff := cmp.Diff([]string{"@web/add", "@web/drop-it", "@web/list_all"}, names(d.Known.Tools)); diff != "" || d.Code != "" {
				t.Error(diff, d.Code)
			}
			s.set(id, nil, map[string]string{"Authorization": "Bearer wrong"})
			if _, err := s.Discover(t.Context(), id); rule(err) != "consent_missing" {
				t.Errorf("another header: %v", err)
			}
			s.agree(id)
			if d := s.discover(id); d.Code != servers.Auth || len(d.Known.Tools) != 3 {
				t.Errorf("got %+v", d)
			}
		})
	}
}

func TestFaultsOfWebServers(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, canary, code) }
	}
	for name, tc := range map[string]struct {
		h    http.HandlerFunc
		want servers.Code
	}{
		"forbidden": {status(403), servers.Auth},
		"not found": {status(404), servers.Refused},
		"broken":    {status(500), servers.Refused},
		"busy":      {status(503), servers.Refused},
		"a page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html>"+canary)
		}, servers.Invalid},
		"no JSON": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, "{nonsense "+canary)
		}, servers.Invalid},
		"10 MiB": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"jsonrpc":"`+strings.Repeat("x", 10<<20))
		}, servers.TooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			if d := s.discover(s.web("web", tc.h, 60)); d.Code != tc.want {
				t.Errorf("got %+v, want %s", d, tc.want)
			}
		})
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	s := newScene(t)
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	t.Cleanup(other.Close)
	for _, code := range []int{301, 302, 307, 308} {
		id := s.web(strings.Repeat("r", code-300), http.RedirectHandler(other.URL, code), 60)
		if d := s.discover(id); d.Code != servers.Redirects || elsewhere.Load() > 0 {
			t.Errorf("%d: got %+v, %d calls elsewhere", code, d, elsewhere.Load())
		}
	}
}

func TestAWebServerThatHangs(t *testing.T) {
	s := newScene(t)
	stuck := make(chan struct{})
	id := s.web("web", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then it is seen that the caller has gone
		select {
		case stuck <- struct{}{}:
		case <-r.Context().Done():
		}
		<-r.Context().Done()
	}), 60)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan servers.Discovered)
	go func() {
		d, _ := s.Discover(ctx, id)
		done <- d
	}()
	<-stuck
	cancel()
	if d := <-done; d.Code != servers.Cancelled {
		t.Errorf("got %+v", d)
	}
	id = s.web("drip", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}), 1)
	if d := s.discover(id); d.Code != servers.TimedOut {
		t.Errorf("got %+v", d)
	}
}

func TestNobodyListens(t *testing.T) {
	s := newScene(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	s.must(err)
	s.must(l.Close())
	if d := s.discover(s.at("web", "http://"+l.Addr().String(), 60)); d.Code != servers.Unreachable {
		t.Errorf("got %+v", d)
	}
}
