package models

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"callboard/app/fault"
	"callboard/app/model"
	"callboard/crypto/secret"
	"callboard/storage"
)

// MaxRequests is the most requests one test sends.
const MaxRequests = 4

// maxAnswer is the output cap of a test, in tokens: enough for a model that
// thinks before it answers.
const maxAnswer = 1024

// testSchema is what a test asks for.
var testSchema = json.RawMessage(`{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"],"additionalProperties":false}`)

func testRequest(m model.Model, f Form) model.Request {
	return model.Request{
		Model:     m.Model,
		Messages:  []model.Message{{Role: model.User, Text: `Answer with the JSON object {"ok": true} and nothing else.`}},
		MaxTokens: min(m.MaxOutput, maxAnswer), TokenField: f.TokenField, JSONMode: f.JSONMode, Schema: testSchema,
	}
}

// Planned is one request a test may send, byte for byte. The key reads
// "redacted".
type Planned struct {
	Form    Form
	Sending model.Sending
}

// Plan is what a test of one model would send. First always goes out; one of
// Further only when the endpoint refuses the form of the one before (status 400
// or 422), at most AtMost requests in all. Host is who gets them. Revision is
// what Test must be handed.
type Plan struct {
	ID       string
	Revision uint64
	Host     string
	First    Planned
	Further  []Planned
	AtMost   int
}

// Plan works out what Test would send, and sends nothing. It opens no key; one
// that belongs to another site is ErrKeyOtherEndpoint.
func (s *Service) Plan(ctx context.Context, id string) (Plan, error) {
	e, err := s.Get(ctx, id)
	if err != nil {
		return Plan{}, err
	}
	if e.HasKey && !e.KeyFits {
		return Plan{}, ErrKeyOtherEndpoint
	}
	var all []Planned
	var refused error
	for _, f := range forms(e.Model) {
		sending, err := s.cfg.Client.Preview(ctx, e.Model.BaseURL, e.HasKey, testRequest(e.Model, f))
		if _, unfit := model.Unfit(err); unfit {
			refused = err // the client itself does not send this form
			continue
		}
		if err != nil {
			return Plan{}, err
		}
		all = append(all, Planned{f, sending})
	}
	if len(all) == 0 {
		return Plan{}, refused
	}
	return Plan{
		ID: id, Revision: e.Revision, Host: model.Host(e.Model.BaseURL),
		First: all[0], Further: all[1:], AtMost: min(MaxRequests, len(all)),
	}, nil
}

// Attempt is one request that was sent and how it ended: Code is "ok" or a rule
// of model's faults, Status the HTTP status where it was a refusal.
type Attempt struct {
	Form   Form
	Code   string
	Status int
	Took   time.Duration
}

// Result is what a test found. OK says that the model answered as asked; else
// Err is why not, its rule in Code and its words for fault.Sentence. Form is
// the one that worked, or was tried last. Usage and Took are of the last
// request. Entry is the model as it is now; Saved says that Form was new to it
// and is kept.
type Result struct {
	OK       bool
	Code     string
	Err      error
	Form     Form
	Usage    model.Usage
	Took     time.Duration
	Attempts []Attempt
	Entry    Entry
	Saved    bool
}

// Test tries a model, enabled or not, with what its Plan of that revision
// shows; with another revision nothing is sent. It repeats nothing but a
// request whose form was refused, in the next form. A form that works is saved
// to the model, unless the model was changed meanwhile. How the calls went is
// in the Result; an error is that of the store, or a rule of this package, and
// only after a call does a Result come with it.
func (s *Service) Test(ctx context.Context, id string, revision uint64) (Result, error) {
	var r row
	var key secret.Bytes
	err := s.cfg.DB.View(ctx, func(tx *storage.Tx) error {
		var err error
		if r, err = s.at(tx, id, revision); err != nil {
			return err
		}
		key, err = s.t.key(tx, r)
		return err
	})
	if errors.Is(err, ErrConflict) {
		return Result{}, ErrPlanOutdated
	}
	if err != nil {
		return Result{}, err
	}
	defer key.Wipe()
	res := s.try(ctx, r.Model, key)
	res.Entry = s.entry(r, revision)
	if !res.OK || res.Form == (Form{r.Model.TokenField, r.Model.JSONMode}) {
		return res, nil
	}
	return s.keep(ctx, res)
}

// try sends the requests of one test.
func (s *Service) try(ctx context.Context, m model.Model, key secret.Bytes) Result {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.TestTime)
	defer cancel()
	var res Result
	c := begin(m)
	for len(res.Attempts) < MaxRequests {
		at := s.cfg.Now()
		answer, err := s.cfg.Client.Complete(ctx, m.BaseURL, key, testRequest(m, c.now))
		res.Form, res.Usage, res.Took = c.now, answer.Usage, s.cfg.Now().Sub(at)
		res.OK, res.Err, res.Code = err == nil, err, code(err)
		call, unfit := model.Unfit(err)
		if !unfit || call.Status != 0 { // else the client did not send it
			res.Attempts = append(res.Attempts, Attempt{Form: c.now, Code: res.Code, Status: status(err), Took: res.Took})
		}
		if !unfit || !c.step(call.Blame) {
			return res
		}
	}
	return res
}

// keep saves the form that worked.
func (s *Service) keep(ctx context.Context, res Result) (Result, error) {
	e, err := s.change(ctx, res.Entry.Model.ID, res.Entry.Revision, func(_ *storage.Tx, r *row) error {
		r.Model.TokenField, r.Model.JSONMode = res.Form.TokenField, res.Form.JSONMode
		return nil
	})
	switch {
	case errors.Is(err, ErrConflict), errors.Is(err, ErrNotFound):
		return res, nil // the person's change stands
	case err != nil:
		return res, err
	}
	res.Entry, res.Saved = e, true
	return res, nil
}

func code(err error) string {
	if err == nil {
		return "ok"
	}
	return fault.RuleOf(err)
}

func status(err error) int {
	if call, ok := errors.AsType[*model.CallError](err); ok {
		return call.Status
	}
	return 0
}
