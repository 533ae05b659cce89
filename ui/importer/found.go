package importer

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/roster"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// found is what a look into a folder came to.
type found struct {
	looked bool
	folder string
	files  []*file
	cut    bool
}

// file is one row: an agent file, or something that is none and why.
type file struct {
	id      string
	path    string
	read    profile.File
	known   bool
	leftOut bool
	why     string // set when it could not be read or is no agent
	broken  bool   // with why: something is wrong, as opposed to no agent
}

// look reads path and asks which agents are in the roster already.
func look(ctx context.Context, known Roster, path string, progress func(int)) (*found, error) {
	l, err := profile.Scan(ctx, path, profile.WithProgress(func(n int) {
		if n%100 == 0 {
			progress(n)
		}
	}))
	if err != nil {
		return nil, err
	}
	f := &found{looked: true, folder: l.Folder, cut: l.Cut}
	agents := make([]agent.Agent, len(l.Files))
	for i, x := range l.Files {
		agents[i] = x.Agent
	}
	have, err := known.Match(ctx, agents)
	if err != nil {
		return nil, err
	}
	for i, x := range l.Files {
		f.add(&file{path: x.Path, read: x, known: have[i].State != roster.Fresh})
	}
	for _, x := range l.Skipped {
		f.add(&file{path: x.Path, why: x.Text, broken: x.Unreadable})
	}
	return f, nil
}

func (f *found) add(row *file) {
	row.id = fmt.Sprint(len(f.files))
	f.files = append(f.files, row)
}

func (f *found) byID(id string) *file {
	for _, x := range f.files {
		if x.id == id {
			return x
		}
	}
	return nil
}

// can reports whether the file could be imported.
func (x *file) can() bool { return x.why == "" && !x.known && x.read.Importable() }

// chosen are the agents an import would bring in.
func (f *found) chosen() []agent.Agent {
	var out []agent.Agent
	for _, x := range f.files {
		if x.can() && !x.leftOut {
			out = append(out, x.read.Agent)
		}
	}
	return out
}

// facts is the line under the title.
func (f *found) facts(userDir string) string {
	if !f.looked {
		return "Files stay as they are. Callboard keeps an encrypted copy."
	}
	var fresh, known, broken int
	for _, x := range f.files {
		switch {
		case x.can():
			fresh++
		case x.known:
			known++
		case x.broken || (x.why == "" && !x.read.Importable()):
			broken++
		}
	}
	parts := []string{words.Count(fresh, "new agent")}
	if known > 0 {
		parts = append(parts, fmt.Sprintf("%d in the roster already", known))
	}
	if broken > 0 {
		parts = append(parts, fmt.Sprintf("%d cannot be imported", broken))
	}
	if f.cut {
		parts = append(parts, "the folder holds more than is listed")
	}
	return strings.Join(parts, " · ") + " · " + words.Path(f.folder, userDir)
}

func (f *found) emptyWords(userDir string) string {
	if f.looked {
		return "No agent files in " + words.Path(f.folder, userDir) + "."
	}
	return "Name the folder where your Claude Code agents live, then press Look."
}

func (f *found) items() []widget.Item {
	out := make([]widget.Item, len(f.files))
	for i, x := range f.files {
		rel, err := filepath.Rel(f.folder, x.path)
		if err != nil {
			rel = x.path
		}
		out[i] = widget.Item{ID: x.id, Name: x.name(), Detail: rel}
		if x.why != "" {
			out[i].Detail = x.why
		}
		out[i].Tone, out[i].State = x.state()
	}
	return out
}

func (x *file) name() string {
	if x.read.Agent.Identity.Name != "" {
		return x.read.Agent.Identity.Name
	}
	return filepath.Base(x.path)
}

func (x *file) state() (theme.Tone, string) {
	switch {
	case x.broken:
		return theme.Bad, "cannot be read"
	case x.why != "":
		return theme.Off, "no agent"
	case !x.read.Importable():
		return theme.Bad, "broken"
	case x.known:
		return theme.Off, "in the roster"
	case x.leftOut:
		return theme.Off, "left out"
	case !x.read.Certain:
		return theme.Warn, "tools unclear"
	case len(x.problems()) > 0:
		return theme.Warn, words.Count(len(x.problems()), "problem")
	}
	return theme.OK, "ready"
}

// problems are those a person should look at; notices only explain.
func (x *file) problems() []profile.Problem {
	var out []profile.Problem
	for _, p := range x.read.Problems {
		if p.Level != profile.Notice {
			out = append(out, p)
		}
	}
	return out
}
