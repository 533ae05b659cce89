package vault_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"callboard/app/fault"
	"callboard/app/home"
	"callboard/app/vault"
	"callboard/storage"
)

const (
	childJob  = "CALLBOARD_TEST_JOB"
	childHome = "CALLBOARD_TEST_HOME"
	childStep = "CALLBOARD_TEST_STEP"
	// rounds is how many kills each job gets at least; every step gets one.
	rounds = 20
)

// TestMain lets the test binary play the program that gets killed.
func TestMain(m *testing.M) {
	if job := os.Getenv(childJob); job != "" {
		os.Exit(playJob(job, os.Getenv(childHome)))
	}
	os.Exit(m.Run())
}

// job is one change of a home that is cut off. prepare makes what it needs
// beside a home with rows; do is the change, run in another process.
type job struct {
	from vault.Protection
	do   func(ctx context.Context, h home.Home, v *vault.Service) error
}

func beside(h home.Home, name string) string { return filepath.Join(filepath.Dir(h.Dir), name) }

var jobs = map[string]job{
	"passphrase": {vault.Passphrase, func(ctx context.Context, _ home.Home, v *vault.Service) error {
		return protect(ctx, v, vault.Passphrase)
	}},
	"to file": {vault.Passphrase, func(ctx context.Context, _ home.Home, v *vault.Service) error {
		return protect(ctx, v, vault.File)
	}},
	"to passphrase": {vault.File, func(ctx context.Context, _ home.Home, v *vault.Service) error {
		return protect(ctx, v, vault.Passphrase)
	}},
	"to keyring": {vault.Passphrase, func(ctx context.Context, _ home.Home, v *vault.Service) error {
		return protect(ctx, v, vault.Keyring)
	}},
	"from keyring": {vault.Keyring, func(ctx context.Context, _ home.Home, v *vault.Service) error {
		return protect(ctx, v, vault.Passphrase)
	}},
	"recovery key": {vault.Passphrase, func(ctx context.Context, _ home.Home, v *vault.Service) error {
		if err := v.Unlock(ctx, vault.UnlockRequest{Passphrase: say(pass)}); err != nil {
			return err
		}
		_, err := v.NewRecovery(ctx)
		return err
	}},
	"recover": {vault.Passphrase, func(ctx context.Context, h home.Home, v *vault.Service) error {
		rec, err := os.ReadFile(beside(h, "paper"))
		if err != nil {
			return err
		}
		return v.Recover(ctx, vault.RecoverRequest{Key: say(string(rec)), Protection: vault.File})
	}},
	"new data key": {vault.Passphrase, func(ctx context.Context, _ home.Home, v *vault.Service) error {
		if err := v.Unlock(ctx, vault.UnlockRequest{Passphrase: say(pass)}); err != nil {
			return err
		}
		return v.Rekey(ctx)
	}},
	"backup": {vault.Passphrase, func(ctx context.Context, h home.Home, v *vault.Service) error {
		if err := v.Unlock(ctx, vault.UnlockRequest{Passphrase: say(pass)}); err != nil {
			return err
		}
		_, err := v.Backup(ctx, vault.BackupRequest{Dir: beside(h, "new backup"), Passphrase: say(newPass)})
		return err
	}},
	"restore": {vault.Passphrase, func(ctx context.Context, h home.Home, v *vault.Service) error {
		_, err := v.Restore(ctx, vault.RestoreRequest{From: beside(h, "backup"), Passphrase: say(backupPass)})
		return err
	}},
}

const backupPass = "backup horse battery"

func protect(ctx context.Context, v *vault.Service, p vault.Protection) error {
	if err := v.Unlock(ctx, vault.UnlockRequest{Passphrase: say(pass)}); err != nil {
		return err
	}
	_, err := v.Protect(ctx, vault.ProtectRequest{Current: say(pass), Protection: p, Passphrase: say(newPass)})
	return err
}

