package ui

import (
	"testing"

	"fyne.io/fyne/v2"

	"callboard/app/servers"
	"callboard/app/settings"
)

func TestLeavingAsksForAnEditedToolServer(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	if _, err := s.app.Servers.Save(t.Context(), servers.SaveRequest{Server: servers.Server{
		Name: "small", Enabled: true, Transport: servers.Stdio, Command: "/bin/true",
	}}); err != nil {
		t.Fatal(err)
	}
	s.w.showSettings("Tool servers")
	s.settle()
	s.edit("Command", "/bin/false")
	s.do("Lock")
	s.wants("Changes to a tool server are not saved and will be lost.", "Discard and lock")
	s.press(fyne.KeyReturn) // Enter takes nothing away
	if !s.w.open() || s.w.servers.Unsaved() != 1 {
		t.Fatal("Enter threw the edit away")
	}
	s.do("Lock")
	s.tap("Discard and lock")
	s.wants("Callboard is locked")
	if s.w.servers.Unsaved() != 0 {
		t.Error("the edit is kept while locked")
	}
}
