package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"callboard/app/fault"
	"callboard/app/profile"
)

// The refusals of convert.
var (
	errFormat = fault.New(fault.Invalid, "format_unknown", "there is no such format").
			Then("Name one of these: " + formats() + ".")
	errOneFile = fault.New(fault.Invalid, "not_one_file", "this is a folder").
			Then("Name one agent file.")
	errNoAgent = fault.New(fault.Invalid, "not_an_agent", "the file holds no agent").
			Then("Name an agent file.")
	errUnread = fault.New(fault.Invalid, "file_unreadable", "the file cannot be converted")
	errWhich  = fault.New(fault.Invalid, "agent_needed", "it is not clear which agent of the file is meant").
			Then("Name one with --agent NAME.")
	errWider = fault.New(fault.Denied, "wider", "the new file would grant more than its source, see the lines marked WIDER, so nothing was written").
			Then("Accept that with --wider.")
	errThere = fault.New(fault.Conflict, "file_exists", "a file is already there").
			Then("Give --overwrite to replace it. What it holds goes to the backups first.")
	errEnding = fault.New(fault.Invalid, "ending", "a file of that format has another ending").
			Then("Name a file that ends so, or a folder that is there.")
	errOutside = fault.New(fault.Denied, "link_outside", "the tool's folder in that repository is a link that leads out of it, so nothing was written").
			Then("Name the folder it leads to instead.")
)

// formats are the ids of all formats.
func formats() string {
	var ids []string
	for _, f := range profile.Formats() {
		ids = append(ids, string(f))
	}
	return strings.Join(ids, ", ")
}

type convertCmd struct {
	File      string `arg:"" help:"The agent file." type:"path"`
	To        string `help:"The format: claude_code (or claude), codex, opencode, vscode, gemini, cursor, cao or goose." placeholder:"FORMAT" required:""`
	Agent     string `help:"Which agent of a file that holds several." placeholder:"NAME"`
	Out       string `help:"Where to write: a file, a folder, or the root of a repository, which has a folder for the format. Without it the file goes to standard output." placeholder:"PATH" type:"path"`
	Overwrite bool   `help:"Replace a file that is there. What it holds goes to the backups first."`
	Wider     bool   `help:"Accept that the new file grants more than its source."`
	JSON      bool   `name:"json" help:"The report as one JSON object: format, name, widens, report [{field, outcome, text, widens}]."`
}

// Run converts one agent. The report goes to standard output if the file does
// not, else to standard error.
func (c *convertCmd) Run(r *run) error {
	to, err := formatOf(c.To)
	if err != nil {
		return r.misused(err)
	}
	f, err := c.agent(r)
	if err != nil {
		return r.misused(err)
	}
	made, err := profile.Convert(f.Agent, to)
	if err != nil {
		return err
	}
	report := r.p.Stdout
	if c.Out == "" {
		report = r.p.Stderr
	}
	if err := c.report(report, made); err != nil {
		return err
	}
	if made.Widens() && !c.Wider {
		return errWider
	}
	if c.Out == "" {
		_, err := r.p.Stdout.Write(made.Data)
		return err
	}
	return c.write(r, made)
}

// misused says why and ends with Usage.
func (r *run) misused(err error) error {
	r.p.refuse(err)
	return exit(Usage)
}

func formatOf(name string) (profile.Format, error) {
	if name == "claude" {
		return profile.ClaudeCode, nil
	}
	if f := profile.Format(name); slices.Contains(profile.Formats(), f) {
		return f, nil
	}
	return "", errFormat
}

// agent reads the one agent that is meant.
func (c *convertCmd) agent(r *run) (profile.File, error) {
	if info, err := os.Stat(c.File); err == nil && info.IsDir() {
		return profile.File{}, errOneFile
	}
	l, err := profile.Scan(r.ctx, c.File)
	switch {
	case err != nil:
		return profile.File{}, err
	case len(l.Files) > 0:
		return c.pick(l.Files)
	case len(l.Skipped) > 0:
		return profile.File{}, untaken(l.Skipped[0])
	}
	return profile.File{}, errNoAgent
}

// untaken says what a scan says of a file it could not take.
func untaken(s profile.Skipped) error {
	text := strings.TrimSuffix(plain(s.Text), ".")
	if s.Line > 0 {
		text = fmt.Sprintf("line %d: %s", s.Line, text)
	}
	return fmt.Errorf("%w: %s", errUnread, text)
}

func (c *convertCmd) pick(files []profile.File) (profile.File, error) {
	if c.Agent == "" && len(files) == 1 {
		return files[0], nil
	}
	var names []string
	var found []profile.File
	for _, f := range files {
		names = append(names, shown(f.Agent.Identity.Name))
		if f.Agent.Identity.Name == c.Agent || f.Agent.Source.Key == c.Agent && c.Agent != "" {
			found = append(found, f)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	return profile.File{}, fmt.Errorf("%w, which are %s", errWhich, strings.Join(names, ", "))
}

// converted is a conversion in JSON; every key is always there.
type converted struct {
	Format profile.Format `json:"format"`
	Name   string         `json:"name"`
	Widens bool           `json:"widens"`
	Report []fate         `json:"report"`
}

type fate struct {
	Field   string          `json:"field"`
	Outcome profile.Outcome `json:"outcome"`
	Text    string          `json:"text"`
	Widens  bool            `json:"widens"`
}

func (c *convertCmd) report(w io.Writer, made profile.Conversion) error {
	if c.JSON {
		out := converted{made.Format, made.Name, made.Widens(), []fate{}}
		for _, f := range made.Report {
			out.Report = append(out.Report, fate(f))
		}
		return object(w, out)
	}
	for _, f := range made.Report {
		line := fmt.Sprintf("%-8s %s", f.Outcome, plain(f.Field))
		if f.Widens {
			line = "WIDER " + line
		}
		if f.Text != "" {
			line += ": " + plain(f.Text)
		}
		say(w, line)
	}
	return nil
}

func (c *convertCmd) write(r *run, made profile.Conversion) error {
	path, err := target(c.Out, made)
	switch {
	case errors.Is(err, errEnding):
		return r.misused(err)
	case err != nil:
		return err
	}
	s := profile.New(profile.Config{Backups: r.home.Backups(), Now: r.p.Now})
	e, err := s.Export(r.ctx, made, path, profile.WriteOptions{Overwrite: c.Overwrite})
	switch {
	case errors.Is(err, profile.ErrExists):
		return errThere
	case err != nil:
		return err
	case c.JSON:
		return nil
	}
	say(r.p.Stdout, "Written to "+shown(e.Path)+".")
	return nil
}

// target is the file that a person means by path: in a folder one of the
// conversion's name, in a repository one in the folder of the format's tool.
func target(path string, made profile.Conversion) (string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		if ending := filepath.Ext(made.Name); !strings.EqualFold(filepath.Ext(path), ending) {
			return "", fmt.Errorf("%w, which is %s", errEnding, ending)
		}
		return path, nil
	}
	if root, ok := profile.Repository(path); !ok || root != path {
		return filepath.Join(path, made.Name), nil
	}
	dir := filepath.Join(path, made.Format.Folder())
	if leaves(path, dir) {
		return "", errOutside
	}
	return filepath.Join(dir, made.Name), nil
}

// leaves reports whether dir, or as much of it as is there, is outside of root.
func leaves(root, dir string) bool {
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return true
	}
	for {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			rel, err := filepath.Rel(root, real)
			return err != nil || !filepath.IsLocal(rel)
		}
		if _, err := os.Lstat(dir); err == nil {
			return true // a link that leads nowhere
		}
		dir = filepath.Dir(dir)
	}
}
