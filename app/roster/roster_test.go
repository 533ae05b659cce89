package roster_test

import (
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"callboard/app/agent"
	"callboard/app/event"
	"callboard/app/fault"
	"callboard/app/ident"
	"callboard/app/roster"
	"callboard/app/tool"
	"callboard/storage"
	"callboard/storage/storagetest"
)

func service(db *storage.DB) *roster.Service {
	at := time.Unix(1e9, 0).UTC()
	return roster.NewService(roster.Config{
		DB:    db,
		Now:   func() time.Time { at = at.Add(time.Second); return at },
		NewID: ident.New,
	})
}

func named(name string) agent.Agent {
	return agent.Agent{
		Enabled:  true,
		Identity: agent.Identity{Name: name, Description: "about " + name, Instructions: "do"},
		Run:      agent.Run{Provider: agent.ClaudeCode, Model: "sonnet"},
		Access:   tool.Access{Tools: tool.Of("Read", "Bash(git *)")},
		Source:   &agent.Source{Format: "claude_code", Path: "/r/" + name + ".md", Original: []byte("name: " + name)},
	}
}

func add(t *testing.T, s *roster.Service, agents ...agent.Agent) []string {
	t.Helper()
	got, err := s.Import(t.Context(), roster.Newcomers(agents...))
	if err != nil {
		t.Fatal(err)
	}
	return got.IDs
}

func get(t *testing.T, s *roster.Service, id string) roster.Entry {
	t.Helper()
	e, err := s.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestSaveKeepsHistoryAndTellsTheFeed(t *testing.T) {
	db := storagetest.New(t)
	s := service(db)
	id := add(t, s, named("a"))[0]
	feed := db.Feed().Subscribe()
	defer feed.Close()
	if _, err := feed.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	first := get(t, s, id)
	if first.Unwritten {
		t.Error("an imported agent equals its file")
	}
	next := first.Agent.Clone()
	next.Identity.Name = "b"
	saved, err := s.Save(t.Context(), roster.SaveRequest{Agent: next, Revision: first.Revision})
	if err != nil {
		t.Fatal(err)
	}
	if !saved.Unwritten || saved.Revision == first.Revision {
		t.Errorf("saved %+v", saved)
	}
	if diff := cmp.Diff(saved, get(t, s, id)); diff != "" {
		t.Error("what Save returned is not what is there: ", diff)
	}
	b, err := feed.Next(t.Context())
	if diff := cmp.Diff(event.Batch{Changes: []event.Change{{Kind: event.Agent, ID: id}}}, b); diff != "" || err != nil {
		t.Error(diff, err)
	}
	h, err := s.History(t.Context(), id)
	if err != nil || len(h) != 1 {
		t.Fatalf("history %v %v", h, err)
	}
	first.Agent.Source = nil // history keeps no file
	if diff := cmp.Diff(first.Agent, h[0].Agent); diff != "" || h[0].Revision != first.Revision {
		t.Error("history is not the state that was replaced: ", diff)
	}
}

func TestHistoryKeepsFifty(t *testing.T) {
	s := service(storagetest.New(t))
	e := get(t, s, add(t, s, named("a"))[0])
	for n := range 60 {
		next := e.Agent.Clone()
		next.Identity.Description = strconv.Itoa(n)
		var err error
		if e, err = s.Save(t.Context(), roster.SaveRequest{Agent: next, Revision: e.Revision}); err != nil {
			t.Fatal(err)
		}
	}
	h, err := s.History(t.Context(), e.Agent.ID)
	if err != nil || len(h) != 50 || h[0].Agent.Identity.Description != "58" || h[49].Agent.Identity.Description != "9" {
		t.Errorf("%d states, %v", len(h), err)
	}
}

func TestSaveRefuses(t *testing.T) {
	s := service(storagetest.New(t))
	id := add(t, s, named("a"))[0]
	e := get(t, s, id)
	for name, tc := range map[string]struct {
		change func(*roster.SaveRequest)
		rule   string
	}{
		"an old revision":        {func(r *roster.SaveRequest) { r.Revision-- }, "agent_conflict"},
		"a revision to come":     {func(r *roster.SaveRequest) { r.Revision++ }, "agent_conflict"},
		"an agent that is gone":  {func(r *roster.SaveRequest) { r.Agent.ID = ident.New(time.Unix(1, 0)) }, "agent_not_found"},
		"a broken limit":         {func(r *roster.SaveRequest) { r.Agent.Identity.Name = "" }, "agent_invalid"},
		"enabled without doubt":  {func(r *roster.SaveRequest) { r.Agent.Access.Tools = tool.Of() }, "tools_uncertain"},
		"an id that is none":     {func(r *roster.SaveRequest) { r.Agent.ID = "" }, "id_invalid"},
		"a name with a tag rune": {func(r *roster.SaveRequest) { r.Agent.Identity.Name = "a\U000e0041" }, "agent_invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			req := roster.SaveRequest{Agent: e.Agent.Clone(), Revision: e.Revision}
			tc.change(&req)
			if _, err := s.Save(t.Context(), req); fault.RuleOf(err) != tc.rule {
				t.Errorf("got %v", err)
			}
			if diff := cmp.Diff(e, get(t, s, id)); diff != "" {
				t.Error("a refused save changed something: ", diff)
			}
		})
	}
	if h, err := s.History(t.Context(), id); err != nil || len(h) != 0 {
		t.Errorf("refused saves left history: %v %v", h, err)
	}
}

