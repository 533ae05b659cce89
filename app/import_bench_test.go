package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"callboard/app"
	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/roster"
	"callboard/app/vault"
)

// mixed writes a repository of n agents in five formats and returns what they
// hold by path.
func mixed(b *testing.B, n int) (dir string, files map[string][]byte) {
	b.Helper()
	dir, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	files = map[string][]byte{}
	body := "You review one change at a time.\n\n- Read the diff.\n- Prove each finding.\n"
	for i := range n {
		name := fmt.Sprintf("agent-%04d", i)
		front := "---\nname: " + name + "\ndescription: Reads a diff and finds what breaks\n"
		var path, text string
		switch i % 5 {
		case 0:
			path, text = ".claude/agents/"+name+".md", front+"tools: Read, Grep, Glob\n---\n"+body
		case 1:
			path, text = ".codex/agents/"+name+".toml", "name = \""+name+"\"\ndescription = \"Reads\"\nsandbox_mode = \"read-only\"\ndeveloper_instructions = '''\n"+body+"'''\n"
		case 2:
			path, text = ".opencode/agents/"+name+".md", "---\ndescription: Reads\nmode: subagent\n---\n"+body
		case 3:
			path, text = ".github/agents/"+name+".agent.md", front+"tools: [read, search]\n---\n"+body
		case 4:
			path, text = ".gemini/agents/"+name+".md", front+"tools: [read_file, glob]\n---\n"+body
		}
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
		files[path] = []byte(text)
	}
	return dir, files
}

// BenchmarkImportThousand measures a whole import of 1,000 files, from the disk
// to sealed rows of a real store, against parsing the same bytes alone.
func BenchmarkImportThousand(b *testing.B) {
	dir, files := mixed(b, 1000)
	var whole, parse time.Duration
	for b.Loop() {
		b.StopTimer()
		a := opened(b)
		b.StartTimer()
		start := time.Now()
		for path, data := range files {
			if _, err := profile.ReadFile(path, data); err != nil {
				b.Fatal(err)
			}
		}
		parse += time.Since(start)
		start = time.Now()
		l, err := profile.Scan(b.Context(), dir)
		if err != nil {
			b.Fatal(err)
		}
		read := make([]agent.Agent, len(l.Files))
		for i, f := range l.Files {
			read[i] = f.Agent
		}
		if _, err := a.Roster.Match(b.Context(), read); err != nil {
			b.Fatal(err)
		}
		got, err := a.Roster.Import(b.Context(), roster.Newcomers(read...))
		if err != nil || len(got.IDs) != len(files) {
			b.Fatalf("%d imported: %v", len(got.IDs), err)
		}
		whole += time.Since(start)
		b.StopTimer()
		if err := a.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(whole)/float64(parse), "x_parse")
	b.ReportMetric(float64(whole.Milliseconds())/float64(b.N), "ms/import")
}

// opened is a new home, open.
func opened(b *testing.B) *app.App {
	b.Helper()
	a, err := open(filepath.Join(b.TempDir(), "home"))
	if err != nil {
		b.Fatal(err)
	}
	if err := a.Vault.Init(b.Context(), vault.InitRequest{Protection: vault.File}); err != nil {
		b.Fatal(err)
	}
	return a
}
