// Package agent is what an agent is: one entry a person configured, nested the
// way it travels on the wire, with the limits each field keeps. It holds no
// behaviour beyond checking itself.
package agent

import (
	"slices"

	"callboard/app/tool"
)

// Provider is what runs an agent.
type Provider string

// None is edited, listed and exported but never launched.
const (
	Native     Provider = "native"
	ClaudeCode Provider = "claude_code"
	Codex      Provider = "codex"
	None       Provider = "none"
)

// Agent is one configured agent. ID is a 26-character ULID that survives
// renames. An Agent is a value: services return copies and take copies, but
// its slices are shared until Clone.
type Agent struct {
	ID       string   `json:"id"`
	Enabled  bool     `json:"enabled"`
	Identity Identity `json:"identity"`
	Run      Run      `json:"run"`
	Access   Access   `json:"access"`
	Look     Look     `json:"look"`
	Source   *Source  `json:"source,omitempty"`
}

// Identity is what the agent is called and told.
type Identity struct {
	Name         string `json:"name"`
	Description  string `json:"description"`
	Instructions string `json:"instructions"`
}

// Run is what runs it. Model is the provider's own string.
type Run struct {
	Provider Provider `json:"provider"`
	Model    string   `json:"model"`
	Effort   string   `json:"effort"`
}

// Access is what it may touch. Tools and Denied hold the source's tokens
// verbatim; tool.Resolve says what they grant.
type Access struct {
	Tools  tool.List `json:"tools"`
	Denied []string  `json:"denied_tools,omitempty"`
}

// Look is what changes nothing but appearance.
type Look struct {
	Color string `json:"color,omitempty"`
}

// Source is the file an agent came from. Original is every byte of it as last
// read or written, so that an edit can be laid over it span by span.
type Source struct {
	Format   string `json:"format"`
	Path     string `json:"path"`
	Original []byte `json:"original"`
	EOL      string `json:"eol"`
	BOM      bool   `json:"bom"`
}

// Clone is a deep copy.
func (a Agent) Clone() Agent {
	a.Access.Tools.Tokens = append([]string(nil), a.Access.Tools.Tokens...)
	a.Access.Denied = append([]string(nil), a.Access.Denied...)
	if a.Source != nil {
		s := *a.Source
		s.Original = append([]byte(nil), s.Original...)
		a.Source = &s
	}
	return a
}

// Dialect is whose words the agent's tools are written in: a dialect has the
// name of its provider.
func (a Agent) Dialect() tool.Dialect { return tool.Dialect(a.Run.Provider) }

// Grants is what the agent may do, with a reason for each.
func (a Agent) Grants() tool.Grants {
	return tool.Resolve(a.Dialect(), a.Access.Tools, a.Access.Denied)
}

// Diff lists the fields in which a and b differ, in the order of the form.
// Source and ID are no fields.
func Diff(a, b Agent) []Field {
	var out []Field
	add := func(f Field, same bool) {
		if !same {
			out = append(out, f)
		}
	}
	add(Name, a.Identity.Name == b.Identity.Name)
	add(Description, a.Identity.Description == b.Identity.Description)
	add(ProviderName, a.Run.Provider == b.Run.Provider)
	add(Model, a.Run.Model == b.Run.Model)
	add(Effort, a.Run.Effort == b.Run.Effort)
	add(Tools, a.Access.Tools.Equal(b.Access.Tools))
	add(Denied, slices.Equal(a.Access.Denied, b.Access.Denied))
	add(Enabled, a.Enabled == b.Enabled)
	add(Instructions, a.Identity.Instructions == b.Identity.Instructions)
	add(Color, a.Look.Color == b.Look.Color)
	return out
}
