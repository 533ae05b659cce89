package vault

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"callboard/app/home"
	"callboard/crypto"
	"callboard/crypto/secret"
)

// BackupRequest says where a backup goes and which passphrase opens it, at
// least MinPassphrase long; it need not be the home's. Dir is not there yet or
// empty. Progress, if there is one, is called from within Backup and must not
// call the vault. The caller keeps ownership of the passphrase.
type BackupRequest struct {
	Dir        string
	Passphrase secret.Bytes
	Progress   func(Progress)
}

// BackupResult is a finished backup: where it is, how many rows it has by
// table and log, and the damage it holds because the home has it.
type BackupResult struct {
	Dir    string
	Rows   map[string]int
	Damage []Damage
}

// partialMark is the file by which an unfinished backup is known as ours.
const partialMark = "callboard-partial"

// Backup copies the open home into a folder of its own: the store, dek.age, the
// identity under the backup's passphrase, settings.json and ephemeral/. The
// recovery key opens it too. It is made beside Dir as DIR.partial, opened and
// read to the last row, and only then given its name; an error or an ended ctx
// leaves nothing, a crash at most DIR.partial, which the next backup there
// replaces. While the store is copied, saves wait.
func (s *Service) Backup(ctx context.Context, req BackupRequest) (BackupResult, error) {
	ctx, end := s.begin(ctx)
	defer end()
	k, open := s.opened()
	if !open {
		return BackupResult{}, crypto.ErrLocked
	}
	if err := longEnough(req.Passphrase); err != nil {
		return BackupResult{}, err
	}
	dir, err := s.backupPlace(req.Dir)
	if err != nil {
		return BackupResult{}, err
	}
	partial := home.Home{Dir: dir + ".partial"}
	if err := startPartial(partial.Dir); err != nil {
		return BackupResult{}, opening(err)
	}
	m, err := s.fill(ctx, partial, k, req)
	if err == nil {
		s.step("backup: checked")
		err = finishPartial(partial.Dir, dir, m)
	}
	if err != nil {
		return BackupResult{}, opening(errors.Join(err, os.RemoveAll(partial.Dir)))
	}
	s.step("backup: done")
	return BackupResult{Dir: dir, Rows: m.Rows, Damage: m.Damage}, nil
}

