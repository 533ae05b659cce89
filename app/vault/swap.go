package vault

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"callboard/app/home"
	"callboard/storage"
)

// restoring is restore.change: a backup lies whole and checked in restore/ and
// is to replace what is in the home; or, with Only, a store sealed anew with its
// dek.age. From then on the restore is only ever
// finished. Names are the files and folders the backup brings.
type restoring struct {
	Names []string `json:"names"`
	Aside string   `json:"aside"`
	Only  bool     `json:"only,omitempty"` // nothing but Names is touched
}

// movable is everything at the top of a home that a restore moves aside or in,
// the keys last. backups/ and locks/ stay where they are.
var movable = []string{
	"store", "ephemeral", "settings.json", "new", "dek.age.new", "dek.age",
	"key.change", "key.age.new", "key.txt.new", "key.keyring.new", "key.keyring", "key.txt", "key.age",
}

func readRestoring(h home.Home) (restoring, bool, error) {
	data, err := readSmall(h.RestoreChange(), ErrNone)
	if errors.Is(err, ErrNone) {
		return restoring{}, false, nil
	}
	if err != nil {
		return restoring{}, false, err
	}
	var c restoring
	if json.Unmarshal(data, &c) != nil || !filepath.IsLocal(c.Aside) || len(c.Names) == 0 {
		return restoring{}, false, fmt.Errorf("%w: restore.change", ErrBackupDamaged)
	}
	return c, true, nil
}

// beingRestored is the key of a home whose restore was cut off: the backup's,
// or the home's own where only the data is replaced.
func beingRestored(h home.Home) found {
	f := found{at: h, by: Passphrase, key: h.KeyAge(), dataKey: h.DataKey()}
	if c, there, err := readRestoring(h); err == nil && there && c.Only {
		if p, ok, err := keyIn(h); err == nil && ok {
			f.by, f.key = p, keyFile(h, p)
		}
	}
	if there, err := home.Exists(h.Restoring().DataKey()); err == nil && there {
		f.dataKey = h.Restoring().DataKey()
	}
	return f
}

// restoreDecided reports whether a restore was cut off after its decision. A
// home that cannot be looked into is named by its key.
func restoreDecided(h home.Home) (bool, error) {
	if _, err := home.Exists(h.KeyAge()); err != nil {
		return false, err
	}
	return home.Exists(h.RestoreChange())
}

// resumeRestore finishes a restore that was cut off, if there is one.
func (s *Service) resumeRestore() error {
	if decided, err := restoreDecided(s.cfg.Home); err != nil || !decided {
		return err
	}
	held, err := storage.Hold(s.cfg.Home.StoreLock())
	if err != nil {
		return err
	}
	return errors.Join(s.finishRestore(), held.Close())
}

// finishRestore moves the old content aside and the new content in, name by
// name. It can be cut off anywhere and run again: a name that has left
// restore/ is in place. The caller holds the store's lock.
func (s *Service) finishRestore() error {
	h := s.cfg.Home
	c, there, err := readRestoring(h)
	if err != nil || !there {
		return err
	}
	for _, name := range movable {
		if err := s.swap(c, name); err != nil {
			return err
		}
	}
	aside := filepath.Join(h.Dir, c.Aside)
	if there, err := home.Exists(aside); err != nil {
		return err
	} else if there {
		if err := home.SyncDir(aside); err != nil {
			return err
		}
	}
	if err := home.SyncDir(h.Dir); err != nil {
		return err
	}
	if !c.Only {
		err = os.RemoveAll(h.Run())
	}
	if err := errors.Join(err, os.RemoveAll(h.Restoring().Dir)); err != nil {
		return home.Refusal(err)
	}
	s.step("restore: in place")
	if err := errors.Join(remove(h.RestoreChange()), home.SyncDir(h.Dir)); err != nil {
		return err
	}
	s.step("restore: done")
	return nil
}

// swap moves one name of the old home aside and its successor in.
func (s *Service) swap(c restoring, name string) error {
	h := s.cfg.Home
	here, next := filepath.Join(h.Dir, name), filepath.Join(h.Restoring().Dir, name)
	brings := slices.Contains(c.Names, name)
	if c.Only && !brings {
		return nil
	}
	if brings {
		if there, err := home.Exists(next); err != nil || !there {
			return err // it is in place
		}
	}
	there, err := home.Exists(here)
	if err != nil {
		return err
	}
	if there {
		aside := home.Home{Dir: filepath.Join(h.Dir, c.Aside)}
		if err := aside.Create(); err != nil {
			return err
		}
		if err := os.Rename(here, filepath.Join(aside.Dir, name)); err != nil {
			return home.Refusal(err)
		}
		s.step("restore: " + name + " aside")
	}
	if !brings {
		return nil
	}
	if err := os.Rename(next, here); err != nil {
		return home.Refusal(err)
	}
	s.step("restore: " + name + " in")
	return nil
}

// sweepRestore takes away a copy that was never decided on. The caller holds
// the store's lock.
func (s *Service) sweepRestore() {
	h := s.cfg.Home
	if there, err := home.Exists(h.RestoreChange()); err != nil || there {
		return
	}
	if err := os.RemoveAll(h.Restoring().Dir); err != nil {
		s.cfg.Log.Warn("leftovers of a cut-off restore stay")
	}
}

// asideName is a name for the old home that is free in dir.
func asideName(dir, stamp string) string {
	name := "before-restore-" + stamp
	for strings.Count(name, "+") < 100 {
		if there, err := home.Exists(filepath.Join(dir, name)); err == nil && !there {
			break
		}
		name += "+"
	}
	return name
}
