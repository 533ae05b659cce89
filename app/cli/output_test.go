package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"callboard/app/cli"
)

// TestAnAnswerThatCannotBeWrittenIsAFailure: a full disk must not look clean.
func TestAnAnswerThatCannotBeWrittenIsAFailure(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full here")
	}
	defer full.Close()
	file := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(file, []byte("---\nname: a\ndescription: d\ntools: Read\n---\nx\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"check", file}, {"check", "--json", file}, {"convert", "--to", "gemini", file}} {
		var errs bytes.Buffer
		code := cli.Run(t.Context(), program(nil, full, &errs, args...))
		if code != cli.Failed || !strings.Contains(errs.String(), "could not be written") {
			t.Errorf("%v: code %d, %q", args, code, errs.String())
		}
	}
}

func TestAStoppedCommandSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	if code := cli.Run(ctx, program(nil, &out, &errs, "check", t.TempDir())); code != cli.Failed || errs.String() != "callboard: stopped.\n" {
		t.Errorf("code %d, %q", code, errs.String())
	}
}
