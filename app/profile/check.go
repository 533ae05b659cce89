package profile

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"callboard/app/agent"
	"callboard/app/tool"
)

// Report is what a check says about one file, as one JSON object.
type Report struct {
	Path      string        `json:"path"`
	Format    Format        `json:"format"`
	Name      string        `json:"name"`
	Problems  []LineProblem `json:"problems"`
	Tools     ToolReport    `json:"tools"`
	Identical bool          `json:"identical"`

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
// Effective is what tool.Grants.Effective lists.
type ToolReport struct {
	Stated    Stated   `json:"stated"`
	Effective []string `json:"effective"`
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

// Check reports on every agent file at or under the paths, in their order.
// Repairs are problems here, since strict readers refuse such a file; what a known
// tool means, or that YAML comments are comments, is none and is left out, as are
// files in a folder that are no agents; one that was named is a problem. A path that cannot be read is a report of its own,
// so the error is only that ctx ended.
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
		for _, f := range l.Files {
			out = append(out, report(f))
		}
		for _, s := range l.Skipped {
			switch {
			case s.Unreadable:
				out = append(out, unreadable(s.Path, formatName(s.Path), s.Line, s.Text))
			case named(p):
				r := unreadable(s.Path, formatName(s.Path), s.Line, s.Text)
				r.Unreadable = false // it was read, and is no agent
				out = append(out, r)
			}
		}
		if l.Cut {
			out = append(out, unreadable(l.Folder, "", 0, "The folder holds more than is read at once. Not all of it was checked."))
		}
	}
	return out, nil
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
		Path: f.Path, Format: f.Format, Name: f.Agent.Identity.Name, Problems: []LineProblem{},
		Tools:     ToolReport{Stated: Stated(f.Agent.Access.Tools), Effective: f.Agent.Grants().Effective()},
		Identical: identical(f.Agent),
	}
	for _, p := range f.Problems {
		if p.Rule != "tool_note" && p.Rule != "inline_comment" {
			r.Problems = append(r.Problems, LineProblem{p.Line, p.Text, p.Level})
		}
	}
	return r
}

// identical imports the agent's bytes and writes the untouched agent back.
func identical(a agent.Agent) bool {
	c, err := Patch(*a.Source, a.Clone())
	return err == nil && len(c.Spans) == 0 && bytes.Equal(c.After, a.Source.Original)
}
