package ui

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	fynetest "fyne.io/fyne/v2/test"

	"callboard/app"
	"callboard/app/agent"
	"callboard/app/home"
	"callboard/app/roster"
	"callboard/app/tool"
	"callboard/app/vault"
	"callboard/crypto/secret"
	"callboard/ui/loop"
	"callboard/ui/uitest"
)

const manyAgents = 10_000

// bigHome is a home of 10,000 agents of 4 KiB, locked.
func bigHome(b *testing.B) home.Home {
	h := home.Home{Dir: b.TempDir()}
	a, err := app.Open(b.Context(), app.Options{Home: h, Now: time.Now, Log: slog.New(slog.DiscardHandler), WorkFactor: 4})
	if err != nil {
		b.Fatal(err)
	}
	if err := a.Vault.Init(b.Context(), vault.InitRequest{Protection: vault.File}); err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat("Read the diff, then the callers.\n", 62)
	all := make([]agent.Agent, manyAgents)
	for i := range all {
		name := fmt.Sprintf("agent-%05d", i*7919%manyAgents)
		all[i] = agent.Agent{
			Enabled:  true,
			Identity: agent.Identity{Name: name, Description: fmt.Sprint("Says what breaks, number ", i), Instructions: text},
			Run:      agent.Run{Provider: agent.ClaudeCode, Model: "sonnet"},
			Access:   tool.Access{Tools: tool.Of("Read", "Grep")},
			Source:   &agent.Source{Format: "claude_code", Path: "/r/" + name + ".md", Original: []byte(text)},
		}
	}
	if _, err := a.Roster.Import(b.Context(), roster.Newcomers(all...)); err != nil {
		b.Fatal(err)
	}
	if err := a.Close(context.Background()); err != nil {
		b.Fatal(err)
	}
	return h
}

// BenchmarkOpenTenThousand opens a home of 10,000 agents in the window and
// draws the list: from the press that unlocks to the picture, in turn with the
// picture alone. Then it jumps 200 times and searches. It reports the times,
// the live heap and the process's resident memory (aims: 1 s, 50 ms for a
// search, 150 MiB, 450 MiB).
func BenchmarkOpenTenThousand(b *testing.B) {
	h := bigHome(b)
	b.Setenv("HOME", b.TempDir())
	var first, picture, search, jump time.Duration
	n := 0
	for b.Loop() {
		n++
		a, err := app.Open(b.Context(), app.Options{Home: h, Now: time.Now, Log: slog.New(slog.DiscardHandler), WorkFactor: 4})
		if err != nil {
			b.Fatal(err)
		}
		l := loop.NewTest()
		w := newWindow(b.Context(), fynetest.NewTempApp(b), l, Services{
			Vault: a.Vault, Roster: a.Roster, Profile: a.Profile, Models: a.Models, Servers: a.Servers, Settings: a.Settings,
			Changes: a.Changes, Home: h, Ticks: make(chan time.Time), Close: a.Close,
		})
		w.win.Resize(fyne.NewSize(1280, 800))
		s := uitest.Of(b, w.win)
		start := time.Now()
		w.start(secret.Bytes{})
		l.DrainUntil(func() bool { return len(w.roster.Agents()) > 0 })
		s.Picture()
		first += time.Since(start)
		l.Drain()
		start = time.Now()
		s.Picture()
		picture += time.Since(start)
		w.roster.Find()
		start = time.Now()
		s.Type("0")
		search += time.Since(start)
		s.Press(fyne.KeyEscape)
		w.roster.FocusList()
		start = time.Now()
		for range 100 {
			s.Press(fyne.KeyEnd, fyne.KeyHome)
			l.Drain()
		}
		jump += time.Since(start)
		l.Close()
		if n == 1 {
			report(b)
		}
		w.win.SetCloseIntercept(nil)
		w.win.Close()
		if err := a.Close(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	each := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / float64(n) }
	b.ReportMetric(each(first), "ms/first-list")
	b.ReportMetric(float64(first)/float64(picture), "×picture")
	b.ReportMetric(each(search), "ms/search")
	b.ReportMetric(each(jump)/200, "ms/jump")
}

func report(b *testing.B) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "MiB/heap")
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return // not on this system
	}
	for _, line := range strings.Split(string(status), "\n") {
		var kib float64
		if _, err := fmt.Sscanf(line, "VmRSS: %f kB", &kib); err == nil {
			b.ReportMetric(kib/1024, "MiB/resident")
		}
	}
}
