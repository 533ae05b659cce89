package servers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"time"

	"callboard/app/fault"
)

// State is what is known of a server's tools.
type State string

// Unasked was never asked, Ready listed its tools when it was last asked, and
// Unready did not: its tools are those it had before.
const (
	Unasked State = "unasked"
	Ready   State = "ready"
	Unready State = "unready"
)

// Code is why a server is not ready: one of a closed list. Empty is no reason.
type Code string

// The codes. The first five are of Callboard's own making; they are never
// stored.
const (
	NotAsked       Code = "not_asked"
	Disabled       Code = "server_disabled"
	ConsentMissing Code = "consent_missing"
	Unknown        Code = "server_unknown"
	ValueMissing   Code = "server_value_missing"
	CommandMissing Code = "command_missing"
	Unreachable    Code = "server_unreachable"
	Exited         Code = "server_exited"
	Refused        Code = "server_refused"
	Auth           Code = "server_auth"
	Redirects      Code = "server_redirects"
	TimedOut       Code = "timeout"
	Cancelled      Code = "cancelled"
	Invalid        Code = "server_invalid"
	TooLarge       Code = "server_too_large"
	TooMany        Code = "too_many_tools"
)

// The codes in words, as faults whose rule is the code.
var (
	errNotAsked    = fault.New(fault.Unavailable, string(NotAsked), "the tool server was not asked for its tools yet").Then("Ask it under Settings, Tool servers.")
	errUnknown     = fault.New(fault.NotFound, string(Unknown), "there is no tool server of this name").Then("Add it under Settings, Tool servers.")
	errUnreachable = fault.New(fault.Unavailable, string(Unreachable), "the tool server could not be started or reached").Then("Look at its command or address, then try again.")
	errExited      = fault.New(fault.Unavailable, string(Exited), "the tool server ended before it had listed its tools").Then("Start its command in a terminal to see why.")
	errRefused     = fault.New(fault.Unavailable, string(Refused), "the tool server refused to list its tools").Then("Look at its settings, then try again.")
	errAuth        = fault.New(fault.Denied, string(Auth), "the tool server does not accept who is asking").Then("Set its header again.")
	errRedirects   = fault.New(fault.Unavailable, string(Redirects), "the tool server sends callers to another address, which is not followed").Then("Enter the address it really has.")
	errTimeout     = fault.New(fault.Unavailable, string(TimedOut), "the tool server did not answer in time").Then("Try again, or give it more time.")
	errCancelled   = fault.New(fault.Unavailable, string(Cancelled), "stopped before the tool server had answered")
	errInvalid     = fault.New(fault.Unavailable, string(Invalid), "the tool server does not answer as the protocol says").Then("Check that it is a server of the Model Context Protocol.")
	errTooLarge    = fault.New(fault.TooLarge, string(TooLarge), "the tool server sends more than Callboard takes")
	errTooMany     = fault.New(fault.TooLarge, string(TooMany), "the tool server has more tools than Callboard takes").Then("Have the server offer fewer tools.")
	ErrDisabled    = fault.New(fault.Conflict, string(Disabled), "the tool server is switched off").Then("Switch it on first.")
)

var faults = []*fault.Error{
	errNotAsked, ErrDisabled, ErrConsent, errUnknown, ErrValueMissing, ErrCommand, errUnreachable, errExited, errRefused, errAuth,
	errRedirects, errTimeout, errCancelled, errInvalid, errTooLarge, errTooMany,
}

// Err is the code as an error whose rule it is, nil for the empty one.
func (c Code) Err() error {
	if c == "" {
		return nil
	}
	for _, f := range faults {
		if f.Rule() == string(c) {
			return f
		}
	}
	return errInvalid
}

// The bounds on what is kept of a server. Texts are counted in runes.
const (
	MaxTools       = 512
	MaxDescription = 512
	MaxTitle       = 128
	MaxSchema      = 256 << 10 // bytes of one input schema
)

// Tool is one tool of a server, as it may be shown: on one line, bounded,
// without values and hidden characters. Schema is the SHA-256 of its input
// schema as canonical JSON, in hexadecimal.
type Tool struct {
	ID          string `json:"id"` // "@server/tool"
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Schema      string `json:"schema"`
	Hidden      int    `json:"hidden,omitempty"` // hidden characters that were taken out of its texts
}

// Known is what a server said when it was last asked with success, and how the
// last try went. Dropped counts tools that were left out: of a name that is no
// tool's, of a name that stood twice, or with too large a schema.
type Known struct {
	At      time.Time `json:"at,omitzero"`    // when Tools were listed
	Tried   time.Time `json:"tried,omitzero"` // when it was last asked
	Code    Code      `json:"code,omitempty"` // why the last try failed
	Name    string    `json:"name,omitempty"` // as the server calls itself
	Version string    `json:"version,omitempty"`
	Tools   []Tool    `json:"tools,omitempty"`
	Dropped int       `json:"dropped,omitempty"`
}

// State is how the last try went.
func (k Known) State() State {
	switch {
	case k.Tried.IsZero():
		return Unasked
	case k.Code == "":
		return Ready
	}
	return Unready
}

// of is k with the ids that its tools have while the server has its name.
func (k Known) of(sv Server) Known {
	k.Tools = slices.Clone(k.Tools)
	for i := range k.Tools {
		k.Tools[i].ID = sv.ToolID(k.Tools[i].Name)
	}
	return k
}

// Changes is what is different in a server's tools since they were last listed,
// by name. First says that they never were before.
type Changes struct {
	First   bool     `json:"first,omitempty"`
	Added   []string `json:"added,omitempty"`
	Removed []string `json:"removed,omitempty"`
	Changed []string `json:"changed,omitempty"` // another title, description or schema
}

// None reports whether nothing is different.
func (c Changes) None() bool { return len(c.Added)+len(c.Removed)+len(c.Changed) == 0 }

func changesOf(before, after Known) Changes {
	c := Changes{First: before.At.IsZero()}
	old := map[string]Tool{}
	for _, t := range before.Tools {
		old[t.Name] = t
	}
	for _, t := range after.Tools {
		was, there := old[t.Name]
		was.ID = t.ID
		switch {
		case !there:
			c.Added = append(c.Added, t.Name)
		case was != t:
			c.Changed = append(c.Changed, t.Name)
		}
		delete(old, t.Name)
	}
	for name := range old {
		c.Removed = append(c.Removed, name)
	}
	slices.Sort(c.Removed)
	return c
}

// schemaDigest is the digest of a schema, and false where it is too large. A
// schema that came from JSON has its keys sorted and its blanks gone by the way
// it is written.
func schemaDigest(schema any) (string, bool) {
	plain, err := json.Marshal(schema)
	if err != nil || len(plain) > MaxSchema {
		return "", false
	}
	sum := sha256.Sum256(plain)
	return hex.EncodeToString(sum[:]), true
}

var validTool = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)
