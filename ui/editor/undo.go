package editor

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"

	"callboard/app/agent"
	"callboard/ui/widget"
)

// maxSteps is how many steps back a draft remembers.
const maxSteps = 200

// state is a draft at one moment.
type state struct {
	agent  agent.Agent
	unread map[agent.Field]unread
	held   bool
}

// trail is how a draft came to be what it is. Typing in one field is one step a
// word.
type trail struct {
	last         state
	field        agent.Field // that the last step changed, empty if several
	past, future []state
	edits        int
}

// Edits grows with every change of the draft.
func (d *Draft) Edits() int { return d.trail.edits }

func (d *Draft) state() state {
	return state{agent: d.Agent.Clone(), unread: maps.Clone(d.unread), held: d.held}
}

// note takes a step if the draft is not what it was at the last one.
func (d *Draft) note() {
	t := &d.trail
	fields := changed(t.last, d.state())
	if len(fields) == 0 {
		return
	}
	field := fields[0]
	if len(fields) > 1 {
		field = ""
	}
	now := d.state()
	if field == "" || field != t.field || spaces(t.last, field) != spaces(now, field) {
		t.past = append(t.past, t.last)
		if len(t.past) > maxSteps {
			t.past = t.past[1:]
		}
	}
	t.last, t.field, t.future = now, field, nil
	t.edits++
}

// changed are the fields in which two states differ, also in what was typed and
// cannot be taken.
func changed(a, b state) []agent.Field {
	out := agent.Diff(a.agent, b.agent)
	for _, f := range []agent.Field{agent.Tools, agent.Denied, agent.Bound} {
		if a.unread[f] != b.unread[f] && len(out) == 0 {
			out = append(out, f)
		}
	}
	return out
}

// spaces counts the white space of a field that is typed in: a step ends with
// a word.
func spaces(s state, f agent.Field) int {
	text := ""
	switch f { //nolint:exhaustive // the others are short
	case agent.Instructions:
		text = s.agent.Identity.Instructions
	case agent.Description:
		text = s.agent.Identity.Description
	case agent.Name:
		text = s.agent.Identity.Name
	case agent.Tools, agent.Denied:
		text = s.unread[f].text
		if text == "" {
			text = strings.Join(append(s.agent.Access.Tools.Tokens, s.agent.Access.Denied...), " ")
		}
	}
	n := 0
	for _, r := range text {
		if unicode.IsSpace(r) {
			n++
		}
	}
	return n
}

// Undo takes the last step back and returns the field that it changed, empty if
// several; false means there is none.
func (d *Draft) Undo() (agent.Field, bool) {
	return d.step(&d.trail.past, &d.trail.future)
}

// Redo takes the last Undo back, as Undo.
func (d *Draft) Redo() (agent.Field, bool) {
	return d.step(&d.trail.future, &d.trail.past)
}

func (d *Draft) step(from, to *[]state) (agent.Field, bool) {
	if len(*from) == 0 {
		return "", false
	}
	next := (*from)[len(*from)-1]
	*from = (*from)[:len(*from)-1]
	now := d.state()
	*to = append(*to, now)
	fields := changed(now, next)
	source := d.Agent.Source // that of what is stored, which no step changes
	d.Agent, d.unread, d.held = next.agent.Clone(), maps.Clone(next.unread), next.held
	d.Agent.Source = source
	d.trail.last, d.trail.field = d.state(), ""
	d.trail.edits++
	if len(fields) != 1 {
		return "", true
	}
	return fields[0], true
}

// Undo takes the last step of the shown draft back; false means there is none.
func (e *Editor) Undo() bool { return e.walk((*Draft).Undo) }

// Redo takes the last Undo back.
func (e *Editor) Redo() bool { return e.walk((*Draft).Redo) }

func (e *Editor) walk(step func(*Draft) (agent.Field, bool)) bool {
	if e.draft == nil || e.busy {
		return false
	}
	field, done := step(e.draft)
	if !done {
		return false
	}
	e.Show(e.draft)
	e.cfg.Changed()
	e.goTo(field)
	return true
}

// goTo turns to where a field is, and gives its box the keyboard.
func (e *Editor) goTo(f agent.Field) {
	box, tab := e.profile.box(f), tabProfile
	if on := e.tools.fields[f]; on != nil {
		box, tab = on, tabTools
	}
	switch f { //nolint:exhaustive // the others have boxes
	case "":
		return
	case agent.Enabled:
		tab = tabTools
	case agent.Sees, agent.Calls:
		tab = tabAccess
	}
	e.ShowTab(tab)
	if box != nil {
		box.Focus()
	}
}

// Owns reports whether a box is one of the editor's fields.
func (e *Editor) Owns(box fyne.Shortcutable) bool {
	for _, f := range e.boxes() {
		if in, ok := f.Input().(fyne.Shortcutable); ok && in == box {
			return true
		}
	}
	return false
}

func (e *Editor) boxes() []*widget.Field {
	out := []*widget.Field{e.profile.paragraphs, e.tools.tokens, e.tools.denied}
	out = slices.AppendSeq(out, maps.Values(e.profile.fields))
	return slices.AppendSeq(out, maps.Values(e.tools.bounds))
}
