package profile_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/fault"
	"callboard/app/profile"
)

// town is a person's folder, a repository in it and what an administrator and
// a plugin put beside it.
func town(t *testing.T) (home, repo string) {
	t.Helper()
	home = realDir(t)
	repo = filepath.Join(home, "code", "shop")
	if err := os.MkdirAll(filepath.Join(repo, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return home, repo
}

func codexText(name string) string {
	return "name = \"" + name + "\"\ndescription = \"d\"\ndeveloper_instructions = \"x\"\n"
}

func discover(t *testing.T, w profile.Where) map[string]profile.File {
	t.Helper()
	l, err := profile.Discover(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]profile.File{}
	for _, f := range l.Files {
		out[f.Path] = f
	}
	return out
}

func TestDiscoverReadsEachToolsFolders(t *testing.T) {
	home, repo := town(t)
	want := map[string]string{}
	for rel, as := range map[string]string{
		".claude/agents/sub/a.md":                              "user claude_code",
		".codex/agents/a.toml":                                 "user codex",
		".config/opencode/agents/a.md":                         "user opencode",
		".copilot/agents/a.md":                                 "user vscode",
		".config/Code/User/prompts/a.chatmode.md":              "user vscode",
		".gemini/agents/a.md":                                  "user gemini",
		".cursor/agents/a.md":                                  "user cursor",
		".aws/cli-agent-orchestrator/agent-store/a.md":         "user cao",
		".claude/plugins/cache/m/p/1.0/agents/a.md":            "plugin claude_code",
		".claude/plugins/marketplaces/m/plugins/p/agents/a.md": "plugin claude_code",
		".gemini/extensions/e/agents/a.md":                     "plugin gemini",
		"code/shop/.claude/agents/a.md":                        "project claude_code",
		"code/shop/web/.claude/agents/a.md":                    "project claude_code",
		"code/shop/.github/agents/a.agent.md":                  "project vscode",
		"code/shop/.opencode/agent/a.md":                       "project opencode",
	} {
		text := named("a")
		if strings.HasSuffix(rel, ".toml") {
			text = codexText("a")
		}
		want[put(t, filepath.Join(home, rel), text)] = as
	}
	put(t, filepath.Join(home, "code", "other", ".claude", "agents", "a.md"), named("a"))
	put(t, filepath.Join(home, "code", ".claude", "agents", "a.md"), named("a")) // above the repository
	put(t, filepath.Join(home, "documents", "a.md"), named("a"))
	put(t, filepath.Join(home, ".config", "Code", "User", "prompts", "a.prompt.md"), named("a"))
	got := map[string]string{}
	for path, f := range discover(t, profile.Where{Home: home, Start: filepath.Join(repo, "web")}) {
		got[path] = string(f.Origin.Scope) + " " + string(f.Format)
		if f.Origin.ReadOnly != (f.Origin.Scope == profile.Plugin) {
			t.Errorf("%s: read-only %v", path, f.Origin.ReadOnly)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestDiscoverFromWithinAToolsFolder: without a repository the folder the
// tool's one is in is the project.
func TestDiscoverFromWithinAToolsFolder(t *testing.T) {
	dir := realDir(t)
	a := put(t, filepath.Join(dir, ".claude", "agents", "sub", "a.md"), named("a"))
	b := put(t, filepath.Join(dir, ".codex", "agents", "b.toml"), codexText("b"))
	got := discover(t, profile.Where{Start: filepath.Dir(a)})
	if len(got) != 2 || got[a].Origin.Root != dir || got[b].Origin.Root != dir {
		t.Errorf("%+v", got)
	}
}

func TestDiscoverFollowsTheEnvironment(t *testing.T) {
	home, moved := realDir(t), realDir(t)
	put(t, filepath.Join(home, ".claude", "agents", "a.md"), named("a"))
	file := put(t, filepath.Join(moved, "agents", "b.md"), named("b"))
	got := discover(t, profile.Where{Home: home, Getenv: func(name string) string {
		return map[string]string{"CLAUDE_CONFIG_DIR": moved}[name]
	}})
	if len(got) != 1 || got[file].Format != profile.ClaudeCode {
		t.Errorf("%v", got)
	}
}

// standingsOf says in one line what the tools make of a file.
func standingsOf(f profile.File) []string {
	var out []string
	for _, s := range f.Standings {
		word := map[bool]string{true: "wins", false: "loses"}[s.Wins]
		if !s.Known {
			word = "unknown"
		}
		out = append(out, string(s.Tool)+" "+word)
	}
	slices.Sort(out)
	return out
}

// TestWhichOfThreeReviewersWins: the nearest of a project's, before the
// person's own, before a plugin's; and other tools read the same files.
func TestWhichOfThreeReviewersWins(t *testing.T) {
	home, repo := town(t)
	near := put(t, filepath.Join(repo, "web", ".claude", "agents", "r.md"), named("reviewer"))
	far := put(t, filepath.Join(repo, ".claude", "agents", "r.md"), named("reviewer"))
	user := put(t, filepath.Join(home, ".claude", "agents", "r.md"), named("reviewer"))
	plugin := put(t, filepath.Join(home, ".claude", "plugins", "p", "agents", "r.md"), named("reviewer"))
	alone := put(t, filepath.Join(repo, ".claude", "agents", "x.md"), named("alone"))
	got := discover(t, profile.Where{Home: home, Start: filepath.Join(repo, "web")})
	for path, want := range map[string][]string{
		near: {"claude_code wins", "cursor unknown", "vscode unknown"}, far: {"claude_code loses", "cursor unknown", "vscode unknown"},
		user: {"claude_code loses"}, plugin: {"claude_code loses"},
	} {
		if d := cmp.Diff(want, standingsOf(got[path])); d != "" {
			t.Errorf("%s: %s", path, d)
		}
	}
	for _, s := range got[far].Standings {
		if s.Tool == profile.ClaudeCode && (s.Other != near || !strings.Contains(s.Sentence(), near)) {
			t.Errorf("the far one loses to %s: %s", s.Other, s.Sentence())
		}
	}
	if len(got[alone].Standings) > 0 {
		t.Errorf("alone: %v", got[alone].Standings)
	}
}

// TestProjectsDoNotMeet: an agent of one repository shadows none of another.
func TestProjectsDoNotMeet(t *testing.T) {
	home, repo := town(t)
	other := filepath.Join(home, "code", "other")
	if err := os.MkdirAll(filepath.Join(other, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	a := put(t, filepath.Join(repo, ".codex", "agents", "r.toml"), codexText("reviewer"))
	b := put(t, filepath.Join(other, ".codex", "agents", "r.toml"), codexText("reviewer"))
	got := discover(t, profile.Where{Home: home, Start: repo, Added: []string{other}})
	if len(got) != 2 || len(got[a].Standings)+len(got[b].Standings) > 0 {
		t.Errorf("%v", got)
	}
}

// TestAnAddedRepositoryIsReadOnce: also when it is where the program started.
func TestAnAddedRepositoryIsReadOnce(t *testing.T) {
	_, repo := town(t)
	put(t, filepath.Join(repo, ".claude", "agents", "a.md"), named("a"))
	put(t, filepath.Join(repo, "opencode.json"), twoAgents)
	l, err := profile.Discover(t.Context(), profile.Where{Start: repo, Added: []string{repo}})
	if err != nil || len(l.Files) != 3 {
		t.Errorf("%d files %v", len(l.Files), err)
	}
}

func TestAddedFoldersAreReadAsTheyAre(t *testing.T) {
	home, repo := town(t)
	loose := filepath.Join(home, "my agents")
	file := put(t, filepath.Join(loose, "a.md"), named("a"))
	got := discover(t, profile.Where{Start: repo, Added: []string{loose, loose, filepath.Join(home, "gone")}})
	if len(got) != 1 || got[file].Origin.Scope != profile.Chosen {
		t.Errorf("%v", got)
	}
}

// TestAPluginsFileIsNotWritten: an update of the plugin would put it back.
func TestAPluginsFileIsNotWritten(t *testing.T) {
	home, _ := town(t)
	file := put(t, filepath.Join(home, ".claude", "plugins", "p", "agents", "r.md"), named("reviewer"))
	a := discover(t, profile.Where{Home: home})[file].Agent
	a.Identity.Description = "mine"
	_, err := profile.New(profile.Config{}).Preview(t.Context(), a)
	if fault.RuleOf(err) != "file_not_yours" {
		t.Errorf("got %v", err)
	}
}
