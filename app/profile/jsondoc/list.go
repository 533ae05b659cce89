package jsondoc

import (
	"slices"
	"strings"
)

// maxCells bounds the table that compares two lists.
const maxCells = 1 << 20

// setItems makes a list that says old say want. Items in both keep their bytes,
// an item that takes the place of another keeps what stood around that, and no
// comment is lost.
func (s *sequence) setItems(old, want []string) {
	if len(old) == 0 {
		for _, text := range want {
			s.add(quote(text))
		}
		return
	}
	r := relist{s: s, sep: s.between(), first: s.bare(s.items[0].lead), loose: s.joiner()}
	i, j := 0, 0
	for _, m := range append(common(old, want), pair{len(old), len(want)}) {
		for i < m.old && j < m.new {
			it := s.items[i]
			it.text = quote(want[j])
			r.keep(i, it)
			i, j = i+1, j+1
		}
		for ; j < m.new; j++ {
			r.add(quote(want[j]))
		}
		for ; i < m.old; i++ {
			r.drop(i)
		}
		if i < len(old) {
			r.keep(i, s.items[i])
			i, j = i+1, j+1
		}
	}
	s.items = r.out
	s.tail = r.free(s.tail)
}

// relist builds the new items. loose are the comments of items that went, to be
// put before the next one.
type relist struct {
	s          *sequence
	sep, first string
	out        []item
	loose      joiner
}

// free is a gap with the loose comments before it.
func (r *relist) free(gap string) string {
	r.loose.gap(gap)
	gap = r.loose.b.String()
	r.loose = r.s.joiner()
	return gap
}

func (r *relist) put(it item) {
	it.lead = r.free(it.lead)
	r.out = append(r.out, it)
}

// keep puts the item that stood at i.
func (r *relist) keep(i int, it item) {
	if i == 0 && len(r.out) > 0 && !hasNewline(it.lead) {
		it.lead = r.sep + strings.TrimLeft(it.lead, blanks)
	}
	r.put(it)
}

func (r *relist) add(text string) {
	lead := r.first
	if len(r.out) > 0 {
		lead = r.sep
		r.out[len(r.out)-1].closeFor(lead)
	}
	r.put(item{lead: lead, text: text})
}

// drop leaves the item out that stood at i, but for its comments.
func (r *relist) drop(i int) {
	it := r.s.items[i]
	if hasNote(it.lead + it.post + it.trail) {
		left := it.lead + strings.TrimLeft(it.post, blanks) + strings.TrimLeft(it.trail, blanks)
		r.loose.gap(strings.TrimRight(left, blanks))
		return
	}
	if i+1 < len(r.s.items) {
		if next := &r.s.items[i+1]; !hasNewline(next.lead) {
			next.lead = it.lead + strings.TrimLeft(next.lead, blanks)
		}
	}
}

// pair are the places of one text in two lists.
type pair struct{ old, new int }

// common are the texts that both lists have in the same order: as many as can
// be, unless the lists are very long and differ in very much.
func common(old, want []string) []pair {
	var head, tail []pair
	n := 0
	for n < len(old) && n < len(want) && old[n] == want[n] {
		head = append(head, pair{n, n})
		n++
	}
	a, b := old[n:], want[n:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
		tail = append(tail, pair{n + len(a), n + len(b)})
	}
	slices.Reverse(tail)
	if len(a)*len(b) <= maxCells {
		for _, p := range longest(a, b) {
			head = append(head, pair{n + p.old, n + p.new})
		}
	}
	return append(head, tail...)
}

// longest is a longest common subsequence.
func longest(a, b []string) []pair {
	width := len(b) + 1
	size := make([]int32, (len(a)+1)*width) // of what is common to a[i:] and b[j:]
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				size[i*width+j] = size[(i+1)*width+j+1] + 1
			} else {
				size[i*width+j] = max(size[(i+1)*width+j], size[i*width+j+1])
			}
		}
	}
	var out []pair
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			out = append(out, pair{i, j})
			i, j = i+1, j+1
		case size[(i+1)*width+j] >= size[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	return out
}
