// Package linked follows the folders a person linked. What happens to their
// files outside of Callboard becomes a proposal: the agent here stays as it was
// last accepted until the person takes the file's version over.
package linked

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync/atomic"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/roster"
	"callboard/app/tool"
	"callboard/ui/loop"
)

// Roster is what the follower asks of the roster.
type Roster interface {
	List(context.Context) (roster.List, error)
	Match(context.Context, []agent.Agent) ([]roster.Match, error)
}

// Folders is what it asks of the added folders.
type Folders interface {
	Folders(context.Context) ([]profile.Folder, error)
}

// Proposal is what a linked folder's file says now, for one agent. Gone is a
// file that is not there any more or cannot be read; then Why says so and File
// is empty. Widened is what the file's version grants beyond the agent's.
type Proposal struct {
	Stored  roster.Entry
	File    profile.File
	Both    bool // the agent was edited here too
	Gone    bool
	Why     string
	Widened []string
}

// State is what the linked folders hold that the roster does not know. It is
// never stored: each look works it out anew.
type State struct {
	Folders   []profile.Folder
	Proposals map[string]Proposal // by agent
	Fresh     []profile.File      // agents that are not in the roster
}

// Linked reports whether a file is in a linked folder.
func (s State) Linked(path string) bool {
	_, ok := profile.InFolder(s.Folders, path)
	return ok
}

// Config is what a Follower needs. Changed is called on the Fyne thread with
// every new state.
type Config struct {
	Context context.Context //nolint:containedctx // events have no context of their own
	Loop    *loop.Loop
	Roster  Roster
	Folders Folders
	Changed func(State)
}

// Follower watches the linked folders. It belongs to the Fyne thread.
type Follower struct {
	cfg   Config
	ctx   context.Context //nolint:containedctx // of the watch that runs
	stop  context.CancelFunc
	turns atomic.Int64 // looks begun
	shown int64        // the look that is shown
}

// New makes a follower that is at rest.
func New(cfg Config) *Follower {
	return &Follower{cfg: cfg, ctx: cfg.Context, stop: func() {}}
}

// Start watches the folders that are linked now, from the beginning.
func (f *Follower) Start() {
	f.stop()
	f.ctx, f.stop = context.WithCancel(f.cfg.Context)
	ctx := f.ctx
	loop.Go(f.cfg.Loop, ctx, f.cfg.Folders.Folders, func(folders []profile.Folder, err error) {
		if err != nil || ctx.Err() != nil {
			return // locked, or started again
		}
		f.watch(ctx, folders)
	})
}

// Look reads the folders again at once, for one time.
func (f *Follower) Look() {
	ctx, turn := f.ctx, f.turns.Add(1)
	loop.Go(f.cfg.Loop, ctx, f.look, func(s State, err error) { f.show(ctx, turn, s, err) })
}

// Stop ends the watch and every look.
func (f *Follower) Stop() {
	f.stop()
	f.stop = func() {}
}

// show hands a state on unless a look that began later was shown already.
func (f *Follower) show(ctx context.Context, turn int64, s State, err error) {
	if err != nil || ctx.Err() != nil || turn < f.shown {
		return // locked, or over: the next look tells
	}
	f.shown = turn
	f.cfg.Changed(s)
}

// watch looks at once and after every change. Without a linked folder there is
// nothing to wait for.
func (f *Follower) watch(ctx context.Context, folders []profile.Folder) {
	var paths []string
	for _, x := range folders {
		if x.Linked {
			paths = append(paths, x.Path)
		}
	}
	if len(paths) == 0 {
		f.Look()
		return
	}
	f.cfg.Loop.Keep(ctx, func(ctx context.Context) {
		profile.Watch(ctx, paths, func() {
			turn := f.turns.Add(1)
			s, err := f.look(ctx)
			f.cfg.Loop.Post(func() { f.show(ctx, turn, s, err) })
		})
	})
}

// place is where an agent stands: the agents of one file have keys.
type place struct{ path, key string }

// look compares every linked folder with the roster.
func (f *Follower) look(ctx context.Context) (State, error) {
	folders, err := f.cfg.Folders.Folders(ctx)
	s := State{Folders: folders, Proposals: map[string]Proposal{}}
	if err != nil {
		return s, err
	}
	bad := map[string]string{} // path to why it cannot be read
	seen := map[place]bool{}
	var files []profile.File
	for _, x := range folders {
		if !x.Linked {
			continue
		}
		l, err := profile.Scan(ctx, x.Path)
		if ctx.Err() != nil {
			return s, context.Cause(ctx)
		}
		if err != nil {
			continue // what of it is gone is found below
		}
		for _, skipped := range l.Skipped {
			bad[skipped.Path] = skipped.Text
		}
		for _, file := range l.Files {
			seen[place{file.Path, file.Agent.Source.Key}] = true
			files = append(files, file)
		}
	}
	if err := f.compare(ctx, &s, files); err != nil {
		return s, err
	}
	return s, f.missing(ctx, &s, seen, bad)
}

// compare sorts the files into new ones and proposals.
func (f *Follower) compare(ctx context.Context, s *State, files []profile.File) error {
	agents := make([]agent.Agent, len(files))
	for i, file := range files {
		agents[i] = file.Agent
	}
	matches, err := f.cfg.Roster.Match(ctx, agents)
	if err != nil {
		return err
	}
	for i, m := range matches {
		switch m.State {
		case roster.Fresh:
			if files[i].Importable() {
				s.Fresh = append(s.Fresh, files[i])
			}
		case roster.Changed, roster.Both:
			s.Proposals[m.Stored.Agent.ID] = Proposal{
				Stored: m.Stored, File: files[i], Both: m.State == roster.Both,
				Widened: tool.Widened(m.Stored.Agent.Words(), agents[i].Words()),
			}
		case roster.Same, roster.Edited:
		}
	}
	return nil
}

// missing finds the agents of linked folders that their files no longer hold.
// A file that no scan of its folder reads is none of them while it is there.
func (f *Follower) missing(ctx context.Context, s *State, seen map[place]bool, bad map[string]string) error {
	l, err := f.cfg.Roster.List(ctx)
	if err != nil {
		return err
	}
	for _, a := range l.Agents {
		if a.Path == "" || !s.Linked(a.Path) || seen[place{a.Path, a.Key}] {
			continue
		}
		why := bad[a.Path]
		_, err := os.Lstat(a.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			why = "The file is no longer there."
		case why == "" && seenIn(seen, a.Path):
			why = "The file no longer has this agent."
		case why == "":
			continue
		}
		s.Proposals[a.ID] = Proposal{Gone: true, Why: why}
	}
	return nil
}

// seenIn reports whether a file holds other agents.
func seenIn(seen map[place]bool, path string) bool {
	for p := range seen {
		if p.path == path {
			return true
		}
	}
	return false
}

// Any reports whether a folder is linked.
func (s State) Any() bool {
	return slices.ContainsFunc(s.Folders, func(f profile.Folder) bool { return f.Linked })
}

// Roots are the linked folders that hold the new agents.
func (s State) Roots() []string {
	var out []string
	for _, file := range s.Fresh {
		if x, ok := profile.InFolder(s.Folders, file.Path); ok && !slices.Contains(out, x.Path) {
			out = append(out, x.Path)
		}
	}
	return out
}
