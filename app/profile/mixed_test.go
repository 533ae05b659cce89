package profile_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"callboard/app/profile"
)

// mixedFile is one file of a repository with agents of every tool.
type mixedFile struct {
	rel, text string
	agents    int
	line      int // of what is wrong, 0 where it is about the whole file
}

// goodFiles are n readable files of every format, with different names.
func goodFiles(n int) []mixedFile {
	forms := []struct{ path, text string }{
		{".claude/agents/team%d/a%d.md", "---\nname: claude-%d\ndescription: Reviews code\ntools: Read, Grep\nmodel: sonnet\n---\n\nYou review.\n"},
		{".codex/agents/t%d/a%d.toml", "name = \"codex-%d\"\ndescription = \"Reviews code\" # short\nsandbox_mode = \"read-only\"\ndeveloper_instructions = '''\nYou review.\n'''\n\n[mcp_servers.docs]\ncommand = \"docs\"\n"},
		{".opencode/agents/t%d/a%d.md", "---\ndescription: Reviews code %d\nmode: subagent\n---\nYou review.\n"},
		{".github/agents/t%d-a%d.agent.md", "---\nname: vscode-%d\ndescription: Reviews code\ntools: ['read', 'search', 'github/*']\n---\nYou review.\n"},
		{".gemini/agents/t%d/a%d.md", "---\nname: gemini-%d\ndescription: Reviews code\ntools:\n  - read_file\n---\nYou review.\n"},
		{".cursor/agents/t%d/a%d.md", "---\nname: cursor-%d\ndescription: Reviews code\nreadonly: true\n---\nYou review.\n"},
		{".goose/recipes/t%d-a%d.yaml", "version: \"1.0.0\"\ntitle: goose-%d\ndescription: Reviews code\nprompt: |\n  Review {{ x }}.\nextensions:\n- type: builtin\n  name: developer\n"},
		{".goose/recipes/t%d-j%d.json", "{\n  \"version\": \"1.0.0\",\n  \"title\": \"json-%d\",\n  \"description\": \"Reviews code\",\n  \"prompt\": \"Review.\"\n}\n"},
	}
	out := make([]mixedFile, n)
	for i := range out {
		form := forms[i%len(forms)]
		out[i] = mixedFile{rel: fmt.Sprintf(form.path, i%7, i), text: fmt.Sprintf(form.text, i), agents: 1}
	}
	return out
}

// brokenFiles are files that cannot be read, each in its own way.
func brokenFiles() []mixedFile {
	const front = "---\nname: a\ndescription: d\n"
	good := front + "---\nbody\n"
	return []mixedFile{
		{".claude/agents/open.md", front, 0, 1},
		{".claude/agents/nul.md", front + "x: \x00\n---\n", 0, 0},
		{".claude/agents/huge.md", good + strings.Repeat("x", 4<<20), 0, 0},
		{".claude/agents/empty.md", "", 0, 0},
		{".claude/agents/plain.md", "# Only a text\n", 0, 0},
		{".claude/agents/long line.md", front + "x: " + strings.Repeat("x", 64<<10) + "\n---\n", 0, 4},
		{".claude/agents/long block.md", front + strings.Repeat("# "+strings.Repeat("x", 1000)+"\n", 300) + "---\n", 0, 1},
		{".codex/agents/bracket.toml", toml3 + "x = [1\n", 0, 4},
		{".codex/agents/twice.toml", toml3 + "name = 'b'\n", 0, 4},
		{".codex/agents/quote.toml", "name = 'a\ndescription = 'd'\n", 0, 1},
		{".codex/agents/value.toml", toml3 + "x =\n", 0, 4},
		{".codex/agents/yaml.toml", "name: a\n", 0, 1},
		{".codex/agents/utf8.toml", toml3 + "x = \"\xff\"\n", 0, 4},
		{".codex/agents/nul.toml", toml3 + "x = \"\x00\"\n", 0, 0},
		{".codex/agents/table.toml", toml3 + "[x]\n[x]\n", 0, 5},
		{".codex/agents/escape.toml", toml3 + "x = \"\\q\"\n", 0, 4},
		{".opencode/agents/open.md", "---\ndescription: d\n", 0, 1},
		{".opencode/agents/binary.md", "\x7fELF\x00\x00", 0, 0},
		{".github/agents/open.agent.md", front, 0, 1},
		{".github/agents/binary.agent.md", "\x00\x01", 0, 0},
		{".gemini/agents/open.md", front, 0, 1},
		{".cursor/agents/open.md", front, 0, 1},
		{".cursor/agents/nul.md", good + "\x00", 0, 0},
		{".goose/recipes/cut.json", "{\n\"title\": \"t\",\n", 0, 3},
		{".goose/recipes/comma.json", "{\n\"title\": \"t\"\n\"description\": \"d\"\n}\n", 0, 3},
		{".goose/recipes/word.json", "{\n\"title\": yes\n}\n", 0, 2},
		{".goose/recipes/list.json", "[1, 2]\n", 0, 0},
		{".goose/recipes/nul.yaml", "title: \x00\n", 0, 0},
		{".goose/recipes/long line.yaml", "title: t\nx: " + strings.Repeat("x", 64<<10) + "\n", 0, 2},
		{"opencode.json", "{\n  \"agent\": {\n    \"a\": [}\n", 0, 3},
	}
}

