package vault

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"callboard/storage"
)

const (
	manifestName = "backup.json"
	// backupFormat is what this version writes, and the newest it reads.
	backupFormat = 1
	maxManifest  = 64 << 20
)

// manifest is backup.json, the last file of a backup: without it a folder is
// none. Nothing in it is secret.
type manifest struct {
	Format int               `json:"format"`
	Made   time.Time         `json:"made"`
	Rows   map[string]int    `json:"rows"`             // of each table and log
	Damage []storage.Damage  `json:"damage,omitempty"` // what was bad before the copy
	Files  map[string]string `json:"files"`            // SHA-256 by path with slashes
}

// readManifest reads and judges the manifest of the backup in root.
func readManifest(root *os.Root) (manifest, error) {
	var m manifest
	f, err := root.Open(manifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return m, ErrBackupNone
	}
	if err != nil {
		return m, unreadable(manifestName, err)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxManifest))
	if err := errors.Join(err, f.Close()); err != nil {
		return m, unreadable(manifestName, err)
	}
	var only struct {
		Format int `json:"format"`
	}
	if json.Unmarshal(data, &only) != nil || only.Format < 1 {
		return m, fmt.Errorf("%w: %s", ErrBackupDamaged, manifestName)
	}
	if only.Format > backupFormat {
		return m, ErrBackupNewer
	}
	if json.Unmarshal(data, &m) != nil || !m.sound() {
		return m, fmt.Errorf("%w: %s", ErrBackupDamaged, manifestName)
	}
	return m, nil
}

// sound reports whether the manifest names a whole home and nothing else.
func (m manifest) sound() bool {
	for name := range m.Files {
		top, rest, _ := strings.Cut(name, "/")
		whole := slices.Contains([]string{"key.age", "dek.age", "settings.json"}, name)
		inside := (top == "store" || top == "ephemeral") && rest != ""
		if (!whole && !inside) || path.Clean(name) != name || !filepath.IsLocal(filepath.FromSlash(name)) {
			return false
		}
	}
	return m.Files["key.age"] != "" && m.Files["dek.age"] != "" && slices.Contains(m.tops(), "store")
}

// tops are the first names of all files, each once.
func (m manifest) tops() []string {
	var out []string
	for name := range m.Files {
		top, _, _ := strings.Cut(name, "/")
		out = append(out, top)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// unreadable says which file of a backup could not be read. The system's
// reason stays in the chain, not in the words.
func unreadable(name string, err error) error {
	return fmt.Errorf("%w: %s cannot be read%w", ErrBackupDamaged, name, silent{err})
}

// silent is an error that says nothing.
type silent struct{ error }

func (silent) Error() string   { return "" }
func (s silent) Unwrap() error { return s.error }
