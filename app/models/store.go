package models

import (
	"errors"
	"time"

	"callboard/app/event"
	"callboard/app/model"
	"callboard/crypto/secret"
	"callboard/storage"
)

// row is one stored model. Its price is the person's word or unknown; what the
// catalogue says is looked up when it is read. KeySite is where its key
// belongs, empty without one.
type row struct {
	Model   model.Model `json:"model"`
	KeySite string      `json:"key_site,omitempty"`
	Created time.Time   `json:"created"`
	Updated time.Time   `json:"updated"`
}

// keyRow is one stored key and the site it was entered for. It has a table of
// its own, so that reading models never opens a key.
type keyRow struct {
	Site string `json:"site"`
	Key  []byte `json:"key"`
}

// tables are the rows of models and the intentions on them.
type tables struct {
	models storage.Table[row]
	keys   storage.Table[keyRow]
}

func newTables() tables {
	return tables{models: storage.NewTable[row]("models"), keys: storage.NewTable[keyRow]("model_keys")}
}

// get is one model, ErrNotFound when there is none.
func (t tables) get(tx *storage.Tx, id string) (row, uint64, error) {
	r, rev, err := t.models.Get(tx, id)
	if errors.Is(err, storage.ErrNoRow) {
		return row{}, 0, ErrNotFound
	}
	return r, rev, err
}

// put saves r over revision rev, 0 for a new one, and says so on the feed.
func (t tables) put(tx *storage.Tx, rev uint64, r row) (uint64, error) {
	next, err := t.models.Put(tx, r.Model.ID, rev, r)
	if err != nil {
		return 0, err
	}
	return next, tx.Emit(event.Change{Kind: event.Model, ID: r.Model.ID})
}

// remove takes a model out, and its key for good.
func (t tables) remove(tx *storage.Tx, id string, rev uint64) error {
	if err := t.dropKey(tx, id); err != nil {
		return err
	}
	if err := t.models.Delete(tx, id, rev); err != nil {
		return err
	}
	return tx.Emit(event.Change{Kind: event.Model, ID: id})
}

// setKey keeps key for site in place of what was there, readable or not.
func (t tables) setKey(tx *storage.Tx, id, site string, key secret.Bytes) error {
	rev, err := t.keyRev(tx, id)
	if err != nil {
		return err
	}
	_, err = t.keys.Put(tx, id, rev, keyRow{Site: site, Key: key.Reveal()})
	return err
}

func (t tables) dropKey(tx *storage.Tx, id string) error {
	rev, err := t.keyRev(tx, id)
	if err != nil || rev == 0 {
		return err
	}
	return t.keys.Delete(tx, id, rev)
}

// keyRev is the revision of a key's row, 0 without one. A damaged row has one.
func (t tables) keyRev(tx *storage.Tx, id string) (uint64, error) {
	_, rev, err := t.keys.Get(tx, id)
	var bad *storage.RowError
	switch {
	case errors.Is(err, storage.ErrNoRow):
		return 0, nil
	case errors.As(err, &bad):
		return bad.Rev, nil
	}
	return rev, err
}

// key is the key of r for the site r calls, empty without one. A key that was
// entered for another site is ErrKeyOtherEndpoint, whatever the model says.
func (t tables) key(tx *storage.Tx, r row) (secret.Bytes, error) {
	if r.KeySite == "" {
		return secret.Bytes{}, nil
	}
	k, _, err := t.keys.Get(tx, r.Model.ID)
	if err != nil {
		return secret.Bytes{}, err
	}
	if k.Site != model.Site(r.Model.BaseURL) {
		return secret.Bytes{}, ErrKeyOtherEndpoint
	}
	return secret.New(k.Key), nil
}
