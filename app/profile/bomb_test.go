package profile_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"callboard/app/agent"
	"callboard/app/profile"
)

// places is where a file of each syntax stands in a repository, and a small
// good file there.
var places = map[string]struct{ name, good string }{
	"codex":         {".codex/agents/%s.toml", toml3},
	"opencode":      {".opencode/agents/%s.md", "---\ndescription: d\n---\nBody\n"},
	"vscode":        {".github/agents/%s.agent.md", "---\ndescription: d\n---\nBody\n"},
	"gemini":        {".gemini/agents/%s.md", "---\nname: good\ndescription: d\n---\nBody\n"},
	"cursor":        {".cursor/agents/%s.md", "---\nname: good\ndescription: d\n---\nBody\n"},
	"claude":        {".claude/agents/%s.md", "---\nname: good\ndescription: d\n---\nBody\n"},
	"goose":         {".goose/recipes/%s.yaml", "title: t\ndescription: d\nprompt: p\n"},
	"goose json":    {".goose/recipes/%s.json", `{"title": "t", "description": "d", "prompt": "p"}`},
	"opencode json": {"opencode.json%.0s", `{"agent": {"good": {"description": "d"}}}`},
}

// inSyntax wraps what a bomb puts in the place of a value, or of keys.
func inSyntax(kind, value string) string {
	switch kind {
	case "codex":
		return toml3 + "x = " + value + "\n"
	case "goose":
		return "title: t\ndescription: d\nprompt: p\nx: " + value + "\n"
	case "goose json":
		return `{"title": "t", "description": "d", "prompt": "p", "x": ` + value + "}\n"
	case "opencode json":
		return `{"agent": {"bomb": {"description": "d", "x": ` + value + "}}}\n"
	}
	return "---\nname: bomb\ndescription: d\nx: " + value + "\n---\nBody\n"
}

func manyKeys(kind string, n int) string {
	var b strings.Builder
	form := "k%d: 1\n"
	switch kind {
	case "codex":
		form = "k%d = 1\n"
	case "goose json", "opencode json":
		form = `, "k%d": 1`
	}
	for i := range n {
		fmt.Fprintf(&b, form, i)
	}
	if strings.HasPrefix(form, ",") {
		return inSyntax(kind, "1"+b.String())
	}
	return strings.Replace(inSyntax(kind, "1"), "1\n", "1\n"+b.String(), 1)
}

func aliasBomb() string {
	out := "1\na0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 14; i++ {
		out += "a" + itoa(i) + ": &a" + itoa(i) + " [" + strings.Repeat("*a"+itoa(i-1)+", ", 9) + "]\n"
	}
	return out + "tools: *a13\nextensions: *a13\nallowedTools: *a13"
}

// bombs are files that cost a careless reader its memory, its stack or its
// time. refused are those that must not be read at all.
var bombs = map[string]struct {
	make    func(kind string) string
	refused bool
}{
	"aliases":       {func(k string) string { return inSyntax(k, aliasBomb()) }, false},
	"open brackets": {func(k string) string { return inSyntax(k, strings.Repeat("[", 200_000)) }, false},
	"open braces":   {func(k string) string { return inSyntax(k, strings.Repeat("{", 200_000)) }, false},
	"nested lists":  {func(k string) string { return inSyntax(k, strings.Repeat("[", 20_000)+strings.Repeat("]", 20_000)) }, false},
	"nested objects": {func(k string) string {
		return inSyntax(k, strings.Repeat(`{"a":`, 5_000)+"1"+strings.Repeat("}", 5_000))
	}, false},
	"braces":       {func(k string) string { return inSyntax(k, `"`+strings.Repeat("{a,b}", 50_000)+`"`) }, false},
	"10 MiB":       {func(k string) string { return inSyntax(k, `"`+strings.Repeat("x", 10<<20)+`"`) }, true},
	"binary":       {func(string) string { return "\x7fELF\x02\x01\x00\x00" + strings.Repeat("\x00\xff\xfe\x80", 5000) }, true},
	"NUL":          {func(k string) string { return inSyntax(k, "\"a\x00b\"") }, true},
	"surrogates":   {func(k string) string { return inSyntax(k, "\"\xed\xa0\x80\"") }, false},
	"escaped half": {func(k string) string { return inSyntax(k, `"\ud83d"`) }, false},
	"many keys":    {func(k string) string { return manyKeys(k, 100_000) }, false},
	"a long line":  {func(k string) string { return inSyntax(k, `"`+strings.Repeat("x", 1<<20)+`"`) }, false},
	"quotes":       {func(k string) string { return inSyntax(k, strings.Repeat(`"'`, 50_000)) }, false},
	"comments":     {func(k string) string { return inSyntax(k, strings.Repeat("/* # // ", 50_000)) }, false},
	"empty":        {func(string) string { return "" }, false},
}

