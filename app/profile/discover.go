package profile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Scope is whose agents a folder holds.
type Scope string

// The scopes. Chosen is a folder a person pointed at, which may be anything.
const (
	Managed Scope = "managed" // the machine's administrator
	Project Scope = "project" // a repository, or a folder above the start in it
	User    Scope = "user"
	Plugin  Scope = "plugin" // a plugin or an extension of a tool
	Chosen  Scope = "chosen"
)

// Origin is where an agent lives. Folder is the tool's folder, or the chosen
// one; Root is the project's, empty outside of one. Up is how many folders
// above the start a project's folder is. ReadOnly says that the file is not the
// person's to edit: an update of the plugin would put it back.
type Origin struct {
	Scope    Scope
	Folder   string
	Root     string
	Up       int
	ReadOnly bool
}

// Where says where Discover looks. Home is the person's own folder, Start the
// one the program was started in, Added those the person added; each may be
// empty. Managed is where an administrator puts agents of Claude Code.
type Where struct {
	Home    string
	Start   string
	Added   []string
	Managed string
	Getenv  func(string) string
}

// ManagedFolder is where Claude Code reads what the machine's administrator
// gave it.
func ManagedFolder() string {
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	case "windows":
		return `C:\ProgramData\ClaudeCode`
	}
	return "/etc/claude-code"
}

// Place is one folder, or one file, that Discover reads. Format is that of its
// files, empty where each shows its own.
type Place struct {
	Path   string
	Origin Origin
	Format Format
}

// userPlaces are each tool's folders in the person's own folder, and the
// variable that moves the first part of the path elsewhere. A star is any one
// folder.
var userPlaces = []struct {
	path   string
	format Format
	scope  Scope
	env    string
	within string // the part of path that env stands for
}{
	{".claude/agents", ClaudeCode, User, "CLAUDE_CONFIG_DIR", ".claude"},
	{".codex/agents", Codex, User, "CODEX_HOME", ".codex"},
	{".config/opencode/agents", OpenCode, User, "", ""},
	{".config/opencode/agent", OpenCode, User, "", ""},
	{".config/opencode/opencode.json", OpenCode, User, "", ""},
	{".config/opencode/opencode.jsonc", OpenCode, User, "", ""},
	{".copilot/agents", VSCode, User, "", ""},
	{".config/Code/User/prompts", VSCode, User, "", ""},
	{"Library/Application Support/Code/User/prompts", VSCode, User, "", ""},
	{".gemini/agents", Gemini, User, "", ""},
	{".cursor/agents", Cursor, User, "", ""},
	{".aws/cli-agent-orchestrator/agent-store", CAO, User, "CAO_HOME_DIR", ".aws/cli-agent-orchestrator"},
	{".config/goose/recipes", Goose, User, "", ""},
	{".claude/plugins/*/agents", ClaudeCode, Plugin, "CLAUDE_CONFIG_DIR", ".claude"},
	{".claude/plugins/cache/*/*/*/agents", ClaudeCode, Plugin, "CLAUDE_CONFIG_DIR", ".claude"},
	{".claude/plugins/marketplaces/*/agents", ClaudeCode, Plugin, "CLAUDE_CONFIG_DIR", ".claude"},
	{".claude/plugins/marketplaces/*/plugins/*/agents", ClaudeCode, Plugin, "CLAUDE_CONFIG_DIR", ".claude"},
	{".gemini/extensions/*/agents", Gemini, Plugin, "", ""},
}

// Places lists what Discover reads and is there: each tool's user folders and
// plugins, the start folder up to its repository's root, the added folders.
// Nothing else is searched.
func Places(w Where) []Place {
	var p places
	if w.Managed != "" {
		p.add(filepath.Join(w.Managed, ".claude", "agents"), ClaudeCode, Origin{Scope: Managed, ReadOnly: true})
	}
	if w.Home != "" { // before projects: the person's own folder may be the start
		p.user(w)
	}
	p.project(w.Start)
	for _, added := range w.Added {
		p.added(added)
	}
	if recipes := w.env("GOOSE_RECIPE_PATH"); recipes != "" {
		for _, dir := range filepath.SplitList(recipes) {
			p.add(dir, Goose, Origin{Scope: User})
		}
	}
	return p.out
}

func (w Where) env(name string) string {
	if w.Getenv == nil || name == "" {
		return ""
	}
	return w.Getenv(name)
}

// places collects each place once, by its real path.
type places struct {
	out  []Place
	seen map[string]bool
}

