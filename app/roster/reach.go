package roster

import (
	"context"
	"fmt"
	"slices"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/storage"
)

// Why an agent may not see or call another one.
var (
	ErrSelf        = fault.New(fault.Denied, "agent_self", "an agent does not call itself")
	ErrCallerOff   = fault.New(fault.Denied, "caller_disabled", "the caller is disabled")
	ErrTargetOff   = fault.New(fault.Denied, "target_disabled", "the target is disabled")
	ErrNotSeen     = fault.New(fault.Denied, "target_not_seen", "the caller may not see the target")
	ErrNotCallable = fault.New(fault.Denied, "target_not_callable", "the caller may not call the target")
	ErrNeverRun    = fault.New(fault.Denied, "target_never_run", "nothing on this machine runs the target")
)

// Grant gives a caller a right, or takes it. Target is an agent's id, or
// agent.Everyone.
type Grant struct {
	Caller string
	Target string
	Do     agent.Action
	On     bool
}

// Allow changes who may see and call whom, all of it in one transaction.
func (s *Service) Allow(ctx context.Context, grants ...Grant) (Change, error) {
	var callers []string
	for _, g := range grants {
		if !slices.Contains(callers, g.Caller) {
			callers = append(callers, g.Caller)
		}
	}
	return s.edit(ctx, callers, func(a *agent.Agent) error {
		for _, g := range grants {
			if g.Caller == a.ID {
				a.Roster = a.Roster.Allow(g.Do, g.Target, g.On)
			}
		}
		return agent.Validate(*a)
	})
}

// Authorise reports why a caller may not see or call a target, nil when it may:
// the first of Why's reasons. Everything is denied that was not granted.
func (s *Service) Authorise(ctx context.Context, caller, target string, do agent.Action) error {
	why, err := s.Why(ctx, caller, target)
	if err != nil {
		return err
	}
	for _, r := range why {
		if r.Err != nil && (do == agent.Call || r.Seeing) {
			return fmt.Errorf("%w (%s)", r.Err, r.Text)
		}
	}
	return nil
}

// Reason is one thing that must hold before one agent may call another; Seeing
// says that it must hold to see it, too. Err is nil where it holds.
type Reason struct {
	Text   string
	Err    error
	Seeing bool
}

// Why lists everything that must hold for a caller to call a target, in the
// order in which it is looked at, and whether it does. The texts name no agent.
func (s *Service) Why(ctx context.Context, caller, target string) ([]Reason, error) {
	var from, to row
	err := s.cfg.DB.View(ctx, func(tx *storage.Tx) (err error) {
		if from, _, err = s.t.get(tx, caller); err != nil {
			return err
		}
		to, _, err = s.t.get(tx, target)
		return err
	})
	if err != nil {
		return nil, err
	}
	return why(from.Agent, to.Agent), nil
}

func why(from, to agent.Agent) []Reason {
	var out []Reason
	holds := func(ok, seeing bool, yes, no string, err error) {
		if ok {
			out = append(out, Reason{Text: yes, Seeing: seeing})
		} else {
			out = append(out, Reason{Text: no, Err: err, Seeing: seeing})
		}
	}
	holds(from.ID != to.ID, true, "They are two agents.", "An agent does not call itself.", ErrSelf)
	holds(from.Enabled, true, "The caller is enabled.", "The caller is disabled. Enable it in its profile.", ErrCallerOff)
	holds(to.Enabled, true, "The target is enabled.", "The target is disabled. Enable it in its profile.", ErrTargetOff)
	holds(from.Roster.May(agent.See, to.ID), true,
		"The caller may see the target"+everyone(from.Roster.See), "The caller may not see the target. Allow it under Access.", ErrNotSeen)
	holds(from.Roster.May(agent.Call, to.ID), false,
		"The caller may call the target"+everyone(from.Roster.Call), "The caller may not call the target. Allow it under Access.", ErrNotCallable)
	holds(to.Run.Provider != agent.None, false,
		"The target has a program that runs it.", "The target is kept and exported only: no program here runs agents of its kind.", ErrNeverRun)
	return out
}

func everyone(s agent.Set) string {
	if s.All {
		return ", as it may all agents."
	}
	return "."
}

// Cycles are the groups of enabled agents that can call each other in a circle,
// each by the order of all. Circles are allowed here and refused while a chain
// of calls runs.
func Cycles(all []Summary) [][]string {
	g := newGraph(all)
	return g.circles()
}
