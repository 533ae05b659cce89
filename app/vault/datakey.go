package vault

import (
	"bytes"
	"context"
	"errors"
	"log/slog"

	"callboard/app/fault"
	"callboard/app/home"
	"callboard/crypto"
	"callboard/storage"
)

// dek.age lives twice: as a file and in the store, where dataKeyMeta is the
// copy of the file and nextMeta, while the file is being replaced, of the file
// that may come. So whichever of the two a crash leaves is known to the store.
const (
	dataKeyMeta = "dek_age"
	nextMeta    = "dek_age_next"
)

// recovery is a row of the store that remembers for whom dek.age was wrapped
// beside the identity: public keys by the SHA-256 of the file that names them.
// The file itself does not say, and only a sealed row can be trusted with it.
type recovery struct {
	Keys map[string]string `json:"keys"`
}

var recoveries = storage.NewTable[recovery]("vault")

const recoveryID = "recovery"

// remember adds the recovery key of next to the row, and drops those of other
// files than kept.
func remember(tx *storage.Tx, kept, next []byte, rec crypto.Recipient) error {
	row, rev, err := recoveries.Get(tx, recoveryID)
	var bad *storage.RowError
	if err != nil && !errors.Is(err, storage.ErrNoRow) && !errors.As(err, &bad) {
		return err
	}
	if bad != nil {
		rev = bad.Rev
	}
	keys := map[string]string{digest(next): rec.String()}
	if old := row.Keys[digest(kept)]; old != "" {
		keys[digest(kept)] = old
	}
	_, err = recoveries.Put(tx, recoveryID, rev, recovery{Keys: keys})
	return err
}

// recoveryOf is the recovery key that wrapped, a dek.age, names; ok is false
// where there is none.
func (s *Service) recoveryOf(ctx context.Context, wrapped []byte) (rec crypto.Recipient, ok bool, err error) {
	if crypto.Recipients(wrapped) < 2 {
		return rec, false, nil
	}
	err = s.cfg.DB.View(ctx, func(tx *storage.Tx) error {
		row, _, err := recoveries.Get(tx, recoveryID)
		if err != nil {
			return err
		}
		rec, err = crypto.ParseRecipient(row.Keys[digest(wrapped)])
		return err
	})
	return rec, err == nil, err
}

// copies are the wrappings the store knows; next is nil when none is on its
// way.
func (s *Service) copies(ctx context.Context) (kept, next []byte, err error) {
	err = s.cfg.DB.View(ctx, func(tx *storage.Tx) error {
		var err error
		if kept, err = tx.GetMeta(dataKeyMeta); err != nil {
			return err
		}
		next, err = tx.GetMeta(nextMeta)
		if errors.Is(err, storage.ErrNoRow) {
			return nil
		}
		return err
	})
	return kept, next, err
}

// compareCopy holds the bytes of dek.age against what the store knows.
func (s *Service) compareCopy(ctx context.Context, wrapped []byte) error {
	kept, next, err := s.copies(ctx)
	if err == nil && !bytes.Equal(kept, wrapped) && !bytes.Equal(next, wrapped) {
		return ErrDataKeyDiffers
	}
	return err
}

// promise has the store know next before the file may become it.
func (s *Service) promise(ctx context.Context, next []byte, rec crypto.Recipient) error {
	err := s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		kept, err := tx.GetMeta(dataKeyMeta)
		if err != nil {
			return err
		}
		return errors.Join(remember(tx, kept, next, rec), tx.PutMeta(nextMeta, next))
	})
	s.step("data key: promised")
	return err
}

// keep makes wrapped, which the file holds, the one copy in the store.
func (s *Service) keep(ctx context.Context, wrapped []byte) error {
	kept, next, err := s.copies(ctx)
	if err != nil || (bytes.Equal(kept, wrapped) && next == nil) {
		return err
	}
	err = s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		return errors.Join(tx.PutMeta(dataKeyMeta, wrapped), tx.DeleteMeta(nextMeta))
	})
	s.step("data key: kept")
	return err
}

// settle is keep where it can wait until the next time: the store knows both.
func (s *Service) settle(ctx context.Context, wrapped []byte) {
	if err := s.keep(ctx, wrapped); err != nil {
		s.cfg.Log.Warn("the copy of the data key file is renewed next time", slog.String("rule", fault.RuleOf(err)))
	}
}

// settledDataKey is dek.age, once the store knows only that.
func (s *Service) settledDataKey(ctx context.Context) ([]byte, error) {
	wrapped, err := readSmall(s.cfg.Home.DataKey(), ErrDataKeyMissing)
	if err != nil {
		return nil, err
	}
	if err := s.compareCopy(ctx, wrapped); err != nil {
		return nil, err
	}
	if err := home.SyncDir(s.cfg.Home.Dir); err != nil { // an earlier rename may not be durable yet
		return nil, err
	}
	return wrapped, s.keep(ctx, wrapped)
}

// replaceDataKey makes next the dek.age of the open vault.
func (s *Service) replaceDataKey(ctx context.Context, next []byte, rec crypto.Recipient) error {
	s.step("data key: begin")
	if err := s.promise(ctx, next, rec); err != nil {
		return err
	}
	if err := replace(s.cfg.Home.DataKey(), next); err != nil {
		return err
	}
	s.step("data key: in place")
	s.settle(context.WithoutCancel(ctx), next)
	return nil
}
