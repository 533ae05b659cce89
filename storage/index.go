package storage

import (
	"encoding/binary"
	"maps"
	"slices"
	"strings"
)

// The index knows every row of the store: its revision, or for a stream its
// first and next number. Ids hash into 256 pages; each page is one sealed row,
// and one sealed root row holds the number of the last commit, the count of
// every table and the revision of every page. A save seals the pages it
// touched and the root again, so its cost does not grow with the other tables.
//
// A page put back by hand does not fit the root; a row put back does not fit
// its page; a row that vanished is still in its page.
const (
	pageCount  = 256
	inlinePage = pageCount // the event stream's head travels in the root
	indexForm  = 1
)

// entry is one row (first and next are 0) or one stream of a log, whose rows
// are first ≤ seq < next, all sealed for revision rev.
type entry struct {
	key         string
	rev         uint64
	first, next uint64
}

// page is never changed once it is part of a published index.
type page struct {
	rev     uint64
	stale   bool // rebuilt at open: must be sealed by the next save
	entries []entry
}

// index is never changed once it is published: a save works on a clone.
type index struct {
	seq    uint64 // number of the last commit
	counts map[string]uint64
	pages  [pageCount + 1]*page
}

func newIndex() *index {
	ix := &index{counts: map[string]uint64{}}
	for i := range ix.pages {
		ix.pages[i] = &page{}
	}
	return ix
}

func (ix *index) clone() *index {
	c := *ix
	c.counts = maps.Clone(ix.counts)
	return &c
}

func (p *page) search(key string) (int, bool) {
	return slices.BinarySearchFunc(p.entries, key, func(e entry, key string) int { return strings.Compare(e.key, key) })
}

func (ix *index) find(key string) (entry, bool) {
	p := ix.pages[pageOf(key)]
	i, ok := p.search(key)
	if !ok {
		return entry{}, false
	}
	return p.entries[i], true
}

// under is every entry of one table or log, in key order.
func (ix *index) under(prefix string) []entry {
	var all []entry
	for _, p := range ix.pages {
		i, _ := p.search(prefix)
		for ; i < len(p.entries) && strings.HasPrefix(p.entries[i].key, prefix); i++ {
			all = append(all, p.entries[i])
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	return all
}

// set puts e into its page, which must be the caller's own copy.
func (ix *index) set(e entry) {
	p := ix.pages[pageOf(e.key)]
	i, ok := p.search(e.key)
	if ok {
		p.entries[i] = e
		return
	}
	p.entries = slices.Insert(p.entries, i, e)
	table, _ := place(e.key)
	ix.counts[table]++
}

// unset takes key out of its page, which must be the caller's own copy.
func (ix *index) unset(key string) {
	p := ix.pages[pageOf(key)]
	i, ok := p.search(key)
	if !ok {
		return
	}
	p.entries = slices.Delete(p.entries, i, i+1)
	table, _ := place(key)
	if ix.counts[table]--; ix.counts[table] == 0 {
		delete(ix.counts, table)
	}
}

// own makes page n a copy the caller may change.
func (ix *index) own(n int) {
	old := ix.pages[n]
	entries := make([]entry, len(old.entries), len(old.entries)+1)
	copy(entries, old.entries)
	ix.pages[n] = &page{rev: old.rev, stale: old.stale, entries: entries}
}

func (p *page) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(p.entries)))
	for _, e := range p.entries {
		b = appendString(b, e.key)
		b = binary.AppendUvarint(b, e.rev)
		b = binary.AppendUvarint(b, e.first)
		b = binary.AppendUvarint(b, e.next)
	}
	return b
}

func (p *page) encode() []byte {
	return p.append(append(make([]byte, 0, 64+48*len(p.entries)), indexForm))
}

func (ix *index) encode() []byte {
	b := append(make([]byte, 0, 2048), indexForm)
	b = binary.AppendUvarint(b, ix.seq)
	b = binary.AppendUvarint(b, uint64(len(ix.counts)))
	for _, table := range slices.Sorted(maps.Keys(ix.counts)) {
		b = appendString(b, table)
		b = binary.AppendUvarint(b, ix.counts[table])
	}
	for _, p := range ix.pages[:pageCount] {
		b = binary.AppendUvarint(b, p.rev)
	}
	return ix.pages[inlinePage].append(b)
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// decodeIndex reads what encode wrote; the pages have only their revisions.
func decodeIndex(b []byte) (*index, bool) {
	ix, d := newIndex(), decoder{b: b}
	d.form()
	ix.seq = d.number()
	for n := d.length(); n > 0; n-- {
		table := d.text()
		ix.counts[table] = d.number()
	}
	for _, p := range ix.pages[:pageCount] {
		p.rev = d.number()
	}
	ix.pages[inlinePage].entries = d.entries()
	return ix, d.done()
}

func decodePage(b []byte) ([]entry, bool) {
	d := decoder{b: b}
	d.form()
	es := d.entries()
	return es, d.done()
}

// decoder reads index rows. After the first mistake everything is zero.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) number() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || d.bad {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[n:]
	return v
}

// length is a number of things of at least one byte each.
func (d *decoder) length() int {
	v := d.number()
	if v > uint64(len(d.b)) {
		d.bad, d.b = true, nil
		return 0
	}
	return int(v) //nolint:gosec // at most len(d.b)
}

func (d *decoder) text() string {
	n := d.length()
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s
}

func (d *decoder) form() {
	if d.number() != indexForm {
		d.bad, d.b = true, nil
	}
}

func (d *decoder) entries() []entry {
	es := make([]entry, 0, d.length())
	for range cap(es) {
		es = append(es, entry{key: d.text(), rev: d.number(), first: d.number(), next: d.number()})
	}
	return es
}

func (d *decoder) done() bool { return !d.bad && len(d.b) == 0 }