func TestThousandMixedFiles(t *testing.T) {
	dir := realDir(t)
	bad := brokenFiles()
	good := goodFiles(1000 - len(bad))
	left := map[string]mixedFile{}
	for _, m := range append(good, bad...) {
		left[put(t, filepath.Join(dir, filepath.FromSlash(m.rel)), m.text)] = m
	}
	if len(left) != 1000 || len(bad) != 30 {
		t.Fatalf("%d files, %d broken", len(left), len(bad))
	}
	l := scan(t, dir)
	for _, f := range l.Files {
		if left[f.Path].agents != 1 || f.Agent.Identity.Description == "" || strings.Contains(rules(f), "same_name") {
			t.Errorf("%s: %+v, %s", f.Path, f.Agent.Identity, rules(f))
		}
		delete(left, f.Path)
	}
	for _, s := range l.Skipped {
		m, ok := left[s.Path]
		if !ok || m.agents > 0 || s.Text == "" || s.Rule == "" || s.Rule == "internal" || s.Line != m.line {
			t.Errorf("skipped %+v, line %d", s, m.line)
		}
		delete(left, s.Path)
	}
	for path := range left {
		t.Errorf("nothing is said of %s", path)
	}
	if l.Cut || len(l.Files) != len(good) || len(l.Skipped) != len(bad) {
		t.Errorf("%d files, %d skipped, cut %v", len(l.Files), len(l.Skipped), l.Cut)
	}
}

// BenchmarkScanMixed reports how much longer a scan takes than reading the
// same bytes from memory.
func BenchmarkScanMixed(b *testing.B) {
	dir := b.TempDir()
	files := goodFiles(1000)
	paths := make([]string, len(files))
	for i, m := range files {
		paths[i] = put(b, filepath.Join(dir, filepath.FromSlash(m.rel)), m.text)
	}
	var scanned, parsed time.Duration
	for b.Loop() {
		start := time.Now()
		l, err := profile.Scan(b.Context(), dir)
		if err != nil || len(l.Files) != len(files) {
			b.Fatalf("%d files, %v", len(l.Files), err)
		}
		scanned += time.Since(start)
		start = time.Now()
		for i, m := range files {
			if _, err := profile.ReadFile(paths[i], []byte(m.text)); err != nil {
				b.Fatal(err)
			}
		}
		parsed += time.Since(start)
	}
	b.ReportMetric(float64(scanned)/float64(parsed), "x_parse")
}
