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
	ID       string      `json:"id"`
	Enabled  bool        `json:"enabled"`
	Identity Identity    `json:"identity"`
	Run      Run         `json:"run"`
	Access   tool.Access `json:"access"`
	Roster   Reach       `json:"roster,omitzero"`
	Look     Look        `json:"look"`
	Source   *Source     `json:"source,omitempty"`
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

// Look is what changes nothing but appearance.
type Look struct {
	Color string `json:"color,omitempty"`
}

// Source is the file an agent came from. Original is every byte of it as last
// read or written, so that an edit can be laid over it span by span. Key tells
// the agents of one file apart, in formats that keep several in one; Own is then a digest
// of the bytes that are this agent's alone. ReadOnly
// is a file that belongs to a plugin or an administrator.
type Source struct {
	Format   string `json:"format"`
	Path     string `json:"path"`
	Key      string `json:"key,omitempty"`
	Original []byte `json:"original"`
	Own      string `json:"own,omitempty"`
	ReadOnly bool   `json:"read_only,omitempty"`
	EOL      string `json:"eol"`
	BOM      bool   `json:"bom"`
}

// Clone is a deep copy.
func (a Agent) Clone() Agent {
	a.Access = a.Access.Clone()
	a.Roster = a.Roster.clone()
	if a.Source != nil {
		s := *a.Source
		s.Original = append([]byte(nil), s.Original...)
		a.Source = &s
	}
	return a
}

// Words is the access with whose words it is written in: where it does not say,
// those of its provider, which has the name of its dialect.
func (a Agent) Words() tool.Access {
	acc := a.Access
	if acc.Dialect == "" {
		acc.Dialect = tool.Dialect(a.Run.Provider)
	}
	return acc
}

// Grants is what the agent may do, with a reason for each.
func (a Agent) Grants() tool.Grants { return tool.Resolve(a.Words()) }

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
	add(Bound, a.Access.Bound == b.Access.Bound)
	add(Sees, a.Roster.See.equal(b.Roster.See))
	add(Calls, a.Roster.Call.equal(b.Roster.Call))
	add(Enabled, a.Enabled == b.Enabled)
	add(Instructions, a.Identity.Instructions == b.Identity.Instructions)
	add(Color, a.Look.Color == b.Look.Color)
	return out
}

// Take copies one field of from into a. Its slices are shared until Clone.
func Take(a *Agent, from Agent, f Field) {
	switch f {
	case Name:
		a.Identity.Name = from.Identity.Name
	case Description:
		a.Identity.Description = from.Identity.Description
	case Instructions:
		a.Identity.Instructions = from.Identity.Instructions
	case ProviderName:
		a.Run.Provider = from.Run.Provider
	case Model:
		a.Run.Model = from.Run.Model
	case Effort:
		a.Run.Effort = from.Run.Effort
	case Tools:
		a.Access.Tools = from.Access.Tools
	case Denied:
		a.Access.Denied = from.Access.Denied
	case Bound:
		a.Access.Bound = from.Access.Bound
	case Sees:
		a.Roster.See = from.Roster.See
	case Calls:
		a.Roster.Call = from.Roster.Call
	case Enabled:
		a.Enabled = from.Enabled
	case Color:
		a.Look.Color = from.Look.Color
	}
}
