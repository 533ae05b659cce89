package profile_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/profile"
)

func TestCheck(t *testing.T) {
	dir := realDir(t)
	paths := []string{filepath.Join(dir, "none.md")}
	for _, name := range []string{"plain", "tools_blank", "colon_in_description", "denied", "binary", "no_front_matter"} {
		data := []byte("---\nname: \x00\n---\n")
		if name != "binary" {
			data = fixture(t, name)
		}
		paths = append(paths, put(t, filepath.Join(dir, name+".md"), string(data)))
	}
	reports, err := profile.Check(t.Context(), paths)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, r := range reports {
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		got[strings.TrimSuffix(filepath.Base(r.Path), ".md")] = strings.ReplaceAll(string(b), dir, "")
		if r.Unreadable != (r.Name == "" && !strings.Contains(r.Path, "no_front_matter")) {
			t.Errorf("%s: unreadable %v", r.Path, r.Unreadable)
		}
	}
	want := map[string]string{
		"plain":                `{"path":"/plain.md","format":"claude_code","name":"reviewer","problems":[],"tools":{"stated":["Read","Grep","Bash(git log *)"],"effective":["fs_read","~fs_list","~execute_bash"]},"identical":true}`,
		"tools_blank":          `{"path":"/tools_blank.md","format":"claude_code","name":"one","problems":[{"line":4,"text":"The tool list is blank: Claude Code has read a blank tool list as all tools. So nothing is granted and the agent is imported off."}],"tools":{"stated":"empty","effective":[]},"identical":true}`,
		"colon_in_description": `{"path":"/colon_in_description.md","format":"claude_code","name":"reviewer","problems":[{"line":3,"text":"Not strict YAML: everything after the colon of description was taken as its text."}],"tools":{"stated":["Read"],"effective":["fs_read"]},"identical":true}`,
		"denied":               `{"path":"/denied.md","format":"claude_code","name":"one","problems":[{"line":4,"text":"Nope: this denial names no known tool. It takes nothing away."}],"tools":{"stated":"omitted","effective":["fs_read","fs_list","fs_write","~execute_bash","web_fetch","~@*"]},"identical":true}`,
		"no_front_matter":      `{"path":"/no_front_matter.md","format":"claude_code","name":"","problems":[{"line":0,"text":"The file has no front matter, so it is not an agent."}],"tools":{"stated":"unread","effective":[]},"identical":false}`,
		"binary":               `{"path":"/binary.md","format":"claude_code","name":"","problems":[{"line":0,"text":"The file holds NUL bytes, so it is not text."}],"tools":{"stated":"unread","effective":[]},"identical":false}`,
		"none":                 `{"path":"/none.md","format":"claude_code","name":"","problems":[{"line":0,"text":"The file or folder cannot be read: no such file or directory. Check that it exists and that you may read it."}],"tools":{"stated":"unread","effective":[]},"identical":false}`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestStatedRoundTrip(t *testing.T) {
	for _, in := range []string{`"omitted"`, `"empty"`, `"unread"`, `["Read","*"]`} {
		var s profile.Stated
		if err := json.Unmarshal([]byte(in), &s); err != nil {
			t.Fatal(err)
		}
		if out, _ := json.Marshal(s); string(out) != in {
			t.Errorf("%s came back as %s", in, out)
		}
	}
}

func TestFixturesAreAllTested(t *testing.T) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".md")
		if _, tested := fixtures[name]; ok && !tested && name != "open" {
			t.Errorf("%s is no test", e.Name())
		}
	}
}

// TestCheckNamesInATree: agents of two projects may share a name, those of one
// may not, and an agent of a file with several has its key.
func TestCheckNamesInATree(t *testing.T) {
	dir := realDir(t)
	for _, at := range []string{".claude/agents/a.md", "one/.claude/agents/a.md", "two/.claude/agents/a.md", "two/.claude/agents/sub/a.md", "two/.github/agents/a.agent.md"} {
		put(t, filepath.Join(dir, at), named("a"))
	}
	put(t, filepath.Join(dir, "opencode.json"), `{"agents": {"a": {"description": "d"}}}`)
	put(t, filepath.Join(dir, ".opencode", "agents", "a.md"), "---\ndescription: d\n---\n")
	reports, err := profile.Check(t.Context(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, r := range reports {
		got[strings.TrimPrefix(r.Path, dir+"/")+" "+r.Key] = len(r.Problems)
	}
	want := map[string]int{
		".claude/agents/a.md ":           0,
		"one/.claude/agents/a.md ":       0,
		"two/.claude/agents/a.md ":       1,
		"two/.claude/agents/sub/a.md ":   1,
		"two/.github/agents/a.agent.md ": 1, // Read is no word of VS Code's
		"opencode.json agents/a":         1,
		".opencode/agents/a.md ":         1,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s\n%+v", d, reports)
	}
}
