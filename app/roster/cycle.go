package roster

import (
	"slices"

	"callboard/app/agent"
)

// graph is who may call whom among enabled agents, by their place in a list.
// An agent that may call everyone has one edge, to a node that stands for all
// of them: so a roster of thousands stays small.
type graph struct {
	ids   []string
	calls [][]int // the last node stands for everyone
}

func newGraph(all []Summary) graph {
	var g graph
	at := map[string]int{}
	var in []Summary
	for _, a := range all {
		if a.Enabled {
			at[a.ID] = len(in)
			in, g.ids = append(in, a), append(g.ids, a.ID)
		}
	}
	every := len(in)
	g.calls = make([][]int, every+1)
	for i, a := range in {
		g.calls[every] = append(g.calls[every], i)
		switch {
		case a.Reach.Call.All && a.Reach.See.All:
			g.calls[i] = []int{every}
		case a.Reach.Call.All:
			g.calls[i] = called(a.Reach, a.Reach.See.IDs, at)
		default:
			g.calls[i] = called(a.Reach, a.Reach.Call.IDs, at)
		}
	}
	return g
}

// called are the places of those of the ids that may be called.
func called(r agent.Reach, ids []string, at map[string]int) []int {
	var out []int
	for _, id := range ids {
		if to, there := at[id]; there && r.May(agent.Call, id) {
			out = append(out, to)
		}
	}
	return out
}

// circles are the groups of nodes that reach each other, by Tarjan's
// algorithm, without its recursion: a chain may be as long as the roster.
func (g graph) circles() [][]string {
	t := tarjan{graph: g, num: make([]int, len(g.calls)), low: make([]int, len(g.calls)), on: make([]bool, len(g.calls))}
	for v := range g.calls {
		if t.num[v] == 0 {
			t.visit(v)
		}
	}
	slices.SortFunc(t.found, func(a, b []int) int { return a[0] - b[0] })
	var out [][]string
	for _, group := range t.found {
		ids := make([]string, len(group))
		for i, v := range group {
			ids[i] = g.ids[v]
		}
		out = append(out, ids)
	}
	return out
}

// tarjan is one run of the algorithm. A node's num is when it was met, from 1;
// its low is the earliest node that it reaches among those that are on.
type tarjan struct {
	graph
	num, low []int
	on       []bool
	met      int
	stack    []int
	found    [][]int
}

// frame is a node whose calls are being followed.
type frame struct{ v, next int }

func (t *tarjan) visit(root int) {
	path := []frame{t.meet(root)}
	for len(path) > 0 {
		f := &path[len(path)-1]
		if f.next < len(t.calls[f.v]) {
			to := t.calls[f.v][f.next]
			f.next++
			switch {
			case t.num[to] == 0:
				path = append(path, t.meet(to))
			case t.on[to]:
				t.low[f.v] = min(t.low[f.v], t.num[to])
			}
			continue
		}
		path = path[:len(path)-1]
		if len(path) > 0 {
			above := path[len(path)-1].v
			t.low[above] = min(t.low[above], t.low[f.v])
		}
		if t.low[f.v] == t.num[f.v] {
			t.close(f.v)
		}
	}
}

func (t *tarjan) meet(v int) frame {
	t.met++
	t.num[v], t.low[v], t.on[v] = t.met, t.met, true
	t.stack = append(t.stack, v)
	return frame{v: v}
}

// close takes the group of v off the stack and keeps it if it is a circle.
func (t *tarjan) close(v int) {
	at := len(t.stack) - 1
	for t.stack[at] != v {
		at--
	}
	group := slices.Clone(t.stack[at:])
	t.stack = t.stack[:at]
	for _, x := range group {
		t.on[x] = false
	}
	group = slices.DeleteFunc(group, func(x int) bool { return x == len(t.ids) })
	if len(group) > 1 {
		slices.Sort(group)
		t.found = append(t.found, group)
	}
}
