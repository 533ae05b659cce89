package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"

	"callboard/app"
	"callboard/app/cli"
	"callboard/app/fault"
	"callboard/app/home"
	"callboard/app/vault"
	"callboard/crypto/secret"
)

// errNoDisplay has the rule and the words of the window's own.
var errNoDisplay = fault.New(fault.Unavailable, "no_display", "there is no display to open a window on").
	Then("Start it from a desktop session.")

func TestMain(m *testing.M) {
	testscript.Main(leakless{m}, map[string]func(){
		"callboard": func() { os.Exit(callboard()) },
		"nobody":    func() { os.Exit(nobody()) },
	})
}

// leakless fails a run that leaves a goroutine behind.
type leakless struct{ m *testing.M }

func (l leakless) Run() int { return noLeak(l.m.Run()) }

func noLeak(code int) int {
	// The keyring's connection to the message bus lives as long as the program.
	const bus = "github.com/godbus/dbus/v5."
	err := goleak.Find(goleak.IgnoreAnyFunction(bus+"(*Conn).inWorker"), goleak.IgnoreAnyFunction(bus+"newConn.func1"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return max(code, 70)
	}
	return code
}

// callboard is the real command line over the real program, but for the work
// factor of new keys and the window.
func callboard() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := cli.Run(ctx, program(os.Stdin, os.Stdout, os.Stderr, os.Args[1:]...))
	stop()
	return noLeak(code)
}

func program(in io.Reader, out, errs io.Writer, args ...string) cli.Program {
	return cli.Program{
		Now:     time.Now,
		Version: app.Version, Args: args, Stdin: in, Stdout: out, Stderr: errs, Getenv: os.Getenv,
		Open: func(_ context.Context, h home.Home) (cli.Services, error) {
			a, err := open(h.Dir)
			if err != nil {
				return cli.Services{}, err
			}
			return cli.Services{Vault: a.Vault, Roster: a.Roster, Close: a.Close}, nil
		},
		Window: func(_ context.Context, _ home.Home, pass secret.Bytes) error {
			if os.Getenv("DISPLAY") == "" {
				return errNoDisplay
			}
			_, err := fmt.Fprintf(out, "A window, with a passphrase: %v.\n", !pass.Empty())
			return err
		},
	}
}

func open(dir string) (*app.App, error) {
	return app.Open(context.Background(), app.Options{
		Home: home.Home{Dir: dir}, Now: time.Now, Log: slog.New(slog.NewTextHandler(os.Stderr, nil)), WorkFactor: 4,
	})
}

func TestScripts(t *testing.T) {
	held := map[string]*app.App{}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("CALLBOARD_HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("DISPLAY", "")
			return os.Chmod(filepath.Dir(e.WorkDir), 0o755) // other users must get in
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "root":
				return os.Geteuid() == 0, nil
			case "keyring":
				return keyring()
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"jsonlines": jsonLines,
			"oneline":   oneLine,
			"bytes":     makeBytes,
			"snapshot":  snapshot,
			"hold":      func(ts *testscript.TestScript, _ bool, args []string) { hold(ts, held, args[0]) },
			"release":   func(ts *testscript.TestScript, _ bool, args []string) { release(ts, held, args[0]) },
		},
	})
}

// keyring reports whether a script can have a keyring of its own; where CI
// requires one it must.
func keyring() (bool, error) {
	for _, program := range []string{"dbus-run-session", "gnome-keyring-daemon"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("CALLBOARD_TEST_KEYRING") == "required" {
				return false, err
			}
			return false, nil
		}
	}
	return true, nil
}

// oneLine (stdout|stderr) holds that the output is one plain line: no stack
// trace, no Go noise, a capital first and a full stop last.
func oneLine(ts *testscript.TestScript, _ bool, args []string) {
	text, ok := strings.CutSuffix(ts.ReadFile(args[0]), "\n")
	if !ok || strings.Contains(text, "\n") || !strings.HasSuffix(text, ".") {
		ts.Fatalf("not one line: %q", text)
	}
	for _, noise := range []string{"goroutine ", "panic", "Unexpected", "storage:", "open /", "lstat ", "%!"} {
		if strings.Contains(text, noise) {
			ts.Fatalf("%q is no way to talk: %q", noise, text)
		}
	}
}

// jsonLines n holds that standard output is n JSON objects, one a line, with
// exactly the documented keys.
func jsonLines(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile("stdout")
	lines := strings.SplitAfter(text, "\n")
	if n, err := strconv.Atoi(args[0]); err != nil || len(lines) != n+1 || lines[n] != "" {
		ts.Fatalf("want %s lines, got %d:\n%s", args[0], len(lines)-1, text)
	}
	for _, line := range lines[:len(lines)-1] {
		ts.Check(reportLine(line))
	}
}

func reportLine(line string) error {
	var top map[string]json.RawMessage
	var problems []map[string]json.RawMessage
	var tools map[string]json.RawMessage
	if err := json.Unmarshal([]byte(line), &top); err != nil {
		return err
	}
	if err := errors.Join(json.Unmarshal(top["problems"], &problems), json.Unmarshal(top["tools"], &tools)); err != nil {
		return err
	}
	diff := cmp.Diff(keySet("stated", "effective"), keysOf(tools))
	if trip, ok := top["roundtrip"]; ok {
		var keys map[string]json.RawMessage
		if err := json.Unmarshal(trip, &keys); err != nil {
			return err
		}
		diff += cmp.Diff(keySet("edits", "refused", "failed"), keysOf(keys))
	}
	for _, optional := range []string{"key", "roundtrip"} {
		delete(top, optional)
	}
	diff += cmp.Diff(keySet("path", "format", "name", "problems", "tools", "identical"), keysOf(top))
	for _, p := range problems {
		diff += cmp.Diff(keySet("line", "text"), keysOf(p))
	}
	if diff != "" {
		return fmt.Errorf("wrong keys in %s\n%s", line, diff)
	}
	return nil
}

func keySet(names ...string) map[string]bool {
	out := map[string]bool{}
	for _, n := range names {
		out[n] = true
	}
	return out
}

func keysOf(m map[string]json.RawMessage) map[string]bool {
	out := map[string]bool{}
	for k := range m {
		out[k] = true
	}
	return out
}

// makeBytes file size text fills a file with text, over and over, up to size.
// In text \0 is a NUL byte.
func makeBytes(ts *testscript.TestScript, _ bool, args []string) {
	size, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := strings.ReplaceAll(args[2], `\0`, "\x00")
	data := strings.Repeat(text, size/len(text)+1)[:size]
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(data), 0o600))
}

// snapshot folder file writes down every name, mode and content below folder,
// to be compared with cmp.
func snapshot(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	var b strings.Builder
	ts.Check(filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(&b, path, fi.Mode())
		if fi.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			fmt.Fprintf(&b, "%q\n", data)
			return err
		}
		return nil
	}))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b.String()), 0o600))
}

// hold opens a home without a passphrase in this process, which is another
// one than the command's, and release lets it go.
func hold(ts *testscript.TestScript, held map[string]*app.App, dir string) {
	dir = ts.MkAbs(dir)
	a, err := open(dir)
	ts.Check(err)
	ts.Check(a.Vault.Unlock(context.Background(), vault.UnlockRequest{}))
	held[dir] = a
	ts.Setenv("HOLDER", strconv.Itoa(os.Getpid()))
}

func release(ts *testscript.TestScript, held map[string]*app.App, dir string) {
	dir = ts.MkAbs(dir)
	ts.Check(held[dir].Close(context.Background()))
	delete(held, dir)
}
