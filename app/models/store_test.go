package models_test

import (
	"testing"

	"callboard/app/model"
	"callboard/crypto/secret"
	"callboard/storage"
	"callboard/storage/storagetest"
)

// keyRows is the table of keys, as a stranger to its rows sees it.
var keyRows = storage.NewTable[string]("model_keys")

func countKeys(t *testing.T, db *storage.DB) int {
	t.Helper()
	n := 0
	if err := db.View(t.Context(), func(tx *storage.Tx) error { n = keyRows.Count(tx); return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestACrashLeavesModelAndKeyTogether: what was acknowledged is there, and a
// model has a key exactly when the store has.
func TestACrashLeavesModelAndKeyTogether(t *testing.T) {
	storagetest.Crash(t, 40, func(db *storage.DB, ack func()) {
		s := service(t, db)
		for range 12 {
			e := add(t, s, openAI())
			ack()
			setKey(t, s, e, key)
			ack()
			gone := setKey(t, s, add(t, s, local("http://127.0.0.1:1/v1")), key)
			if _, err := s.Delete(t.Context(), gone.Model.ID, gone.Revision); err != nil {
				t.Error(err)
			}
		}
	}, func(t *testing.T, db *storage.DB, acked int) {
		l := must(service(t, db).List(t.Context()))(t)
		keyed := 0
		for _, e := range l.Models {
			if e.HasKey {
				keyed++
			}
		}
		if l.Unreadable != 0 || keyed != countKeys(t, db) || keyed < acked/2 || len(l.Models) < (acked+1)/2 {
			t.Errorf("%d acks: %d models, %d with a key, %d keys", acked, len(l.Models), keyed, countKeys(t, db))
		}
	})
}

// TestADamagedKeyCanBeReplacedOrCleared, and is not sent.
func TestADamagedKeyCanBeReplacedOrCleared(t *testing.T) {
	db := storagetest.New(t)
	s := service(t, db)
	e := setKey(t, s, add(t, s, local("http://127.0.0.1:1/v1")), key)
	damage := func() {
		err := db.Update(t.Context(), func(tx *storage.Tx) error {
			if err := keyRows.Delete(tx, e.Model.ID, e.Revision); err != nil {
				return err
			}
			_, err := keyRows.Put(tx, e.Model.ID, 0, "no key row")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	damage()
	if res, err := s.Test(t.Context(), e.Model.ID, e.Revision); err == nil {
		t.Errorf("%+v", res)
	}
	e = setKey(t, s, e, key)
	if res, err := s.Test(t.Context(), e.Model.ID, e.Revision); err != nil || res.Code != "provider_unreachable" {
		t.Errorf("replaced: %+v %v", res, err)
	}
	damage()
	e = must(s.ClearKey(t.Context(), e.Model.ID, e.Revision))(t)
	if e.HasKey || countKeys(t, db) != 0 {
		t.Errorf("cleared: %+v, %d keys", e, countKeys(t, db))
	}
}

// TestAModelKeepsItsKeyThroughASave, and the caller keeps the bytes it gave.
func TestAModelKeepsItsKeyThroughASave(t *testing.T) {
	s := service(t, storagetest.New(t))
	e := add(t, s, openAI())
	k := secret.FromString(key)
	e = must(s.SetKey(t.Context(), e.Model.ID, e.Revision, k))(t)
	if string(k.Reveal()) != key {
		t.Error("the caller's key was changed")
	}
	e = must(save(t, s, e, func(m *model.Model) { m.Name = "other" }))(t)
	if !e.HasKey || !e.KeyFits || e.KeySite != "https://api.openai.com:443" {
		t.Errorf("%+v", e)
	}
}