// playJob is the child: it does the job and kills itself at the step with the
// number it was given. Without one it prints the steps.
func playJob(name, dir string) int {
	at, _ := strconv.Atoi(os.Getenv(childStep))
	v := vaultAt(dir, nil)
	n := 0
	v.OnStep(func(step string) {
		n++
		fmt.Println(step)
		if n == at {
			p, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = p.Kill()
			}
			fmt.Fprintln(os.Stderr, "still alive:", err)
			time.Sleep(time.Minute)
		}
	})
	ctx := context.Background()
	err := errors.Join(jobs[name].do(ctx, home.Home{Dir: dir}, v), v.Lock(ctx))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// play runs the job in a child that ends at the step, 0 for never, and returns
// the steps it came by.
func play(t *testing.T, name string, h home.Home, at int) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childJob+"="+name, childHome+"="+h.Dir, childStep+"="+strconv.Itoa(at))
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if (err == nil) != (at == 0) || errs.Len() > 0 {
		t.Fatalf("step %d: the child ends with %v: %s", at, err, &errs)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

type note struct{ Body string }

var (
	notes   = storage.NewTable[note]("notes")
	history = storage.NewLog[note]("history")
)

// scene is a locked home with rows, a recovery key on paper beside it, and a
// backup whose rows say so.
func scene(t *testing.T, p vault.Protection) home.Home {
	t.Helper()
	h := home.Home{Dir: filepath.Join(t.TempDir(), "home")}
	v, db := vaultOver(h.Dir, nil)
	ok(t, v.Init(t.Context(), vault.InitRequest{Protection: p, Passphrase: say(pass)}))
	fillRows(t, db, "in the backup")
	write(t, h.Settings(), []byte("{\"in\":\"the backup\"}"))
	rec, err := v.NewRecovery(t.Context())
	ok(t, err)
	write(t, beside(h, "paper"), rec.Reveal())
	_, err = v.Backup(t.Context(), vault.BackupRequest{Dir: beside(h, "backup"), Passphrase: say(backupPass)})
	ok(t, err)
	fillRows(t, db, "in the home")
	write(t, h.Settings(), []byte("{\"in\":\"the home\"}"))
	ok(t, v.Lock(t.Context()))
	return h
}

func fillRows(t *testing.T, db *storage.DB, body string) {
	t.Helper()
	ok(t, db.Update(t.Context(), func(tx *storage.Tx) error {
		for i := range 30 {
			id := fmt.Sprintf("n%02d", i)
			_, rev, err := notes.Get(tx, id)
			if err != nil && !errors.Is(err, storage.ErrNoRow) {
				return err
			}
			if _, err := notes.Put(tx, id, rev, note{Body: body}); err != nil {
				return err
			}
			if _, err := history.Append(tx, id, note{Body: body}); err != nil {
				return err
			}
		}
		return nil
	}))
}

// opens tries the passphrase on a copy of the home and says which rows are
// there, or which rule refused it. What opened must be whole and tidy.
func opens(t *testing.T, h home.Home, pass string) string {
	t.Helper()
	copied := home.Home{Dir: filepath.Join(t.TempDir(), "copy")}
	ok(t, os.CopyFS(copied.Dir, os.DirFS(h.Dir)))
	chmodAll(t, copied.Dir)
	v, db := vaultOver(copied.Dir, nil)
	if st := v.Status(t.Context()); st.State != vault.Locked || !st.Recovery {
		t.Errorf("before unlocking: %+v", st)
	}
	if err := unlock(t, v, pass); err != nil {
		return fault.RuleOf(err)
	}
	defer func() { ok(t, v.Lock(t.Context())) }()
	if bad, err := v.Verify(t.Context()); err != nil || len(bad) > 0 {
		t.Errorf("damage %v %v", bad, err)
	}
	if files := keyFiles(t, copied); strings.Contains(files, " ") {
		t.Errorf("left behind: %s", files)
	}
	for _, left := range []string{copied.Restoring().Dir, copied.RestoreChange(), copied.KeyChange()} {
		if there, err := home.Exists(left); there || err != nil {
			t.Errorf("%s is there", filepath.Base(left))
		}
	}
	return bodies(t, db)
}

// bodies is what every row says, if all say the same.
func bodies(t *testing.T, db *storage.DB) string {
	t.Helper()
	said := map[string]int{}
	ok(t, db.View(t.Context(), func(tx *storage.Tx) error {
		for row, err := range notes.All(tx) {
			if err != nil {
				return err
			}
			said[row.V.Body]++
		}
		return nil
	}))
	for body, n := range said {
		if n == 30 {
			return body
		}
	}
	t.Errorf("a mixture: %v", said)
	return "a mixture"
}

func chmodAll(t *testing.T, dir string) {
	t.Helper()
	ok(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return os.Chmod(path, 0o600)
	}))
}

