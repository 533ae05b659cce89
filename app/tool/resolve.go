package tool

import (
	"fmt"
	"slices"
	"strings"
)

// Resolve computes what an access grants. Denied wins. Unknown names grant
// nothing and are listed. Where nobody knows what the file's own tool makes of
// it, nothing is granted and Certain is false; so it is for unknown dialects.
func Resolve(a Access) Grants {
	k, ok := kindOf(a.Dialect)
	switch {
	case !ok:
		return doubtful("what a tool list means to this program is not known here")
	case len(a.Denied) > 0 && !k.facts.Denies:
		return doubtful(k.label + " has no way to deny tools, and tools are denied here")
	case k.facts.Omitted == NoList:
		return resolveBound(k, a)
	}
	r, d := k.reading(a)
	if d.why != "" {
		g := doubtful(d.why)
		g.OwnDefault = d.own
		return g
	}
	return r.grants()
}

func doubtful(why string) Grants {
	g := Grants{Doubt: why}
	for _, a := range Atoms() {
		g.Atoms = append(g.Atoms, Grant{Atom: a, Level: Off, Why: "Off: " + why + "."})
	}
	return g
}

// doubt is why nothing is certain; own is that the program's own default holds.
type doubt struct {
	why string
	own bool
}

// reading is one access understood: what is given and taken, and the words for
// it. everything, nothing and by say why in a sentence.
type reading struct {
	kind       kind
	tokens     []string
	give, take reach
	everything string
	nothing    string
	by         string
	notes      []Note
}

func (k kind) reading(a Access) (reading, doubt) {
	r := reading{kind: k, nothing: "the list names no tool for it", everything: "the list has *, which is all tools"}
	if k.words != nil {
		r.take = k.words.reach(a.Denied)
		k.words.bothNames(&r.take)
	}
	switch a.Tools.Stated {
	case Omitted:
		r.everything = "the file names no tools, which is all of them to " + k.label
		r.nothing = "no tools are named, which is none of them to " + k.label
		return k.meant(r, a, k.facts.Omitted)
	case Empty:
		r.everything = "the list is empty, and " + k.label + " then denies nothing"
		r.nothing = "the list is empty, which is no tools to " + k.label
		return k.meant(r, a, k.facts.Empty)
	case Listed:
		return k.listed(r, a.Tools)
	case Unread:
		return r, doubt{why: "the tool list cannot be read for certain"}
	}
	return r, doubt{why: "the file's tools are not known"}
}

// meant is the reading of a list that names no tool.
func (k kind) meant(r reading, a Access, m Meaning) (reading, doubt) {
	switch m {
	case All:
		r.give.all = true
		return r, doubt{}
	case Nothing:
		return r, doubt{}
	case RoleDefault:
		return byRole(r, a.Bound), doubt{}
	case OwnDefault:
		return r, doubt{why: k.doubt(Omitted, k.label+"'s own default holds, which is not known here"), own: true}
	case NotKnown, NoList, Patterns, NoWord, Refused, Ignored:
	}
	return r, doubt{why: k.doubt(a.Tools.Stated, "what "+k.label+" makes of an empty tool list is not known here")}
}

func (k kind) listed(r reading, l List) (reading, doubt) {
	if k.words == nil {
		return r, doubt{why: "what a tool list means to " + k.label + " is not known for certain"}
	}
	if l.Wildcard() && k.facts.Wildcard != All {
		return r, doubt{why: k.doubt(Listed, k.label+" does not say what * means in a tool list")}
	}
	r.tokens, r.give = l.Tokens, k.words.reach(l.Tokens)
	if len(r.give.unknown) > 0 {
		name := r.give.unknown[0]
		switch k.facts.Unknown {
		case Refused:
			return r, doubt{why: k.label + " refuses the whole file, because it has no tool of the name " + name}
		case NotKnown:
			return r, doubt{why: "what " + k.label + " makes of " + name + " is not known here"}
		case Ignored, All, Nothing, RoleDefault, OwnDefault, NoList, Patterns, NoWord:
		}
	}
	return r, doubt{}
}

func (k kind) doubt(s Statement, otherwise string) string {
	if why := k.doubts[s]; why != "" {
		return why
	}
	return otherwise
}

func (r reading) grants() Grants {
	g := Grants{Certain: true, Unknown: r.give.unknown, Other: r.other(), Servers: r.servers(), Notes: r.allNotes()}
	g.InPart = r.inPart(g.Servers)
	if len(g.Servers) > 0 {
		g.DeniedServers = slices.Clone(r.take.mcp)
	}
	for _, a := range Atoms() {
		g.Atoms = append(g.Atoms, r.grant(a))
	}
	return g
}

// tally is the names of one atom: granted somehow, missing primaries, denied.
type tally struct {
	got, missing, cut []string
	on                bool
}

