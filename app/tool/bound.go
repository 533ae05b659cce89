package tool

import (
	"fmt"
	"strings"
)

// bounds is what one word of a program without tool lists comes to.
type bounds struct {
	word   string
	grants [5]Grant // in the order of Atoms
}

// noWeb is Codex's answer for the web: an agent file says nothing about it.
const noWeb = "Off: an agent file of Codex states nothing about the web."

// codexBounds are the words of sandbox_mode.
var codexBounds = []bounds{
	{"read-only", [5]Grant{
		{FSRead, On, "On: in every sandbox_mode files can be read."},
		{FSList, On, "On: in every sandbox_mode folders can be listed and searched."},
		{FSWrite, Off, "Off: sandbox_mode read-only lets nothing be written."},
		{ExecuteBash, Partly, "Partly: commands run, but sandbox_mode read-only lets them write nothing."},
		{WebFetch, Off, noWeb},
	}},
	{"workspace-write", [5]Grant{
		{FSRead, On, "On: in every sandbox_mode files can be read."},
		{FSList, On, "On: in every sandbox_mode folders can be listed and searched."},
		{FSWrite, Partly, "Partly: sandbox_mode workspace-write lets files be written in the workspace only."},
		{ExecuteBash, Partly, "Partly: commands run, but sandbox_mode workspace-write lets them write in the workspace only."},
		{WebFetch, Off, noWeb},
	}},
	{"danger-full-access", [5]Grant{
		{FSRead, On, "On: in every sandbox_mode files can be read."},
		{FSList, On, "On: in every sandbox_mode folders can be listed and searched."},
		{FSWrite, On, "On: sandbox_mode danger-full-access bounds no writing."},
		{ExecuteBash, On, "On: sandbox_mode danger-full-access bounds no command."},
		{WebFetch, Off, noWeb},
	}},
}

var codexServers = Note{"sandbox_mode", "sandbox_mode bounds commands and files only. Tool servers come from Codex's config and are not known here."}

// resolveBound is Resolve for programs that have no tool list.
func resolveBound(k kind, a Access) Grants {
	switch {
	case a.Tools.Stated == Unread:
		return doubtful("the tool list cannot be read for certain")
	case a.Tools.Stated == Empty || a.Tools.Stated == Listed:
		return doubtful(k.label + " has no tool lists, so what it makes of this one cannot be read for certain")
	case a.Tools.Stated != Omitted:
		return doubtful("the file's tools are not known")
	case k.facts.Bound == "readonly":
		return readOnly(k, a.Bound)
	case a.Bound == "":
		g := doubtful(k.doubts[Omitted])
		g.OwnDefault = true
		return g
	}
	for _, b := range codexBounds {
		if b.word == a.Bound {
			return Grants{Certain: true, Atoms: append([]Grant(nil), b.grants[:]...), Notes: []Note{codexServers}}
		}
	}
	return doubtful(fmt.Sprintf("%s knows no %s %s", k.label, k.facts.Bound, a.Bound))
}

// readOnly is Cursor: its one word bounds writing and says nothing of the rest.
func readOnly(k kind, word string) Grants {
	switch strings.ToLower(word) {
	case "", "false", "true":
	default:
		return doubtful("readonly is neither true nor false")
	}
	g := doubtful(k.label + "'s own default holds, which is not known here")
	g.OwnDefault = true
	for i := range g.Atoms {
		if g.Atoms[i].Atom == FSWrite && strings.EqualFold(word, "true") {
			g.Atoms[i].Why = "Off: the file says readonly, so nothing is written."
		}
	}
	return g
}
