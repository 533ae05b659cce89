package app_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"callboard/app"
	"callboard/app/agent"
	"callboard/app/home"
	"callboard/app/roster"
	"callboard/app/tool"
	"callboard/app/vault"
)

// saves is how often the child saves before it ends by itself.
const saves = 500

// TestMain lets the test binary play the program that gets killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("CALLBOARD_TEST_SAVER"); dir != "" {
		if err := saveForever(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func open(dir string) (*app.App, error) {
	return app.Open(context.Background(), app.Options{
		Home: home.Home{Dir: dir}, Now: time.Now, Log: slog.New(slog.DiscardHandler), WorkFactor: 4,
	})
}

// state is an agent whose every field tells the same number.
func state(n int) agent.Agent {
	text := strconv.Itoa(n)
	return agent.Agent{
		Identity: agent.Identity{Name: "saver " + text, Description: text, Instructions: strings.Repeat(text+"\n", 400)},
		Run:      agent.Run{Provider: agent.ClaudeCode, Model: text},
		Access:   tool.Access{Tools: tool.Of("Read")},
	}
}

// saveForever saves states 1, 2, … and prints each number once the save has
// been acknowledged.
func saveForever(dir string) error {
	a, err := open(dir)
	if err != nil {
		return err
	}
	ctx := context.Background()
	if err := a.Vault.Unlock(ctx, vault.UnlockRequest{}); err != nil {
		return err
	}
	l, err := a.Roster.List(ctx)
	if err != nil {
		return err
	}
	e, err := a.Roster.Get(ctx, l.Agents[0].ID)
	if err != nil {
		return err
	}
	first, err := strconv.Atoi(e.Agent.Identity.Description)
	if err != nil {
		return err
	}
	for n := first + 1; n <= first+saves; n++ {
		next := state(n)
		next.ID = e.Agent.ID
		if e, err = a.Roster.Save(ctx, roster.SaveRequest{Agent: next, Revision: e.Revision}); err != nil {
			return err
		}
		fmt.Println(n)
	}
	return a.Close(ctx)
}

// TestKilledDuringSaves kills the saver without warning, again and again, and
// looks at what is there: every acknowledged save, no half one.
func TestKilledDuringSaves(t *testing.T) {
	dir := t.TempDir()
	a, err := open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Vault.Init(t.Context(), vault.InitRequest{Protection: vault.File}); err != nil {
		t.Fatal(err)
	}
	got, err := a.Roster.Import(t.Context(), roster.Newcomers(state(0)))
	if err != nil {
		t.Fatal(err)
	}
	id := got.IDs[0]
	if err := a.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	total := 0
	for round := 0; total < saves; round++ {
		acked := killOne(t, dir, rand.IntN(90)+1)
		total = verify(t, dir, id, acked)
		t.Logf("round %d: killed after save %d, %d saves in all", round, acked, total)
	}
}

// killOne runs a saver, kills it after so many acknowledgements and returns
// the last number it printed.
func killOne(t *testing.T, dir string, after int) int {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "CALLBOARD_TEST_SAVER="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	last, lines := 0, bufio.NewScanner(out)
	for seen := 0; lines.Scan(); seen++ {
		if last, err = strconv.Atoi(lines.Text()); err != nil {
			t.Fatal(err)
		}
		if seen == after {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait() // it was killed
	if last == 0 {
		t.Fatal("the saver saved nothing")
	}
	return last
}

// verify opens the home and returns the number of the state that is there.
func verify(t *testing.T, dir, id string, acked int) int {
	t.Helper()
	a, err := open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Vault.Unlock(t.Context(), vault.UnlockRequest{}); err != nil {
		t.Fatal(err)
	}
	if bad := a.Vault.Status(t.Context()).Damage; len(bad) > 0 {
		t.Errorf("damage after a kill: %v", bad)
	}
	e, err := a.Roster.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(e.Agent.Identity.Description)
	if err != nil {
		t.Fatal(err)
	}
	if n < acked || n > acked+1 {
		t.Errorf("save %d was acknowledged, state %d is there", acked, n)
	}
	if diff := agent.Diff(state(n), e.Agent); len(diff) > 0 {
		t.Errorf("half a save: %v", diff)
	}
	h, err := a.Roster.History(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if len(h) != min(n, 50) {
		t.Errorf("%d earlier states after %d saves", len(h), n)
	}
	for i, v := range h {
		if v.Agent.Identity.Description != strconv.Itoa(n-1-i) {
			t.Errorf("earlier state %d is %s, want %d", i, v.Agent.Identity.Description, n-1-i)
		}
	}
	if err := a.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return n
}
