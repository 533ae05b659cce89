package roster_test

import (
	"errors"
	"testing"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/roster"
	"callboard/app/tool"
	"callboard/storage/storagetest"
)

// onDisk is agent a as its file says it after an edit outside.
func onDisk(text string) agent.Agent {
	a := named("a")
	a.Identity.Instructions = text
	a.Source.Original = []byte("name: a\n" + text)
	return a
}

func match(t *testing.T, s *roster.Service, read agent.Agent) roster.Match {
	t.Helper()
	m, err := s.Match(t.Context(), []agent.Agent{read})
	if err != nil {
		t.Fatal(err)
	}
	return m[0]
}

func TestMatchTellsWhoChangedWhat(t *testing.T) {
	s := service(storagetest.New(t))
	id := add(t, s, named("a"))[0]
	if m := match(t, s, named("a")); m.State != roster.Same || m.Stored.Agent.ID != id {
		t.Errorf("untouched: %+v", m)
	}
	if m := match(t, s, onDisk("other")); m.State != roster.Changed {
		t.Errorf("changed on disk: %+v", m)
	}
	if m := match(t, s, named("b")); m.State != roster.Fresh || m.Stored.Agent.ID != "" {
		t.Errorf("new: %+v", m)
	}
	other := named("a")
	other.Source.Format = "codex"
	if m := match(t, s, other); m.State != roster.Fresh {
		t.Errorf("the same path in another format: %+v", m)
	}
	e := get(t, s, id)
	e.Agent.Identity.Description = "edited here"
	if _, err := s.Save(t.Context(), roster.SaveRequest{Agent: e.Agent, Revision: e.Revision}); err != nil {
		t.Fatal(err)
	}
	if m := match(t, s, named("a")); m.State != roster.Edited {
		t.Errorf("edited here: %+v", m)
	}
	if m := match(t, s, onDisk("other")); m.State != roster.Both {
		t.Errorf("changed in both: %+v", m)
	}
}

// TestMatchInAFileOfSeveral: another agent's edit in the same file moves this
// one's bytes, and nothing else.
func TestMatchInAFileOfSeveral(t *testing.T) {
	s := service(storagetest.New(t))
	one := named("one")
	one.Source = &agent.Source{Format: "opencode", Path: "/r/opencode.json", Key: "agent/one", Own: "1a", Original: []byte("1")}
	two := named("two")
	two.Source = &agent.Source{Format: "opencode", Path: "/r/opencode.json", Key: "agent/two", Own: "1b", Original: []byte("1")}
	if got := add(t, s, one, two); len(got) != 2 {
		t.Fatalf("imported %v", got)
	}
	one.Source.Original = []byte("2")
	if m := match(t, s, one); m.State != roster.Same {
		t.Errorf("%+v", m)
	}
	one.Source.Own = "2a" // in a key that is no field
	if m := match(t, s, one); m.State != roster.Changed {
		t.Errorf("%+v", m)
	}
}

func TestReimportTakesTheFileAndUndoGivesItBack(t *testing.T) {
	s := service(storagetest.New(t))
	id := add(t, s, named("a"))[0]
	e := get(t, s, id)
	e.Agent.Identity.Description = "edited here"
	e, err := s.Save(t.Context(), roster.SaveRequest{Agent: e.Agent, Revision: e.Revision})
	if err != nil {
		t.Fatal(err)
	}
	disk := onDisk("other")
	got, err := s.Import(t.Context(), []roster.Incoming{{Agent: disk, ID: id, Revision: e.Revision}, {Agent: named("b")}})
	if err != nil || len(got.IDs) != 1 || len(got.Updated) != 1 {
		t.Fatalf("%+v %v", got, err)
	}
	now := get(t, s, id)
	if now.Unwritten || now.Agent.Identity.Instructions != "other" || string(now.Agent.Source.Original) != string(disk.Source.Original) {
		t.Errorf("after: %+v", now.Agent)
	}
	if m := match(t, s, disk); m.State != roster.Same {
		t.Errorf("after: %+v", m)
	}
	h, err := s.History(t.Context(), id)
	if err != nil || h[0].Agent.Identity.Description != "edited here" {
		t.Errorf("the edit is not in the history: %+v %v", h, err)
	}
	if err := s.Undo(t.Context(), got.Change); err != nil {
		t.Fatal(err)
	}
	back := get(t, s, id)
	if !back.Unwritten || back.Agent.Identity.Description != "edited here" || string(back.Agent.Source.Original) != "name: a" {
		t.Errorf("undone: %+v", back.Agent)
	}
	if l, err := s.List(t.Context()); err != nil || len(l.Agents) != 1 {
		t.Errorf("%+v %v", l, err)
	}
	if err := s.Undo(t.Context(), got.Change); !errors.Is(err, roster.ErrUndone) {
		t.Errorf("undone twice: %v", err)
	}
}

