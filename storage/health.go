package storage

import (
	"log/slog"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// health is Pebble's logger and event listener. Pebble's own would end the
// process on the first flipped bit; this one makes the store read-only. Pebble
// formats file names and sizes, never our values, but keys may occur, so its
// texts are not logged.
type health struct {
	log      *slog.Logger
	broken   atomic.Bool
	gaveUp   chan struct{} // closed by the first fail
	troubles atomic.Uint64
}

func newHealth(log *slog.Logger) *health {
	return &health{log: log, gaveUp: make(chan struct{})}
}

func (h *health) failed() bool { return h.broken.Load() }

// fail makes the store read-only.
func (h *health) fail(op string) {
	if !h.broken.Swap(true) {
		close(h.gaveUp)
		h.log.Error("store is read-only until it is opened again", slog.String("op", op))
	}
}

// Infof drops Pebble's chatter.
func (h *health) Infof(string, ...any) {}

// Errorf notes that there was an error.
func (h *health) Errorf(string, ...any) { h.trouble("pebble", nil) }

// Fatalf must not end the process: the caller of the commit is told instead.
func (h *health) Fatalf(string, ...any) { h.fail("pebble") }

func (h *health) listener() *pebble.EventListener {
	return &pebble.EventListener{
		BackgroundError: func(err error) { h.trouble("background", err) },
		DataCorruption:  func(pebble.DataCorruptionInfo) { h.trouble("read", nil) },
	}
}

// trouble logs the first, tenth, hundredth … time: on a full disk Pebble
// reports 3,300 errors a second.
func (h *health) trouble(op string, err error) {
	n := h.troubles.Add(1)
	if !powerOfTen(n) {
		return
	}
	h.log.Error("store has trouble with its files", slog.String("op", op), slog.Uint64("count", n),
		slog.Bool("disk_full", vfs.IsNoSpaceError(err)))
}

func powerOfTen(n uint64) bool {
	for n > 1 && n%10 == 0 {
		n /= 10
	}
	return n == 1
}
