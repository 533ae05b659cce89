package gate_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"callboard/app/home"
	"callboard/app/vault"
)

const (
	nobody    = 65534
	nobodyEnv = "CALLBOARD_GATE_NOBODY" // the home an ordinary user opens
)

// TestNobody is what TestAnOrdinaryUserReadsTheSame runs in a process of its
// own, which gives its rights away.
func TestNobody(t *testing.T) {
	dir := os.Getenv(nobodyEnv)
	if dir == "" {
		t.Skip("only run by another test")
	}
	if os.Geteuid() == 0 {
		for _, err := range []error{syscall.Setgroups(nil), syscall.Setgid(nobody), syscall.Setuid(nobody)} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	sameWords(t, dir, phrase, os.Getenv("SAYS"))
}

func TestAnOrdinaryUserReadsTheSame(t *testing.T) {
	for name, tc := range map[string]struct {
		closed func(home.Home) string
		says   string
	}{
		"key unreadable":     {home.Home.KeyAge, "/key.age. Give yourself the folder"},
		"data key":           {home.Home.DataKey, "/dek.age. Give yourself the folder"},
		"home not enterable": {func(h home.Home) string { return h.Dir }, "may not read or write Callboard's folder"},
		"store's lock":       {func(h home.Home) string { return filepath.Dir(h.StoreLock()) }, "/store.lock. Give yourself"},
	} {
		t.Run(name, func(t *testing.T) {
			h := homeAt(t, vault.Passphrase)
			for dir := h.Dir; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
				if err := os.Chmod(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for _, path := range []string{h.Dir, h.KeyAge(), h.DataKey(), h.Store(), filepath.Dir(h.StoreLock())} {
				if err := os.Chown(path, nobody, nobody); err != nil && os.Geteuid() == 0 {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(tc.closed(h), 0); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(tc.closed(h), 0o700) })
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestNobody$")
			cmd.Env = append(os.Environ(), nobodyEnv+"="+h.Dir, "SAYS="+tc.says)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