func TestUndoLeavesWhatWasChangedSince(t *testing.T) {
	s := service(storagetest.New(t))
	got, err := s.Import(t.Context(), roster.Newcomers(named("a"), named("b")))
	if err != nil {
		t.Fatal(err)
	}
	e := get(t, s, got.IDs[1])
	e.Agent.Identity.Description = "mine"
	if _, err := s.Save(t.Context(), roster.SaveRequest{Agent: e.Agent, Revision: e.Revision}); err != nil {
		t.Fatal(err)
	}
	if err := s.Undo(t.Context(), got.Change); !errors.Is(err, roster.ErrUndone) {
		t.Errorf("got %v", err)
	}
	if l, err := s.List(t.Context()); err != nil || len(l.Agents) != 2 {
		t.Errorf("half undone: %+v %v", l, err)
	}
}

func TestReimportRefuses(t *testing.T) {
	s := service(storagetest.New(t))
	id := add(t, s, named("a"))[0]
	e := get(t, s, id)
	if _, err := s.Import(t.Context(), []roster.Incoming{{Agent: onDisk("x"), ID: id, Revision: e.Revision + 1}}); !errors.Is(err, roster.ErrConflict) {
		t.Errorf("another revision: %v", err)
	}
	bad := onDisk("x")
	bad.Identity.Name = ""
	in := []roster.Incoming{{Agent: named("b")}, {Agent: bad, ID: id, Revision: e.Revision}}
	if _, err := s.Import(t.Context(), in); fault.RuleOf(err) != "agent_invalid" {
		t.Errorf("over a limit: %v", err)
	}
	if l, err := s.List(t.Context()); err != nil || len(l.Agents) != 1 {
		t.Errorf("half imported: %+v %v", l, err)
	}
}

// TestReimportNeverEnables: what was off stays off, and an agent whose tools
// are no longer certain goes off.
func TestReimportNeverEnables(t *testing.T) {
	s := service(storagetest.New(t))
	id := add(t, s, named("a"))[0]
	e := get(t, s, id)
	doubt := onDisk("x")
	doubt.Access.Tools, doubt.Enabled = tool.List{Stated: tool.Unread}, false
	if _, err := s.Import(t.Context(), []roster.Incoming{{Agent: doubt, ID: id, Revision: e.Revision}}); err != nil {
		t.Fatal(err)
	}
	e = get(t, s, id)
	if e.Agent.Enabled {
		t.Error("uncertain and enabled")
	}
	if _, err := s.Import(t.Context(), []roster.Incoming{{Agent: onDisk("y"), ID: id, Revision: e.Revision}}); err != nil {
		t.Fatal(err)
	}
	if get(t, s, id).Agent.Enabled {
		t.Error("a file enabled an agent")
	}
}

// TestKeepOverLeavesTheAgentAndKnowsTheFile: what others changed is refused, and
// writing the agent puts it back.
func TestKeepOverLeavesTheAgentAndKnowsTheFile(t *testing.T) {
	s := service(storagetest.New(t))
	id := add(t, s, named("a"))[0]
	disk := onDisk("other")
	e, err := s.KeepOver(t.Context(), id, get(t, s, id).Revision, disk)
	if err != nil || !e.Unwritten || e.Agent.Identity.Instructions != "do" || string(e.Agent.Source.Original) != string(disk.Source.Original) {
		t.Fatalf("%+v %v", e, err)
	}
	if m := match(t, s, disk); m.State != roster.Edited {
		t.Errorf("still a proposal: %s", m.State)
	}
	if m := match(t, s, onDisk("again")); m.State != roster.Both {
		t.Errorf("the next change: %s", m.State)
	}
	if _, err := s.KeepOver(t.Context(), id, e.Revision-1, disk); !errors.Is(err, roster.ErrConflict) {
		t.Errorf("another revision: %v", err)
	}
	same := named("a")
	same.Source.Original = []byte("name: a # a note")
	if e, err = s.KeepOver(t.Context(), e.Agent.ID, e.Revision, same); err != nil || e.Unwritten {
		t.Errorf("a file that says the same: %+v %v", e, err)
	}
}
