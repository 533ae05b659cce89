package app_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"callboard/app"
	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/roster"
	"callboard/app/vault"
)

// git runs git in dir as nobody in particular.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// everyTool is a committed repository with an agent of every tool.
func everyTool(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS("profile/testdata/formats")); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "all")
	return dir
}

// TestARepositoryOfEveryTool walks the whole way: every agent is listed with
// its origin and what it may do, one of each format is edited and written back,
// one is converted to each other format, and git sees only that.
func TestARepositoryOfEveryTool(t *testing.T) {
	repo := everyTool(t)
	a, err := open(filepath.Join(t.TempDir(), "home"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { ok(t, a.Close(t.Context())) }()
	ok(t, a.Vault.Init(t.Context(), vault.InitRequest{Protection: vault.File}))
	l, err := profile.Discover(t.Context(), profile.Where{Start: repo})
	ok(t, err)
	var listed []string
	var read []agent.Agent
	for _, f := range l.Files {
		rel, err := filepath.Rel(repo, f.Path)
		ok(t, err)
		listed = append(listed, strings.Join([]string{rel, string(f.Origin.Scope), f.Agent.Identity.Name, strings.Join(f.Agent.Grants().Effective(), " ")}, " | "))
		read = append(read, f.Agent)
	}
	slices.Sort(listed)
	want := []string{
		".claude/agents/reviewer.md | project | reviewer | fs_read fs_list",
		".codex/agents/reviewer.toml | project | reviewer | fs_read fs_list ~execute_bash",
		".cursor/agents/reviewer.md | project | reviewer | ",
		".gemini/agents/reviewer.md | project | reviewer | fs_read ~fs_list",
		".github/agents/reviewer.agent.md | project | reviewer | fs_read fs_list @github",
		".goose/recipes/ask.json | project | Ask | ",
		".goose/recipes/review.yaml | project | Review a change | @docs/find",
		".opencode/agents/team/reviewer.md | project | team/reviewer | ",
		".opencode/agents/writer.md | project | writer | ",
		"cli-agent-orchestrator/agent-store/code_reviewer.md | project | code_reviewer | fs_read fs_list ~execute_bash @cao-mcp-server",
		"opencode.jsonc | project | planner | ",
		"opencode.jsonc | project | tester | ",
	}
	if !slices.Equal(listed, want) {
		t.Errorf("listed\n%s", strings.Join(listed, "\n"))
	}
	got, err := a.Roster.Import(t.Context(), roster.Newcomers(read...))
	ok(t, err)
	changed := editEach(t, a, repo, got.IDs)
	stat := strings.Fields(git(t, repo, "diff", "--name-only"))
	slices.Sort(changed)
	if !slices.Equal(stat, slices.Compact(changed)) {
		t.Errorf("git sees %v, edited were %v", stat, changed)
	}
	for _, line := range strings.Split(strings.TrimSpace(git(t, repo, "diff", "--numstat")), "\n") {
		many := "1\t1\t"
		if strings.HasSuffix(line, "opencode.jsonc") {
			many = "2\t2\t" // two agents
		}
		if !strings.HasPrefix(line, many) {
			t.Errorf("more than one line of an agent changed: %s", line)
		}
	}
	convertOne(t, a, repo, got.IDs)
}

// editEach gives every agent another description and writes it back.
func editEach(t *testing.T, a *app.App, repo string, ids []string) (changed []string) {
	t.Helper()
	for _, id := range ids {
		e, err := a.Roster.Get(t.Context(), id)
		ok(t, err)
		next := e.Agent.Clone()
		next.Identity.Description = "Says \"no\": plainly # once"
		e, err = a.Roster.Save(t.Context(), roster.SaveRequest{Agent: next, Revision: e.Revision})
		ok(t, err)
		p, err := a.Profile.Preview(t.Context(), e.Agent)
		if err != nil || p.State != profile.Same {
			t.Fatalf("%s: %v %v", e.Agent.Source.Path, p.State, err)
		}
		if len(p.Change.Spans) != 1 {
			t.Errorf("%s: %d spans", p.Path, len(p.Change.Spans))
		}
		src, err := a.Profile.Write(t.Context(), p, profile.WriteOptions{})
		ok(t, err)
		_, err = a.Roster.SetSource(t.Context(), id, e.Revision, src)
		ok(t, err)
		rel, err := filepath.Rel(repo, p.Path)
		ok(t, err)
		changed = append(changed, rel)
	}
	return changed
}

// convertOne writes the Claude Code reviewer in every other format, each with
// its loss report, and takes them all back.
func convertOne(t *testing.T, a *app.App, repo string, ids []string) {
	t.Helper()
	before := git(t, repo, "status", "--porcelain")
	for _, id := range ids {
		e, err := a.Roster.Get(t.Context(), id)
		ok(t, err)
		if e.Agent.Source.Format != string(profile.ClaudeCode) {
			continue
		}
		var all []profile.Exported
		for _, to := range profile.Formats() {
			if to == profile.ClaudeCode {
				continue
			}
			c, err := profile.Convert(e.Agent, to)
			ok(t, err)
			if len(c.Report) < 4 {
				t.Errorf("%s: the loss report is %v", to, c.Report)
			}
			done, err := a.Profile.Export(t.Context(), c, filepath.Join(repo, to.Folder(), "new-"+c.Name), profile.WriteOptions{})
			ok(t, err)
			all = append(all, done)
		}
		untracked := strings.Count(git(t, repo, "status", "--porcelain", "-uall"), "?? ")
		if untracked != 7 {
			t.Errorf("%d new files, want 7", untracked)
		}
		for _, done := range all {
			ok(t, a.Profile.UndoExport(t.Context(), done))
		}
	}
	if after := git(t, repo, "status", "--porcelain"); after != before {
		t.Errorf("converting left\n%s", after)
	}
}
