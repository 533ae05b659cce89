package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"callboard/app/servers"
	"callboard/app/settings"
)

const serversCanary = "c4n4ry-of-a-value"

func TestAToolServerIsAskedAfterItWasRead(t *testing.T) {
	s := atServers(t, settings.Light)
	s.wants("No tool servers yet")
	s.addServer("small")
	s.lines("Arguments, one a line", serveWord, "good", "add", "list_all")
	s.hit("Save")
	s.wants("small is saved.", "consent needed")
	s.hit("List tools…")
	s.wants("List the tools of small", "serve-tools-for-test", "list_all", "Starts in", "Passes on", "HOME")
	if e := s.stored(); e.Consented || !e.Known.Tried.IsZero() {
		t.Fatal("something happened before the press")
	}
	s.press(fyne.KeyReturn) // as a second press on "List tools…" would be
	if s.stored().Consented {
		t.Fatal("agreed by a key that was meant for something else")
	}
	s.hit("I have read this. Run it")
	s.wants("The tools of small", "2 tools, listed", "Listed for the first time.")
	s.press(fyne.KeyReturn)
	s.wants("ready", "@small/add", "@small/list_all", "The add · Works")

	s.tabTo("Tools")
	s.press(fyne.KeyLeft)
	s.lines("Arguments, one a line", serveWord, "good", "add", "drop")
	s.wants("Save or discard first to list its tools.")
	s.hit("Save")
	s.wants("it needs a new consent", "consent needed")
	s.hit("List tools…")
	s.hit("I have read this. Run it")
	s.wants("Since the look before: 1 tool new, 1 gone.")
	s.press(fyne.KeyEscape)
	s.wants("@small/drop", "Since the look before: 1 tool new, 1 gone.")
	s.hit("List tools…")
	s.wants("You agreed to exactly this")
	s.press(fyne.KeyEscape)
	s.hit("Withdraw consent")
	s.wants("consent needed", "Unready: these are the tools it had then.")
	if s.stored().Consented {
		t.Error("the consent is still there")
	}
}

func TestAServerThatFailsKeepsItsToolsUnready(t *testing.T) {
	s := atServers(t, settings.Light)
	s.addServer("small")
	s.lines("Arguments, one a line", serveWord, "good", "add")
	s.lines("Environment names, one a line", "CANARY")
	s.edit("CANARY", serversCanary)
	s.hit("Save")
	s.wants("set")
	s.lacks(serversCanary)
	s.hit("List tools…")
	s.hit("I have read this. Run it")
	s.lacks(serversCanary)
	s.press(fyne.KeyReturn)
	s.tabTo("Tools")
	s.press(fyne.KeyLeft)
	s.lines("Arguments, one a line", serveWord, "exits")
	s.hit("Save")
	s.hit("List tools…")
	s.hit("I have read this. Run it")
	s.wants("ended before it had listed", "The server's own words, which may be wrong", "no config file", "marked unready")
	s.lacks(serversCanary)
	s.press(fyne.KeyEscape)
	s.lacks("no config file")
	s.tabTo("Server")
	s.press(fyne.KeyRight)
	s.wants("unready", "@small/add", "Unready: these are the tools it had then.")
	if e := s.stored(); e.Ready() || len(e.Known.Tools) != 1 {
		t.Errorf("%+v", e.Known)
	}
}

func TestAValueIsSetAndRemoved(t *testing.T) {
	s := atServers(t, settings.Light)
	s.addServer("small")
	s.lines("Arguments, one a line", serveWord, "good")
	s.lines("Environment names, one a line", "TOKEN")
	s.wants("not set")
	s.hit("Save")
	s.hit("List tools…")
	s.wants("Cannot be asked now", "No value is set for TOKEN.")
	s.press(fyne.KeyReturn)
	if s.stored().Consented {
		t.Fatal("agreed without a value")
	}
	s.press(fyne.KeyEscape)
	s.edit("TOKEN", serversCanary)
	s.press(fyne.KeyReturn)
	if got := s.stored().Set.Env; len(got) != 1 {
		t.Fatalf("set are %q", got)
	}
	for _, text := range s.Texts() {
		if strings.Contains(text, serversCanary) || strings.Contains(text, strings.Repeat("•", 5)) {
			t.Errorf("the window shows %q", text)
		}
	}
	s.hit("Remove")
	s.wants("It cannot be brought back.")
	s.press(fyne.KeyReturn) // on Cancel: Enter takes nothing away
	if len(s.stored().Set.Env) != 1 {
		t.Fatal("removed without its button")
	}
	s.hit("Remove")
	s.hit("Remove")
	s.wants("The value of TOKEN is removed.", "not set")
	if len(s.stored().Set.Env) != 0 {
		t.Error("the value is still there")
	}
}