func (r reading) tally(a Atom) tally {
	t := tally{on: true}
	for _, n := range r.kind.words.tools {
		if n.atom != a {
			continue
		}
		whole := r.give.all || r.give.whole[n.name]
		some := whole || r.give.part[n.name]
		gone := r.take.all || r.take.whole[n.name]
		switch {
		case some && gone:
			t.cut = append(t.cut, n.name)
		case some:
			t.got = append(t.got, n.name)
		case n.primary:
			t.missing = append(t.missing, n.name)
		}
		if n.primary && (!whole || gone || r.take.part[n.name]) {
			t.on = false
		}
	}
	return t
}

func (r reading) grant(a Atom) Grant {
	t := r.tally(a)
	primary := r.kind.words.names(a, true)
	switch {
	case len(t.got) == 0 && len(t.cut) > 0:
		return Grant{a, Off, "Off: denied, and a denial wins."}
	case len(t.got) == 0:
		return Grant{a, Off, "Off: " + r.nothing + "."}
	case t.on && r.give.all:
		return Grant{a, On, "On: " + r.everything + "."}
	case t.on:
		return Grant{a, On, "On: " + Join(primary) + r.by + "."}
	}
	return Grant{a, Partly, "Partly: " + r.partly(t) + r.by + "."}
}

func (r reading) partly(t tally) string {
	var limited []string
	for _, n := range t.got {
		if !r.whole(n) {
			limited = append(limited, n)
		}
	}
	var parts []string
	if whole := diff(t.got, limited); len(whole) > 0 {
		parts = append(parts, Join(whole))
	}
	if len(limited) > 0 {
		parts = append(parts, Join(limited)+" within a pattern")
	}
	if len(t.missing) > 0 {
		parts = append(parts, "not "+Join(t.missing))
	}
	if len(t.cut) > 0 {
		parts = append(parts, "denied "+Join(t.cut))
	}
	return strings.Join(parts, "; ")
}

// whole reports whether a name is given and nothing of it is denied.
func (r reading) whole(name string) bool {
	return (r.give.all || r.give.whole[name]) && !r.take.all && !r.take.whole[name] && !r.take.part[name]
}

func (r reading) servers() []string {
	if r.take.all || r.take.allMCP {
		return nil
	}
	var out []string
	if r.give.all || r.give.allMCP {
		out = append(out, everyServer)
	}
	for _, s := range r.give.mcp {
		server, _, _ := strings.Cut(s, "/")
		if !slices.Contains(r.take.mcp, s) && !slices.Contains(r.take.mcp, server) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// inPart are the servers of which a denial takes some away.
func (r reading) inPart(servers []string) []string {
	var out []string
	for _, s := range servers {
		if slices.ContainsFunc(r.take.mcp, func(d string) bool { return s == everyServer || strings.HasPrefix(d, s+"/") }) {
			out = append(out, s)
		}
	}
	return out
}

func (r reading) other() []string {
	if r.take.all {
		return nil
	}
	return diff(r.give.other, r.take.other)
}

func (r reading) allNotes() []Note {
	out := slices.Clone(r.notes)
	for _, t := range r.tokens {
		out = append(out, r.surprises(t)...)
	}
	for _, t := range r.give.unknown {
		out = append(out, Note{t, t + ": there is no tool of this name in " + r.kind.known() + ". It grants nothing."})
	}
	for _, t := range r.take.unknown {
		out = append(out, Note{t, t + ": this denial names no known tool. It takes nothing away."})
	}
	if r.give.all || r.give.allMCP || len(r.give.mcp) > 0 {
		for _, s := range r.take.mcp {
			out = append(out, Note{s, s + " is denied, so it is left out of the servers granted."})
		}
	}
	if len(r.tokens) > 0 && !r.give.all {
		out = append(out, r.kind.words.always...)
	}
	return out
}

// surprises is what people do not expect of a token.
func (r reading) surprises(token string) []Note {
	var out []Note
	for _, name := range r.kind.words.read(token).names {
		why := r.kind.words.why[name]
		if why == "" || r.take.all || r.take.whole[name] {
			continue
		}
		text := fmt.Sprintf("%s %s.", name, why)
		if slices.Contains(diff(r.kind.words.names(ExecuteBash, false), r.kind.words.names(ExecuteBash, true)), name) {
			text += " Callboard counts it as execute_bash."
		}
		out = append(out, Note{token, text})
	}
	return out
}

// known says how far Callboard's knowledge of the program's names goes.
func (k kind) known() string {
	switch k.facts.Tested {
	case untested:
		return "what Callboard knows of " + k.label
	case ownFacts:
		return k.label
	}
	return k.label + " " + k.facts.Tested + ", the version Callboard knows"
}

func diff(a, b []string) []string {
	var out []string
	for _, x := range a {
		if !slices.Contains(b, x) {
			out = append(out, x)
		}
	}
	return out
}
