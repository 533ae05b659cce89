package profile

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/profile/frontmatter"
)

// RoundTrip is what came of writing one agent back and of one edit of each of
// its fields, all in memory. Edits were one span each, read back and were
// undone; Refused counts those, and undoings, that were refused, by rule. What
// went wrong is in Failed, in plain sentences without a text of the file.
type RoundTrip struct {
	Edits   int            `json:"edits"`
	Refused map[string]int `json:"refused"`
	Failed  []string       `json:"failed"`
}

// RoundTrips reads every agent at or under the paths, in tools' own folders or
// loose, and calls each with its report, whose RoundTrip is set unless it could
// not be read. Files that are no agents are left out. It writes nothing, holds
// one file at a time and follows no link in a folder. It fails when ctx ends or
// each does.
func RoundTrips(ctx context.Context, paths []string, each func(Report) error) error {
	for _, p := range paths {
		root, err := realPath(p)
		if err != nil {
			if err := each(unreadable(p, formatName(p), 0, sentence(fmt.Errorf("%w: %w", ErrFolder, reason(err))))); err != nil {
				return err
			}
			continue
		}
		err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return roundTripAt(ctx, root, path, d, err, each)
		})
		if err != nil {
			return fmt.Errorf("check: %w", err)
		}
	}
	return nil
}

// roundTripAt is RoundTrips for one place in a folder.
func roundTripAt(ctx context.Context, root, path string, d fs.DirEntry, err error, each func(Report) error) error {
	switch {
	case err != nil:
		return each(unreadable(path, "", 0, sentence(fmt.Errorf("%w: %w", ErrFolder, reason(err)))))
	case d.IsDir() && d.Name() == ".git" && path != root:
		return fs.SkipDir
	case d.IsDir(), path != root && (!d.Type().IsRegular() || !candidate(path)):
		return nil
	}
	l, err := Scan(ctx, path)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		return each(unreadable(path, formatName(path), 0, sentence(err)))
	}
	for _, r := range skipped(l, path == root) {
		if err := each(r); err != nil {
			return err
		}
	}
	for _, f := range l.Files {
		r := report(f)
		r.RoundTrip = roundTrip(f)
		if err := each(r); err != nil {
			return err
		}
	}
	return nil
}

// tried are the fields of which a round trip makes one edit each.
var tried = []agent.Field{agent.Description, agent.Name, agent.Model, agent.Instructions}

func roundTrip(f File) *RoundTrip {
	t := &RoundTrip{Refused: map[string]int{}, Failed: []string{}}
	if !identical(f.Agent) {
		t.Failed = append(t.Failed, "Written back untouched it is not identical.")
	}
	for _, field := range tried {
		if f.Format.Keeps(field) {
			t.edit(f.Agent, field)
		}
	}
	return t
}

// edit lengthens one field and takes that back.
func (t *RoundTrip) edit(was agent.Agent, field agent.Field) {
	next := was.Clone()
	lengthen(&next, field)
	c, err := Patch(*was.Source, next)
	if err != nil {
		t.refused(field, err)
		return
	}
	t.Edits++
	src := *was.Source
	src.Original = c.After
	if len(c.Spans) != 1 {
		t.fail(field, fmt.Sprintf("one edit changes %d spans of the file.", len(c.Spans)))
	}
	next.Identity.Instructions = frontmatter.Normal(next.Identity.Instructions)
	is, err := Read(src)
	if err != nil || !same(next, is.Agent) {
		t.fail(field, "the edited file does not read back as wanted.")
		return
	}
	back, err := Patch(src, was)
	if err != nil {
		t.refused(field, err)
		return
	}
	src.Original = back.After
	is, err = Read(src)
	if err != nil || !same(was, is.Agent) {
		t.fail(field, "with the edit undone the file does not read as before.")
	}
}

// lengthen makes a small edit of one field.
func lengthen(a *agent.Agent, field agent.Field) {
	for _, f := range fields() {
		if f.id != field {
			continue
		}
		text := f.of(a)
		switch {
		case field == agent.Instructions:
			*text += "\nOne more line."
		case field == agent.Description && *text != "":
			*text += " Edited."
		default:
			*text += "edited"
		}
	}
}

// same reports whether no field of a and b differs. Whether an agent is enabled
// follows from the others.
func same(a, b agent.Agent) bool {
	return len(slices.DeleteFunc(agent.Diff(a, b), func(f agent.Field) bool { return f == agent.Enabled })) == 0
}

func (t *RoundTrip) fail(field agent.Field, what string) {
	_, name, _ := strings.Cut(string(field), ".")
	t.Failed = append(t.Failed, name+": "+what)
}

// refused counts a refusal; an error without a rule is no refusal.
func (t *RoundTrip) refused(field agent.Field, err error) {
	if !isFault(err) {
		t.fail(field, "the edit fails without a reason.")
		return
	}
	t.Refused[fault.RuleOf(err)]++
}
