package vault

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"callboard/app/fault"
	"callboard/app/home"
	"callboard/crypto"
	"callboard/crypto/secret"
)

// change is key.change: a decision about the key of a home. Everything it
// names is staged and was read back before it is written, so from then on the
// change is only ever finished, and before it the staged files count for
// nothing. That is how a crash is told from a key that somebody put beside
// ours: the sums say which files the change is about.
type change struct {
	To      Protection `json:"to"`
	Sum     string     `json:"sum"` // of the new key file
	From    Protection `json:"from,omitempty"`
	FromSum string     `json:"from_sum,omitempty"`
	DataKey string     `json:"data_key,omitempty"` // the sum of a new dek.age
	Drop    string     `json:"drop,omitempty"`     // the keyring entry that From leaves behind
}

func readChange(h home.Home) (*change, error) {
	data, err := readSmall(h.KeyChange(), ErrNone)
	if errors.Is(err, ErrNone) {
		return nil, nil //nolint:nilnil // no change is under way
	}
	if err != nil {
		return nil, err
	}
	var c change
	if json.Unmarshal(data, &c) != nil || c.Sum == "" {
		return nil, fmt.Errorf("%w: key.change", crypto.ErrKeyCorrupt)
	}
	return &c, nil
}

// locate finds the files of the change by their sums; ok is false when the new
// key is not there under either of its names.
func (c *change) locate(h home.Home) (_ found, ok bool, _ error) {
	f := found{at: h, by: c.To, dataKey: h.DataKey(), change: c}
	final := keyFile(h, c.To)
	switch {
	case sumOf(final) == c.Sum:
		f.key = final
	case sumOf(final+staged) == c.Sum:
		f.key = final + staged
	default:
		return found{}, false, nil
	}
	if c.DataKey != "" && sumOf(h.DataKey()+staged) == c.DataKey {
		f.dataKey += staged
	}
	for _, p := range forms {
		path := keyFile(h, p)
		there, err := home.Exists(path)
		if err != nil {
			return found{}, false, err
		}
		ours := path == f.key || (p == c.From && sumOf(path) == c.FromSum)
		if there && !ours {
			return found{}, false, fmt.Errorf("%w: %s and %s", ErrTwoKeys, filepath.Base(path), filepath.Base(final))
		}
	}
	return f, true, nil
}

// newKey is what changeKey is to do: keep id in another form, and maybe put
// another dek.age in place with it.
type newKey struct {
	id      crypto.Identity
	to      Protection
	pass    secret.Bytes
	from    found
	wrapped []byte // the new dek.age, nil to keep it
}

// changeKey stages the new form, reads it back, decides, and puts everything
// in place. Before the decision an error leaves all as it was. entryLeft says
// that the keyring would not give up the old entry.
func (s *Service) changeKey(ctx context.Context, r newKey) (entryLeft bool, err error) {
	s.sweep(ctx)
	c, err := s.stageChange(ctx, r)
	if err != nil {
		s.sweep(ctx)
		return false, err
	}
	s.step("change: staged")
	if err := s.decide(c); err != nil {
		s.sweep(ctx)
		return false, err
	}
	s.step("change: decided")
	return s.finishChange(ctx, c)
}

func (s *Service) stageChange(ctx context.Context, r newKey) (*change, error) {
	h := s.cfg.Home
	c := &change{To: r.to, From: r.from.by}
	if c.From != "" {
		c.FromSum = sumOf(r.from.key)
	}
	if c.From == Keyring {
		old, err := readRingFile(r.from.key)
		if err == nil {
			c.Drop = old.Entry
		}
	}
	if r.wrapped != nil {
		if err := home.StageFile(h.DataKey()+staged, r.wrapped); err != nil {
			return nil, err
		}
		c.DataKey = sumOf(h.DataKey() + staged)
	}
	if err := s.stageForm(ctx, h, r.to, r.id, r.pass); err != nil {
		return nil, err
	}
	s.step("change: key staged")
	path := keyFile(h, r.to) + staged
	switch id, err := s.readForm(ctx, path, r.to, r.pass); {
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil && r.to == Keyring:
		return nil, err
	case err != nil || !id.Same(r.id):
		return nil, ErrUnverified
	}
	c.Sum = sumOf(path)
	return c, context.Cause(ctx)
}

// decide writes key.change.
func (s *Service) decide(c *change) error {
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return replace(s.cfg.Home.KeyChange(), data)
}

// finishChange puts a decided change in place. It can be cut off anywhere and
// run again; the caller holds the store's lock.
func (s *Service) finishChange(ctx context.Context, c *change) (entryLeft bool, err error) {
	h := s.cfg.Home
	if err := moveIn(keyFile(h, c.To), c.Sum); err != nil {
		return false, err
	}
	s.step("change: key in place")
	if old := keyFile(h, c.From); c.From != "" && c.From != c.To && sumOf(old) == c.FromSum {
		if err := remove(old); err != nil {
			return false, err
		}
	}
	s.step("change: old key gone")
	if c.DataKey != "" {
		if err := moveIn(h.DataKey(), c.DataKey); err != nil {
			return false, err
		}
	}
	s.step("change: data key in place")
	if c.Drop != "" {
		if err := s.ring.remove(ctx, c.Drop); err != nil {
			entryLeft = true
			s.cfg.Log.Warn("the old keyring entry is still there", slog.String("rule", fault.RuleOf(err)))
		}
	}
	if err := errors.Join(remove(h.KeyChange()), home.SyncDir(h.Dir)); err != nil {
		return entryLeft, err
	}
	s.step("change: done")
	return entryLeft, nil
}

// sweep takes away what a change left that was never decided. The caller holds
// the store's lock. What cannot be taken away now is taken next time.
func (s *Service) sweep(ctx context.Context) {
	h := s.cfg.Home
	if there, err := home.Exists(h.KeyChange()); err != nil || there {
		return
	}
	err := errors.Join(
		s.forget(ctx, h.KeyRing()+staged),
		remove(h.KeyAge()+staged), remove(h.KeyText()+staged),
		remove(h.DataKey()+staged), remove(h.KeyChange()+staged), remove(h.RestoreChange()+staged),
	)
	if err != nil {
		s.cfg.Log.Warn("leftovers of a cut-off change stay", slog.String("rule", fault.RuleOf(err)))
	}
}

// moveIn gives the staged file with this sum its name and makes that durable.
// A file that is in place already is none of its business.
func moveIn(path, sum string) error {
	if sumOf(path+staged) != sum {
		return home.SyncDir(filepath.Dir(path))
	}
	if err := os.Rename(path+staged, path); err != nil {
		return home.Refusal(err)
	}
	return home.SyncDir(filepath.Dir(path))
}

// replace writes data at path so that a crash leaves the old bytes or the new
// ones, and at most a staged file beside them.
func replace(path string, data []byte) error {
	if err := home.StageFile(path+staged, data); err != nil {
		return err
	}
	if err := os.Rename(path+staged, path); err != nil {
		return home.Refusal(err)
	}
	return home.SyncDir(filepath.Dir(path))
}

// sumOf is the SHA-256 of the small file at path, "" when it cannot be read.
func sumOf(path string) string {
	data, err := readSmall(path, ErrNone)
	if err != nil {
		return ""
	}
	defer clear(data)
	return digest(data)
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
