package profile

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"callboard/app/agent"
	"callboard/app/tool"
)

// Report is what a check says about one agent, as one JSON object. Key is where
// it stands in a file that may hold several, and RoundTrip is there when
// RoundTrips made the report.
type Report struct {
	Path      string        `json:"path"`
	Format    Format        `json:"format"`
	Key       string        `json:"key,omitempty"`
	Name      string        `json:"name"`
	Problems  []LineProblem `json:"problems"`
	Tools     ToolReport    `json:"tools"`
	Identical bool          `json:"identical"`
	RoundTrip *RoundTrip    `json:"roundtrip,omitempty"`

	// Unreadable is true where the file could not be read at all.
	Unreadable bool `json:"-"`
}

// LineProblem is a problem of a report. Line is 0 where it is about the file as
// a whole. Level is not part of the JSON.
type LineProblem struct {
	Line  int    `json:"line"`
	Text  string `json:"text"`
	Level Level  `json:"-"`
}

// ToolReport is what a file says about its tools and what that comes to.
// Effective is what tool.Grants.Effective lists. Default says why it is empty
// where the file states nothing and its tool's own default holds; it is not
// part of the JSON.
type ToolReport struct {
	Stated    Stated   `json:"stated"`
	Effective []string `json:"effective"`
	Default   string   `json:"-"`
}

// Stated is a tool list in a report. Its JSON is a string where the file lists
// nothing ("omitted", "empty" or "unread") and else the array of its tokens.
type Stated tool.List

// MarshalJSON writes the one form or the other.
func (s Stated) MarshalJSON() ([]byte, error) {
	if s.Stated != tool.Listed {
		return json.Marshal(s.Stated)
	}
	return json.Marshal(s.Tokens)
}

// UnmarshalJSON reads either form.
func (s *Stated) UnmarshalJSON(b []byte) error {
	*s = Stated{}
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("[")) {
		s.Stated = tool.Listed
		return json.Unmarshal(b, &s.Tokens)
	}
	return json.Unmarshal(b, &s.Stated)
}

// explained are notices about files with which nothing is wrong: what a known
// tool means, that its own default holds, that YAML comments are comments.
var explained = []string{
	"tool_note", "inline_comment", "tools_default", ruleVague, "value_is_list", "no_delegation", "sub_recipes", "remote", "prompt_file", "switched_off",
}

// Check reports on every agent at or under the paths, in their order, in tools'
// own folders everywhere below a repository. Repairs are problems here, since
// strict readers refuse such a file, and so is an agent whose tool drops it for
// another of its name. What only explains a sound file is none and is left out,
// as are files in a folder that are no agents; one that was named is a problem.
// A path that cannot be read is a report of its own, so the error is only that
// ctx ended.
func Check(ctx context.Context, paths []string) ([]Report, error) {
	out := []Report{}
	for _, p := range paths {
		l, err := Scan(ctx, p, WithTree())
		if ctx.Err() != nil {
			return nil, fmt.Errorf("check: %w", context.Cause(ctx))
		}
		if err != nil {
			out = append(out, unreadable(p, formatName(p), 0, sentence(err)))
			continue
		}
		apart(l.Files)
		for _, f := range l.Files {
			out = append(out, report(f))
		}
		out = append(out, skipped(l, named(p))...)
		if l.Cut {
			out = append(out, unreadable(l.Folder, "", 0, "The folder holds more than is read at once. Not all of it was checked."))
		}
	}
	return out, nil
}

// skipped are the reports on what a listing left out. named says that it is the
// listing of a file the caller named.
func skipped(l Listing, named bool) []Report {
	var out []Report
	for _, s := range l.Skipped {
		if !s.Unreadable && !named {
			continue
		}
		r := unreadable(s.Path, formatName(s.Path), s.Line, s.Text)
		r.Unreadable = s.Unreadable // else it was read, and is no agent
		out = append(out, r)
	}
	return out
}

// apart compares the names again where a tree holds several projects: agents
// of two of them never meet.
func apart(files []File) {
	for i := range files {
		f := &files[i]
		f.Problems = slices.DeleteFunc(f.Problems, func(p Problem) bool { return p.Rule == "same_name" })
		if root, ok := projectOf(f.Path); ok {
			f.Origin = Origin{Scope: Project, Folder: root, Root: root}
		}
		f.Standings = nil
	}
	sameNames(files)
	standings(files)
}

// projectOf is the folder in which a tool's own folder, or its file, with path
// in it stands.
func projectOf(path string) (root string, ok bool) {
	p := filepath.ToSlash(path)
	end := -1
	for _, f := range files {
		if at := len(p) - len(f); strings.HasSuffix(p, "/"+f) && (end < 0 || at < end) {
			end = at
		}
	}
	for _, h := range homes {
		if at := strings.LastIndex(p, "/"+h.path+"/") + 1; at > end && at > 0 {
			end = at
		}
	}
	if end < 0 {
		return "", false
	}
	return filepath.FromSlash(p[:end]), true
}

// named reports whether path is a file the caller named, as opposed to a folder
// in which files that are no agents are expected.
func named(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && !fi.IsDir()
}

// formatName is the format of a file that cannot be read, by where it stands.
func formatName(path string) Format {
	if f, _ := formatAt(path); f != "" {
		return f
	}
	if extension(path) == ".md" {
		return ClaudeCode
	}
	return ""
}

func unreadable(path string, format Format, line int, text string) Report {
	return Report{
		Path: path, Format: format, Problems: []LineProblem{{Line: line, Text: text, Level: Error}}, Unreadable: true,
		Tools: ToolReport{Stated: Stated{Stated: tool.Unread}, Effective: []string{}},
	}
}

func report(f File) Report {
	r := Report{
		Path: f.Path, Format: f.Format, Key: f.Agent.Source.Key, Name: f.Agent.Identity.Name, Problems: []LineProblem{},
		Tools:     ToolReport{Stated: Stated(f.Agent.Access.Tools), Effective: f.Agent.Grants().Effective()},
		Identical: identical(f.Agent),
	}
	for _, p := range f.Problems {
		if !slices.Contains(explained, p.Rule) {
			r.Problems = append(r.Problems, LineProblem{p.Line, p.Text, p.Level})
		}
	}
	for _, s := range f.Standings {
		if s.Known && !s.Wins {
			r.Problems = append(r.Problems, LineProblem{0, s.Sentence(), Warning})
		}
	}
	switch g := f.Agent.Grants(); {
	case g.OwnDefault:
		r.Tools.Default = g.Doubt
	case slices.ContainsFunc(f.Problems, func(p Problem) bool { return p.Rule == ruleVague }):
		r.Tools.Default = "what its tool keys come to is not known"
	}
	return r
}

// identical imports the agent's bytes and writes the untouched agent back.
func identical(a agent.Agent) bool {
	c, err := Patch(*a.Source, a.Clone())
	return err == nil && len(c.Spans) == 0 && bytes.Equal(c.After, a.Source.Original)
}
