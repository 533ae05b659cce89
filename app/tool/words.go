package tool

import (
	"slices"
	"strings"
)

// native maps one of a program's tool names to an atom it needs; a name that
// needs several has several rows. A primary name is one that ticking the atom
// writes; an atom is on when all its primary names are granted whole.
type native struct {
	name    string
	atom    Atom // empty: a tool that touches none of the five
	primary bool
}

// sense is what one token means: native names, in whole or in part, a tool
// server as "@name", "@name/tool" or "@*", or both.
type sense struct {
	names  []string
	part   bool
	server string
}

// vocabulary is how one program writes a tool list.
type vocabulary struct {
	tools  []native
	read   func(token string) sense
	server func(name, tool string) string // the token of a tool server; name may be *, tool empty
	why    map[string]string              // what people do not expect of a name
	always []Note                         // what holds for every list
	same   [][2]string                    // two names of one tool
}

// bothNames makes a denial by one name of a tool one by its other name too.
func (v *vocabulary) bothNames(take *reach) {
	for _, s := range v.same {
		for _, m := range []map[string]bool{take.whole, take.part} {
			if m[s[0]] || m[s[1]] {
				m[s[0]], m[s[1]] = true, true
			}
		}
	}
}

func (v *vocabulary) rows(name string) []native {
	var out []native
	for _, n := range v.tools {
		if n.name == name {
			out = append(out, n)
		}
	}
	return out
}

// has reports whether the name touches the atom.
func (v *vocabulary) has(name string, a Atom) bool {
	return slices.ContainsFunc(v.tools, func(n native) bool { return n.name == name && n.atom == a })
}

func (v *vocabulary) names(a Atom, primaryOnly bool) []string {
	var out []string
	for _, n := range v.tools {
		if n.atom == a && (n.primary || !primaryOnly) {
			out = append(out, n.name)
		}
	}
	return out
}

// touching is the names in a token that touch the atom, and those that do not.
func (v *vocabulary) touching(token string, a Atom) (hit, rest []string) {
	for _, name := range v.read(token).names {
		if v.has(name, a) {
			hit = append(hit, name)
		} else {
			rest = append(rest, name)
		}
	}
	return hit, rest
}

// reach is what a set of tokens covers: everything, names in whole, names in
// part, and tool servers.
type reach struct {
	all     bool
	allMCP  bool
	whole   map[string]bool
	part    map[string]bool
	mcp     []string
	other   []string
	unknown []string
}

func (v *vocabulary) reach(tokens []string) reach {
	r := reach{whole: map[string]bool{}, part: map[string]bool{}}
	for _, t := range tokens {
		if t == Wildcard {
			r.all = true
			continue
		}
		s := v.read(t)
		switch {
		case s.server == everyServer:
			r.allMCP = true
		case s.server != "":
			r.mcp = append(r.mcp, s.server)
		}
		if !v.mark(&r, t, s) && s.server == "" {
			r.unknown = append(r.unknown, t)
		}
	}
	return r
}

// mark notes the native names of a token and reports whether it has one.
func (v *vocabulary) mark(r *reach, token string, s sense) bool {
	known := false
	for _, name := range s.names {
		rows := v.rows(name)
		switch {
		case len(rows) == 0:
			continue
		case rows[0].atom == "":
			r.other = append(r.other, token)
		case s.part:
			r.part[name] = true
		default:
			r.whole[name] = true
		}
		known = true
	}
	return known
}

// write is the token that grants a tool server and nothing else, empty where
// the dialect has none that reads back as the same server.
func (v *vocabulary) write(server string) string {
	name, tool, _ := strings.Cut(strings.TrimPrefix(server, "@"), "/")
	if strings.ContainsAny(tool, "/*") {
		return ""
	}
	token := v.server(name, tool)
	s := v.read(token)
	if !ValidToken(token) || s.server != server || slices.ContainsFunc(s.names, func(n string) bool { return len(v.rows(n)) > 0 }) {
		return ""
	}
	return token
}

// serverName reports whether s can be the name of a server or of its tool.
func serverName(s string) bool { return s != "" && !strings.ContainsAny(s, "*() \t") }

// atServer reads "@name" and "@name/tool"; anything else is empty.
func atServer(token string) string {
	name, tool, whole := strings.Cut(strings.TrimPrefix(token, "@"), "/")
	if !strings.HasPrefix(token, "@") || !serverName(name) || (whole && !serverName(tool)) {
		return ""
	}
	return token
}

// atToken is the inverse of atServer.
func atToken(name, tool string) string {
	if tool == "" {
		return "@" + name
	}
	return "@" + name + "/" + tool
}
