package profile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"callboard/app/event"
	"callboard/app/fault"
	"callboard/storage"
)

// The refusals around folders.
var (
	ErrNotAFolder = fault.New(fault.Invalid, "not_a_folder", "this is no folder").
			Then("Choose the folder that holds the agents.")
	ErrFolderUnknown = fault.New(fault.NotFound, "folder_unknown", "this folder is not in the list any more")
	ErrTooMany       = fault.New(fault.TooLarge, "folders_too_many", "so many folders cannot be kept").
				Then("Remove one first.")
)

// maxFolders is how many folders a person may add.
const maxFolders = 100

// Folder is a folder the person added. A linked one is edited in place and
// watched: what happens to its files outside is a proposal until the person
// accepts it.
type Folder struct {
	ID     string    `json:"id"`
	Path   string    `json:"path"` // real
	Linked bool      `json:"linked"`
	Added  time.Time `json:"added"`
}

var folderTable = storage.NewTable[Folder]("folders")

// Folders lists the added folders by their paths. While the vault is locked
// this and the methods below return its fault.
func (s *Service) Folders(ctx context.Context) ([]Folder, error) {
	var out []Folder
	err := s.cfg.DB.View(ctx, func(tx *storage.Tx) error {
		for r, err := range folderTable.All(tx) {
			if _, bad := errors.AsType[*storage.RowError](err); bad {
				continue
			}
			if err != nil {
				return err
			}
			out = append(out, r.V)
		}
		return nil
	})
	slices.SortFunc(out, func(a, b Folder) int { return strings.Compare(a.Path, b.Path) })
	return out, err
}

// KeepFolder adds the folder at path, or changes whether it is linked. It reads
// nothing in it.
func (s *Service) KeepFolder(ctx context.Context, path string, linked bool) (Folder, error) {
	real, err := realPath(path)
	if err != nil {
		return Folder{}, fmt.Errorf("%w: %w", ErrFolder, reason(err))
	}
	info, err := os.Stat(real)
	if err != nil {
		return Folder{}, fmt.Errorf("%w: %w", ErrFolder, reason(err))
	}
	if !info.IsDir() {
		return Folder{}, ErrNotAFolder
	}
	var out Folder
	err = s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		row, n, err := folderAt(tx, real)
		if err != nil {
			return err
		}
		if row.ID == "" {
			if n >= maxFolders {
				return ErrTooMany
			}
			now := s.cfg.Now()
			row.V = Folder{ID: s.cfg.NewID(now), Path: real, Added: now}
		}
		row.V.Linked = linked
		out = row.V
		if _, err := folderTable.Put(tx, out.ID, row.Rev, out); err != nil {
			return err
		}
		return tx.Emit(event.Change{Kind: event.Folder, ID: out.ID})
	})
	return out, err
}

// DropFolder takes a folder off the list. Its files and the agents imported
// from it stay.
func (s *Service) DropFolder(ctx context.Context, id string) error {
	return s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		_, rev, err := folderTable.Get(tx, id)
		if errors.Is(err, storage.ErrNoRow) {
			return ErrFolderUnknown
		}
		if err != nil {
			return err
		}
		if err := folderTable.Delete(tx, id, rev); err != nil {
			return err
		}
		return tx.Emit(event.Change{Kind: event.Folder, ID: id})
	})
}

// folderAt is the row of a path, zero if there is none, and how many there are.
func folderAt(tx *storage.Tx, path string) (at storage.Row[Folder], n int, err error) {
	for r, err := range folderTable.All(tx) {
		n++
		if _, bad := errors.AsType[*storage.RowError](err); bad {
			continue
		}
		if err != nil {
			return at, n, err
		}
		if r.V.Path == path {
			at = r
		}
	}
	return at, n, nil
}

// InFolder reports whether path is in one of the folders, linked ones only.
func InFolder(folders []Folder, path string) (Folder, bool) {
	for _, f := range folders {
		if f.Linked && within(f.Path, path) {
			return f, true
		}
	}
	return Folder{}, false
}