func TestSaveCannotChangeTheSource(t *testing.T) {
	s := service(storagetest.New(t))
	e := get(t, s, add(t, s, named("a"))[0])
	next := e.Agent.Clone()
	next.Source.Path = "/etc/passwd"
	saved, err := s.Save(t.Context(), roster.SaveRequest{Agent: next, Revision: e.Revision})
	if err != nil || saved.Agent.Source.Path != "/r/a.md" {
		t.Errorf("%+v %v", saved.Agent.Source, err)
	}
}

func TestSetSourceTakesUnwrittenAway(t *testing.T) {
	s := service(storagetest.New(t))
	e := get(t, s, add(t, s, named("a"))[0])
	next := e.Agent.Clone()
	next.Identity.Name = "b"
	saved, err := s.Save(t.Context(), roster.SaveRequest{Agent: next, Revision: e.Revision})
	if err != nil {
		t.Fatal(err)
	}
	if !saved.Unwritten {
		t.Error("a renamed agent equals its file")
	}
	back := saved.Agent.Clone()
	back.Identity.Name = "a"
	back.Enabled = false // no file says that
	if undone, err := s.Save(t.Context(), roster.SaveRequest{Agent: back, Revision: saved.Revision}); err != nil || undone.Unwritten {
		t.Errorf("an edit taken back still differs: %v", err)
	} else if saved, err = s.Save(t.Context(), roster.SaveRequest{Agent: next, Revision: undone.Revision}); err != nil {
		t.Fatal(err)
	}
	src := *saved.Agent.Source
	src.Original = []byte("name: b")
	if _, err := s.SetSource(t.Context(), e.Agent.ID, e.Revision, src); !errors.Is(err, roster.ErrConflict) {
		t.Errorf("an old revision: %v", err)
	}
	done, err := s.SetSource(t.Context(), e.Agent.ID, saved.Revision, src)
	if err != nil || done.Unwritten || string(done.Agent.Source.Original) != "name: b" {
		t.Errorf("%+v %v", done, err)
	}
}

