package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"

	"callboard/app"
	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/roster"
	"callboard/app/vault"
)

const mib = 1 << 20

// smallDisk is a real disk of size bytes that this test can fill.
func smallDisk(t *testing.T, size int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		t.Skipf("no small disk to fill: %v", err)
	}
	t.Cleanup(func() { ok(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	return dir
}

// fill leaves so many bytes free.
func fill(t *testing.T, disk string, left int) {
	t.Helper()
	var st syscall.Statfs_t
	ok(t, syscall.Statfs(disk, &st))
	free := int(st.Bavail) * int(st.Bsize)
	if free > left {
		ok(t, os.WriteFile(filepath.Join(disk, "ballast"), make([]byte, free-left), 0o600))
	}
}

const noRoom = "There is too little room on the disk. Free some space, then try again."

// nearlyNothing is what is left on a disk too full to work with, in bytes.
var nearlyNothing = []int{0, 4 << 10, 12 << 10, 32 << 10, 256 << 10, mib}

// TestInitOnAFullDisk leaves the folder as it was, without a home.
func TestInitOnAFullDisk(t *testing.T) {
	for _, left := range append(nearlyNothing, 8*mib) { // the last is enough to begin, not to save
		t.Run(fmt.Sprintf("%d bytes left", left), func(t *testing.T) {
			disk := smallDisk(t, 16*mib)
			fill(t, disk, left)
			before := contents(t, disk)
			dir := filepath.Join(disk, "home")
			refused(t, dir, making(dir), "disk_full", noRoom)
			unchanged(t, disk, before)
		})
	}
}

// TestUnlockOnAFullDisk is refused at once, writes nothing and works again
// once there is room.
func TestUnlockOnAFullDisk(t *testing.T) {
	for _, left := range nearlyNothing {
		t.Run(fmt.Sprintf("%d bytes left", left), func(t *testing.T) {
			disk := smallDisk(t, 96*mib)
			h := made(t, filepath.Join(disk, "home"), vault.Passphrase)
			fill(t, disk, left)
			before := contents(t, h.Dir)
			refused(t, h.Dir, unlocking(h.Dir, pass), "disk_full", noRoom)
			unchanged(t, h.Dir, before)
			ok(t, os.Remove(filepath.Join(disk, "ballast")))
			if got := unlocking(h.Dir, pass); got.Code != 0 || got.State != vault.Open || got.Stdout != "1 agent can be read.\n" {
				t.Errorf("with room again: %+v", got)
			}
		})
	}
}

// fullDisk is how a save says it. The store may free a file of its own between
// the filling and the save, so how much is left is not said here.
var fullDisk = regexp.MustCompile(`^Not saved: the disk is nearly full: \d+ MB left\. Free some space, then save again\.$`)

// TestASaveOnAFullDisk is refused in plain words; the old content stays, and
// with room again the same program saves.
func TestASaveOnAFullDisk(t *testing.T) {
	for _, left := range []int{0, 12 << 10, 32 * mib} {
		t.Run(fmt.Sprintf("%d bytes left", left), func(t *testing.T) {
			disk := smallDisk(t, 96*mib)
			h := made(t, filepath.Join(disk, "home"), vault.File)
			a, err := open(h.Dir)
			ok(t, err)
			ok(t, a.Vault.Unlock(t.Context(), vault.UnlockRequest{}))
			l, err := a.Roster.List(t.Context())
			ok(t, err)
			e, err := a.Roster.Get(t.Context(), l.Agents[0].ID)
			ok(t, err)
			next := state(2)
			next.ID = e.Agent.ID

			fill(t, disk, left)
			_, err = a.Roster.Save(t.Context(), roster.SaveRequest{Agent: next, Revision: e.Revision})
			if fault.RuleOf(err) != "disk_full" || !fullDisk.MatchString(fault.Sentence(err)) {
				t.Errorf("%s: %s", fault.RuleOf(err), fault.Sentence(err))
			}
			plain(t, fault.Sentence(err))
			_, err = a.Roster.Import(t.Context(), roster.Newcomers(state(3)))
			if fault.RuleOf(err) != "disk_full" {
				t.Errorf("an import: %v", err)
			}
			stored(t, a, e.Agent.ID, state(1))

			ok(t, os.Remove(filepath.Join(disk, "ballast")))
			_, err = a.Roster.Save(t.Context(), roster.SaveRequest{Agent: next, Revision: e.Revision})
			ok(t, err)
			ok(t, a.Close(t.Context()))
			if a, err = open(h.Dir); err != nil {
				t.Fatal(err)
			}
			ok(t, a.Vault.Unlock(t.Context(), vault.UnlockRequest{}))
			stored(t, a, e.Agent.ID, state(2))
			ok(t, a.Close(t.Context()))
		})
	}
}

// stored holds that the roster has one agent, and which.
func stored(t *testing.T, a *app.App, id string, want agent.Agent) {
	t.Helper()
	l, err := a.Roster.List(t.Context())
	ok(t, err)
	e, err := a.Roster.Get(t.Context(), id)
	ok(t, err)
	if diff := agent.Diff(want, e.Agent); len(diff) > 0 || len(l.Agents) != 1 {
		t.Errorf("%d agents, and this one differs in %v", len(l.Agents), diff)
	}
}