// TestKilledAtEveryStep kills each job at each of its steps: afterwards exactly
// one key opens the home, its rows are all as they were before or as the
// backup has them, and the backup opens with its own passphrase.
func TestKilledAtEveryStep(t *testing.T) {
	for name, j := range jobs {
		if strings.HasSuffix(name, "keyring") {
			continue // these need one
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			steps := play(t, name, scene(t, j.from), 0)
			for i := range max(rounds, len(steps)) {
				at := i%len(steps) + 1
				h := scene(t, j.from)
				if got := play(t, name, h, at); !cmp.Equal(got, steps[:at]) {
					t.Fatalf("steps %q, want %q", got, steps[:at])
				}
				t.Logf("killed at %q", steps[at-1])
				afterKill(t, name, h)
				if t.Failed() {
					t.Fatalf("after a kill at step %d, %q", at, steps[at-1])
				}
			}
		})
	}
}

func afterKill(t *testing.T, name string, h home.Home) {
	t.Helper()
	var truths []string
	for _, p := range []string{pass, newPass, backupPass} {
		switch said := opens(t, h, p); said {
		case "wrong_passphrase", "passphrase_empty":
		default:
			truths = append(truths, said)
		}
	}
	if st := vaultAt(h.Dir, nil).Status(t.Context()); st.Protection == vault.File {
		truths = truths[:1] // any word opens it
	}
	if len(truths) != 1 || (truths[0] != "in the home" && (name != "restore" || truths[0] != "in the backup")) {
		t.Errorf("what opens: %q", truths)
	}
	if name == "recover" || name == "new data key" || name == "passphrase" || name == "to file" || name == "to passphrase" {
		rec, err := os.ReadFile(beside(h, "paper"))
		ok(t, err)
		v, db := vaultOver(h.Dir, nil)
		ok(t, v.Recover(t.Context(), vault.RecoverRequest{Key: say(string(rec)), Protection: vault.File}))
		if got := bodies(t, db); got != "in the home" {
			t.Errorf("recovered rows are %s", got)
		}
		ok(t, v.Lock(t.Context()))
	}
	backupsOpen(t, h)
}

// backupsOpen restores the old backup, and the new one if it is there, into
// homes of their own.
func backupsOpen(t *testing.T, h home.Home) {
	t.Helper()
	restored(t, beside(h, "backup"), backupPass, "in the backup")
	if there, err := home.Exists(beside(h, "new backup")); err != nil {
		t.Fatal(err)
	} else if there {
		restored(t, beside(h, "new backup"), newPass, "in the home")
	}
}

func restored(t *testing.T, from, pass, want string) {
	t.Helper()
	h := home.Home{Dir: filepath.Join(t.TempDir(), "restored")}
	v, db := vaultOver(h.Dir, nil)
	if _, err := v.Restore(t.Context(), vault.RestoreRequest{From: from, Passphrase: say(pass)}); err != nil {
		t.Errorf("%s: %v", filepath.Base(from), err)
		return
	}
	ok(t, unlock(t, v, pass))
	defer func() { ok(t, v.Lock(t.Context())) }()
	if bad, err := v.Verify(t.Context()); err != nil || len(bad) > 0 {
		t.Errorf("damage %v %v", bad, err)
	}
	if got := bodies(t, db); got != want {
		t.Errorf("%s holds %s", filepath.Base(from), got)
	}
}
