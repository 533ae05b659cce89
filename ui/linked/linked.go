// Package linked follows the folders a person linked. What happens to their
// files outside of Callboard becomes a proposal: the agent here stays as it was
// last accepted until the person takes the file's version over.
package linked

import (
	"context"
	"slices"

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
	Import(context.Context, []roster.Incoming) (roster.Imported, error)
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
	cfg  Config
	stop context.CancelFunc
}

// New makes a follower that is at rest.
func New(cfg Config) *Follower { return &Follower{cfg: cfg, stop: func() {}} }

// Start watches the folders that are linked now, from the beginning.
func (f *Follower) Start() {
	f.stop()
	ctx, stop := context.WithCancel(f.cfg.Context)
	f.stop = stop
	loop.Go(f.cfg.Loop, ctx, f.look, func(s State, err error) {
		if err != nil || ctx.Err() != nil {
			return
		}
		f.cfg.Changed(s)
		f.watch(ctx, s.Folders)
	})
}

// Look reads the folders again at once, for one time.
func (f *Follower) Look() {
	loop.Go(f.cfg.Loop, f.cfg.Context, f.look, func(s State, err error) {
		if err == nil {
			f.cfg.Changed(s)
		}
	})
}

// Stop ends the watch and forgets what was found.
func (f *Follower) Stop() {
	f.stop()
	f.stop = func() {}
}

func (f *Follower) watch(ctx context.Context, folders []profile.Folder) {
	var paths []string
	for _, x := range folders {
		if x.Linked {
			paths = append(paths, x.Path)
		}
	}
	if len(paths) == 0 {
		return
	}
	f.cfg.Loop.Keep(ctx, func(ctx context.Context) {
		profile.Watch(ctx, paths, func() {
			s, err := f.look(ctx)
			if err != nil {
				return // locked, or the end: the next look tells
			}
			f.cfg.Loop.Post(func() {
				if ctx.Err() == nil {
					f.cfg.Changed(s)
				}
			})
		})
	})
}

// look compares every linked folder with the roster.
func (f *Follower) look(ctx context.Context) (State, error) {
	folders, err := f.cfg.Folders.Folders(ctx)
	s := State{Folders: folders, Proposals: map[string]Proposal{}}
	if err != nil {
		return s, err
	}
	seen := map[string]string{} // path to why it cannot be read, empty if it can
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
			continue // its agents are gone for now, and said to be
		}
		for _, bad := range l.Skipped {
			seen[bad.Path] = bad.Text
		}
		for _, file := range l.Files {
			seen[file.Path] = ""
			files = append(files, file)
		}
	}
	if err := f.compare(ctx, &s, files); err != nil {
		return s, err
	}
	return s, f.missing(ctx, &s, seen)
}

// compare sorts the files into new ones and proposals. Where only the bytes
// around an agent moved, the roster takes them over: nothing about it changed.
func (f *Follower) compare(ctx context.Context, s *State, files []profile.File) error {
	agents := make([]agent.Agent, len(files))
	for i, file := range files {
		agents[i] = file.Agent
	}
	matches, err := f.cfg.Roster.Match(ctx, agents)
	if err != nil {
		return err
	}
	var moved []roster.Incoming
	for i, m := range matches {
		id := m.Stored.Agent.ID
		switch m.State {
		case roster.Fresh:
			if files[i].Importable() {
				s.Fresh = append(s.Fresh, files[i])
			}
		case roster.Same:
			if m.Moved {
				moved = append(moved, roster.Incoming{Agent: agents[i], ID: id, Revision: m.Stored.Revision})
			}
		case roster.Changed, roster.Both:
			s.Proposals[id] = Proposal{
				Stored: m.Stored, File: files[i], Both: m.State == roster.Both,
				Widened: tool.Widened(m.Stored.Agent.Words(), agents[i].Words()),
			}
		case roster.Edited:
		}
	}
	if len(moved) > 0 {
		_, err = f.cfg.Roster.Import(ctx, moved)
	}
	return err
}

// missing finds the agents of linked folders whose files were not found.
func (f *Follower) missing(ctx context.Context, s *State, seen map[string]string) error {
	l, err := f.cfg.Roster.List(ctx)
	if err != nil {
		return err
	}
	for _, a := range l.Agents {
		why, found := seen[a.Path]
		if a.Path == "" || !s.Linked(a.Path) || found && why == "" {
			continue
		}
		if why == "" {
			why = "The file is no longer there."
		}
		s.Proposals[a.ID] = Proposal{Gone: true, Why: why}
	}
	return nil
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
