//go:build unix

package servers_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/event"
	"callboard/app/servers"
)

func names(tools []servers.Tool) []string {
	var out []string
	for _, t := range tools {
		out = append(out, t.ID)
	}
	return out
}

func TestDiscoverListsToolsAndKeepsThem(t *testing.T) {
	s := newScene(t)
	id := s.added("github", "good")
	feed := s.db.Feed().Subscribe()
	defer feed.Close()
	d := s.discover(id)
	if d.Code != "" || d.Known.State() != servers.Ready || d.Known.Name != "good" || d.Known.Version != "1.2" {
		t.Fatalf("got %+v", d)
	}
	if diff := cmp.Diff([]string{"@github/add", "@github/drop-it", "@github/list_all"}, names(d.Known.Tools)); diff != "" {
		t.Error(diff)
	}
	if c := d.Changes; !c.First || len(c.Added) != 3 {
		t.Errorf("changes %+v", c)
	}
	one := d.Known.Tools[0]
	if one.Title != "The add" || one.Description != "Does add." || len(one.Schema) != 64 {
		t.Errorf("tool %+v", one)
	}
	if diff := cmp.Diff(d.Known, s.get(id).Known); diff != "" {
		t.Error(diff)
	}
	if e := s.get(id); !e.Ready() || e.Looking {
		t.Errorf("entry %+v", e)
	}
	if b, err := feed.Next(t.Context()); err != nil || len(b.Changes) != 1 || b.Changes[0] != (event.Change{Kind: event.Server, ID: id}) {
		t.Errorf("told %+v %v", b, err)
	}
	if d := s.discover(id); !d.Changes.None() || d.Changes.First {
		t.Errorf("asked again: %+v", d.Changes)
	}
	e := s.get(id)
	e.Server.Name = "hub"
	e = s.save(e.Server, e.Revision)
	if !e.Consented || names(e.Known.Tools)[0] != "@hub/add" {
		t.Errorf("renamed: %+v", e)
	}
}

func TestAFailureKeepsTheLastKnownTools(t *testing.T) {
	s := newScene(t)
	id := s.added("srv", "good")
	s.discover(id)
	for mode, want := range map[string]servers.Code{
		"garbage": servers.Invalid, "exits": servers.Exited, "closes": servers.Exited, "dies": servers.Exited, "long": servers.TooLarge,
		"flood": servers.TooLarge, "endless": servers.TooMany, "circle": servers.Invalid, "many": servers.TooMany,
		"wrong": servers.Invalid, "refuses": servers.Refused, "": servers.Unreachable,
	} {
		t.Run("mode "+mode, func(t *testing.T) {
			e := s.get(id)
			sv := s.stdio("srv", mode)
			sv.ID = id
			if mode == "" {
				sv.Command = filepath.Join(s.folder, "no-format")
				s.must(os.WriteFile(sv.Command, []byte("\x7fELF nonsense"), 0o700))
			}
			s.save(sv, e.Revision)
			s.agree(id)
			d := s.discover(id)
			if d.Code != want || d.Known.State() != servers.Unready || len(d.Known.Tools) != 3 || !d.Changes.None() {
				t.Errorf("got %+v", d)
			}
			if e := s.get(id); e.Ready() || e.Why() != want || rule(d.Code.Err()) != string(want) {
				t.Errorf("entry %+v", e)
			}
			s.nobodyLeft()
		})
	}
}

func TestAServerThatNeverAnswers(t *testing.T) {
	s := newScene(t)
	sv := s.stdio("mute", "mute")
	sv.Seconds = 1
	id := s.save(sv, 0).Server.ID
	s.agree(id)
	if d := s.discover(id); d.Code != servers.TimedOut || d.Known.State() != servers.Unready {
		t.Errorf("got %+v", d)
	}
	s.nobodyLeft()
}

func TestCancelSaysNothingOfTheServer(t *testing.T) {
	s := newScene(t)
	id := s.added("mute", "mute")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan servers.Discovered)
	go func() {
		d, err := s.Discover(ctx, id)
		if err != nil {
			t.Error(err)
		}
		done <- d
	}()
	s.appears("pid")
	if _, err := s.Discover(t.Context(), id); rule(err) != "server_busy" || !s.get(id).Looking {
		t.Errorf("a second one: %v", err)
	}
	cancel()
	if d := <-done; d.Code != servers.Cancelled || d.Known.State() != servers.Unasked {
		t.Errorf("got %+v", d)
	}
	s.nobodyLeft()
}

func TestAChangeEndsADiscovery(t *testing.T) {
	for name, change := range map[string]func(*scene, servers.Entry) error{
		"withdrawn": func(s *scene, e servers.Entry) error {
			_, err := s.Withdraw(context.Background(), e.Server.ID)
			return err
		},
		"switched off": func(s *scene, e servers.Entry) error {
			_, err := s.Enable(context.Background(), e.Server.ID, false)
			return err
		},
		"deleted": func(s *scene, e servers.Entry) error {
			_, err := s.Delete(context.Background(), e.Server.ID, e.Revision)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			id := s.added("mute", "mute")
			done := make(chan error)
			go func() {
				_, err := s.Discover(context.Background(), id)
				done <- err
			}()
			s.appears("pid")
			s.must(change(s, s.get(id)))
			s.refused(<-done, servers.ErrChanged)
		})
	}
}

func TestPagesAreFollowed(t *testing.T) {
	s := newScene(t)
	d := s.discover(s.added("p", "pages"))
	if diff := cmp.Diff([]string{"@p/t1", "@p/t2", "@p/t3"}, names(d.Known.Tools)); diff != "" || d.Code != "" {
		t.Error(diff, d.Code)
	}
}

func TestWhatAHostileServerSaysIsBounded(t *testing.T) {
	s := newScene(t)
	d := s.discover(s.added("h", "hostile"))
	if diff := cmp.Diff([]string{"@h/bidi", "@h/long", "@h/twice", "@h/schemaless"}, names(d.Known.Tools)); diff != "" {
		t.Fatal(diff, d.Code)
	}
	bidi, long, twice := d.Known.Tools[0], d.Known.Tools[1], d.Known.Tools[2]
	if bidi.Description != "safe evil [31mred end of it" || bidi.Hidden != 6 {
		t.Errorf("got %q, %d hidden", bidi.Description, bidi.Hidden)
	}
	if n := len([]rune(long.Description)); n != servers.MaxDescription || !strings.HasSuffix(long.Description, "…") {
		t.Errorf("%d runes", n)
	}
	if twice.Description != "first" || d.Known.Dropped != 7 {
		t.Errorf("twice is %q, %d dropped", twice.Description, d.Known.Dropped)
	}
}

func TestChangesSinceTheLastTime(t *testing.T) {
	s := newScene(t)
	id := s.added("srv", "pages")
	s.discover(id)
	e := s.get(id)
	sv := s.stdio("srv", "hostile")
	sv.ID = id
	s.save(sv, e.Revision)
	s.agree(id)
	want := servers.Changes{Added: []string{"bidi", "long", "twice", "schemaless"}, Removed: []string{"t1", "t2", "t3"}}
	if diff := cmp.Diff(want, s.discover(id).Changes); diff != "" {
		t.Error(diff)
	}
}
