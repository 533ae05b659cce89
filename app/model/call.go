package model

import "encoding/json"

// Role says who speaks in a message.
type Role string

// The roles of a call without tools.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one turn of a request.
type Message struct {
	Role Role   `json:"role"`
	Text string `json:"text"`
}

// Request is one chat completion. Model is the provider's id. MaxTokens is the
// output cap and travels in TokenField. With a Schema the answer must be one
// JSON value that fits it, asked for as JSONMode says; without one the answer
// is free text and JSONMode is not looked at. A request is never changed by who
// gets it.
type Request struct {
	Model      string
	Messages   []Message
	MaxTokens  int
	TokenField TokenField
	JSONMode   JSONMode
	Schema     json.RawMessage
}

// Answer is what an endpoint said. Text is the model's own and untrusted; with
// a Schema in the request it is the JSON value alone.
type Answer struct {
	Text   string
	Finish string
	Usage  Usage
}

// Usage is the tokens an endpoint says it counted. Known is false where it did
// not say, or not believably; then both figures are 0.
type Usage struct {
	In    int  `json:"in"`
	Out   int  `json:"out"`
	Known bool `json:"known"`
}

// Header is one header of a request.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Sending is one request as it travels, byte for byte, but for the key, which
// reads "redacted".
type Sending struct {
	Method  string   `json:"method"`
	URL     string   `json:"url"`
	Headers []Header `json:"headers"`
	Body    []byte   `json:"body"`
}
