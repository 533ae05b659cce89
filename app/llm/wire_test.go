package llm_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"callboard/app/fault"
	"callboard/app/llm/llmtest"
	"callboard/app/model"
	"callboard/crypto/secret"
)

func TestTimeAndCancel(t *testing.T) {
	for name, reply := range map[string]llmtest.Reply{"hang": llmtest.Hang(), "stall in the body": llmtest.Stall()} {
		for rule, ended := range map[*fault.Error]func(context.Context) (context.Context, context.CancelFunc){
			model.ErrTimeout: func(ctx context.Context) (context.Context, context.CancelFunc) {
				return context.WithTimeout(ctx, 3*time.Second)
			},
			model.ErrCancelled: context.WithCancel,
		} {
			t.Run(name+" "+rule.Rule(), func(t *testing.T) {
				e := llmtest.New(t, reply)
				ctx, cancel := ended(t.Context())
				defer cancel()
				got := make(chan error, 1)
				c := client(t)
				go func() {
					_, err := c.Complete(ctx, e.URL, secret.FromString(key), request())
					got <- err
				}()
				call := e.Wait(t, 0)
				if rule == model.ErrCancelled {
					cancel()
				}
				if err := <-got; !errors.Is(err, rule) || strings.Contains(chain(err), "CANARY") {
					t.Errorf("%v", err)
				}
				select {
				case <-call.Gone:
				case <-time.After(30 * time.Second):
					t.Error("the server still has its connection")
				}
			})
		}
	}
}

// TestNoRedirectIsFollowed: the body and the key stay where they were sent.
func TestNoRedirectIsFollowed(t *testing.T) {
	other := llmtest.New(t, llmtest.Answer(yes))
	for _, status := range []int{301, 302, 303, 307, 308} {
		e := llmtest.New(t, llmtest.Redirect(status, other.URL+"/chat/completions"))
		if _, err := complete(t, e.URL, request()); !errors.Is(err, model.ErrRedirected) {
			t.Errorf("%d: %v", status, err)
		}
	}
	if n := len(other.Calls()); n != 0 {
		t.Errorf("%d requests went elsewhere", n)
	}
}

// TestProxiesOfTheEnvironmentSeeNothing: 0.0.0.0 leads here, but is no loopback
// address, so net/http would ask a proxy for it. TestMain has set one.
func TestProxiesOfTheEnvironmentSeeNothing(t *testing.T) {
	var hellos atomic.Int32
	srv := httptest.NewUnstartedServer(http.NotFoundHandler())
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			hellos.Add(1)
		}
	}
	srv.StartTLS()
	defer srv.Close()
	url := strings.Replace(srv.URL, "127.0.0.1", "0.0.0.0", 1)
	if _, err := complete(t, url+"/v1", request()); !errors.Is(err, model.ErrUnreachable) {
		t.Error(err)
	}
	if hellos.Load() != 1 || proxied.Load() != 0 {
		t.Errorf("%d connections came, %d went to the proxy", hellos.Load(), proxied.Load())
	}
}

// TestOverTLS: the usual checks hold, so a certificate nobody vouches for is
// no way to the key.
func TestOverTLS(t *testing.T) {
	asked := false
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	defer srv.Close()
	if _, err := complete(t, srv.URL+"/v1", request()); !errors.Is(err, model.ErrUnreachable) || asked {
		t.Errorf("%v, asked %v", err, asked)
	}
}

// TestLocalhostIsThisMachine, without a name server.
func TestLocalhostIsThisMachine(t *testing.T) {
	e := llmtest.New(t, llmtest.Answer(yes))
	url := strings.Replace(e.URL, "127.0.0.1", "localhost", 1)
	if _, err := complete(t, url, request()); err != nil {
		t.Error(err)
	}
}

func TestTheKeyTravelsInOneHeaderOnly(t *testing.T) {
	e := llmtest.New(t, llmtest.Answer(yes))
	if _, err := complete(t, e.URL, request()); err != nil {
		t.Fatal(err)
	}
	call := e.Calls()[0]
	rest := call.Header.Clone()
	rest.Del("Authorization")
	text := fmt.Sprint(call.Method, call.Path, call.Host, rest, string(call.Body))
	for _, form := range []string{key, base64.StdEncoding.EncodeToString([]byte(key))} {
		if strings.Contains(text, form) {
			t.Errorf("the key is in %s", text)
		}
	}
	if cookies := call.Header["Cookie"]; cookies != nil || call.Header.Get("User-Agent") != "callboard" {
		t.Errorf("%v", call.Header)
	}
}

// TestNoCookieComesBack.
func TestNoCookieComesBack(t *testing.T) {
	e := llmtest.New(t, func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
		_, _ = io.WriteString(w, llmtest.Completion(yes))
	})
	c := client(t)
	for range 2 {
		if _, err := c.Complete(t.Context(), e.URL, secret.Bytes{}, request()); err != nil {
			t.Fatal(err)
		}
	}
	if got := e.Calls()[1].Header; got["Cookie"] != nil || got["Authorization"] != nil {
		t.Errorf("%v", got)
	}
}
