// Package tool is the canonical catalog of what a tool list grants. It keeps
// the tokens of another tool's agent file verbatim, computes which of
// Callboard's five atoms they grant and says why. It promises two things:
// nothing is granted that the file's own tool would not grant, and ticking one
// atom writes only the tokens that atom needs.
package tool

import (
	"slices"
	"strings"
)

// Atom is one of the five things a tool can do on the machine.
type Atom string

// The atoms. Everything that can run code, subagents too, is ExecuteBash.
const (
	FSRead      Atom = "fs_read"
	FSList      Atom = "fs_list"
	FSWrite     Atom = "fs_write"
	ExecuteBash Atom = "execute_bash"
	WebFetch    Atom = "web_fetch"
)

// Atoms lists every atom in the order people read them.
func Atoms() []Atom { return []Atom{FSRead, FSList, FSWrite, ExecuteBash, WebFetch} }

// Statement is what a file says about its tools, before anyone interprets it.
type Statement string

// A file that does not mention tools, one whose list is blank, and one that
// lists tokens (a wildcard is a token) are three different things; Unread is a
// list whose form could not be understood, so that it grants nothing here.
const (
	Omitted Statement = "omitted"
	Empty   Statement = "empty"
	Listed  Statement = "listed"
	Unread  Statement = "unread"
)

// Wildcard is the token that grants everything.
const Wildcard = "*"

// List is a tool list as its file states it. Tokens is set only when Stated is
// Listed and holds the source's words unchanged and in order. Treat a List as
// a value: Set and the readers return new slices.
type List struct {
	Stated Statement `json:"stated"`
	Tokens []string  `json:"tokens,omitempty"`
}

// Of is the list that states tokens, Empty when there are none.
func Of(tokens ...string) List {
	if len(tokens) == 0 {
		return List{Stated: Empty}
	}
	return List{Stated: Listed, Tokens: slices.Clone(tokens)}
}

// Access is everything an agent file says about what its agent may use, in the
// words of one dialect. Bound is the one word by which some tools bound their
// agents beside or instead of a list, verbatim: Codex's sandbox_mode, CAO's
// role, Cursor's readonly.
type Access struct {
	Dialect Dialect  `json:"dialect,omitempty"`
	Tools   List     `json:"tools"`
	Denied  []string `json:"denied_tools,omitempty"`
	Bound   string   `json:"bound,omitempty"`
}

// Clone is a deep copy.
func (a Access) Clone() Access {
	a.Tools.Tokens = slices.Clone(a.Tools.Tokens)
	a.Denied = slices.Clone(a.Denied)
	return a
}

// Equal reports whether both say the same, token for token.
func (a Access) Equal(o Access) bool {
	return a.Dialect == o.Dialect && a.Bound == o.Bound && a.Tools.Equal(o.Tools) && slices.Equal(a.Denied, o.Denied)
}

// Equal reports whether both state the same, token for token.
func (l List) Equal(o List) bool {
	return l.Stated == o.Stated && slices.Equal(l.Tokens, o.Tokens)
}

// Wildcard reports whether the list holds the token that grants everything.
func (l List) Wildcard() bool {
	return l.Stated == Listed && slices.Contains(l.Tokens, Wildcard)
}

// Level is how far an atom is granted.
type Level string

// On is the whole atom, Partly is some of it (a pattern such as Bash(git *),
// or one of several native tools), Off is none.
const (
	Off    Level = "off"
	Partly Level = "partly"
	On     Level = "on"
)

// Grant is one atom's level and the reason for it in plain words.
type Grant struct {
	Atom  Atom   `json:"atom"`
	Level Level  `json:"level"`
	Why   string `json:"why"`
}

// Note is something a person should know about one token. Text names it.
type Note struct {
	Token string `json:"token"`
	Text  string `json:"text"`
}

// Grants is what a tool list comes to. Atoms holds all five in order. Certain
// is false when nobody knows what the file's own tool makes of the list; then
// Doubt says why and every atom is off. OwnDefault is true when the only doubt
// is that the file states nothing and that tool's own default holds.
type Grants struct {
	Certain    bool     `json:"certain"`
	Doubt      string   `json:"doubt,omitempty"`
	OwnDefault bool     `json:"own_default,omitempty"`
	Atoms      []Grant  `json:"atoms"`
	Servers    []string `json:"servers,omitempty"`
	InPart     []string `json:"servers_in_part,omitempty"`
	Other      []string `json:"other,omitempty"`
	Unknown    []string `json:"unknown,omitempty"`
	Notes      []Note   `json:"notes,omitempty"`

	DeniedServers []string `json:"denied_servers,omitempty"` // what InPart lacks, named as in Servers
}

// Level is the level of one atom.
func (g Grants) Level(a Atom) Level {
	for _, x := range g.Atoms {
		if x.Atom == a {
			return x.Level
		}
	}
	return Off
}

// Allows reports whether a tool server "@name" or one tool "@name/tool" is
// granted: by its own name, its server's, or all servers'. A denial wins. Of a
// server that is granted in part, or by single tools only, it reports false for
// the server and may report true for a tool.
func (g Grants) Allows(id string) bool {
	server, _, one := strings.Cut(id, "/")
	if !g.Certain || slices.Contains(g.DeniedServers, id) || slices.Contains(g.DeniedServers, server) {
		return false
	}
	if !one && slices.ContainsFunc(g.DeniedServers, func(d string) bool { return strings.HasPrefix(d, id+"/") }) {
		return false
	}
	return slices.ContainsFunc([]string{everyServer, server, id}, func(s string) bool { return slices.Contains(g.Servers, s) })
}

// Effective lists what is granted: atoms that are on, atoms that are partly on
// with a "~" before them, then servers as "@name" or "@name/tool", those of which
// some is denied with a "~" too.
func (g Grants) Effective() []string {
	out := []string{}
	for _, x := range g.Atoms {
		switch x.Level {
		case On:
			out = append(out, string(x.Atom))
		case Partly:
			out = append(out, "~"+string(x.Atom))
		case Off:
		}
	}
	for _, s := range g.Servers {
		if slices.Contains(g.InPart, s) {
			s = "~" + s
		}
		out = append(out, s)
	}
	return out
}