// TestBombs: a bomb is read, or a plain finding with its path, and stops no
// other file.
func TestBombs(t *testing.T) {
	for name, b := range bombs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := realDir(t)
			kinds, good := map[string]string{}, map[string]bool{}
			for kind, place := range places {
				kinds[put(t, filepath.Join(dir, fmt.Sprintf(place.name, "bomb")), b.make(kind))] = kind
				if kind != "opencode json" {
					good[put(t, filepath.Join(dir, fmt.Sprintf(place.name, "good")), place.good)] = true
				}
			}
			l := scan(t, dir)
			for _, f := range l.Files {
				if !good[f.Path] {
					bombRead(t, kinds[f.Path], f, b.refused)
				}
				delete(good, f.Path)
				delete(kinds, f.Path)
			}
			for _, s := range l.Skipped {
				if kinds[s.Path] == "" || s.Rule == "" || s.Rule == "internal" || s.Text == "" || len(s.Text) > 500 {
					t.Errorf("a finding of %.600v", s)
				}
				delete(kinds, s.Path)
			}
			if len(good)+len(kinds) > 0 {
				t.Errorf("nothing is said of %v and %v", good, kinds)
			}
		})
	}
}

func bombRead(t *testing.T, kind string, f profile.File, refused bool) {
	t.Helper()
	if kind == "" || refused {
		t.Errorf("%s: is read: %s", kind, f.Path)
	}
	if !f.Certain && len(f.Agent.Grants().Effective()) > 0 {
		t.Errorf("%s: grants without being certain", kind)
	}
	next := f.Agent.Clone()
	next.Identity.Description = "another"
	if c, err := profile.Patch(*f.Agent.Source, next); err != nil && ruleOf(err) == "internal" {
		t.Errorf("%s: Patch: %v %v", kind, c.Spans, err)
	}
}

// TestDamageNamesItsLine: what breaks a file is said with its line.
func TestDamageNamesItsLine(t *testing.T) {
	for name, tc := range map[string]struct {
		path, text string
		line       int
		rule       string
	}{
		"toml":         {".codex/agents/a.toml", toml3 + "\nx = [1,\n\n'\n", 7, "not_toml"},
		"toml twice":   {".codex/agents/a.toml", toml3 + "name = 'b'\n", 4, "not_toml"},
		"json":         {"opencode.json", "{\n  \"agent\": {\n    \"a\": {\n      \"description\": oops\n    }\n  }\n}\n", 4, "not_json"},
		"json cut":     {"opencode.json", "{\n  \"agent\": {\n    \"a\": {\n", 4, "not_json"},
		"recipe json":  {".goose/recipes/a.json", "{\n\"title\": \"t\",\n\"description\" \"d\"\n}\n", 3, "not_json"},
		"open matter":  {".cursor/agents/a.md", "---\nname: a\n", 1, "front_matter_open"},
		"opencode cut": {".opencode/agents/a.md", "---\nname: a\n", 1, "front_matter_open"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := realDir(t)
			path := put(t, filepath.Join(dir, tc.path), tc.text)
			l := scan(t, dir)
			if len(l.Files) != 0 || len(l.Skipped) != 1 {
				t.Fatalf("files %v, skipped %v", names(l), l.Skipped)
			}
			if s := l.Skipped[0]; s.Path != path || s.Line != tc.line || s.Rule != tc.rule || !s.Unreadable {
				t.Errorf("%+v", s)
			}
		})
	}
}

// TestFormatsSameNames: names equal after case folding or NFC are a conflict
// in every format that has names.
func TestFormatsSameNames(t *testing.T) {
	forms := map[string]string{
		"codex": "name = \"NAME\"\ndescription = 'd'\ndeveloper_instructions = 'i'\n",
		"goose": "title: \"NAME\"\ndescription: d\nprompt: p\n",
	}
	for _, kind := range []string{"codex", "vscode", "cursor", "goose"} {
		dir := realDir(t)
		form := forms[kind]
		if form == "" {
			form = "---\nname: \"NAME\"\ndescription: d\n---\nBody\n"
		}
		for i, name := range []string{"Café", "cafe\u0301", "STRASSE", "strasse", "other"} {
			put(t, filepath.Join(dir, fmt.Sprintf(places[kind].name, itoa(i))), strings.Replace(form, "NAME", name, 1))
		}
		for i, f := range scan(t, dir).Files {
			if got := strings.Contains(rules(f), "same_name"); got != (i < 4) {
				t.Errorf("%s: %s %q: %s", kind, f.Path, f.Agent.Identity.Name, rules(f))
			}
		}
	}
}

// TestReadOfAnUnknownAgent: a key or a format that is not there is a fault.
func TestReadOfAnUnknownAgent(t *testing.T) {
	for _, src := range []agent.Source{
		{Format: string(profile.OpenCode), Path: "/r/opencode.json", Key: "agent/none", Original: []byte(places["opencode json"].good)},
		{Format: string(profile.OpenCode), Path: "/r/opencode.json", Key: "theme/x", Original: []byte(`{"theme": {"x": {"description": "d"}}}`)},
		{Format: string(profile.OpenCode), Path: "/r/opencode.json", Key: "agent", Original: []byte(places["opencode json"].good)},
	} {
		if f, err := profile.Read(src); err == nil || ruleOf(err) == "internal" {
			t.Errorf("%s %q: %v, %v", src.Format, src.Key, err, f.Agent.Identity)
		}
	}
}
