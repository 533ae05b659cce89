// Package event is the change feed: it carries the names of what changed and
// never a value, so that nothing private travels on it and a slow reader costs
// a set of names, not a queue.
package event

import (
	"context"
	"errors"
	"sync"
)

// Kind is the sort of thing that changed.
type Kind string

// The kinds of change this program makes.
const (
	Agent    Kind = "agent"
	Folder   Kind = "folder"
	Model    Kind = "model"
	Server   Kind = "server"
	Settings Kind = "settings"
	Vault    Kind = "vault"
)

// Change names one thing that changed. ID is empty where a kind has only one.
type Change struct {
	Kind Kind   `json:"kind"`
	ID   string `json:"id"`
}

// Batch is what a subscriber has not seen yet. All means "everything may have
// changed": the first batch of a subscription says so, which makes
// subscribe-then-read free of gaps. Changes holds each name once.
type Batch struct {
	All     bool
	Changes []Change
}

// ErrClosed is returned by Next once its subscription or feed is closed.
var ErrClosed = errors.New("event: feed closed")

// Feed hands changes to subscribers. The zero value is ready. All methods may
// be called from any goroutine; Publish never blocks on a reader.
type Feed struct {
	mu     sync.Mutex
	subs   map[*Subscription]struct{}
	closed bool
}

// Publish tells every subscriber about changes. After Close it does nothing.
func (f *Feed) Publish(changes ...Change) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for s := range f.subs {
		s.add(changes)
	}
}

// Subscribe returns a new subscription whose first batch has All set. The
// caller owns it and must Close it.
func (f *Feed) Subscribe() *Subscription {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := &Subscription{feed: f, all: true, wake: make(chan struct{}, 1), seen: map[Change]struct{}{}}
	if f.closed {
		s.closed = true
		return s
	}
	if f.subs == nil {
		f.subs = map[*Subscription]struct{}{}
	}
	f.subs[s] = struct{}{}
	s.signal()
	return s
}

// Close ends every subscription. It may be called more than once.
func (f *Feed) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	for s := range f.subs {
		s.end()
	}
	f.subs = nil
}

// Subscription is one reader's set of unseen changes. Next is for one
// goroutine at a time; Close is for any.
type Subscription struct {
	feed *Feed
	wake chan struct{}

	mu     sync.Mutex
	all    bool
	closed bool
	order  []Change
	seen   map[Change]struct{}
}

// Next waits for the next batch. It returns ErrClosed after Close, or the
// context's cause.
func (s *Subscription) Next(ctx context.Context) (Batch, error) {
	for {
		if b, ok, closed := s.take(); ok {
			return b, nil
		} else if closed {
			return Batch{}, ErrClosed
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
			return Batch{}, context.Cause(ctx)
		}
	}
}

// Close ends the subscription; a waiting Next returns ErrClosed.
func (s *Subscription) Close() {
	s.feed.mu.Lock()
	delete(s.feed.subs, s)
	s.feed.mu.Unlock()
	s.end()
}

func (s *Subscription) add(changes []Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range changes {
		if _, dup := s.seen[c]; !dup {
			s.seen[c] = struct{}{}
			s.order = append(s.order, c)
		}
	}
	s.signal()
}

func (s *Subscription) take() (b Batch, ok, closed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return Batch{}, false, true
	}
	if !s.all && len(s.order) == 0 {
		return Batch{}, false, false
	}
	b = Batch{All: s.all, Changes: s.order}
	s.all, s.order = false, nil
	clear(s.seen)
	return b, true, false
}

func (s *Subscription) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.signal()
}

func (s *Subscription) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
