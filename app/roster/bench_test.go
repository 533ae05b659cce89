package roster_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"callboard/app/agent"
	"callboard/app/event"
	"callboard/app/roster"
	"callboard/storage"
	"callboard/storage/storagetest"
)

// BenchmarkSave saves an agent with 4 KiB of instructions on the real disk, in
// turn with the same rows written bare: the agent, the state it replaces and
// the event, as plain JSON, in one synced batch. It reports the ratio of the
// two; the aim is 2.0 at most.
func BenchmarkSave(b *testing.B) {
	db := storage.New(storage.Options{Dir: b.TempDir()})
	if err := db.Open(b.Context(), storagetest.Sealer(b)); err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	bare, err := pebble.Open(b.TempDir(), &pebble.Options{Logger: quiet{}})
	if err != nil {
		b.Fatal(err)
	}
	defer bare.Close()
	s := service(db)
	first := named("a")
	first.Identity.Instructions = strings.Repeat("Read the diff, then the callers.\n", 124)
	got, err := s.Import(b.Context(), roster.Newcomers(first))
	if err != nil {
		b.Fatal(err)
	}
	e, err := s.Get(b.Context(), got.IDs[0])
	if err != nil {
		b.Fatal(err)
	}
	var ours, theirs time.Duration
	n := 0
	for b.Loop() {
		n++
		next := e.Agent.Clone()
		next.Identity.Description = strconv.Itoa(n)
		start := time.Now()
		saved, err := s.Save(b.Context(), roster.SaveRequest{Agent: next, Revision: e.Revision})
		if err != nil {
			b.Fatal(err)
		}
		ours += time.Since(start)
		start = time.Now()
		if err := saveBare(bare, n, e, next); err != nil {
			b.Fatal(err)
		}
		theirs += time.Since(start)
		e = saved
	}
	b.ReportMetric(float64(ours.Microseconds())/float64(n), "µs/save")
	b.ReportMetric(float64(theirs.Microseconds())/float64(n), "µs/bare")
	b.ReportMetric(float64(ours)/float64(theirs), "×bare")
}

func saveBare(db *pebble.DB, n int, old roster.Entry, next agent.Agent) error {
	batch := db.NewBatch()
	defer batch.Close()
	old.Agent.Source = nil // as the history keeps it
	for key, v := range map[string]any{
		"a/" + next.ID:                         roster.Entry{Agent: next},
		"h/" + next.ID + "/" + strconv.Itoa(n): old,
		"e/" + strconv.Itoa(n):                 event.Change{Kind: event.Agent, ID: next.ID},
	} {
		plain, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if err := batch.Set([]byte(key), plain, nil); err != nil {
			return err
		}
	}
	return batch.Commit(pebble.Sync)
}

type quiet struct{}

func (quiet) Infof(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Fatalf(string, ...any) { panic("pebble gave up") }
