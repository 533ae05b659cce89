package storage

import (
	"context"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"callboard/crypto"
)

// each calls do for every key under prefix. A damaged block ends the walk with
// a note: what it hid is looked for one by one afterwards.
func (l *loader) each(ctx context.Context, prefix string, do func(key string, it *pebble.Iterator)) error {
	it, err := l.pdb.NewIter(&pebble.IterOptions{LowerBound: []byte(prefix), UpperBound: after(prefix)})
	if err != nil {
		return fmt.Errorf("storage: read: %w", err)
	}
	defer func() { _ = it.Close() }() // its error is looked at below
	for n, ok := 0, it.First(); ok; n, ok = n+1, it.Next() {
		if n%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		do(string(it.Key()), it)
	}
	if err := it.Error(); err != nil {
		l.damage.note(filesKey, crypto.ErrRowCorrupt)
	}
	return nil
}

// mark finds key in its page and remembers that it was seen.
func (l *loader) mark(key string) (entry, bool) {
	n := pageOf(key)
	p := l.ix.pages[n]
	if l.seen[n] == nil {
		l.seen[n] = make([]bool, len(p.entries))
	}
	i, known := p.search(key)
	if !known {
		return entry{}, false
	}
	l.seen[n][i] = true
	return p.entries[i], true
}

func (l *loader) scanTables(ctx context.Context) error {
	return l.each(ctx, tablePrefix, func(key string, it *pebble.Iterator) {
		if n := pageOf(key); l.lost[n] {
			l.adopt(entry{key: key, rev: l.claim(key, it)})
			return
		}
		if _, known := l.mark(key); !known {
			l.damage.note(key, ErrRowUnknown)
		}
	})
}

// claim is the revision the row at key says it has. A row that does not open
// is damaged and gets one that no row has.
func (l *loader) claim(key string, it *pebble.Iterator) uint64 {
	value, err := it.ValueAndErr()
	if err != nil {
		l.damage.note(key, crypto.ErrRowCorrupt)
		return 1
	}
	at, rest := place(key)
	_, rev, err := l.sealer.OpenAny(at, rest, value)
	if err != nil {
		l.damage.note(key, err)
		return 1
	}
	return rev
}

// adopt adds e to its lost page. Keys come in order.
func (l *loader) adopt(e entry) {
	p := l.ix.pages[pageOf(e.key)]
	p.entries = append(p.entries, e)
}

// scanLogs walks the streams; the rows of one follow each other.
func (l *loader) scanLogs(ctx context.Context) error {
	var s walk
	err := l.each(ctx, logPrefix, func(key string, it *pebble.Iterator) {
		stream, seq, ok := splitLogKey(key)
		if !ok {
			l.damage.note(key, ErrRowUnknown)
			return
		}
		if stream != s.key {
			l.leaveStream(s)
			s = l.enterStream(stream, seq)
		}
		l.step(&s, seq, key, it)
	})
	l.leaveStream(s)
	return err
}

// walk is where the scan stands in one stream.
type walk struct {
	entry
	lost, known bool
	want        uint64 // the number that comes next if nothing is missing
}

func (l *loader) enterStream(key string, seq uint64) walk {
	w := walk{entry: entry{key: key, first: seq}, lost: l.lost[pageOf(key)]}
	if w.lost {
		return w
	}
	if e, known := l.mark(key); known {
		w.entry, w.known, w.want = e, true, e.first
	}
	return w
}

func (l *loader) step(w *walk, seq uint64, key string, it *pebble.Iterator) {
	if w.lost {
		if w.rev <= 1 { // the first row that opens speaks for the stream
			w.rev = l.claim(key, it)
		}
		w.next = seq + 1
		return
	}
	if !w.known || seq < w.first || seq >= w.next {
		l.damage.note(key, ErrRowUnknown)
		return
	}
	l.gap(w.entry, w.want, seq)
	w.want = seq + 1
}

func (l *loader) leaveStream(w walk) {
	switch {
	case w.key == "":
	case w.lost:
		l.adopt(w.entry)
	case w.known:
		l.gap(w.entry, w.want, w.next)
	}
}
