package servers

import (
	"context"
	"errors"
	"sync"
	"time"

	"callboard/app/fault"
	"callboard/storage"
)

// Why a discovery does not begin or is not kept.
var (
	ErrBusy    = fault.New(fault.Conflict, "server_busy", "this tool server is being asked already")
	ErrChanged = fault.New(fault.Conflict, "server_changed", "stopped: the tool server was changed while it was asked").
			Then("Ask it again.")
)

// settleTime is how long after the end of everything else Quiesce waits at most.
const settleTime = 10 * time.Second

// Discovered is what came of asking a server. Said is the end of what its
// process wrote to standard error, for the person who looks at a failure: it is
// not kept, and values and hidden characters are taken out of it.
type Discovered struct {
	Known   Known   `json:"known"`
	Changes Changes `json:"changes"`
	Code    Code    `json:"code,omitempty"`
	Said    string  `json:"said,omitempty"`
}

// run is one discovery under way.
type run struct {
	cancel context.CancelCauseFunc
	done   chan struct{}
}

// Discover starts or contacts the server, lists its tools, ends the connection
// and keeps what it heard. It blocks for at most the server's timeout and a few
// seconds to end its process. A server that fails is no error: Code says why,
// and its last known tools stay, unready; a discovery that was cancelled says
// nothing about the server and changes nothing. Errors: ErrConsent,
// ErrDisabled, ErrValueMissing and ErrBusy before anything was started;
// ErrChanged when the server or its consent was changed meanwhile.
func (s *Service) Discover(ctx context.Context, id string) (Discovered, error) {
	st, err := s.stand(ctx, id)
	if err != nil {
		return Discovered{}, err
	}
	if err := may(st); err != nil {
		return Discovered{}, err
	}
	ctx, r, err := s.begin(ctx, id)
	if err != nil {
		return Discovered{}, err
	}
	defer s.finish(id, r)
	if st, err = s.stand(ctx, id); err != nil { // a change from here on finds the run and ends it
		return Discovered{}, err
	}
	if err := may(st); err != nil {
		return Discovered{}, err
	}
	k, d := s.ask(ctx, st)
	if cause := context.Cause(ctx); errors.As(cause, new(*fault.Error)) {
		return Discovered{}, cause
	}
	d.Known = k.of(st.server)
	if d.Code == Cancelled {
		e, err := s.Get(context.WithoutCancel(ctx), id)
		d.Known = e.Known
		return d, err
	}
	return s.keep(context.WithoutCancel(ctx), st, k, d)
}

// may refuses what nobody agreed to.
func may(st standing) error {
	switch {
	case !st.server.Enabled:
		return ErrDisabled
	case lacks(st.plan) == ValueMissing:
		return runnable(st.plan)
	case lacks(st.plan) == CommandMissing:
		return nil // nothing will be started: the code says why
	case !st.plan.Consented:
		return ErrConsent
	}
	return nil
}

// begin admits a discovery and gives it its time.
func (s *Service) begin(ctx context.Context, id string) (context.Context, *run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.holding > 0:
		return nil, nil, storage.ErrLocked
	case s.runs[id] != nil:
		return nil, nil, ErrBusy
	}
	ctx, cancel := context.WithCancelCause(ctx)
	r := &run{cancel: cancel, done: make(chan struct{})}
	s.runs[id] = r
	return ctx, r, nil
}

func (s *Service) finish(id string, r *run) {
	r.cancel(nil)
	s.mu.Lock()
	delete(s.runs, id)
	s.mu.Unlock()
	close(r.done)
}

func (s *Service) looking(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.runs[id] != nil
}

// end tells a discovery under way to stop and why.
func (s *Service) end(id string, why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.runs[id]; r != nil {
		r.cancel(why)
	}
}

// ask opens the way to the server, listens and closes it.
func (s *Service) ask(ctx context.Context, st standing) (Known, Discovered) {
	ctx, stop := context.WithTimeoutCause(ctx, st.server.Timeout(), errTimeout)
	defer stop()
	ch, code := s.open(st)
	if code != "" {
		return Known{}, Discovered{Code: code}
	}
	release := context.AfterFunc(ctx, ch.hangUp)
	red := newRedactor(st.values)
	h, err := listTools(ctx, ch.transport(), s.cfg.Version)
	if err != nil {
		code = classify(ctx, ch, err)
	}
	release()
	ch.close()
	if code != "" {
		return Known{}, Discovered{Code: code, Said: ch.said(red)}
	}
	return h.known(st.server, red), Discovered{Said: ch.said(red)}
}

func (s *Service) open(st standing) (channel, Code) {
	if st.server.Transport == HTTP {
		return openWeb(st), ""
	}
	if st.plan.Path == "" {
		return nil, CommandMissing
	}
	return startChild(st.plan, environment(s.cfg.Environ(), st.plan, st.values))
}

// keep stores what came of a discovery, unless the server is another by now.
func (s *Service) keep(ctx context.Context, st standing, k Known, d Discovered) (Discovered, error) {
	id := st.server.ID
	err := s.cfg.DB.Update(ctx, func(tx *storage.Tx) error {
		r, _, err := s.t.get(tx, id)
		if err != nil {
			return err
		}
		now, err := s.standing(tx, r)
		if err != nil {
			return err
		}
		if now.plan.Digest != st.plan.Digest || now.plan.Consented != st.plan.Consented || !r.Server.Enabled {
			return ErrChanged
		}
		before, _, err := optional(tx, s.t.known, id)
		if err != nil && !isDamage(err) {
			return err
		}
		next := before
		if d.Code == "" {
			next = k
			next.At = s.cfg.Now()
			d.Changes = changesOf(before, k)
		}
		next.Tried, next.Code = s.cfg.Now(), d.Code
		d.Known = next.of(r.Server)
		if _, err := put(tx, s.t.known, id, next); err != nil {
			return err
		}
		return changed(tx, id)
	})
	if err != nil {
		return Discovered{}, err
	}
	return d, nil
}

// Tools is the tools a server had when they were last listed, without asking
// it, and the entry that says whether they are ready.
func (s *Service) Tools(ctx context.Context, id string) ([]Tool, Entry, error) {
	e, err := s.Get(ctx, id)
	return e.Known.Tools, e, err
}

// Quiesce ends every discovery, waits until its process is gone, at most about
// ten seconds, and lets none begin until resume is called. The vault does so
// around closing the store.
func (s *Service) Quiesce(ctx context.Context) (resume func()) {
	s.mu.Lock()
	s.holding++
	var waits []chan struct{}
	for _, r := range s.runs {
		r.cancel(storage.ErrLocked)
		waits = append(waits, r.done)
	}
	s.mu.Unlock()
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer stop()
	for _, done := range waits {
		select {
		case <-done:
		case <-ctx.Done():
		}
	}
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.holding--
	})
}
