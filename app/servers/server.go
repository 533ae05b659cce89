// Package servers keeps the tool servers that speak the Model Context Protocol:
// how each is reached, what the person agreed to, and which tools it had when
// it was last asked. It promises that nothing is started or contacted without a
// consent to exactly that, that a server's process and all it started are gone
// when a call returns, and that environment and header values are written and
// never given back: they are sealed apart from the rest, and taken out of
// whatever a server says before it is kept or shown. It refuses to read a
// server's text into an error, and to connect on anybody's read.
package servers

import (
	"slices"
	"time"
)

// Transport is how a server is reached.
type Transport string

// Stdio starts a command and speaks over its standard input and output; HTTP
// speaks streamable HTTP to an address.
const (
	Stdio Transport = "stdio"
	HTTP  Transport = "http"
)

// DefaultTimeout is how long a server may take where it does not say.
const DefaultTimeout = 30 * time.Second

// Server is one tool server as the person configured it. Env and Headers are
// names only: their values are set apart and never come back. ID is a ULID that
// survives renames. A Server is a value, but its slices are shared until Clone.
type Server struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Enabled   bool      `json:"enabled"`
	Transport Transport `json:"transport"`
	Command   string    `json:"command,omitempty"` // a name to look up, or an absolute path
	Args      []string  `json:"args,omitempty"`
	Env       []string  `json:"env,omitempty"`
	Dir       string    `json:"dir,omitempty"` // where the command starts; empty is the home folder
	URL       string    `json:"url,omitempty"`
	Headers   []string  `json:"headers,omitempty"`
	Seconds   int       `json:"timeout_s,omitempty"` // for one discovery; 0 is DefaultTimeout
}

// Clone is a deep copy.
func (s Server) Clone() Server {
	s.Args, s.Env, s.Headers = slices.Clone(s.Args), slices.Clone(s.Env), slices.Clone(s.Headers)
	return s
}

// Timeout is how long one discovery may take.
func (s Server) Timeout() time.Duration {
	if s.Seconds == 0 {
		return DefaultTimeout
	}
	return time.Duration(s.Seconds) * time.Second
}

// ToolID is the canonical id of one of the server's tools, of the server itself
// where tool is empty.
func (s Server) ToolID(tool string) string {
	if tool == "" {
		return "@" + s.Name
	}
	return "@" + s.Name + "/" + tool
}
