package vault

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"

	"callboard/app/event"
	"callboard/app/fault"
	"callboard/app/home"
	"callboard/crypto"
	"callboard/storage"
)

// Rekey gives the open vault a new data key and seals every row anew, so that
// what a copy or backup made earlier gives away does not open what is saved
// from now on. The identity, the passphrase and the recovery key stay, and
// earlier backups open as before. While it works, about 50 µs a row, every
// other service answers locked; then the vault is open again. Refused where
// rows are damaged (ErrRekeyDamage) and on a disk without room for a second
// store; an error before the new store is in place changes nothing. When the
// store cannot be opened again afterwards the vault is locked. A crash leaves
// the old store or the new one, which the next Unlock puts in place.
func (s *Service) Rekey(ctx context.Context) error {
	ctx, end := s.begin(ctx)
	defer end()
	k, open := s.opened()
	if !open {
		return crypto.ErrLocked
	}
	if bad, err := s.cfg.DB.Verify(ctx); err != nil || len(bad) > 0 {
		return errors.Join(err, damaged(bad))
	}
	next, err := s.newStoreKey(ctx, k)
	if err != nil {
		return err
	}
	if err := s.cfg.DB.Close(); err != nil {
		next.sealer.Close()
		return errors.Join(err, s.drop())
	}
	decided, err := s.rekeyAlone(ctx, k.sealer, next)
	sealer, other := k.sealer, next.sealer
	if decided {
		sealer, other = other, sealer
	}
	other.Close()
	s.mu.Lock()
	s.keys.sealer = sealer
	s.mu.Unlock()
	if again := s.cfg.DB.Open(context.WithoutCancel(ctx), sealer); again != nil {
		return errors.Join(opening(errors.Join(err, again)), s.drop())
	}
	s.cfg.Feed.Publish(event.Change{Kind: event.Vault})
	if err != nil {
		return opening(err)
	}
	return nil
}

func damaged(bad []Damage) error {
	if len(bad) > 0 {
		return ErrRekeyDamage
	}
	return nil
}

// storeKey is a new data key: what seals with it, and its dek.age.
type storeKey struct {
	sealer  *crypto.Sealer
	wrapped []byte
	rec     crypto.Recipient
	hasRec  bool
}

// newStoreKey makes a data key for the identity and the recovery key of now.
func (s *Service) newStoreKey(ctx context.Context, k keys) (next storeKey, err error) {
	wrapped, err := s.settledDataKey(ctx)
	if err != nil {
		return next, err
	}
	if next.rec, next.hasRec, err = s.recoveryOf(ctx, wrapped); err != nil {
		return next, err
	}
	key, err := crypto.NewDataKey()
	if err != nil {
		return next, err
	}
	defer key.Wipe()
	to := []crypto.Recipient{k.id.Recipient()}
	if next.hasRec {
		to = append(to, next.rec)
	}
	if next.wrapped, err = crypto.WrapDataKey(key, to...); err != nil {
		return next, err
	}
	back, err := crypto.UnwrapDataKey(next.wrapped, k.id)
	if err != nil {
		return next, ErrUnverified
	}
	back.Wipe()
	next.sealer, err = crypto.NewSealer(key)
	return next, err
}

// rekeyAlone makes the new store and puts it in place while it holds the
// store's lock. decided says that the new one is in force, or will be.
func (s *Service) rekeyAlone(ctx context.Context, old *crypto.Sealer, next storeKey) (decided bool, err error) {
	held, err := storage.Hold(s.cfg.Home.StoreLock())
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, held.Close()) }()
	if err := s.stageRekey(ctx, old, next); err != nil {
		s.sweepRestore()
		return false, err
	}
	s.step("rekey: checked")
	c := restoring{Names: []string{"store", "dek.age"}, Aside: filepath.Join(filepath.Base(s.cfg.Home.Restoring().Dir), "old"), Only: true}
	data, err := json.Marshal(c)
	if err != nil {
		return false, err
	}
	if err := replace(s.cfg.Home.RestoreChange(), data); err != nil {
		there, _ := home.Exists(s.cfg.Home.RestoreChange())
		return there, err
	}
	s.step("rekey: decided")
	return true, s.finishRestore()
}

// stageRekey makes the new store in restore/ and reads every row of it.
func (s *Service) stageRekey(ctx context.Context, old *crypto.Sealer, next storeKey) error {
	at := s.cfg.Home.Restoring()
	if err := os.RemoveAll(at.Dir); err != nil { // a cut-off restore's; RemoveAll follows no link
		return home.Refusal(err)
	}
	if err := at.Create(); err != nil {
		return err
	}
	rows, err := s.resealInto(ctx, at, old, next.sealer)
	if err != nil {
		return err
	}
	s.step("rekey: sealed")
	opts := storage.Options{Dir: at.Store(), MustExist: true, Log: s.cfg.Log, FreeSpace: s.cfg.Store.FreeSpace}
	db := storage.New(opts)
	if err := db.Open(ctx, next.sealer); err != nil {
		return err
	}
	err = db.Update(ctx, func(tx *storage.Tx) error {
		if next.hasRec {
			if err := remember(tx, nil, next.wrapped, next.rec); err != nil {
				return err
			}
		}
		return errors.Join(tx.PutMeta(dataKeyMeta, next.wrapped), tx.DeleteMeta(nextMeta))
	})
	if err != nil {
		return errors.Join(err, db.Close())
	}
	seen, err := judge(ctx, db, next.wrapped)
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	if len(seen.damage) > 0 || !maps.Equal(seen.rows, rows) {
		return ErrUnverified
	}
	return errors.Join(home.StageFile(at.DataKey(), next.wrapped), home.Refusal(syncTree(at.Dir)))
}

// resealInto seals the home's store anew into at and says how many rows it has.
func (s *Service) resealInto(ctx context.Context, at home.Home, old, sealer *crypto.Sealer) (rows map[string]int, err error) {
	db := storage.New(storage.Options{Dir: s.cfg.Home.Store(), ReadOnly: true, MustExist: true, Log: s.cfg.Log})
	if err := db.Open(ctx, old); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = db.View(ctx, func(tx *storage.Tx) error {
		rows, err = tx.Counts()
		return err
	})
	if err != nil {
		return nil, err
	}
	err = db.Reseal(ctx, storage.Options{Dir: at.Store(), Log: s.cfg.Log, FreeSpace: s.cfg.Store.FreeSpace}, sealer)
	if fault.RuleOf(err) == crypto.ErrRowCorrupt.Rule() || fault.RuleOf(err) == crypto.ErrRowMoved.Rule() {
		err = ErrRekeyDamage
	}
	return rows, err
}
