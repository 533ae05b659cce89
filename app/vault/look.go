package vault

import (
	"context"
	"errors"
	"path/filepath"

	"callboard/app/home"
	"callboard/crypto/secret"
	"callboard/storage"
)

// sight is what a copy of a home turned out to hold.
type sight struct {
	rows   map[string]int
	damage []storage.Damage
}

// look opens a copy of a home without changing it and reads every row.
func (s *Service) look(ctx context.Context, at home.Home, pass secret.Bytes) (sight, error) {
	id, err := s.readForm(ctx, at.KeyAge(), Passphrase, pass)
	if err != nil {
		return sight{}, err
	}
	sealer, wrapped, err := s.readDataKey(found{at: at, dataKey: at.DataKey()}, id)
	if err != nil {
		return sight{}, err
	}
	defer sealer.Close()
	db := storage.New(storage.Options{Dir: at.Store(), MustExist: true, ReadOnly: true, Log: s.cfg.Log})
	if err := db.Open(ctx, sealer); err != nil {
		return sight{}, err
	}
	seen, err := judge(ctx, db, wrapped)
	err = errors.Join(err, db.Close(), remove(filepath.Join(at.Store(), "LOCK")))
	return seen, err
}

func judge(ctx context.Context, db *storage.DB, wrapped []byte) (seen sight, err error) {
	if seen.damage, err = db.Verify(ctx); err != nil {
		return seen, err
	}
	err = db.View(ctx, func(tx *storage.Tx) error {
		kept, err := tx.GetMeta(dataKeyMeta)
		if err != nil {
			return err
		}
		if string(kept) != string(wrapped) {
			return ErrDataKeyDiffers
		}
		seen.rows, err = tx.Counts()
		return err
	})
	if len(seen.damage) == 0 {
		seen.damage = nil
	}
	return seen, err
}
