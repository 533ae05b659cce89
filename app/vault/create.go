package vault

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"callboard/app/fault"
	"callboard/app/home"
	"callboard/crypto"
	"callboard/crypto/secret"
	"callboard/storage"
)

// InitRequest says how the new home is protected. Passphrase is read only for
// that protection; the caller keeps ownership and may wipe it afterwards.
type InitRequest struct {
	Protection Protection
	Passphrase secret.Bytes
}

// Init makes a home and leaves it open. It refuses a home that already has a
// key, and one that another process is making. Everything is first made whole
// in a staging folder, the key last, and then moved in: a crash leaves no home,
// or one that Unlock finishes. With scrypt it takes about half a second of one
// core.
func (s *Service) Init(ctx context.Context, req InitRequest) error {
	ctx, end := s.begin(ctx)
	defer end()
	if err := s.mayInit(req); err != nil {
		return err
	}
	existed, err := home.Exists(s.cfg.Home.Dir)
	if err != nil {
		return err
	}
	if err := s.cfg.Home.Create(); err != nil {
		return opening(err)
	}
	k, wrapped, err := s.makeAlone(ctx, req, existed)
	if err != nil {
		return opening(err)
	}
	if err := s.open(ctx, found{at: s.cfg.Home}, k, wrapped); err != nil {
		k.sealer.Close()
		return err
	}
	return nil
}

// makeAlone stages the home and moves it in while it holds the store's lock,
// so that two programs never make one together. What it began and could not
// finish it takes away; existed says whether the folder was there before.
func (s *Service) makeAlone(ctx context.Context, req InitRequest, existed bool) (_ keys, _ []byte, err error) {
	held, err := storage.Hold(s.cfg.Home.StoreLock())
	if err != nil {
		if fault.RuleOf(err) != storage.ErrHeld.Rule() {
			s.undoInit(existed)
		}
		return keys{}, nil, err
	}
	defer func() {
		if err != nil {
			s.undoInit(existed)
		}
		err = errors.Join(err, held.Close())
	}()
	if err := s.mayInit(req); err != nil { // the other program may have been first
		return keys{}, nil, err
	}
	k, wrapped, err := s.stage(ctx, req)
	if err != nil {
		return keys{}, nil, err
	}
	if err := s.moveHomeIn(s.cfg.Home.Staging()); err != nil {
		k.sealer.Close()
		return keys{}, nil, err
	}
	return k, wrapped, nil
}

func (s *Service) mayInit(req InitRequest) error {
	switch _, err := s.locate(); {
	case err == nil:
		return ErrExists
	case !errors.Is(err, ErrNone):
		return err
	}
	return choice(req.Protection, req.Passphrase)
}

// stage writes a whole home into the staging folder, the key last. It returns
// the new keys and the bytes of dek.age.
func (s *Service) stage(ctx context.Context, req InitRequest) (keys, []byte, error) {
	at := s.cfg.Home.Staging()
	if err := s.forget(ctx, at.KeyRing()+staged); err != nil {
		return keys{}, nil, err
	}
	if err := os.RemoveAll(at.Dir); err != nil { // a cut-off Init's; RemoveAll follows no link
		return keys{}, nil, home.Refusal(err)
	}
	if err := at.Create(); err != nil {
		return keys{}, nil, err
	}
	id, err := crypto.NewIdentity(s.cfg.Now())
	if err != nil {
		return keys{}, nil, err
	}
	sealer, wrapped, err := newDataKey(id)
	if err != nil {
		return keys{}, nil, err
	}
	err = s.stageFiles(ctx, at, sealer, wrapped)
	if err == nil {
		err = s.stageKey(ctx, at, id, req)
	}
	if err != nil {
		sealer.Close()
		return keys{}, nil, err
	}
	return keys{id: id, sealer: sealer, by: req.Protection}, wrapped, nil
}

func newDataKey(id crypto.Identity) (*crypto.Sealer, []byte, error) {
	key, err := crypto.NewDataKey()
	if err != nil {
		return nil, nil, err
	}
	defer key.Wipe()
	wrapped, err := crypto.WrapDataKey(key, id.Recipient())
	if err != nil {
		return nil, nil, err
	}
	sealer, err := crypto.NewSealer(key)
	return sealer, wrapped, err
}

func (s *Service) stageFiles(ctx context.Context, at home.Home, sealer *crypto.Sealer, wrapped []byte) error {
	opts := s.cfg.Store
	opts.Dir, opts.LockFile, opts.MustExist = at.Store(), "", false // the home's lock is held
	db := storage.New(opts)
	if err := db.Open(ctx, sealer); err != nil {
		return err
	}
	err := db.Update(ctx, func(tx *storage.Tx) error { return tx.PutMeta(dataKeyMeta, wrapped) })
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	return home.WriteFile(at.DataKey(), wrapped)
}

// stageKey gives the staged home its key. A keyring must prove that it has it;
// what it was given is taken back otherwise.
func (s *Service) stageKey(ctx context.Context, at home.Home, id crypto.Identity, req InitRequest) error {
	err := s.stageForm(ctx, at, req.Protection, id, req.Passphrase)
	path := keyFile(at, req.Protection)
	if err == nil && req.Protection == Keyring {
		_, err = s.readForm(ctx, path+staged, Keyring, req.Passphrase)
	}
	if err != nil {
		if left := s.forget(ctx, at.KeyRing()+staged); left != nil {
			s.cfg.Log.Warn("a failed init left a keyring entry behind")
		}
		return err
	}
	if err := os.Rename(path+staged, path); err != nil {
		return home.Refusal(err)
	}
	return home.SyncDir(at.Dir)
}

// moveHomeIn moves a finished staging folder into the home if the key was found
// there, the key last, so that it can be cut off anywhere and run again. A
// staging folder beside a home that has its key is left over and is removed.
func (s *Service) moveHomeIn(at home.Home) error {
	from, to := s.cfg.Home.Staging(), s.cfg.Home
	if there, err := home.Exists(from.Dir); err != nil || !there {
		return err
	}
	if at != from {
		return home.Refusal(os.RemoveAll(from.Dir))
	}
	moves := [][2]string{
		{from.Store(), to.Store()},
		{from.DataKey(), to.DataKey()},
		{from.KeyAge(), to.KeyAge()},
		{from.KeyText(), to.KeyText()},
		{from.KeyRing(), to.KeyRing()},
	}
	for _, m := range moves {
		if err := os.Rename(m[0], m[1]); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("move %s in: %w", filepath.Base(m[0]), home.Refusal(err))
		}
	}
	if err := os.RemoveAll(from.Dir); err != nil {
		return home.Refusal(err)
	}
	return home.SyncDir(to.Dir)
}

// undoInit takes away what a failed Init made before its key was in place.
func (s *Service) undoInit(existed bool) {
	if _, found, err := keyIn(s.cfg.Home); err != nil || found {
		return
	}
	err := os.RemoveAll(s.cfg.Home.Staging().Dir)
	if !existed && err == nil {
		_ = os.Remove(s.cfg.Home.StoreLock())
		_ = os.Remove(filepath.Dir(s.cfg.Home.StoreLock()))
		err = os.Remove(s.cfg.Home.Dir) // only if it is empty now
	}
	if err != nil {
		s.cfg.Log.Warn("a failed init left files behind")
	}
}
