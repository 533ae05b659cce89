package vault

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"callboard/app/fault"
	"callboard/app/home"
	"callboard/crypto"
	"callboard/crypto/secret"
	"callboard/storage"
)

// RestoreRequest names a backup and the passphrase it was made with. Progress
// is as in BackupRequest. The caller keeps ownership of the passphrase.
type RestoreRequest struct {
	From       string
	Passphrase secret.Bytes
	Progress   func(Progress)
}

// RestoreResult says what was restored: when the backup was made, the damage
// it holds, and in Aside the folder with what was in the home before, "" when
// there was nothing. That folder is a home of its own and still opens with its
// old key.
type RestoreResult struct {
	Made   time.Time
	Aside  string
	Damage []Damage
}

// Restore replaces a locked home, or makes a new one, from a backup, and
// leaves it locked under the backup's passphrase. The backup is copied into the
// home first and read to the last row there; a wrong passphrase
// (crypto.ErrWrongPassphrase), a damaged, unfinished or newer backup, and a
// home that is open anywhere are refused and change nothing. What was in the
// home goes into a folder of it. Once that has begun a crash does not stop it:
// the next Unlock finishes it. run/ is dropped; backups/ stays.
func (s *Service) Restore(ctx context.Context, req RestoreRequest) (RestoreResult, error) {
	ctx, end := s.begin(ctx)
	defer end()
	if _, open := s.opened(); open {
		return RestoreResult{}, ErrNotLocked
	}
	m, err := s.readBackup(ctx, req)
	if err != nil {
		return RestoreResult{}, err
	}
	existed, err := home.Exists(s.cfg.Home.Dir)
	if err != nil {
		return RestoreResult{}, err
	}
	if err := s.cfg.Home.Create(); err != nil {
		return RestoreResult{}, err
	}
	aside, err := s.restoreAlone(ctx, req, m, existed)
	if err != nil {
		return RestoreResult{}, opening(err)
	}
	return RestoreResult{Made: m.Made, Aside: aside, Damage: m.Damage}, nil
}

// readBackup judges the manifest and has the passphrase open the key, before
// anything is copied.
func (s *Service) readBackup(ctx context.Context, req RestoreRequest) (m manifest, err error) {
	root, err := os.OpenRoot(req.From)
	if err != nil {
		return m, fmt.Errorf("%w%w", ErrBackupNone, silent{err})
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	if m, err = readManifest(root); err != nil {
		return m, err
	}
	sum, err := sumIn(root, "key.age")
	if err != nil || sum != m.Files["key.age"] {
		return m, fmt.Errorf("%w: key.age", ErrBackupDamaged)
	}
	_, err = s.readForm(ctx, home.Home{Dir: req.From}.KeyAge(), Passphrase, req.Passphrase)
	if errors.Is(err, crypto.ErrKeyCorrupt) || errors.Is(err, ErrKeyMissing) {
		err = fmt.Errorf("%w: key.age", ErrBackupDamaged)
	}
	return m, err
}

// restoreAlone does the work while it holds the store's lock. What it began
// and could not decide it takes away.
func (s *Service) restoreAlone(ctx context.Context, req RestoreRequest, m manifest, existed bool) (aside string, err error) {
	held, err := storage.Hold(s.cfg.Home.StoreLock())
	if err != nil {
		if fault.RuleOf(err) != storage.ErrHeld.Rule() {
			s.undoRestore(existed)
		}
		return "", err
	}
	defer func() { err = errors.Join(err, held.Close()) }()
	if err := s.finishRestore(); err != nil {
		return "", err
	}
	c, err := s.stageRestore(ctx, req, m)
	if err != nil {
		s.undoRestore(existed)
		return "", err
	}
	s.step("restore: checked")
	data, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	if err := replace(s.cfg.Home.RestoreChange(), data); err != nil {
		return "", err
	}
	s.step("restore: decided")
	if err := s.finishRestore(); err != nil {
		return "", err
	}
	if there, err := home.Exists(filepath.Join(s.cfg.Home.Dir, c.Aside)); err != nil || !there {
		return "", err
	}
	return filepath.Join(s.cfg.Home.Dir, c.Aside), nil
}

// stageRestore copies the backup into the home's staging folder and judges the
// copy.
func (s *Service) stageRestore(ctx context.Context, req RestoreRequest, m manifest) (restoring, error) {
	at := s.cfg.Home.Restoring()
	if err := os.RemoveAll(at.Dir); err != nil { // a cut-off restore's; RemoveAll follows no link
		return restoring{}, home.Refusal(err)
	}
	if err := at.Create(); err != nil {
		return restoring{}, err
	}
	if err := copyBackup(ctx, req, m, at.Dir); err != nil {
		return restoring{}, err
	}
	s.step("restore: copied")
	seen, err := s.look(ctx, at, req.Passphrase)
	switch {
	case err != nil && ctx.Err() != nil:
		return restoring{}, context.Cause(ctx)
	case err != nil:
		return restoring{}, fmt.Errorf("%w%w", ErrBackupDamaged, silent{err})
	case !maps.Equal(seen.rows, m.Rows) || !slices.Equal(seen.damage, m.Damage):
		return restoring{}, fmt.Errorf("%w: its rows are not those it was made with", ErrBackupDamaged)
	}
	if err := syncTree(at.Dir); err != nil {
		return restoring{}, home.Refusal(err)
	}
	stamp := s.cfg.Now().Format("20060102-150405")
	return restoring{Names: m.tops(), Aside: asideName(s.cfg.Home.Dir, stamp)}, context.Cause(ctx)
}

func copyBackup(ctx context.Context, req RestoreRequest, m manifest, to string) (err error) {
	c, err := newCopier(req.From, to, req.Progress)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	names := slices.Sorted(maps.Keys(m.Files))
	for _, name := range names {
		c.expect(name)
	}
	for _, name := range names {
		switch sum, err := c.file(ctx, name); {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid), err == nil && sum != m.Files[name]:
			return fmt.Errorf("%w: %s", ErrBackupDamaged, name)
		case err != nil:
			return err
		}
	}
	return nil
}

// undoRestore takes away what was staged, and the home if it was not there.
func (s *Service) undoRestore(existed bool) {
	h := s.cfg.Home
	err := os.RemoveAll(h.Restoring().Dir)
	if !existed && err == nil {
		_ = os.Remove(h.StoreLock())
		_ = os.Remove(filepath.Dir(h.StoreLock()))
		err = os.Remove(h.Dir) // only if it is empty now
	}
	if err != nil {
		s.cfg.Log.Warn("a refused restore left files behind")
	}
}