func TestAPlanThatMovedIsShownAgain(t *testing.T) {
	s := atServers(t, settings.Light)
	s.addServer("small")
	s.lines("Arguments, one a line", serveWord, "good", "add")
	s.hit("Save")
	s.hit("List tools…")
	e := s.stored()
	e.Server.Args = append(e.Server.Args, "other")
	if _, err := s.app.Servers.Save(t.Context(), servers.SaveRequest{Server: e.Server, Revision: e.Revision}); err != nil {
		t.Fatal(err)
	}
	s.hit("I have read this. Run it")
	s.wants("Changed since it was shown", "other")
	if e := s.stored(); e.Consented || !e.Known.Tried.IsZero() {
		t.Fatal("it was run unread")
	}
	s.hit("I have read this. Run it")
	s.wants("2 tools, listed")
}

func TestAskingIsCancelled(t *testing.T) {
	s := atServers(t, settings.Light)
	s.runsMute()
	s.wants("Asking mute for its tools.")
	s.press(fyne.KeyEscape)
	s.wants("Stopped. What is known of mute stays as it was.", "not asked yet")
	s.lacks("The tools of mute")
}

func TestLockingEndsAskingAndForgets(t *testing.T) {
	s := atServers(t, settings.Light)
	s.runsMute()
	s.do("Lock")
	for _, text := range []string{"mute", "Asking", serveWord} {
		s.lacks(text)
	}
	if s.w.open() {
		t.Error("the vault is open")
	}
	s.w.inside.Show() // what would be drawn if the page were seen
	s.w.goTo(s.w.settings.Object())
	for _, text := range []string{"mute", serveWord} {
		s.lacks(text)
	}
}

func TestADeletedServerComesBackUnagreed(t *testing.T) {
	s := atServers(t, settings.Light)
	s.addServer("small")
	s.lines("Arguments, one a line", serveWord, "good", "add")
	s.hit("Save")
	s.hit("List tools…")
	s.hit("I have read this. Run it")
	s.press(fyne.KeyReturn)
	s.hit("Delete")
	s.wants("small is deleted", "No tool servers yet")
	s.do("Undo")
	s.wants("small is back. It needs a new consent", "consent needed", "@small/add")
}

func TestAChangeElsewhereIsSaid(t *testing.T) {
	s := atServers(t, settings.Light)
	s.addServer("small")
	elsewhere := func(name string) {
		e := s.stored()
		e.Server.Name = name
		if _, err := s.app.Servers.Save(t.Context(), servers.SaveRequest{Server: e.Server, Revision: e.Revision}); err != nil {
			t.Fatal(err)
		}
	}
	elsewhere("other")
	s.until("the other name", func() bool { return s.Shows("other") })
	s.edit("Name", "mine")
	elsewhere("third")
	s.until("the change", func() bool { return s.Shows("Changed elsewhere") })
	s.hit("Save")
	s.wants("Not saved", "changed elsewhere since you opened it")
	s.hit("Discard")
	s.wants("third")
	s.lacks("mine")
}

func TestAnotherServerWaitsForUnsavedEdits(t *testing.T) {
	s := atServers(t, settings.Light)
	s.addServer("small")
	s.addServer("tiny")
	s.edit("Command", "nothing-here")
	s.tabTo("small")
	s.press(fyne.KeyUp)
	s.wants("Save or discard the changes of tiny first.", "nothing-here")
	s.hit("Save")
	s.wants("unready", "was not found")
}

func TestServersPictures(t *testing.T) {
	for _, look := range []settings.Theme{settings.Light, settings.Dark} {
		t.Run(string(look), func(t *testing.T) {
			s := atServers(t, look)
			s.Golden("servers-none-" + string(look))
			s.servers()
			s.Golden("servers-" + string(look))
			s.tabTo("Server")
			s.press(fyne.KeyRight)
			s.Golden("servers-tools-" + string(look))
			s.hit("List tools…")
			s.Golden("servers-plan-" + string(look))
			s.press(fyne.KeyEscape)
			if look == settings.Light {
				if err := s.app.Settings.Update(func(v *settings.Settings) { v.Appearance.TextSize = 150 }); err != nil {
					t.Fatal(err)
				}
				s.w.applyTheme()
				s.tabTo("Tools")
				s.press(fyne.KeyLeft)
				s.Golden("servers-large-light")
			}
		})
	}
}
