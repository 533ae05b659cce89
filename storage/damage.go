package storage

import (
	"cmp"
	"slices"
	"sync"

	"callboard/app/fault"
)

// Damage is one thing that is wrong with the stored data: a row of a table
// (ID), a row of a log (ID is stream/number), or a part of the index. Rule is
// the snake-case rule name: row_moved, row_corrupt, row_missing, row_unknown,
// row_format.
type Damage struct {
	Table string `json:"table"`
	ID    string `json:"id"`
	Rule  string `json:"rule"`
}

// maxDamage bounds the report of a store where nothing is right any more.
const maxDamage = 10_000

// Damage is what Open and the reads since then have found, by table and id. A
// row that was replaced or deleted since is no longer in it.
func (db *DB) Damage() []Damage { return db.damage.list() }

// damageBook collects damage; each is told once.
type damageBook struct {
	tell func(Damage)

	mu    sync.Mutex
	found map[string]Damage // by key
}

func (b *damageBook) reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.found = map[string]Damage{}
}

func (b *damageBook) note(key string, err error) {
	table, id := names(key)
	d := Damage{Table: table, ID: id, Rule: fault.RuleOf(err)}
	b.mu.Lock()
	old, known := b.found[key]
	isNew := old != d && (known || len(b.found) < maxDamage)
	if isNew {
		b.found[key] = d
	}
	b.mu.Unlock()
	if isNew && b.tell != nil {
		b.tell(d)
	}
}

// mend forgets the damage of rows that a commit wrote anew, deleted or trimmed.
func (b *damageBook) mend(keys []string, idx *index) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.found) == 0 {
		return
	}
	for _, key := range keys {
		delete(b.found, key)
	}
	for key := range b.found {
		stream, seq, ok := splitLogKey(key)
		if !ok {
			continue
		}
		if e, known := idx.find(stream); known && seq < e.first {
			delete(b.found, key)
		}
	}
}

// keys are where the given damage is, as far as the book still has it.
func (b *damageBook) keys(bad []Damage) []string {
	want := make(map[Damage]bool, len(bad))
	for _, d := range bad {
		want[d] = true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []string
	for key, d := range b.found {
		if want[d] {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}

func (b *damageBook) rule(key string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.found[key].Rule
}

func (b *damageBook) forget(keys []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, key := range keys {
		delete(b.found, key)
	}
}

func (b *damageBook) list() []Damage {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := make([]Damage, 0, len(b.found))
	for _, d := range b.found {
		out = append(out, d)
	}
	slices.SortFunc(out, func(a, b Damage) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.ID, b.ID))
	})
	return out
}
