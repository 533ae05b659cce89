package servers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"callboard/app/fault"
	"callboard/storage"
)

// The rules of consent.
var (
	ErrConsent = fault.New(fault.Denied, "consent_missing", "nobody has agreed to what this tool server runs or contacts").
			Then("Look at it under Settings, Tool servers, and agree.")
	ErrPlanMoved = fault.New(fault.Conflict, "consent_moved", "not agreed: what would be run or contacted has changed since it was shown").
			Then("Look at it again.")
	ErrCommand = fault.New(fault.Unavailable, "command_missing", "the tool server's command was not found, or may not be run").
			Then("Install it, or give its absolute path.")
	ErrValueMissing = fault.New(fault.Invalid, "server_value_missing", "a name of this tool server has no value yet").
			Then("Set its value first.")
)

// Plan is what a discovery would run or contact, for a person to agree to.
// Values are not in it, but whether they are there, and any new value makes it
// another plan. Path is empty where the command was not found.
type Plan struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Transport Transport `json:"transport"`
	Command   string    `json:"command,omitempty"`
	Path      string    `json:"path,omitempty"`      // the file that is run
	Target    string    `json:"target,omitempty"`    // what Path is a link to, if it is one
	Args      []string  `json:"args,omitempty"`      // verbatim
	Dir       string    `json:"dir,omitempty"`       // where it starts
	Env       []string  `json:"env,omitempty"`       // names set for it, sorted
	Inherited []string  `json:"inherited,omitempty"` // names passed on from this program, sorted
	URL       string    `json:"url,omitempty"`
	Headers   []string  `json:"headers,omitempty"` // names, sorted
	Missing   []string  `json:"missing,omitempty"` // names that have no value yet
	Digest    string    `json:"digest"`
	Consented bool      `json:"consented"`
	At        time.Time `json:"at,omitzero"` // when that was
}

// digest covers all that is run or contacted. Of the values it covers the
// revision of their row: the store never gives one twice, so any change of a
// value is another digest, and nothing in it was computed from a secret.
func (p Plan) digest(valuesRev uint64) string {
	plain, err := json.Marshal(struct {
		Form      int
		ID        string
		Transport Transport
		Command   string
		Path      string
		Target    string
		Args      []string
		Dir       string
		Env       []string
		URL       string
		Headers   []string
		Values    uint64
	}{1, p.ID, p.Transport, p.Command, p.Path, p.Target, p.Args, p.Dir, p.Env, p.URL, p.Headers, valuesRev})
	if err != nil {
		panic("servers: a plan does not marshal: " + err.Error())
	}
	sum := sha256.Sum256(plain)
	return hex.EncodeToString(sum[:])
}

// standing is a server as its rows and the machine have it now.
type standing struct {
	server Server
	plan   Plan
	values values
}

// standing reads what would be run or contacted for a row, and whether that is
// what was agreed to. Values that cannot be read count as none.
func (s *Service) standing(tx *storage.Tx, r row) (standing, error) {
	sv := r.Server
	v, rev, err := optional(tx, s.t.values, sv.ID)
	if err != nil && !isDamage(err) {
		return standing{}, err
	}
	p := Plan{
		ID: sv.ID, Name: sv.Name, Transport: sv.Transport, Command: sv.Command, Args: slices.Clone(sv.Args), URL: sv.URL,
		Env: sorted(sv.Env), Headers: sorted(sv.Headers), Missing: v.missing(sv),
	}
	if sv.Transport == Stdio {
		env := s.cfg.Environ()
		p.Path, p.Target = lookUp(env, sv.Command)
		p.Dir = startDir(env, sv.Dir)
		p.Inherited = names(inherited(env, sv.Env))
	}
	p.Digest = p.digest(rev)
	a, _, err := optional(tx, s.t.consents, sv.ID)
	if err != nil && !isDamage(err) {
		return standing{}, err
	}
	if a.Digest == p.Digest {
		p.Consented, p.At = true, a.At
	}
	return standing{server: sv, plan: p, values: v}, nil
}

func sorted(names []string) []string {
	out := slices.Clone(names)
	slices.Sort(out)
	return out
}

// stand is standing by id, in its own view.
func (s *Service) stand(ctx context.Context, id string) (st standing, err error) {
	err = s.cfg.DB.View(ctx, func(tx *storage.Tx) error {
		r, _, err := s.t.get(tx, id)
		if err != nil {
			return err
		}
		st, err = s.standing(tx, r)
		return err
	})
	return st, err
}

// Plan is what would be run or contacted for a server. It looks for the command
// on disk and starts and contacts nothing.
func (s *Service) Plan(ctx context.Context, id string) (Plan, error) {
	st, err := s.stand(ctx, id)
	return st.plan, err
}

// Consent records that a person saw the plan with this digest and agrees to it.
// It refuses with ErrPlanMoved if the plan is another by now, with ErrCommand
// where there is nothing to run, and with ErrValueMissing while a value is yet
// to be set, since setting it would withdraw the consent at once.
func (s *Service) Consent(ctx context.Context, id, digest string) (Entry, error) {
	return s.agree(ctx, id, func(tx *storage.Tx, st standing) error {
		if err := runnable(st.plan); err != nil {
			return err
		}
		if st.plan.Digest != digest {
			return ErrPlanMoved
		}
		_, err := put(tx, s.t.consents, id, agreed{Digest: digest, At: s.cfg.Now()})
		return err
	})
}

// lacks is the code of what runnable says, empty for nothing.
func lacks(p Plan) Code {
	switch {
	case len(p.Missing) > 0:
		return ValueMissing
	case p.Transport == Stdio && p.Path == "":
		return CommandMissing
	}
	return ""
}

// runnable says why a plan could not be carried out by anyone.
func runnable(p Plan) error {
	c := lacks(p)
	if c == ValueMissing {
		return fmt.Errorf("%w: %s", ErrValueMissing, strings.Join(p.Missing, ", "))
	}
	return c.Err()
}

// Withdraw takes a consent back and ends a discovery that is under way.
// Withdrawing what was never given is no error.
func (s *Service) Withdraw(ctx context.Context, id string) (Entry, error) {
	return s.agree(ctx, id, func(tx *storage.Tx, _ standing) error { return drop(tx, s.t.consents, id) })
}

func (s *Service) agree(ctx context.Context, id string, edit func(*storage.Tx, standing) error) (Entry, error) {
	return s.update(ctx, func(tx *storage.Tx) (string, error) {
		r, _, err := s.t.get(tx, id)
		if err != nil {
			return id, err
		}
		st, err := s.standing(tx, r)
		if err != nil {
			return id, err
		}
		if err := edit(tx, st); err != nil {
			return id, err
		}
		return id, changed(tx, id)
	})
}
