package importer

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/roster"
	"callboard/app/tool"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// found is what a look came to. folder is what was read, empty where it went
// everywhere; named is the folder the person named, empty where that is a file.
type found struct {
	looked bool
	folder string
	named  string
	files  []*file
	cut    bool
}

// file is one row: an agent file, or something that is none and why.
type file struct {
	id      string
	path    string
	read    profile.File
	match   roster.Match
	leftOut bool
	why     string // set when it could not be read or is no agent
	broken  bool   // with why: something is wrong, as opposed to no agent
}

// look reads path, or without one every folder the tools and the person have,
// and compares what is there with the roster.
func look(ctx context.Context, cfg Config, path string, progress func(int)) (*found, error) {
	every := profile.WithProgress(func(n int) {
		if n%100 == 0 {
			progress(n)
		}
	})
	var l profile.Listing
	var err error
	if path != "" {
		l, err = profile.Scan(ctx, path, every)
	} else {
		l, err = everywhere(ctx, cfg, every)
	}
	if err != nil {
		return nil, err
	}
	f := &found{looked: true, cut: l.Cut}
	if path != "" {
		f.folder = l.Folder
	}
	if fi, err := os.Stat(path); err == nil && fi.IsDir() {
		f.named = path
	}
	agents := make([]agent.Agent, len(l.Files))
	for i, x := range l.Files {
		agents[i] = x.Agent
	}
	matches, err := cfg.Roster.Match(ctx, agents)
	if err != nil {
		return nil, err
	}
	for i, x := range l.Files {
		f.add(&file{path: x.Path, read: x, match: matches[i], leftOut: matches[i].State == roster.Both})
	}
	for _, x := range l.Skipped {
		f.add(&file{path: x.Path, why: x.Text, broken: x.Unreadable})
	}
	return f, nil
}

func everywhere(ctx context.Context, cfg Config, every profile.ScanOption) (profile.Listing, error) {
	folders, err := cfg.Folders.Folders(ctx)
	if err != nil {
		return profile.Listing{}, err
	}
	where := cfg.Where
	for _, f := range folders {
		where.Added = append(slices.Clip(where.Added), f.Path)
	}
	return profile.Discover(ctx, where, every)
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
func (x *file) can() bool {
	if x.why != "" || !x.read.Importable() {
		return false
	}
	return slices.Contains([]roster.State{roster.Fresh, roster.Changed, roster.Both}, x.match.State)
}

// renews reports whether an import would give a stored agent what the file says.
func (x *file) renews() bool { return x.match.State != roster.Fresh }

// chosen is what an import would bring in, and how many of them are new.
func (f *found) chosen() (in []roster.Incoming, fresh int) {
	for _, x := range f.files {
		switch {
		case !x.can() || x.leftOut:
		case x.renews():
			in = append(in, roster.Incoming{Agent: x.read.Agent, ID: x.match.Stored.Agent.ID, Revision: x.match.Stored.Revision})
		default:
			in = append(in, roster.Incoming{Agent: x.read.Agent})
			fresh++
		}
	}
	return in, fresh
}

// counts are how many files there are of each sort.
func (f *found) counts() (fresh, changed, known, broken int) {
	for _, x := range f.files {
		switch {
		case x.can() && x.renews():
			changed++
		case x.can():
			fresh++
		case x.why == "" && x.read.Importable():
			known++
		case x.broken || x.why == "":
			broken++
		}
	}
	return fresh, changed, known, broken
}

// facts is the line under the title.
func (f *found) facts(userDir string) string {
	if !f.looked {
		return "Files stay as they are. Callboard keeps an encrypted copy."
	}
	fresh, changed, known, broken := f.counts()
	parts := []string{words.Count(fresh, "new agent")}
	if changed > 0 {
		parts = append(parts, fmt.Sprintf("%d changed on disk", changed))
	}
	if known > 0 {
		parts = append(parts, fmt.Sprintf("%d in the roster already", known))
	}
	if broken > 0 {
		parts = append(parts, fmt.Sprintf("%d cannot be imported", broken))
	}
	if f.cut {
		parts = append(parts, "the folder holds more than is listed")
	}
	return strings.Join(append(parts, f.where(userDir)), " · ")
}

func (f *found) where(userDir string) string {
	if f.folder == "" {
		return "in the folders of your tools"
	}
	return words.Path(f.folder, userDir)
}

func (f *found) emptyWords(userDir string) string {
	switch {
	case !f.looked:
		return "Name a folder where your agents live, or leave the box empty to look where your tools keep them. Then press Look."
	case f.folder == "":
		return "No agent files where your tools keep them. Name a folder, then press Look."
	}
	return "No agent files in " + words.Path(f.folder, userDir) + "."
}

func (f *found) items(userDir string) []widget.Item {
	out := make([]widget.Item, len(f.files))
	for i, x := range f.files {
		out[i] = widget.Item{ID: x.id, Name: x.name(), Detail: f.detail(x, userDir)}
		out[i].Tone, out[i].State = x.state()
	}
	return out
}

// detail says whose file it is and where it stands.
func (f *found) detail(x *file, userDir string) string {
	if x.why != "" {
		return x.why
	}
	o := x.read.Origin
	at := map[profile.Scope]string{profile.User: "yours", profile.Plugin: "from a plugin", profile.Managed: "from the administrator"}[o.Scope]
	switch rel, err := filepath.Rel(f.folder, x.path); {
	case f.folder != "" && err == nil:
		at = rel
	case at == "":
		at = words.Path(cmp.Or(o.Root, o.Folder), userDir)
	}
	return x.read.Format.Label() + " · " + at
}

func (x *file) name() string {
	if x.read.Agent.Identity.Name != "" {
		return x.read.Agent.Identity.Name
	}
	return filepath.Base(x.path)
}

// states are how a file that is in the roster already stands to it.
var states = map[roster.State]struct {
	tone theme.Tone
	word string
}{
	roster.Same:    {theme.Off, "in the roster"},
	roster.Edited:  {theme.Info, "edited here"},
	roster.Changed: {theme.Info, "changed on disk"},
	roster.Both:    {theme.Warn, "changed in both"},
}

func (x *file) state() (theme.Tone, string) {
	known, stored := states[x.match.State]
	switch {
	case x.broken:
		return theme.Bad, "cannot be read"
	case x.why != "":
		return theme.Off, "no agent"
	case !x.read.Importable():
		return theme.Bad, "broken"
	case stored && (x.can() || !x.leftOut):
		return known.tone, known.word
	case x.leftOut:
		return theme.Off, "left out"
	case x.read.Agent.Grants().OwnDefault:
		return theme.Off, "tool's default"
	case !x.read.Certain:
		return theme.Warn, "tools unclear"
	case x.shadowed():
		return theme.Warn, "shadowed"
	case len(x.problems()) > 0:
		return theme.Warn, words.Count(len(x.problems()), "problem")
	}
	return theme.OK, "ready"
}

// shadowed reports whether its own tool uses another file of this name.
func (x *file) shadowed() bool {
	return slices.ContainsFunc(x.read.Standings, func(s profile.Standing) bool {
		return s.Tool == x.read.Format && s.Known && !s.Wins
	})
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

// widened lists what the file's version grants beyond the stored agent.
func (x *file) widened() []string {
	if !x.can() || !x.renews() {
		return nil
	}
	return tool.Widened(x.match.Stored.Agent.Words(), x.read.Agent.Words())
}
