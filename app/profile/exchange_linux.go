package profile

import (
	"errors"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// exchange gives each of two files of a folder the name of the other, both at
// once.
func exchange(root *os.Root, a, b string) error {
	d, err := root.Open(".")
	if err != nil {
		return err
	}
	defer d.Close() //nolint:errcheck // a folder handle holds no data
	fd := int(d.Fd())
	return unix.Renameat2(fd, a, fd, b, unix.RENAME_EXCHANGE)
}

// A program that had a file open when it was displaced gets this long to finish
// writing.
const (
	quietFor  = 250 * time.Millisecond
	quietStep = 2 * time.Millisecond
)

// quiet waits until no program is writing to the file, as long as that takes
// but no longer than quietFor, and not at all where the system does not tell:
// a lease to read is only given while nobody has the file open to write.
func quiet(root *os.Root, name string) {
	if info, err := root.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return
	}
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close() //nolint:errcheck // only asked about; this ends the lease too
	for range quietFor / quietStep {
		if _, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK); !errors.Is(err, unix.EAGAIN) {
			return
		}
		time.Sleep(quietStep)
	}
}
