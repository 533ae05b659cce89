package storage_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/google/go-cmp/cmp"

	"callboard/app/fault"
	"callboard/crypto"
	"callboard/storage"
	"callboard/storage/storagetest"
)

const holdEnv = "CALLBOARD_TEST_HOLD"

// holdAndWait is the other process: it opens the store in $CALLBOARD_TEST_HOLD
// and keeps it until its standard input ends.
func holdAndWait() bool {
	home := os.Getenv(holdEnv)
	if home == "" {
		return false
	}
	s, err := crypto.NewSealer(storagetest.Key())
	if err == nil {
		db := storage.New(realDisk(home))
		err = db.Open(context.Background(), s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stdout, "held")
	_, _ = io.Copy(io.Discard, os.Stdin)
	return true
}

func realDisk(home string) storage.Options {
	return storage.Options{Dir: filepath.Join(home, "store"), LockFile: filepath.Join(home, "locks", "store.lock"), MinFree: 1}
}

func TestASecondProgramIsRefusedAndChangesNothing(t *testing.T) {
	home := t.TempDir()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), holdEnv+"="+home)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("%q %v", line, err)
	}
	before := tree(t, home)
	s := storagetest.Sealer(t)
	db := storage.New(realDisk(home))
	err = db.Open(t.Context(), s)
	want := fmt.Sprintf("Callboard's home is open in another program: process %d. Close it there, then try again.", cmd.Process.Pid)
	if !errors.Is(err, storage.ErrHeld) || fault.Sentence(err) != want {
		t.Errorf("%v: %s", err, fault.Sentence(err))
	}
	if diff := cmp.Diff(before, tree(t, home)); diff != "" {
		t.Errorf("the loser changed the home: %s", diff)
	}
	bare := realDisk(home)
	bare.LockFile = "" // Pebble's own lock, which touches the time of its empty LOCK
	if err := storage.New(bare).Open(t.Context(), s); !errors.Is(err, storage.ErrHeld) {
		t.Errorf("without a lock file: %v, want ErrHeld", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = in.Close()
	_ = cmd.Wait() // it was killed
	if err := db.Open(t.Context(), s); err != nil {
		t.Fatalf("after the holder died: %v", err)
	}
	defer closeDB(t, db)
	pid, err := os.ReadFile(realDisk(home).LockFile)
	if err != nil || strings.TrimSpace(string(pid)) != fmt.Sprint(os.Getpid()) {
		t.Errorf("the lock file says %q, %v", pid, err)
	}
	if err := storage.New(realDisk(home)).Open(t.Context(), s); !errors.Is(err, storage.ErrHeld) {
		t.Errorf("a second handle in one program: %v, want ErrHeld", err)
	}
}

func TestTwoHandlesOnOneDiskInMemory(t *testing.T) {
	mem := vfs.NewMem()
	storagetest.Open(t, mem)
	db := storage.New(storage.Options{Dir: storagetest.Dir, FS: mem})
	if err := db.Open(t.Context(), storagetest.Sealer(t)); !errors.Is(err, storage.ErrHeld) {
		t.Errorf("%v, want ErrHeld", err)
	}
}

// tree is every file's mode, size, time and content.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		out[path] = fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano())
		if d.Type().IsRegular() {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			out[path] += string(b)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
