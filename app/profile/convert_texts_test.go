package profile_test

import (
	"errors"
	"strings"
	"testing"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/profile"
	"callboard/app/profile/frontmatter"
	"callboard/app/tool"
)

func isRule(err error, rule string) bool { return err != nil && fault.RuleOf(err) == rule }

// fateOf is what a report says of a field with that outcome.
func fateOf(c profile.Conversion, field string, o profile.Outcome) string {
	for _, f := range c.Report {
		if f.Field == field && f.Outcome == o {
			return f.Text
		}
	}
	return ""
}

func TestConvertCaps(t *testing.T) {
	const kib32 = 32 << 10
	ascii := strings.Repeat("0123456\n", kib32/8) // just fits
	for name, tc := range map[string]struct {
		to   profile.Format
		text string
		want string // in the report, empty where nothing is cut
	}{
		"codex fits":        {profile.Codex, ascii, ""},
		"codex one over":    {profile.Codex, ascii + "x", "of 32769 bytes, would be cut after byte 32768, in line 4097."},
		"codex line":        {profile.Codex, strings.Repeat("x", 40_000), "byte 32768, in line 1."},
		"codex in a rune":   {profile.Codex, "x" + strings.Repeat("é", kib32/2), "byte 32768, in line 1, within a character."},
		"codex at a rune":   {profile.Codex, strings.Repeat("é", kib32/2+1), "byte 32768, in line 1."},
		"codex in an emoji": {profile.Codex, "\n\nabc" + strings.Repeat("🚀", kib32/4), "byte 32768, in line 3, within a character."},
		"copilot fits":      {profile.VSCode, strings.Repeat("é", 30_000), ""},
		"copilot one over":  {profile.VSCode, strings.Repeat("é", 30_001), "takes 30,000 characters of instructions. These are 30001."},
		"claude":            {profile.ClaudeCode, strings.Repeat("x", 60_000), ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := plainAgent()
			a.Identity.Instructions = tc.text
			c, err := profile.Convert(a, tc.to)
			if err != nil {
				t.Fatal(err)
			}
			got := fateOf(c, "instructions", profile.Capped)
			if (got == "") != (tc.want == "") || !strings.HasSuffix(got, tc.want) {
				t.Errorf("says %q", got)
			}
			if c.Agent.Identity.Instructions != tc.text {
				t.Error("the text was changed")
			}
		})
	}
}

func TestConvertNames(t *testing.T) {
	for name, want := range map[string]struct{ slug, gemini string }{
		"reviewer":          {"reviewer", "reviewer"},
		"SQL Tuner (v2)":    {"sql-tuner-v2", "sql-tuner-v2"},
		"snake_case":        {"snake-case", "snake_case"},
		"Crème brûlée":      {"creme-brulee", "creme-brulee"},
		"数据":                {"agent", "agent"},
		"🚀":                 {"agent", "agent"},
		"team/reviewer":     {"team-reviewer", "team-reviewer"},
		"../../etc/passwd":  {"etc-passwd", "etc-passwd"},
		"v1.2.3":            {"v1-2-3", "v1-2-3"},
		".hidden":           {"hidden", "hidden"},
		`back\slash "q" 'a`: {"back-slash-q-a", "back-slash-q-a"},
		"yes":               {"yes", "yes"},
		"007":               {"007", "007"},
	} {
		for _, to := range profile.Formats() {
			a := plainAgent()
			a.Identity.Name = name
			c, err := profile.Convert(a, to)
			if err != nil {
				t.Errorf("%q to %s: %v", name, to, err)
				continue
			}
			wantName, ok := map[profile.Format]string{profile.OpenCode: want.slug, profile.Gemini: want.gemini}[to]
			if !ok {
				wantName = name
			}
			stem, _, _ := strings.Cut(c.Name, ".")
			if c.Agent.Identity.Name != wantName || stem != want.slug {
				t.Errorf("%q to %s: the name is %q in %s", name, to, c.Agent.Identity.Name, c.Name)
			}
			if kept := fateOf(c, "name", profile.Mapped) == ""; kept != (wantName == name) {
				t.Errorf("%q to %s: %+v", name, to, c.Report)
			}
		}
	}
}

// hard are instructions that are hard to write in one syntax or another.
var hard = map[string]string{
	"toml quotes":     "'''\nand \"\"\"\nand '''' and \"\"\"\"\nC:\\path \\u0041",
	"ends in quotes":  "a\n\"\"",
	"windows":         "one\r\ntwo\r\n",
	"lone returns":    "one\rtwo",
	"front matter":    "---\nname: other\ntools: Bash\n---\nbody",
	"starts a line":   "\n---\nname: x\n---\n",
	"dots":            "...\n--- \n",
	"key":             "tools: Bash\nname: other\n",
	"blank":           "\n\n\n",
	"indented":        "    code\n  less\n",
	"tabs":            "\tcode\n\t\tmore",
	"trailing blanks": "one  \ntwo\t\n\n",
	"colons":          ": a: b #c",
	"goose":           "{{ name }} {% if %}",
	"separators":      "a\u2028b\u0085c\u00a0d",
	"bom":             "\ufeffstart",
	"control":         "a\x01b\x7f",
	"emoji":           "🚀 你好",
	"json":            "\"}, {\"a\": \"\\",
	"huge":            strings.Repeat("All work and no play makes a dull text.\n", (512<<10)/40),
}

