package vault_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"callboard/app/home"
	"callboard/app/vault"
	"callboard/storage"
)

// TestLockHasOthersFinishFirst: the store is still open for them, an ended
// context does not keep them from it, and the keys go whatever they say.
func TestLockHasOthersFinishFirst(t *testing.T) {
	trouble := errors.New("a draft was not saved")
	for name, answer := range map[string]error{"well": nil, "trouble": trouble} {
		t.Run(name, func(t *testing.T) {
			h := home.Home{Dir: filepath.Join(t.TempDir(), "home")}
			opts := storage.Options{Dir: h.Store(), LockFile: h.StoreLock(), MustExist: true}
			db := storage.New(opts)
			calls, resumed := 0, 0
			v := vault.NewService(vault.Config{
				Home: h, DB: db, Store: opts, Feed: db.Feed(), Log: slog.New(slog.DiscardHandler), Now: time.Now,
				Quiesce: func(ctx context.Context) (func(), error) {
					calls++
					fillRows(t, db, "flushed")
					return func() { resumed++ }, errors.Join(ctx.Err(), answer)
				},
			})
			ok(t, v.Init(t.Context(), vault.InitRequest{Protection: vault.File}))
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			if err := v.Lock(ended); !errors.Is(err, answer) {
				t.Errorf("got %v", err)
			}
			if st := v.Status(t.Context()); st.State != vault.Locked {
				t.Errorf("%+v", st)
			}
			ok(t, v.Lock(t.Context()))
			if calls != 1 || resumed != 1 {
				t.Errorf("%d calls, resumed %d times", calls, resumed)
			}
			says(t, h, "", "flushed")
		})
	}
}

// TestLockDoesNotWaitForEver: ten seconds, then the keys go.
func TestLockDoesNotWaitForEver(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		h := home.Home{Dir: filepath.Join(dir, "home")}
		opts := storage.Options{Dir: "store", FS: vfs.NewMem()}
		db := storage.New(opts)
		release := make(chan struct{})
		var resumed atomic.Bool
		v := vault.NewService(vault.Config{
			Home: h, DB: db, Store: opts, Feed: db.Feed(), Log: slog.New(slog.DiscardHandler), Now: time.Now,
			Quiesce: func(context.Context) (func(), error) { <-release; return func() { resumed.Store(true) }, nil },
		})
		v.Hold(t)
		began := time.Now()
		if err := v.Lock(t.Context()); !errors.Is(err, vault.ErrLockSlow) {
			t.Errorf("got %v", err)
		}
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("it took %v", took)
		}
		close(release)
		synctest.Wait()
		if !resumed.Load() {
			t.Error("what was late was never let go on")
		}
	})
}
