package storagetest

import (
	"math/rand/v2"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// plug is a disk in memory that clones itself at random file operations, as a
// power cut would leave it.
type plug struct {
	vfs.FS
	mem *vfs.MemFS
	max int

	mu    sync.Mutex
	rng   *rand.Rand
	armed bool
	acked int
	taken []clone
}

func newPlug(points int) *plug {
	mem := vfs.NewCrashableMem()
	return &plug{FS: mem, mem: mem, max: points, rng: random()}
}

func (p *plug) arm() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.armed = true
}

func (p *plug) ack() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.acked++
}

func (p *plug) clones() []clone {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taken
}

// pull takes a clone now and then.
func (p *plug) pull() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.armed || len(p.taken) >= p.max || p.rng.IntN(3) != 0 {
		return
	}
	fs := p.mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: p.rng.IntN(101), RNG: p.rng})
	p.taken = append(p.taken, clone{fs: fs, acked: p.acked})
}

// Unwrap is the disk below.
func (p *plug) Unwrap() vfs.FS { return p.FS }

// Create makes a file that may crash.
func (p *plug) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	p.pull()
	return p.file(p.FS.Create(name, c))
}

// ReuseForWrite reuses a file that may crash.
func (p *plug) ReuseForWrite(from, to string, c vfs.DiskWriteCategory) (vfs.File, error) {
	p.pull()
	return p.file(p.FS.ReuseForWrite(from, to, c))
}

// Rename renames, or crashes before.
func (p *plug) Rename(from, to string) error {
	p.pull()
	return p.FS.Rename(from, to)
}

// Remove removes, or crashes before.
func (p *plug) Remove(name string) error {
	p.pull()
	return p.FS.Remove(name)
}

func (p *plug) file(f vfs.File, err error) (vfs.File, error) {
	if err != nil {
		return nil, err
	}
	return &plugFile{File: f, p: p}, nil
}

type plugFile struct {
	vfs.File
	p *plug
}

// Write writes, or crashes before.
func (f *plugFile) Write(b []byte) (int, error) {
	f.p.pull()
	return f.File.Write(b)
}

// Sync syncs; the plug may be pulled before or after.
func (f *plugFile) Sync() error {
	f.p.pull()
	defer f.p.pull()
	return f.File.Sync()
}

// SyncData syncs, as Sync.
func (f *plugFile) SyncData() error {
	f.p.pull()
	defer f.p.pull()
	return f.File.SyncData()
}

// SyncTo syncs a part, as Sync.
func (f *plugFile) SyncTo(length int64) (bool, error) {
	f.p.pull()
	return f.File.SyncTo(length)
}
