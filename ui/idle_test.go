package ui

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"callboard/app/settings"
)

func TestLocksAfterAWhileWithoutAKey(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	s.bring()
	at := time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC)
	pass := func(seconds int) {
		for range seconds {
			at = at.Add(time.Second)
			s.w.tick(at)
		}
		s.settle()
	}
	pass(3 * 3600)
	if !s.w.open() {
		t.Fatal("it locks by itself though nobody asked for that")
	}
	if err := s.app.Settings.Update(func(v *settings.Settings) { v.Security.AutoLock = 5 }); err != nil {
		t.Fatal(err)
	}
	s.edit("Description", "half a thought")
	pass(299)
	s.press(fyne.KeyEnd) // typing
	pass(299)
	s.do("Tools") // a menu key
	pass(299)
	s.tap("Profile") // a click
	pass(299)
	if !s.w.open() {
		t.Fatal("it locked although somebody was there")
	}
	pass(1)
	if s.w.open() {
		t.Fatal("it is open after five minutes")
	}
	s.wants("Callboard is locked")
	pass(600) // while locked
	s.Type("correct horse")
	s.press(fyne.KeyReturn)
	s.wants("half a thought")
	if !s.w.open() {
		t.Error("it locked again at once")
	}
}

func TestLocksAfterTheComputerSlept(t *testing.T) {
	s := newStage(t, settings.Light)
	s.enter()
	at := time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC)
	s.w.tick(at)
	s.w.tick(at.Add(8 * time.Hour))
	s.settle()
	if !s.w.open() {
		t.Fatal("it locks though nobody asked for that")
	}
	if err := s.app.Settings.Update(func(v *settings.Settings) { v.Security.LockOnSleep = true }); err != nil {
		t.Fatal(err)
	}
	s.w.tick(at.Add(8*time.Hour + time.Second))
	s.w.tick(at.Add(8*time.Hour + 11*time.Second)) // a busy machine
	s.settle()
	if !s.w.open() {
		t.Fatal("a late tick is no sleep")
	}
	s.w.tick(at.Add(16 * time.Hour))
	s.settle()
	if s.w.open() {
		t.Error("it is open after a sleep")
	}
}