// backupPlace is where dir really is, if a backup may go there.
func (s *Service) backupPlace(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil || dir == "" {
		return "", ErrBackupPlace
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err != nil {
		return "", fmt.Errorf("%w: the folder above it is not there", ErrBackupPlace)
	}
	abs = filepath.Join(parent, filepath.Base(abs))
	fi, err := os.Lstat(abs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", home.Refusal(err)
	case !fi.IsDir():
		return "", fmt.Errorf("%w: it is a file or a link", ErrBackupPlace)
	default:
		entries, err := os.ReadDir(abs)
		if err != nil {
			return "", home.Refusal(err)
		}
		if len(entries) > 0 {
			return "", fmt.Errorf("%w: the folder is not empty", ErrBackupPlace)
		}
	}
	own, err := filepath.EvalSymlinks(s.cfg.Home.Dir)
	if err != nil {
		return "", home.Refusal(err)
	}
	if rel, err := filepath.Rel(own, abs); err != nil || filepath.IsLocal(rel) {
		return "", fmt.Errorf("%w: it is inside the home", ErrBackupPlace)
	}
	return abs, nil
}

// startPartial makes the staging folder, over one that a crash left there.
func startPartial(dir string) error {
	mark := filepath.Join(dir, partialMark)
	switch fi, err := os.Lstat(mark); {
	case err == nil && fi.Mode().IsRegular():
		if err := os.RemoveAll(dir); err != nil {
			return home.Refusal(err)
		}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return home.Refusal(err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%w: %s is in the way", ErrBackupPlace, filepath.Base(dir))
		}
		return home.Refusal(err)
	}
	return home.StageFile(mark, nil)
}

// fill copies the home and checks the copy.
func (s *Service) fill(ctx context.Context, to home.Home, k keys, req BackupRequest) (manifest, error) {
	m := manifest{Format: backupFormat, Made: s.cfg.Now().UTC(), Files: map[string]string{}}
	known, err := s.cfg.DB.Verify(ctx)
	if err != nil {
		return m, err
	}
	s.step("backup: begun")
	if err := s.fillKeys(ctx, to, k, req.Passphrase); err != nil {
		return m, err
	}
	if err := s.fillData(ctx, to, req.Progress); err != nil {
		return m, err
	}
	s.step("backup: files copied")
	if err := m.measure(to.Dir); err != nil {
		return m, err
	}
	seen, err := s.look(ctx, to, req.Passphrase)
	if err != nil {
		if ctx.Err() != nil {
			return m, context.Cause(ctx)
		}
		return m, fmt.Errorf("%w%w", ErrBackupUnsound, silent{err})
	}
	m.Rows, m.Damage = seen.rows, seen.damage
	for _, d := range m.Damage {
		if !slices.Contains(known, d) {
			return m, ErrBackupUnsound
		}
	}
	return m, nil
}

// fillKeys writes dek.age as it is and the identity under the backup's
// passphrase.
func (s *Service) fillKeys(ctx context.Context, to home.Home, k keys, pass secret.Bytes) error {
	wrapped, err := s.settledDataKey(ctx)
	if err != nil {
		return err
	}
	if err := home.StageFile(to.DataKey(), wrapped); err != nil {
		return err
	}
	sealed, err := crypto.SealIdentity(k.id, pass, s.cfg.WorkFactor)
	if err != nil {
		return err
	}
	return home.StageFile(to.KeyAge(), sealed)
}

// fillData copies the store, then settings and ephemeral files.
func (s *Service) fillData(ctx context.Context, to home.Home, tell func(Progress)) (err error) {
	c, err := newCopier(s.cfg.Home.Dir, to.Dir, tell)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	names, err := c.extras()
	if err != nil {
		return err
	}
	store, err := c.size("store")
	if err != nil {
		return err
	}
	c.state.Total += store
	c.tell(c.state)
	if err := s.cfg.DB.Checkpoint(ctx, to.Store()); err != nil {
		return err
	}
	s.step("backup: store copied")
	c.state.Done += store
	c.tell(c.state)
	for _, name := range names {
		if _, err := c.file(ctx, name); err != nil && !errors.Is(err, fs.ErrNotExist) { // throw-away agents come and go
			return err
		}
	}
	return nil
}

// extras are the files beside keys and store that belong to a backup.
func (c *copier) extras() ([]string, error) {
	var out []string
	for _, top := range []string{"settings.json", "ephemeral"} {
		if fi, err := c.from.Lstat(top); err != nil || fi.Mode()&fs.ModeSymlink != 0 {
			continue // not there, or a link
		}
		names, err := regular(c.from, top)
		if err != nil {
			return nil, home.Refusal(err)
		}
		out = append(out, names...)
	}
	for _, name := range out {
		c.expect(name)
	}
	return out, nil
}

// measure fills in the sums of all files below dir, as the disk has them.
func (m *manifest) measure(dir string) (err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return home.Refusal(err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	names, err := regular(root, ".")
	if err != nil {
		return home.Refusal(err)
	}
	for _, name := range names {
		if name == partialMark {
			continue
		}
		if m.Files[name], err = sumIn(root, name); err != nil {
			return home.Refusal(err)
		}
	}
	return nil
}

// finishPartial writes the manifest and gives the folder its name.
func finishPartial(partial, dir string, m manifest) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := home.StageFile(filepath.Join(partial, manifestName), append(data, '\n')); err != nil {
		return err
	}
	if err := errors.Join(remove(filepath.Join(partial, partialMark)), syncTree(partial)); err != nil {
		return home.Refusal(err)
	}
	if err := remove(dir); err != nil { // empty, if it is there
		return err
	}
	if err := os.Rename(partial, dir); err != nil {
		return home.Refusal(err)
	}
	return home.SyncDir(filepath.Dir(dir))
}
