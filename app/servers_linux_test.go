package app_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"callboard/app"
	"callboard/app/servers"
	"callboard/app/vault"
	"callboard/storage"
)

// running starts a discovery of a server that never answers and waits until its
// process is there.
func running(t *testing.T, a *app.App, id, mark string) <-chan error {
	t.Helper()
	done := make(chan error)
	go func() {
		_, err := a.Servers.Discover(context.Background(), id)
		done <- err
	}()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if os.Remove(mark) == nil {
			return done
		}
	}
	t.Fatal("the server was not started")
	return nil
}

func TestLockEndsToolServers(t *testing.T) {
	a, err := open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(a.Vault.Init(t.Context(), vault.InitRequest{Protection: vault.File}))
	mark := filepath.Join(t.TempDir(), "started")
	e, err := a.Servers.Save(t.Context(), servers.SaveRequest{Server: servers.Server{
		Name: "stuck", Enabled: true, Transport: servers.Stdio, Command: "/bin/sh", Args: []string{"-c", `: >"$0"; exec sleep 600`, mark},
	}})
	must(err)
	p, err := a.Servers.Plan(t.Context(), e.Server.ID)
	must(err)
	_, err = a.Servers.Consent(t.Context(), e.Server.ID, p.Digest)
	must(err)
	done := running(t, a, e.Server.ID, mark)
	must(a.Vault.Lock(t.Context()))
	if err := <-done; !errors.Is(err, storage.ErrLocked) {
		t.Errorf("the discovery: %v", err)
	}
	if _, err := a.Servers.List(t.Context()); !errors.Is(err, storage.ErrLocked) {
		t.Errorf("while locked: %v", err)
	}
	must(a.Vault.Unlock(t.Context(), vault.UnlockRequest{}))
	done = running(t, a, e.Server.ID, mark)
	must(a.Close(t.Context()))
	if err := <-done; !errors.Is(err, storage.ErrLocked) {
		t.Errorf("the discovery: %v", err)
	}
}