func TestConvertHardTexts(t *testing.T) {
	for name, text := range hard {
		for _, to := range profile.Formats() {
			a := plainAgent()
			a.Identity.Instructions = text
			c, err := profile.Convert(a, to)
			if err != nil {
				if !isRule(err, "not_converted") || !refusedText(name, to) {
					t.Errorf("%s to %s: %v", name, to, err)
				}
				continue
			}
			if refusedText(name, to) {
				t.Errorf("%s to %s is no longer refused", name, to)
			}
			got, err := readConverted(c)
			if err != nil {
				t.Errorf("%s to %s: %v", name, to, err)
				continue
			}
			if is, want := got.Agent.Identity.Instructions, frontmatter.Normal(text); is != want {
				t.Errorf("%s to %s: %.80q became %.80q", name, to, want, is)
			}
			if got.Agent.Identity.Name != "reviewer" || !got.Agent.Access.Equal(c.Agent.Access) {
				t.Errorf("%s to %s: %+v", name, to, got.Agent)
			}
		}
	}
}

// refusedText are the texts that a format cannot hold here: a YAML file is read
// only up to the size of a front matter.
func refusedText(name string, to profile.Format) bool {
	return name == "huge" && to == profile.Goose
}

func TestConvertMissingTexts(t *testing.T) {
	a := plainAgent()
	a.Identity.Description, a.Identity.Instructions = "", ""
	for _, to := range profile.Formats() {
		c, err := profile.Convert(a, to)
		if err != nil {
			t.Errorf("%s: %v", to, err)
			continue
		}
		needs := to != profile.VSCode
		if got := fateOf(c, "description", profile.Dropped); (got != "") != needs {
			t.Errorf("%s says of the description %q", to, got)
		}
		if c.Agent.Identity.Description != "" || c.Agent.Identity.Instructions != "" {
			t.Errorf("%s: %+v", to, c.Agent.Identity)
		}
	}
}

// TestConvertNamesWhatCannotBeRead: a value that is no text is named, and so is
// every key of a file that says something about tools.
func TestConvertNamesWhatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		"model: [GPT-5, GPT-4]\ntools: [read]": "model",
		"description: {a: b}\ntools: [read]":   "description",
	} {
		f, err := profile.Read(agent.Source{Format: "vscode", Path: "/a.agent.md", Original: []byte("---\n" + text + "\n---\n")})
		if err != nil {
			t.Fatal(err)
		}
		c, err := profile.Convert(f.Agent, profile.ClaudeCode)
		if err != nil || fateOf(c, want, profile.Dropped) == "" {
			t.Errorf("%q: %v, %+v", text, err, c.Report)
		}
	}
	recipe := "version: \"1.0.0\"\ntitle: a\ndescription: d\ninstructions: i\nsub_recipes:\n  - name: b\n    path: b.yaml\n"
	f, err := profile.Read(agent.Source{Format: "goose", Path: "/a.yaml", Original: []byte(recipe)})
	if err != nil {
		t.Fatal(err)
	}
	c, err := profile.Convert(f.Agent, profile.ClaudeCode)
	if err != nil || fateOf(c, "sub_recipes", profile.Dropped) == "" {
		t.Errorf("%v, %+v", err, c.Report)
	}
}

// TestConvertUnreadTools: tools that nobody can read are not left out without a
// word, even in a file of the same format.
func TestConvertUnreadTools(t *testing.T) {
	for _, f := range formatsTree(t) {
		a := f.Agent.Clone()
		a.Access.Tools = tool.List{Stated: tool.Unread}
		c, err := profile.Convert(a, f.Format)
		if err != nil || !c.Widens() {
			t.Errorf("%s: %v, %+v", fileID(t, f), err, c.Report)
		}
	}
}

func TestConvertReservedName(t *testing.T) {
	a := plainAgent()
	a.Identity.Name = "Reviewer-quick_look-0a1b"
	_, err := profile.Convert(a, profile.Codex)
	if !errors.Is(err, profile.ErrNotConverted) || !errors.Is(err, profile.ErrReserved) {
		t.Error(err)
	}
}

// TestConvertBounds: the one word of Codex and Cursor, and what it comes to.
func TestConvertBounds(t *testing.T) {
	for _, tc := range []struct {
		tools  []string
		to     profile.Format
		bound  string
		widens bool
	}{
		{[]string{"Read", "Grep", "Glob", "Bash", "Edit", "Write"}, profile.Codex, "workspace-write", true},
		{[]string{"*"}, profile.Codex, "workspace-write", false},
		{[]string{"Read"}, profile.Codex, "read-only", true},
		{[]string{"Read"}, profile.Cursor, "true", true},
		{[]string{"Read", "Write", "Edit"}, profile.Cursor, "", true},
		{[]string{"*"}, profile.Cursor, "", false},
		{[]string{"*"}, profile.OpenCode, "", false},
		{[]string{"Read"}, profile.OpenCode, "", true},
	} {
		a := plainAgent()
		a.Access.Tools = tool.Of(tc.tools...)
		c, err := profile.Convert(a, tc.to)
		if err != nil || c.Agent.Access.Bound != tc.bound || c.Widens() != tc.widens {
			t.Errorf("%v to %s: %v, bound %q, widens %v: %+v", tc.tools, tc.to, err, c.Agent.Access.Bound, c.Widens(), c.Report)
		}
	}
}
