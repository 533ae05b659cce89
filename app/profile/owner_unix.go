//go:build unix

package profile

import (
	"io/fs"
	"os"
	"syscall"
)

// own gives f the owner that info names. Only root may give files away, so a
// refusal is no failure: the file is then the user's own.
func own(f *os.File, info fs.FileInfo) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(st.Uid), int(st.Gid))
	}
}
