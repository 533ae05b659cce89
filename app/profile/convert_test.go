package profile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/tool"
)

// formatsTree is a repository with files of every format.
func formatsTree(t *testing.T) []profile.File {
	t.Helper()
	l, err := profile.Scan(t.Context(), "testdata/formats", profile.WithTree())
	if err != nil || len(l.Skipped) > 0 {
		t.Fatal(err, l.Skipped)
	}
	return l.Files
}

func fileID(t *testing.T, f profile.File) string {
	t.Helper()
	root, err := filepath.Abs("testdata/formats")
	if err != nil {
		t.Fatal(err)
	}
	rel, err := filepath.Rel(root, f.Path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(filepath.ToSlash(rel)+":"+f.Agent.Source.Key, ":")
}

// readConverted reads a conversion as the file it will be.
func readConverted(c profile.Conversion) (profile.File, error) {
	return profile.Read(agent.Source{
		Format: string(c.Format), Path: filepath.Join("/repo", c.Format.Folder(), c.Name), Original: c.Data,
	})
}

// covered reports whether granted, as Effective writes it, is part of what have
// grants.
func covered(granted string, have []string) bool {
	server, _, _ := strings.Cut(granted, "/")
	return slices.ContainsFunc(have, func(h string) bool {
		return h == granted || h == strings.TrimPrefix(granted, "~") || strings.HasPrefix(granted, "@") && (h == server || h == "@*")
	})
}

// notWiderThan fails where a conversion that does not say so grants more.
func notWiderThan(fail func(string, ...any), from agent.Agent, c profile.Conversion) {
	if c.Widens() {
		return
	}
	was, is := from.Grants(), c.Agent.Grants()
	for _, g := range is.Effective() {
		if !covered(g, was.Effective()) {
			fail("%s grants %s, its source only %v, and the report says nothing of it: %+v", c.Format, g, was.Effective(), c.Report)
		}
	}
	everything := was.Certain && slices.Contains(was.Effective(), "@*") && len(from.Access.Denied) == 0
	stays := from.Words().Dialect == c.Agent.Access.Dialect && was.OwnDefault
	if is.OwnDefault && !everything && !stays {
		fail("%s leaves it to the tool's own default, and the report does not say that this widens: %+v", c.Format, c.Report)
	}
}

// reported are the fields under which a report speaks of keys.
var reported = map[string]string{
	"title": "name", "prompt": "instructions", "developer_instructions": "instructions",
	"model_reasoning_effort": "effort", "sandbox_mode": "tools", "readonly": "tools", "role": "tools",
	"allowedTools": "tools", "disallowedTools": "tools", "extensions": "tools",
}

// keysOf are the keys of a file of the tree.
func keysOf(t *testing.T, f profile.File) []string {
	t.Helper()
	var keys []string
	depth := map[string]string{".md": "", ".toml": "", ".yaml": "", ".json": "  ", ".jsonc": "      "}[filepath.Ext(f.Path)]
	lines := strings.Split(string(f.Agent.Source.Original), "\n")
	_, name, _ := strings.Cut(f.Agent.Source.Key, "/")
	inside := name == ""
	for i, line := range lines {
		if filepath.Ext(f.Path) == ".md" && i > 0 && line == "---" {
			break
		}
		if name != "" && strings.HasPrefix(line, "    \"") {
			inside = strings.Contains(line, `"`+name+`"`)
		}
		line, ok := strings.CutPrefix(line, depth)
		key, _, found := strings.Cut(line, map[bool]string{true: "=", false: ":"}[filepath.Ext(f.Path) == ".toml"])
		switch {
		case !ok || !inside || line == "" || strings.ContainsAny(line[:1], " -#}"):
		case strings.HasPrefix(line, "["):
			section, _, _ := strings.Cut(strings.Trim(line, "[]"), ".")
			keys = append(keys, section)
			inside = false
		case found && !strings.ContainsAny(strings.TrimSpace(key), " /"):
			keys = append(keys, strings.Trim(key, `" `))
		}
	}
	return keys
}

func TestConvertEveryFormatToEveryOther(t *testing.T) {
	for _, f := range formatsTree(t) {
		for _, to := range profile.Formats() {
			t.Run(fileID(t, f)+" to "+string(to), func(t *testing.T) {
				c, err := profile.Convert(f.Agent, to)
				if err != nil {
					t.Fatal(err)
				}
				got, err := readConverted(c)
				if err != nil {
					t.Fatal(err)
				}
				got.Agent.Source = nil
				if d := cmp.Diff(c.Agent, got.Agent); d != "" {
					t.Errorf("reads back as %s", d)
				}
				if c.Agent.Identity.Description != f.Agent.Identity.Description || c.Agent.Identity.Instructions != f.Agent.Identity.Instructions {
					t.Errorf("the texts became %+v", c.Agent.Identity)
				}
				notWiderThan(t.Errorf, f.Agent, c)
				named := map[string]bool{}
				for _, r := range c.Report {
					named[strings.TrimSuffix(strings.Fields(r.Field)[0], ":")] = true
				}
				keys := keysOf(t, f)
				if len(keys) < 2 {
					t.Fatalf("keys %v", keys)
				}
				for _, k := range keys {
					if !named[k] && !named[reported[k]] {
						t.Errorf("the report names neither %s nor its field: %+v", k, c.Report)
					}
				}
			})
		}
	}
}

// TestConvertToItsOwnFormat keeps every field there is.
func TestConvertToItsOwnFormat(t *testing.T) {
	for _, f := range formatsTree(t) {
		c, err := profile.Convert(f.Agent, f.Format)
		if err != nil {
			t.Fatal(err)
		}
		want := f.Agent.Run
		if got := c.Agent.Run; got != want {
			t.Errorf("%s: %+v became %+v", fileID(t, f), want, got)
		}
	}
}

// golden are the report and the file as a person gets them.
func golden(c profile.Conversion) string {
	var b strings.Builder
	for _, f := range c.Report {
		fmt.Fprintf(&b, "%-8s %-5v %s: %s\n", f.Outcome, f.Widens, f.Field, f.Text)
	}
	return b.String() + "=== " + c.Name + "\n" + string(c.Data)
}

// TestConvertGolden: with UPDATE_GOLDEN set the files are written anew.
func TestConvertGolden(t *testing.T) {
	done := map[string]bool{}
	check := func(name string, f profile.File, to profile.Format) {
		c, err := profile.Convert(f.Agent, to)
		if err != nil {
			t.Fatal(name, err)
		}
		path := filepath.Join("testdata", "convert", name+".txt")
		done[name+".txt"] = true
		if os.Getenv("UPDATE_GOLDEN") != "" {
			put(t, path, golden(c))
		}
		if d := cmp.Diff(content(t, path), golden(c)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	for _, f := range formatsTree(t) {
		if f.Format != profile.ClaudeCode {
			id := strings.NewReplacer("/", "_", ":", "_").Replace(strings.TrimPrefix(fileID(t, f), "."))
			check(id+"_to_claude", f, profile.ClaudeCode)
			continue
		}
		for _, to := range profile.Formats() {
			if to != profile.ClaudeCode {
				check("claude_to_"+string(to), f, to)
			}
		}
	}
	entries, err := os.ReadDir(filepath.Join("testdata", "convert"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !done[e.Name()] {
			t.Errorf("%s is no test", e.Name())
		}
	}
}

func TestConvertRefusesAnUnknownFormat(t *testing.T) {
	_, err := profile.Convert(plainAgent(), "windsurf")
	if !isRule(err, "not_converted") {
		t.Error(err)
	}
}

// plainAgent is an agent without a file.
func plainAgent() agent.Agent {
	return agent.Agent{
		Identity: agent.Identity{Name: "reviewer", Description: "Reviews.", Instructions: "Review."},
		Run:      agent.Run{Provider: agent.ClaudeCode, Model: "sonnet"},
		Access:   tool.Access{Dialect: tool.ClaudeCode, Tools: tool.Of("Read")},
	}
}
