package roster_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"callboard/app/agent"
	"callboard/app/roster"
	"callboard/storage"
	"callboard/storage/storagetest"
)

// many is how large a roster is that must still feel small.
const many = 10_000

// crowd is a roster of that many agents of about 4 KiB, on the real disk, as it
// is after it was opened.
func crowd(b *testing.B) *roster.Service {
	db := storage.New(storage.Options{Dir: b.TempDir()})
	if err := db.Open(b.Context(), storagetest.Sealer(b)); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	settle(b, service(db))
	if err := errors.Join(db.Close(), db.Open(b.Context(), storagetest.Sealer(b))); err != nil {
		b.Fatal(err)
	}
	return service(db)
}

func settle(b *testing.B, s *roster.Service) {
	all := make([]agent.Agent, many)
	for i := range all {
		a := named(fmt.Sprintf("agent-%05d", i*7919%many))
		a.Identity.Description = "Reads a change and says what breaks, number " + fmt.Sprint(i)
		a.Identity.Instructions = strings.Repeat("Read the diff, then the callers.\n", 62)
		a.Source.Original = []byte(a.Identity.Instructions)
		all[i] = a
	}
	if _, err := s.Import(b.Context(), roster.Newcomers(all...)); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkListOfTenThousand lists 10,000 agents of 4 KiB, in turn with reading
// the same fields as plain JSON from memory; it reports the ratio, and what of
// the heap stays.
func BenchmarkListOfTenThousand(b *testing.B) {
	s := crowd(b)
	l, err := s.List(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	plain := make([][]byte, len(l.Agents))
	for i, a := range l.Agents {
		if plain[i], err = json.Marshal(a); err != nil {
			b.Fatal(err)
		}
	}
	var ours, theirs time.Duration
	n := 0
	for b.Loop() {
		n++
		start := time.Now()
		if l, err = s.List(b.Context()); err != nil || len(l.Agents) != many {
			b.Fatal(len(l.Agents), err)
		}
		ours += time.Since(start)
		start = time.Now()
		for _, p := range plain {
			var a roster.Summary
			if err := json.Unmarshal(p, &a); err != nil {
				b.Fatal(err)
			}
		}
		theirs += time.Since(start)
	}
	clear(plain)
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(ours.Milliseconds())/float64(n), "ms/list")
	b.ReportMetric(float64(ours)/float64(theirs), "×json")
	b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "MiB/heap")
	runtime.KeepAlive(l)
}

// BenchmarkFilterOfTenThousand searches 10,000 agents, in turn with looking
// for one word in the same texts.
func BenchmarkFilterOfTenThousand(b *testing.B) {
	l, err := crowd(b).List(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	var ours, theirs time.Duration
	n, found := 0, 0
	for b.Loop() {
		n++
		start := time.Now()
		found = len(roster.Filter(l.Agents, "breaks 99 fs_read"))
		ours += time.Since(start)
		start = time.Now()
		for _, a := range l.Agents {
			if strings.Contains(a.Description, "99") {
				found++
			}
		}
		theirs += time.Since(start)
	}
	if found == 0 {
		b.Fatal("nothing found")
	}
	b.ReportMetric(float64(ours.Microseconds())/float64(n)/1000, "ms/filter")
	b.ReportMetric(float64(ours)/float64(theirs), "×contains")
}
