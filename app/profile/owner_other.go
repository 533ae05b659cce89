//go:build !unix

package profile

import (
	"io/fs"
	"os"
)

// own does nothing: a new file belongs to whoever makes it here.
func own(*os.File, fs.FileInfo) {}
