package servers

import (
	"context"
	"slices"
	"strings"

	"callboard/app/tool"
)

// Granted is one tool server that an agent's tool list grants, and what of it
// there is. Code is why it may not be used now, empty where it may; Unknown is
// a name nobody configured. Tools are the tools granted of those it last had;
// Absent are tools granted by name that it did not have then.
type Granted struct {
	ID     string   `json:"id"` // "@name"
	Server string   `json:"server,omitempty"`
	Own    bool     `json:"own,omitempty"`  // Callboard's own server
	Whole  bool     `json:"whole"`          // every tool it has or will have
	Code   Code     `json:"code,omitempty"` // Why of the entry
	Tools  []Tool   `json:"tools,omitempty"`
	Absent []string `json:"absent,omitempty"`
}

// Ready reports whether the server may be used now.
func (g Granted) Ready() bool { return g.Code == "" }

// Granted lists what an agent's grants come to with the servers there are, by
// name: those it names, all of them where it grants every server. A denial
// wins. It asks no server.
func (s *Service) Granted(ctx context.Context, g tool.Grants) ([]Granted, error) {
	l, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	return Merge(g, l.Servers), nil
}

// Merge is Granted over servers that were listed before.
func Merge(g tool.Grants, known []Entry) []Granted {
	var out []Granted
	for _, id := range named(g, known) {
		name := strings.TrimPrefix(id, "@")
		x := Granted{ID: id, Whole: g.Allows(id), Code: Unknown}
		i := slices.IndexFunc(known, func(e Entry) bool { return e.Server.Name == name })
		switch {
		case name == Own:
			x.Own, x.Code = true, ""
		case i >= 0:
			x.Server, x.Code = known[i].Server.ID, known[i].Why()
			for _, t := range known[i].Known.Tools {
				if g.Allows(t.ID) {
					x.Tools = append(x.Tools, t)
				}
			}
		}
		x.Absent = absent(g, x)
		if x.Whole || len(x.Tools) > 0 || len(x.Absent) > 0 || slices.Contains(g.Servers, id) {
			out = append(out, x)
		}
	}
	return out
}

// named is the servers that the grants could mean, sorted.
func named(g tool.Grants, known []Entry) []string {
	var out []string
	for _, s := range g.Servers {
		if server, _, _ := strings.Cut(s, "/"); server != "@*" {
			out = append(out, server)
			continue
		}
		for _, e := range known {
			out = append(out, e.Server.ToolID(""))
		}
		out = append(out, "@"+Own)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// absent is the tools granted by name that the server does not have.
func absent(g tool.Grants, x Granted) []string {
	var out []string
	for _, s := range g.Servers {
		if strings.HasPrefix(s, x.ID+"/") && !x.Own && g.Allows(s) && !slices.ContainsFunc(x.Tools, func(t Tool) bool { return t.ID == s }) {
			out = append(out, s)
		}
	}
	return out
}
