package event_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"callboard/app/event"
)

func TestSubscriberSeesEachNameOnce(t *testing.T) {
	var f event.Feed
	s := f.Subscribe()
	defer s.Close()
	a, b := event.Change{Kind: event.Agent, ID: "a"}, event.Change{Kind: event.Agent, ID: "b"}
	f.Publish(a)
	f.Publish(b, a, a)
	got, err := s.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(event.Batch{All: true, Changes: []event.Change{a, b}}, got); diff != "" {
		t.Error(diff)
	}
	f.Publish(a)
	got, err = s.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(event.Batch{Changes: []event.Change{a}}, got); diff != "" {
		t.Error("after the first batch only new names: ", diff)
	}
}

func TestNextWaitsAndEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f event.Feed
		s := f.Subscribe()
		if _, err := s.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
		woken := make(chan error, 1)
		go func() { _, err := s.Next(t.Context()); woken <- err }()
		synctest.Wait()
		select {
		case err := <-woken:
			t.Fatalf("Next returned with nothing to say: %v", err)
		default:
		}
		f.Publish(event.Change{Kind: event.Vault})
		if err := <-woken; err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("why")
		cancel(why)
		if _, err := s.Next(ctx); !errors.Is(err, why) {
			t.Errorf("got %v, want the cause", err)
		}
		go func() { _, err := s.Next(t.Context()); woken <- err }()
		synctest.Wait()
		f.Close()
		if err := <-woken; !errors.Is(err, event.ErrClosed) {
			t.Errorf("got %v, want ErrClosed", err)
		}
		f.Publish(event.Change{Kind: event.Vault})
		late := f.Subscribe()
		if _, err := late.Next(t.Context()); !errors.Is(err, event.ErrClosed) {
			t.Errorf("late subscriber got %v", err)
		}
		late.Close()
	})
}
