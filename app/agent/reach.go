package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
)

// Reach is which agents an agent may see and which it may call. Whoever may be
// called may be seen: May and Allow keep it so. The zero value reaches nobody.
type Reach struct {
	See  Set `json:"see"`
	Call Set `json:"call"`
}

// Action is what a caller may do with a target.
type Action string

// The actions.
const (
	See  Action = "see"
	Call Action = "call"
)

// May reports whether the agent may do that with the agent of that id.
func (r Reach) May(do Action, id string) bool {
	if do == Call {
		return r.Call.Has(id) && r.See.Has(id)
	}
	return r.See.Has(id)
}

// Everyone stands for all agents, those of later too, wherever Allow takes an
// id.
const Everyone = "*"

// Allow is r with one right given or taken. Giving a call gives the sight that
// it needs, taking the sight takes the call. It does not change r.
func (r Reach) Allow(do Action, id string, on bool) Reach {
	if do == See || on {
		r.See = r.See.with(id, on)
	}
	if do == Call || !on {
		r.Call = r.Call.with(id, on)
	}
	return r
}

// Equal reports whether both reach the same agents by the same words.
func (r Reach) Equal(other Reach) bool { return r.See.equal(other.See) && r.Call.equal(other.Call) }

// IsZero reports whether nobody is reached.
func (r Reach) IsZero() bool { return r.Equal(Reach{}) }

func (r Reach) clone() Reach {
	r.See.IDs, r.Call.IDs = slices.Clone(r.See.IDs), slices.Clone(r.Call.IDs)
	return r
}

// Set is a set of agents: those of sorted ids or, when All is set, everyone. As
// JSON it is a list, or "*".
type Set struct {
	All bool
	IDs []string
}

// Has reports whether the agent of that id is in it.
func (s Set) Has(id string) bool {
	if s.All {
		return true
	}
	_, found := slices.BinarySearch(s.IDs, id)
	return found
}

func (s Set) equal(other Set) bool { return s.All == other.All && slices.Equal(s.IDs, other.IDs) }

// with is s with or without an id, or everyone. One agent cannot be left out of
// everyone: then nothing changes.
func (s Set) with(id string, in bool) Set {
	switch i, found := slices.BinarySearch(s.IDs, id); {
	case id == Everyone:
		return Set{All: in}
	case s.All || found == in:
		return s
	case in:
		return Set{IDs: slices.Insert(slices.Clone(s.IDs), i, id)}
	default:
		return Set{IDs: slices.Delete(slices.Clone(s.IDs), i, i+1)}
	}
}

// MarshalJSON writes the list of ids, or "*".
func (s Set) MarshalJSON() ([]byte, error) {
	if s.All {
		return json.Marshal(Everyone)
	}
	if s.IDs == nil {
		return []byte("[]"), nil
	}
	return json.Marshal(s.IDs)
}

var errSet = errors.New(`neither "*" nor a list of ids`)

// UnmarshalJSON reads what MarshalJSON writes, in any order.
func (s *Set) UnmarshalJSON(data []byte) error {
	*s = Set{}
	if bytes.Equal(data, []byte(`"`+Everyone+`"`)) {
		s.All = true
		return nil
	}
	if err := json.Unmarshal(data, &s.IDs); err != nil {
		return errSet
	}
	slices.Sort(s.IDs)
	if s.IDs = slices.Compact(s.IDs); len(s.IDs) == 0 {
		s.IDs = nil
	}
	return nil
}
