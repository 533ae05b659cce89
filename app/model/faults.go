package model

import (
	"errors"
	"strconv"

	"callboard/app/fault"
)

// How a call can end without an answer. No text ever holds a word the endpoint
// wrote, the prompt or the key.
var (
	ErrUnreachable = fault.New(fault.Unavailable, "provider_unreachable", "the endpoint could not be reached").
			Then("Check the address, and that the server runs.")
	ErrRefused = fault.New(fault.Unavailable, "provider_refused", "the endpoint answered with an error").
			Then("Check the address, the model id and the limits.")
	ErrAuth = fault.New(fault.Denied, "provider_auth", "the endpoint asks for a key it accepts").
		Then("Set the key, or check at the provider what it may do.")
	ErrRateLimited = fault.New(fault.Rate, "provider_rate_limited", "the endpoint asks to wait: too many calls, or nothing left on the account").
			Then("Wait, then try again.")
	ErrRedirected = fault.New(fault.Unavailable, "provider_redirected", "the endpoint sends callers elsewhere, and Callboard does not follow").
			Then("Enter the address it answers at.")
	ErrTimeout = fault.New(fault.Unavailable, "timeout", "the endpoint did not answer in time").
			Then("Try again; a local server may still be loading the model.")
	ErrCancelled = fault.New(fault.Unavailable, "cancelled", "the call was cancelled")
	ErrTruncated = fault.New(fault.Unavailable, "output_truncated", "the answer was cut off at the output limit").
			Then("Raise the model's output limit.")
	ErrOutput = fault.New(fault.Unavailable, "output_invalid", "the endpoint answered with something that cannot be used").
			Then("Check that the address is that of a chat completions API.")
	ErrTooLarge = fault.New(fault.Unavailable, "response_too_large", "the endpoint answered with more than Callboard takes").
			Then("Check the address.")
)

// Blame is which of the fields that endpoints disagree on a refusal is about.
type Blame string

// Nothing is said, or more than one.
const (
	BlameNothing    Blame = ""
	BlameTokenField Blame = "token_field"
	BlameJSONMode   Blame = "json_mode"
)

// CallError is a call that ended without an answer. Rule is one of the faults
// above. Status is the HTTP status, 0 where there was none. RetryAfter is in
// seconds, 0 where the endpoint did not say. Unfit says that the endpoint, or
// the client before it sent anything, found the form of the request wrong; only
// then is another form worth a try.
type CallError struct {
	Rule       *fault.Error
	Status     int
	RetryAfter int
	Unfit      bool
	Blame      Blame
}

// Error is the rule's words with the figures.
func (e *CallError) Error() string {
	s := e.Rule.Error()
	if e.Status != 0 {
		s += ": status " + strconv.Itoa(e.Status)
	}
	if e.RetryAfter != 0 {
		s += ", again in " + strconv.Itoa(e.RetryAfter) + " s"
	}
	return s
}

// Unwrap is the rule.
func (e *CallError) Unwrap() error { return e.Rule }

// Unfit is the call error in err's chain whose request had a form the endpoint
// does not take.
func Unfit(err error) (*CallError, bool) {
	e, ok := errors.AsType[*CallError](err)
	return e, ok && e.Unfit
}