func (p *places) add(path string, f Format, o Origin) {
	real, err := realPath(path)
	if err != nil || p.seen[real] {
		return
	}
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	p.seen[real] = true
	o.Folder = real
	p.out = append(p.out, Place{real, o, f})
}

// project adds the tools' folders of start and of every folder above it, up to
// the root of its repository, and reports whether there are any.
func (p *places) project(start string) (some bool) {
	if start == "" {
		return false
	}
	start, err := realPath(start)
	if err != nil {
		return false
	}
	root, ok := Repository(start)
	if !ok {
		root = start
	}
	for dir, up := start, 0; ; dir, up = filepath.Dir(dir), up+1 {
		for _, rel := range placesIn(dir, filepath.Base(dir)) {
			p.add(filepath.Join(dir, rel), "", Origin{Scope: Project, Root: root, Up: up})
			some = true
		}
		if dir == root || dir == filepath.Dir(dir) {
			return some
		}
	}
}

// added adds a folder the person chose: a repository's own folders, else all
// of it.
func (p *places) added(dir string) {
	if !p.project(dir) {
		p.add(dir, "", Origin{Scope: Chosen})
	}
}

// Repository is the root of the repository dir is in. Without one, where dir is
// in a tool's folder, it is the folder that one is in; ok is false where dir is
// in neither.
func Repository(dir string) (root string, ok bool) {
	for at := dir; at != filepath.Dir(at); at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at, true
		}
	}
	var tools []string
	for _, u := range userPlaces {
		tools = append(tools, u.path)
	}
	for _, h := range homes {
		tools = append(tools, h.path)
	}
	for _, path := range tools {
		if at := strings.Index(filepath.ToSlash(dir)+"/", "/"+path+"/"); at > 0 {
			return dir[:at], true
		}
	}
	return "", false
}

// UserFolder is where the tool of a format looks for its files in the person's
// own folder, relative to that.
func (f Format) UserFolder() string {
	for _, u := range userPlaces {
		if u.format == f && u.scope == User && extension(u.path) == "" {
			return filepath.FromSlash(u.path)
		}
	}
	return f.Folder()
}

func (p *places) user(w Where) {
	for _, u := range userPlaces {
		path := filepath.Join(w.Home, filepath.FromSlash(u.path))
		if moved := w.env(u.env); moved != "" {
			path = filepath.Join(moved, filepath.FromSlash(strings.TrimPrefix(u.path, u.within)))
		}
		o := Origin{Scope: u.scope, ReadOnly: u.scope == Plugin}
		found := []string{path}
		if strings.Contains(u.path, "*") {
			found, _ = filepath.Glob(path) // the pattern is ours and sound
		}
		for _, f := range found {
			p.add(f, u.format, o)
		}
	}
}

// notYours reports whether a file belongs to a plugin or to the machine's
// administrator, however it was reached.
func notYours(path string) bool {
	p := filepath.ToSlash(path)
	for _, at := range []string{"/.claude/plugins/", "/.gemini/extensions/"} {
		if strings.Contains(p, at) {
			return true
		}
	}
	return within(ManagedFolder(), path)
}

// Discover reads every place of w, and says of agents that share a name which
// one each tool uses. A place that cannot be read is in Skipped. It fails only
// when ctx ends.
func Discover(ctx context.Context, w Where, opts ...ScanOption) (Listing, error) {
	s := scan{progress: func(int) {}}
	for _, o := range opts {
		o(&s)
	}
	for _, p := range Places(w) {
		s.origin, s.format = p.Origin, p.Format
		err := s.placeOf(ctx, p)
		if ctx.Err() != nil {
			return Listing{}, context.Cause(ctx)
		}
		if err != nil {
			s.skip(p.Path, ruleOf(err), sentence(err), true)
		}
	}
	s.out.Folder = w.Start
	s.finish()
	return s.out, nil
}

func (s *scan) placeOf(ctx context.Context, p Place) error {
	info, err := os.Stat(p.Path)
	if err != nil {
		return errors.Join(ErrFolder, reason(err))
	}
	if !info.IsDir() {
		return s.one(ctx, p.Path)
	}
	return s.folder(ctx, p.Path, false)
}

// finish sorts what was found and compares the names.
func (s *scan) finish() {
	slices.SortStableFunc(s.out.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(s.out.Skipped, func(a, b Skipped) int { return strings.Compare(a.Path, b.Path) })
	sameNames(s.out.Files)
	standings(s.out.Files)
}