func TestImportIsOneStepAndNeverTwins(t *testing.T) {
	s := service(storagetest.New(t))
	add(t, s, named("a"))
	bad := named("c")
	bad.Identity.Name = ""
	if _, err := s.Import(t.Context(), roster.Newcomers(named("b"), bad)); fault.RuleOf(err) != "agent_invalid" {
		t.Errorf("got %v", err)
	}
	doubt := named("d")
	doubt.Access.Tools = tool.List{Stated: tool.Unread}
	if _, err := s.Import(t.Context(), roster.Newcomers(doubt)); !errors.Is(err, roster.ErrDisabledReason) {
		t.Errorf("got %v", err)
	}
	doubt.Enabled = false
	known, err := s.Match(t.Context(), []agent.Agent{named("a"), named("b")})
	if err != nil || known[0].State != roster.Same || known[1].State != roster.Fresh {
		t.Error(known, err)
	}
	got, err := s.Import(t.Context(), roster.Newcomers(named("a"), named("b"), named("b"), doubt))
	if err != nil || len(got.IDs) != 2 {
		t.Errorf("%+v %v", got, err)
	}
	l, err := s.List(t.Context())
	if err != nil || len(l.Agents) != 3 {
		t.Fatalf("%+v %v", l, err)
	}
	if d := l.Agents[2]; d.Name != "d" || d.Enabled || d.Certain {
		t.Errorf("the doubtful one is %+v", d)
	}
}

func TestListSortsAndNamesTwins(t *testing.T) {
	s := service(storagetest.New(t))
	one, two := named("Reviewer"), named("reviewer")
	two.Identity.Name = "ｒeviewer" // a wide r: equal under NFKC
	add(t, s, named("zeta"), one, two, named("Alpha"))
	l, err := s.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var twins []bool
	for _, a := range l.Agents {
		names = append(names, a.Name)
		twins = append(twins, a.SameName)
	}
	if names[0] != "Alpha" || names[3] != "zeta" {
		t.Errorf("order %q", names)
	}
	if diff := cmp.Diff([]bool{false, true, true, false}, twins); diff != "" {
		t.Error(diff)
	}
}

func TestFilter(t *testing.T) {
	s := service(storagetest.New(t))
	add(t, s, named("SQL tuner"), named("Crème"), named("数据库"))
	l, err := s.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{"": 3, " ": 3, "sql": 1, "tuner SQL": 1, "CRÈME": 1, "cre\u0300me": 1, "数据": 1, "sonnet": 3, "nobody": 0} {
		if got := roster.Filter(l.Agents, query); len(got) != want {
			t.Errorf("Filter(%q) keeps %d, want %d", query, len(got), want)
		}
	}
}

// TestCrashAtEveryWritePath pulls the plug during imports, saves and source
// changes: what was acknowledged is there, nothing is half.
func TestCrashAtEveryWritePath(t *testing.T) {
	storagetest.Crash(t, 60, func(db *storage.DB, ack func()) {
		s := service(db)
		e := get(t, s, add(t, s, named("a"))[0])
		ack()
		for n := 1; n < 30; n++ {
			next := e.Agent.Clone()
			next.Identity.Description = strconv.Itoa(n)
			next.Run.Model = strconv.Itoa(n)
			var err error
			if n%5 == 0 {
				add(t, s, named(fmt.Sprint("extra", n)))
				ack()
				continue
			}
			if e, err = s.Save(t.Context(), roster.SaveRequest{Agent: next, Revision: e.Revision}); err != nil {
				t.Error(err)
			}
			ack()
		}
	}, func(t *testing.T, db *storage.DB, acked int) {
		s := service(db)
		l, err := s.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if acked == 0 && len(l.Agents) == 0 {
			return
		}
		last := acked - 1 // ack 1 is the first import, ack n+1 is step n
		if want := 1 + last/5; len(l.Agents) < want {
			t.Errorf("%d agents after %d acknowledged steps, want %d", len(l.Agents), acked, want)
		}
		e := get(t, s, l.Agents[0].ID)
		if last >= 1 && e.Agent.Identity.Description != e.Agent.Run.Model {
			t.Errorf("half a save: %q %q", e.Agent.Identity.Description, e.Agent.Run.Model)
		}
		n, _ := strconv.Atoi(e.Agent.Identity.Description)
		saved := last
		if last%5 == 0 && last > 0 {
			saved = last - 1
		}
		if n < saved {
			t.Errorf("save %d was acknowledged, state %d is there", saved, n)
		}
		h, err := s.History(t.Context(), e.Agent.ID)
		if err != nil || (n > 0 && len(h) != n-n/5) {
			t.Errorf("state %d has %d earlier ones, %v", n, len(h), err)
		}
	})
}
