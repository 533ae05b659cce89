package editor

import (
	"strings"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/tool"
	"callboard/ui/theme"
)

// kind is what one kind of agent file has a place for, and the words for it.
// Known is false where nobody has written down what its tools mean.
type kind struct {
	label  string
	facts  tool.Facts
	known  bool
	format profile.Format // empty for an agent without a file
}

func kindOf(a agent.Agent) kind {
	d := a.Words().Dialect
	k := kind{label: d.Label()}
	k.facts, k.known = tool.FactsOf(d)
	if a.Source != nil {
		k.format = profile.Format(a.Source.Format)
	}
	return k
}

// keeps reports whether such a file has a place for the field. An agent without
// a file keeps everything.
func (k kind) keeps(f agent.Field) bool { return k.format == "" || k.format.Keeps(f) }

// hasList reports whether such a file can list tools.
func (k kind) hasList() bool { return k.facts.Omitted != tool.NoList }

// writesList reports whether the list can be typed here.
func (k kind) writesList() bool { return k.hasList() && (!k.known || k.facts.Edits) }

// denies reports whether such a file can deny tools.
func (k kind) denies() bool { return !k.known || k.facts.Denies }

// bounds reports whether one word bounds such an agent.
func (k kind) bounds() bool { return k.facts.Bound != "" && k.keeps(agent.Bound) }

// bound is the one word that bounds an agent, in the window's words: what it is
// called, which values there are, what it does where there is no list, and the
// next step where it leaves the agent uncertain.
type bound struct{ label, values, does, step string }

var bounds = map[string]bound{
	"sandbox_mode": {
		"Sandbox mode", "One of read-only, workspace-write and danger-full-access.",
		"Its sandbox mode bounds what commands may do.", "State one of its sandbox modes.",
	},
	"role": {"Role", "One of supervisor, developer and reviewer. It counts where the file lists no tools.", "", ""},
	"readonly": {
		"Read only", "Either true or false.", "Read only keeps the agent from writing.", "",
	},
}

func (k kind) bound() bound { return bounds[k.facts.Bound] }

// fixed says why the atoms cannot be ticked, empty where they can.
func (k kind) fixed() string {
	switch {
	case k.facts.Edits:
		return ""
	case !k.known:
		return "What the tools of this kind of agent mean is not known here."
	case !k.hasList():
		return strings.TrimSpace(k.label + " has no list of tools. " + k.bound().does)
	}
	return k.label + "'s tools are edited in the file."
}

// stated says what a list that names no tool means.
func (k kind) stated(l tool.List) string {
	switch l.Stated {
	case tool.Omitted:
		return k.meaning("left out", k.facts.Omitted)
	case tool.Empty:
		return k.meaning("blank", k.facts.Empty)
	case tool.Unread:
		return "cannot be read for certain"
	case tool.Listed:
	}
	return ""
}

func (k kind) meaning(how string, m tool.Meaning) string {
	switch m {
	case tool.All:
		return how + ": all tools, to " + k.label
	case tool.Nothing:
		return how + ": no tools, to " + k.label
	case tool.RoleDefault:
		return how + ": what the role gives"
	case tool.OwnDefault:
		return how + ": " + k.label + "'s own default"
	case tool.NotKnown, tool.NoList, tool.Patterns, tool.NoWord, tool.Refused, tool.Ignored:
	}
	return how
}

// doubt says why nothing is granted, and the next step.
func (k kind) doubt(l tool.List, g tool.Grants) (tone theme.Tone, title, text string) {
	if !g.OwnDefault {
		return theme.Warn, "Nothing is granted for certain", k.sentence(g.Doubt) + k.step(l)
	}
	title = k.label + "'s own default holds"
	why, known := strings.CutPrefix(g.Doubt, title+", which is ")
	if known {
		why = "it is " + why
	}
	return theme.Info, title, k.sentence(why) + " Nothing is granted here, and the agent stays off." + k.step(l)
}

// step is what makes the tools certain, with a space before it.
func (k kind) step(l tool.List) string {
	switch {
	case !k.facts.Edits && k.bound().step != "":
		return " " + k.bound().step
	case !k.facts.Edits:
		return " The agent can still be edited and written."
	case l.Stated == tool.Listed:
		return " Correct the tool list."
	case k.facts.Omitted == tool.OwnDefault:
		return " Tick what the agent needs."
	}
	return " Tick what the agent needs, or leave the list out."
}

// sentence starts a clause with a capital, but for a program's own name.
func (k kind) sentence(clause string) string {
	if k.label != "" && strings.HasPrefix(clause, k.label) {
		return clause + "."
	}
	return capital(clause) + "."
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
