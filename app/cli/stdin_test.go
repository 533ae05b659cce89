package cli_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"callboard/app/cli"
)

// untouched is a standard input that nobody may read.
type untouched struct{ t *testing.T }

func (u untouched) Read([]byte) (int, error) {
	u.t.Error("standard input was read")
	return 0, errors.New("no")
}

// said runs one command line in this process.
func said(t *testing.T, home string, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	p := program(untouched{t}, &o, &e, args...)
	p.Getenv = func(k string) string {
		if k == "CALLBOARD_HOME" {
			return home
		}
		return ""
	}
	code = cli.Run(context.Background(), p)
	return code, o.String(), e.String()
}

// TestNothingAsks runs every command with a standard input that may not be
// read: none prompts, with or without a home.
func TestNothingAsks(t *testing.T) {
	t.Setenv("DISPLAY", "")
	dir := t.TempDir()
	pass := filepath.Join(dir, "pass")
	if err := os.WriteFile(pass, []byte("correct horse battery"), 0o600); err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(dir, "home")
	for _, tc := range []struct {
		line string
		code int
	}{
		{"", cli.NoDisplay},
		{"verify", cli.Failed},
		{"init --protect passphrase", cli.Failed},
		{"init --protect passphrase --passphrase-file " + pass, cli.OK},
		{"init --protect passphrase --passphrase-file " + pass, cli.Failed},
		{"verify", cli.Failed},
		{"verify --passphrase-file " + pass, cli.OK},
		{"check " + dir, cli.OK},
		{"check --roundtrip " + dir, cli.OK},
		{"convert --to codex " + pass, cli.Usage},
		{"version", cli.OK},
		{"--help", cli.OK},
	} {
		code, out, errs := said(t, home, strings.Fields(tc.line)...)
		if code != tc.code {
			t.Errorf("%q ends with %d, want %d: %s%s", tc.line, code, tc.code, out, errs)
		}
		if lines := strings.Count(errs, "\n"); lines != map[bool]int{true: 0, false: 1}[code == cli.OK] {
			t.Errorf("%q says %q on standard error", tc.line, errs)
		}
		if strings.Contains(out+errs, "correct horse") {
			t.Errorf("%q shows the passphrase", tc.line)
		}
	}
}
