package profile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"callboard/app/ident"
)

// keep stores the bytes a write is about to displace. Their name is the time
// and a slug of the kind of file, which says nothing about the agent; a backup
// that is there is never written over.
func (s *Service) keep(data []byte, format Format, ext string) error {
	if s.cfg.Backups == "" {
		return fmt.Errorf("%w: no folder is set", ErrBackup)
	}
	if err := os.MkdirAll(s.cfg.Backups, 0o700); err != nil {
		return fmt.Errorf("%w: %w", ErrBackup, reason(err))
	}
	stamp := s.cfg.Now().UTC().Format("20060102T150405.000")
	for n := range 1000 {
		name := fmt.Sprintf("%s-%s%s", stamp, ident.Slug(string(format)), ext)
		if n > 0 {
			name = fmt.Sprintf("%s-%s-%d%s", stamp, ident.Slug(string(format)), n, ext)
		}
		err := create(filepath.Join(s.cfg.Backups, name), data, 0o600)
		if errors.Is(err, ErrExists) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrBackup, err)
		}
		return nil
	}
	return fmt.Errorf("%w: too many in one moment", ErrBackup)
}
