package storage

import (
	"context"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"callboard/crypto"
)

const canaryText = "callboard"

// loader reads the index at Open and compares it with the keys that are there.
// It opens no row except where a part of the index is lost: then the rows say
// themselves where they belong and which revision they are, and the loss is
// reported, because nothing vouches any more that they are the newest.
type loader struct {
	*engine
	ix     *index
	counts map[string]uint64 // as the root said; nil when the root is lost
	lost   [pageCount + 1]bool
	seen   [pageCount + 1][]bool
}

// load is the index of the store as it was found. A store without any key is
// made.
func (e *engine) load(ctx context.Context) (*index, error) {
	empty, err := e.empty()
	if err != nil {
		return nil, err
	}
	if empty && e.opts.ReadOnly {
		return nil, ErrDamaged
	}
	if empty {
		return newIndex(), e.make()
	}
	if err := e.checkKey(); err != nil {
		return nil, err
	}
	l := &loader{engine: e, ix: newIndex()}
	if err := l.readRoot(); err != nil {
		return nil, err
	}
	if err := l.readPages(); err != nil {
		return nil, err
	}
	for _, scan := range []func(context.Context) error{l.scanLogs, l.scanTables} {
		if err := scan(ctx); err != nil {
			return nil, err
		}
	}
	l.settle()
	return l.ix, nil
}

func (e *engine) empty() (bool, error) {
	it, err := e.pdb.NewIter(nil)
	if err != nil {
		return false, fmt.Errorf("storage: read: %w", err)
	}
	found := it.First() || it.Error() != nil
	_ = it.Close() // its error was just looked at
	return !found, nil
}

// make writes the first state, in one piece.
func (e *engine) make() error {
	tx := &Tx{eng: e, batch: e.pdb.NewIndexedBatch(), idx: newIndex()}
	e.noCanary = true
	if err := errors.Join(tx.sealCanary(), tx.seal(rootKey, 0, tx.idx.encode())); err != nil {
		return errors.Join(err, tx.batch.Close())
	}
	e.noCanary = false
	return e.commit(tx.batch)
}

// sealCanary writes the canary and the key's name where they are missing.
func (tx *Tx) sealCanary() error {
	if !tx.eng.noCanary {
		return nil
	}
	if err := tx.batch.Set([]byte(keyIDKey), []byte(tx.eng.sealer.KeyID()), nil); err != nil {
		return fmt.Errorf("storage: write: %w", err)
	}
	return tx.seal(canaryKey, 0, []byte(canaryText))
}

// checkKey tells another vault's key from damage: ErrWrongKey only when
// neither the canary nor the root opens and the key's name does not match.
func (e *engine) checkKey() error {
	_, _, canaryErr := e.openAny(canaryKey)
	if canaryErr == nil || errors.Is(canaryErr, ErrLocked) {
		return canaryErr
	}
	if id, err := raw(e.pdb, keyIDKey); err != nil || string(id) != e.sealer.KeyID() {
		if _, _, err := e.openAny(rootKey); err != nil {
			return ErrWrongKey
		}
	}
	e.noCanary = true
	e.damage.note(canaryKey, canaryErr)
	return nil
}

// openAny opens the row at key at whatever revision it has. Damage comes as a
// fault of one row.
func (e *engine) openAny(key string) ([]byte, uint64, error) {
	value, err := raw(e.pdb, key)
	switch {
	case errors.Is(err, ErrNoRow):
		return nil, 0, ErrRowMissing
	case pebble.IsCorruptionError(err):
		return nil, 0, crypto.ErrRowCorrupt
	case err != nil:
		return nil, 0, err
	}
	table, rest := place(key)
	return e.sealer.OpenAny(table, rest, value)
}

func (l *loader) readRoot() error {
	plain, _, err := l.openAny(rootKey)
	if err == nil {
		ix, ok := decodeIndex(plain)
		if ok {
			l.ix, l.counts = ix, ix.counts
			return nil
		}
		err = ErrRowFormat
	}
	if errors.Is(err, ErrLocked) {
		return err
	}
	l.lost[inlinePage] = true
	l.damage.note(rootKey, err)
	return nil
}

func (l *loader) readPages() error {
	for n, p := range l.ix.pages[:pageCount] {
		if l.counts != nil && p.rev == 0 {
			continue // never written
		}
		err := l.readPage(n, p)
		switch {
		case err == nil:
		case errors.Is(err, ErrLocked):
			return err
		case l.counts == nil && errors.Is(err, ErrRowMissing):
			l.lost[n] = true // perhaps never written: its rows tell
		default:
			l.lost[n] = true
			l.damage.note(pageKey(n), err)
		}
	}
	return nil
}

// readPage fills p with page n as it was stored. Where there is a root, only
// the revision it names will do.
func (l *loader) readPage(n int, p *page) error {
	plain, rev, err := l.openAny(pageKey(n))
	if err != nil {
		return err
	}
	if l.counts != nil && rev != p.rev {
		p.rev = max(p.rev, rev)
		return crypto.ErrRowMoved
	}
	entries, ok := decodePage(plain)
	if !ok {
		return ErrRowFormat
	}
	p.rev, p.entries = rev, entries
	return nil
}

// settle makes the index ready for use: lost pages are rebuilt from what was
// found and wait for the next save, counts are compared with what the root
// said, and the next revision is above every one that was ever seen.
func (l *loader) settle() {
	for n := range l.seen {
		l.missing(n)
	}
	counts := map[string]uint64{}
	for n, p := range l.ix.pages {
		p.stale = l.lost[n]
		l.ix.seq = max(l.ix.seq, p.rev)
		for _, e := range p.entries {
			table, _ := place(e.key)
			counts[table]++
			l.ix.seq = max(l.ix.seq, e.rev)
		}
	}
	for table, want := range l.counts {
		if counts[table] < want {
			l.damage.note(table+nul, ErrRowMissing)
		}
	}
	l.ix.counts = counts
}

// missing reports the entries of page n that no key was found for.
func (l *loader) missing(n int) {
	for i, e := range l.ix.pages[n].entries {
		if !l.lost[n] && (l.seen[n] == nil || !l.seen[n][i]) {
			l.absent(e)
		}
	}
}

// absent reports one row, or all rows of one stream, that the scan did not
// see; a damaged file may have hidden them.
func (l *loader) absent(e entry) {
	if e.next != 0 {
		l.gap(e, e.first, e.next)
		return
	}
	l.check(e.key)
}

func (l *loader) gap(e entry, from, to uint64) {
	for seq := from; seq < to; seq++ {
		l.check(logRowKey(e.key, seq))
	}
}

func (l *loader) check(key string) {
	_, err := raw(l.pdb, key)
	switch {
	case err == nil:
		return
	case errors.Is(err, ErrNoRow):
		err = ErrRowMissing
	default:
		err = crypto.ErrRowCorrupt
	}
	l.damage.note(key, err)
}
