package ui

import (
	"log/slog"
	"testing"

	"fyne.io/fyne/v2"

	"callboard/app/home"
	"callboard/app/instance"
	"callboard/app/settings"
	"callboard/crypto/secret"
)

// without takes the claim of a home as a program without a window does, until
// it is asked to stop.
func without(t *testing.T, h home.Home) (stopped chan struct{}) {
	t.Helper()
	asked := make(chan struct{})
	c, err := instance.Take(instance.Config{
		Home: h, Role: instance.Headless, Log: slog.New(slog.DiscardHandler), Stop: func() { close(asked) },
	})
	if err != nil {
		t.Fatal(err)
	}
	stopped = make(chan struct{})
	go func() {
		<-asked
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		close(stopped)
	}()
	return stopped
}

func TestTakingOverFromAProgramWithoutAWindow(t *testing.T) {
	s := newStage(t, settings.Light)
	h := home.Home{Dir: t.TempDir()}
	stopped := without(t, h)
	d := &door{home: h}
	if raised, err := d.enter(t.Context()); raised || err != nil || d.other.Role != instance.Headless {
		t.Fatalf("%v %v %+v", raised, err, d.other)
	}
	s.w.door = d
	s.w.start(secret.Bytes{})
	s.settle()
	s.wants("Callboard already runs", "keeps this home open without a window")
	s.press(fyne.KeyTab, fyne.KeyTab, fyne.KeyReturn) // past Quit and Not now
	<-stopped
	if s.Shows("Callboard already runs") || d.other.PID != 0 {
		t.Errorf("the question is still there: %q", s.Texts())
	}
	other := &door{home: h}
	if raised, err := other.enter(t.Context()); !raised || err != nil {
		t.Errorf("a second window found nobody: %v %v", raised, err)
	}
	if err := d.close(); err != nil {
		t.Error(err)
	}
}

func TestASecondWindowRaisesTheFirst(t *testing.T) {
	h := home.Home{Dir: t.TempDir()}
	first, second := &door{home: h}, &door{home: h}
	if raised, err := first.enter(t.Context()); raised || err != nil {
		t.Fatal(raised, err)
	}
	called := make(chan struct{}, 1)
	first.answer(func() { called <- struct{}{} }, nil)
	if raised, err := second.enter(t.Context()); !raised || err != nil {
		t.Errorf("%v %v", raised, err)
	}
	<-called
	if err := first.close(); err != nil {
		t.Error(err)
	}
	if raised, err := second.enter(t.Context()); raised || err != nil {
		t.Errorf("nobody is there any more: %v %v", raised, err)
	}
	if err := second.close(); err != nil {
		t.Error(err)
	}
}

func TestADoorOfAHomeThatIsNotThereMakesNothing(t *testing.T) {
	d := &door{home: home.Home{Dir: t.TempDir() + "/not/here"}}
	if raised, err := d.enter(t.Context()); raised || err != nil {
		t.Error(raised, err)
	}
	if there, err := home.Exists(d.home.Dir); there || err != nil {
		t.Error(there, err)
	}
	if err := d.close(); err != nil {
		t.Error(err)
	}
}
