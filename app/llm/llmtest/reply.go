package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"callboard/app/model"
)

func marshal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("llmtest: " + err.Error())
	}
	return string(b)
}

// Completion is the body of a good answer: text, finish reason "stop", 12
// tokens in and 5 out.
func Completion(text string) string {
	return completion(text, "stop", `,"usage":{"prompt_tokens":12,"completion_tokens":5,"total_tokens":17}`)
}

func completion(text, finish, usage string) string {
	return `{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":` +
		marshal(text) + `},"finish_reason":` + marshal(finish) + `}]` + usage + `}`
}

// Raw replies with a status and body as they are.
func Raw(status int, contentType, body string) Reply {
	return func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body)) // a client that went away is no matter
	}
}

// JSON replies with a status and a JSON body.
func JSON(status int, body string) Reply { return Raw(status, "application/json", body) }

// Answer replies with text, well.
func Answer(text string) Reply { return JSON(http.StatusOK, Completion(text)) }

// Finish replies with text and another finish reason.
func Finish(text, reason string) Reply {
	return JSON(http.StatusOK, completion(text, reason, `,"usage":{"prompt_tokens":12,"completion_tokens":5}`))
}

// NoUsage replies with text and says nothing of tokens.
func NoUsage(text string) Reply { return JSON(http.StatusOK, completion(text, "stop", "")) }

// NoFinish replies with text that may be cut off: no finish reason.
func NoFinish(text string) Reply {
	return JSON(http.StatusOK, `{"choices":[{"index":0,"message":{"role":"assistant","content":`+marshal(text)+`}}]}`)
}

// NoChoices replies 200 with an empty list.
func NoChoices() Reply {
	return JSON(http.StatusOK, `{"id":`+marshal(Canary)+`,"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":0}}`)
}

// Refused replies as OpenAI does.
func Refused(status int, message string) Reply {
	return JSON(status, `{"error":{"message":`+marshal(message+" "+Canary)+`,"type":"invalid_request_error","param":null,"code":"bad"}}`)
}

// RateLimited replies 429; retryAfter is the header, left out when empty.
func RateLimited(retryAfter string) Reply {
	return func(w http.ResponseWriter, r *http.Request, body []byte) {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		Refused(http.StatusTooManyRequests, "slow down")(w, r, body)
	}
}

// Ollama replies as Ollama does: the error is a text.
func Ollama(status int) Reply { return JSON(status, `{"error":`+marshal(Canary)+`}`) }

// FastAPI replies as FastAPI does.
func FastAPI(status int) Reply {
	return JSON(status, `{"detail":[{"loc":["body"],"msg":`+marshal(Canary)+`,"type":"value_error"}]}`)
}

// Flat replies as vLLM does: the error is the body.
func Flat(status int) Reply {
	return JSON(status, `{"object":"error","message":`+marshal(Canary)+`,"type":"BadRequestError","param":null,"code":`+strconv.Itoa(status)+`}`)
}

// HTML replies with a page.
func HTML(status int) Reply {
	return Raw(status, "text/html", "<html><body><h1>"+Canary+"</h1></body></html>")
}

// Garbage replies 200 with bytes that are nothing.
func Garbage() Reply { return JSON(http.StatusOK, "\x00\xff{{{"+Canary) }

// Echo replies with what came in, headers too, as a confused proxy does.
func Echo(status int) Reply {
	return func(w http.ResponseWriter, r *http.Request, body []byte) {
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, "%s %v\n%s", Canary, r.Header, body) //nolint:gosec // an echo is the point
	}
}

// Redirect sends the client to another address.
func Redirect(status int, to string) Reply {
	return func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		w.Header().Set("Location", to)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(Canary))
	}
}

// Hang says nothing until the client goes away.
func Hang() Reply {
	return func(_ http.ResponseWriter, r *http.Request, _ []byte) { <-r.Context().Done() }
}

// Stall sends half an answer and then nothing until the client goes away.
func Stall() Reply {
	return func(w http.ResponseWriter, r *http.Request, _ []byte) {
		half(w)
		<-r.Context().Done()
	}
}

// Slow takes its time, then lets reply answer.
func Slow(wait time.Duration, reply Reply) Reply {
	return func(w http.ResponseWriter, r *http.Request, body []byte) {
		select {
		case <-time.After(wait):
			reply(w, r, body)
		case <-r.Context().Done():
		}
	}
}

// After lets reply answer once ready is closed.
func After(ready <-chan struct{}, reply Reply) Reply {
	return func(w http.ResponseWriter, r *http.Request, body []byte) {
		select {
		case <-ready:
			reply(w, r, body)
		case <-r.Context().Done():
		}
	}
}

// Cut sends half an answer of a stated length and closes the connection.
func Cut() Reply {
	return func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		half(w)
		panic(http.ErrAbortHandler)
	}
}

// Drop closes the connection without a word.
func Drop() Reply {
	return func(http.ResponseWriter, *http.Request, []byte) { panic(http.ErrAbortHandler) }
}

func half(w http.ResponseWriter) {
	whole := Completion(Canary)
	w.Header().Set("Content-Length", strconv.Itoa(len(whole)))
	_, _ = w.Write([]byte(whole[:len(whole)/2]))
	_ = http.NewResponseController(w).Flush()
}

// Short sends half an answer as if it were whole.
func Short() Reply {
	whole := Completion(Canary)
	return JSON(http.StatusOK, whole[:len(whole)/2])
}

// Huge sends a good answer of at least size bytes, in pieces.
func Huge(size int) Reply {
	return func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		_, _ = w.Write([]byte(`{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"`))
		piece := []byte(strings.Repeat("a", 64<<10))
		for sent := 0; sent < size; sent += len(piece) {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
		_, _ = w.Write([]byte(`"}}]}`))
	}
}

// Picky answers text to requests in a form it takes, and refuses others with
// 400 as the servers do that are so. Mute makes the refusals say nothing of
// what is wrong.
type Picky struct {
	Text   string
	Fields []model.TokenField
	Modes  []model.JSONMode
	Mute   bool
}

// Reply is what p says.
func (p Picky) Reply() Reply {
	return func(w http.ResponseWriter, r *http.Request, body []byte) {
		field, mode := form(body)
		switch {
		case p.Mute && (!slices.Contains(p.Fields, field) || !slices.Contains(p.Modes, mode)):
			Refused(http.StatusBadRequest, "no")(w, r, body)
		case !slices.Contains(p.Fields, field):
			Refused(http.StatusBadRequest, "Unsupported parameter: '"+string(field)+"' is not supported with this model. Use '"+string(field.Other())+"' instead.")(w, r, body)
		case !slices.Contains(p.Modes, mode):
			JSON(http.StatusBadRequest, `{"error":"'response_format.type' is not supported `+Canary+`"}`)(w, r, body)
		default:
			Answer(p.Text)(w, r, body)
		}
	}
}

// form is how a request asks.
func form(body []byte) (model.TokenField, model.JSONMode) {
	var in struct {
		MaxTokens int `json:"max_tokens"`
		Format    struct {
			Type string `json:"type"`
		} `json:"response_format"`
	}
	if json.Unmarshal(body, &in) != nil {
		return "", ""
	}
	field := model.MaxCompletionTokens
	if in.MaxTokens != 0 {
		field = model.MaxTokens
	}
	mode := map[string]model.JSONMode{"json_schema": model.Schema, "json_object": model.Object, "": model.Prompt}[in.Format.Type]
	return field, mode
}
