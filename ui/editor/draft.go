// Package editor is the detail of one agent: a form over a copy, the file as
// it will be written beside it, and what is wrong in plain words. Nothing it
// shows is stored before Save, and no file changes before Write to file was
// confirmed, but for those of a linked folder: saving writes them too.
package editor

import (
	"slices"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/roster"
	"callboard/app/tool"
)

// Draft is the copy a person edits. It belongs to the Fyne thread.
type Draft struct {
	Base  roster.Entry
	Agent agent.Agent

	unread map[agent.Field]unread // texts that cannot be taken
	held   bool                   // it was enabled until its tools became uncertain
	trail  trail
}

// unread is a text as it was typed, and why it cannot be taken.
type unread struct{ text, why string }

// NewDraft starts from a stored agent.
func NewDraft(e roster.Entry) *Draft {
	d := &Draft{Base: e, Agent: e.Agent.Clone()}
	d.trail.last = d.state()
	return d
}

// Dirty reports whether anything differs from what is stored, or was typed and
// cannot be taken.
func (d *Draft) Dirty() bool { return len(d.Changed()) > 0 || len(d.unread) > 0 }

// Changed lists the fields that differ from what is stored.
func (d *Draft) Changed() []agent.Field { return agent.Diff(d.Base.Agent, d.Agent) }

// Problems lists every limit the draft breaks, and every text in it that
// cannot be taken.
func (d *Draft) Problems() []agent.Problem {
	out := agent.Check(d.Agent)
	for _, f := range []agent.Field{agent.Tools, agent.Denied, agent.Bound} {
		if u, bad := d.unread[f]; bad {
			out = append(out, agent.Problem{Field: f, Text: u.why})
		}
	}
	return out
}

// take notes whether the text typed for a field could be read.
func (d *Draft) take(f agent.Field, text string, err error) bool {
	if err == nil {
		delete(d.unread, f)
		return true
	}
	if d.unread == nil {
		d.unread = map[agent.Field]unread{}
	}
	d.unread[f] = unread{text, fault.Sentence(err)}
	return false
}

// Discard goes back to what is stored, as one step that Undo takes back. What it
// returns does so unless there are newer edits by then, saved or not; it reports
// whether it did.
func (d *Draft) Discard() (undo func() bool) {
	revision := d.Base.Revision
	d.Agent, d.unread, d.held = d.Base.Agent.Clone(), nil, false
	d.note()
	return func() bool {
		if d.Dirty() || d.Base.Revision != revision {
			return false
		}
		_, done := d.Undo()
		return done
	}
}

// TypedTools is the tool list as the box shows it: what was typed, also where
// it cannot be read.
func (d *Draft) TypedTools() string {
	if u, bad := d.unread[agent.Tools]; bad {
		return u.text
	}
	return tool.Join(d.Agent.Access.Tools.Tokens)
}

// TypedDenied is the denied tools as the box shows them.
func (d *Draft) TypedDenied() string {
	if u, bad := d.unread[agent.Denied]; bad {
		return u.text
	}
	return tool.Join(d.Agent.Access.Denied)
}

// TypedBound is the word that bounds the agent as the box shows it.
func (d *Draft) TypedBound() string {
	if u, bad := d.unread[agent.Bound]; bad {
		return u.text
	}
	return d.Agent.Access.Bound
}

// SetAtom ticks or unticks one tool atom. On an error nothing changes.
func (d *Draft) SetAtom(a tool.Atom, on bool) error {
	next, err := tool.Set(d.Agent.Words(), a, on)
	if err != nil {
		return err
	}
	if !next.Tools.Equal(d.Agent.Access.Tools) {
		delete(d.unread, agent.Tools)
	}
	if !slices.Equal(next.Denied, d.Agent.Access.Denied) {
		delete(d.unread, agent.Denied)
	}
	d.Agent.Access.Tools, d.Agent.Access.Denied = next.Tools, next.Denied
	d.keepCertain()
	return nil
}

// SetTools takes the tool list as one line of text. Blank text is a blank
// list, which is not the same as a list left out: see OmitTools. A text that
// cannot be read changes nothing and is a problem of the draft until it can.
func (d *Draft) SetTools(text string) {
	tokens, err := tool.Split(text)
	if d.take(agent.Tools, text, err) {
		d.Agent.Access.Tools = tool.Of(tokens...)
		d.keepCertain()
	}
}

// OmitTools leaves the tool list out of the file.
func (d *Draft) OmitTools() {
	d.Agent.Access.Tools = tool.List{Stated: tool.Omitted}
	delete(d.unread, agent.Tools)
	d.keepCertain()
}

// SetDenied takes the denied tools as one line of text, as SetTools does.
func (d *Draft) SetDenied(text string) {
	tokens, err := tool.Split(text)
	if d.take(agent.Denied, text, err) {
		d.Agent.Access.Denied = tokens
	}
}

// errTruth refuses a word where only true and false have a place.
var errTruth = fault.New(fault.Invalid, "not_true_or_false", "it is neither true nor false").
	Then("Type true or false, or leave it empty.")

// SetBound takes the word that bounds the agent. A word that its file cannot
// hold changes nothing and is a problem of the draft; one that only its program
// does not know is taken, and leaves the tools uncertain.
func (d *Draft) SetBound(text string) {
	var err error
	truth := d.Agent.Words().Dialect == tool.Cursor
	if truth && text != "" && text != "true" && text != "false" {
		err = errTruth
	}
	if d.take(agent.Bound, text, err) {
		d.Agent.Access.Bound = text
		d.keepCertain()
	}
}

// keepCertain takes "enabled" away while nobody knows what the tools grant, and
// gives it back when that is known again: a word half typed disables nothing
// for good.
func (d *Draft) keepCertain() {
	switch certain := d.Agent.Grants().Certain; {
	case !certain && d.Agent.Enabled:
		d.Agent.Enabled, d.held = false, true
	case certain && d.held:
		d.Agent.Enabled, d.held = true, false
	}
}
