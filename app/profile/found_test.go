package profile_test

import (
	"strings"
	"testing"

	"callboard/app/agent"
	"callboard/app/tool"
)

// The tests here are what the property tests found, made small.

// TestFoundWiderTools: a line that means to state tools must not be taken for
// the text of the key before it, with all tools granted in its place.
func TestFoundWiderTools(t *testing.T) {
	for name, line := range map[string]string{
		"no blank after the colon":   "tools:Read",
		"blank before it only":       "tools :Read",
		"indented":                   " tools: Read",
		"indented by a tab":          "\ttools: Read",
		"an item":                    "- tools: Read",
		"open quote":                 "\"tools: Read",
		"quoted key without blank":   "\"tools\":Read",
		"flow mapping":               "{tools: 'Read'}",
		"explicit key":               "? tools\n: Read, Bash(a: b)",
		"escaped key":                "\"t\\x6fols\": Bash(a: b)",
		"denied, no blank":           "disallowedTools:Bash",
		"denied, indented":           " disallowedTools: Bash",
		"denied, an item":            "- disallowedTools: Bash",
		"denied, open quote":         "\"disallowedTools: Bash",
		"denied, flow mapping":       "{disallowedTools: 'Bash'}",
		"denied, on a line below it": "disallowedTools:\nBash(a: b)",
	} {
		for _, before := range []string{"name: a\ndescription: d\n", "name: a\ndescription: d: e\n", "description: d\nname: a\nmodel: m\n"} {
			t.Run(name, func(t *testing.T) {
				f, err := readClaude("/a/x.md", []byte("---\n"+before+line+"\n---\n"))
				if err != nil {
					return
				}
				if f.Certain && (f.Agent.Access.Tools.Stated == tool.Omitted && len(f.Agent.Access.Denied) == 0) {
					t.Errorf("grants %v with %q", f.Agent.Grants().Effective(), f.Agent.Source.Original)
				}
			})
		}
	}
}

// TestFoundDoubtRemoved: an edit of another field must not turn a file whose
// tools cannot be read, or that is no agent, into one that grants.
func TestFoundDoubtRemoved(t *testing.T) {
	for name, data := range map[string]string{
		"carriage return": "---\nname: a\ndescription: x\ry\n---\n",
		"open quote":      "---\nname: a\ndescription: \"x\ntools: Read\"\n---\n",
		"no front matter": "# text\n",
		"blank line":      "\n---\nname: a\ndescription: d\n---\n",
	} {
		t.Run(name, func(t *testing.T) {
			f, err := readClaude("/a/x.md", []byte(data))
			if err != nil || f.Certain {
				t.Fatalf("certain %v, %v", f.Certain, err)
			}
			next := f.Agent.Clone()
			next.Identity.Description = "other"
			c, err := patchClaude([]byte(data), "/a/x.md", next)
			if err != nil {
				return
			}
			got, err := readClaude("/a/x.md", c.After)
			if err != nil || got.Certain || !got.Agent.Access.Tools.Equal(next.Access.Tools) {
				t.Errorf("%v: reads back as %v, certain %v\n%q", err, got.Agent.Access.Tools, got.Certain, c.After)
			}
		})
	}
}

// TestFoundLostComments: what stands beside the edited value stays.
func TestFoundLostComments(t *testing.T) {
	describe := func(a *agent.Agent) { a.Identity.Description = "other" }
	take := func(a *agent.Agent) { a.Access.Tools = tool.Of("Grep") }
	for name, tc := range map[string]struct {
		front string
		stays string
		edit  func(*agent.Agent)
	}{
		"before the next item":        {"description: d\ntools:\n- Read\n# note\n- Grep\n", "# note\n- Grep\n", take},
		"blank before the next item":  {"description: d\ntools:\n- Read\n\n- Grep\n", "\n\n- Grep\n", take},
		"after a value on a new line": {"description:\n  d # note\n", "# note", describe},
		"after the key":               {"description: # note\n  d\n", "# note", describe},
		"after a value on two lines":  {"description: d\n  e # note\n", "# note", describe},
		"after quotes on two lines":   {"description: 'd\n  e' # note\n", "# note", describe},
		"behind a tab":                {"description: |-\t# note\n  d\n", "# note", describe},
	} {
		t.Run(name, func(t *testing.T) {
			data := []byte("---\nname: a\n" + tc.front + "---\n")
			f, err := readClaude("/a/x.md", data)
			if err != nil {
				t.Fatal(err)
			}
			next := f.Agent.Clone()
			tc.edit(&next)
			c, err := patchClaude(data, "/a/x.md", next)
			if err == nil && !strings.Contains(string(c.After), tc.stays) {
				t.Errorf("%q is gone\n%q\n%q", tc.stays, data, c.After)
			}
		})
	}
}

// TestFoundDescriptionCut: a line of an example that looks like a key is part
// of the example, or the file is not certain.
func TestFoundDescriptionCut(t *testing.T) {
	for name, line := range map[string]string{"tools": "tools: Bash", "model": "model: opus", "another script": "名前: 値"} {
		t.Run(name, func(t *testing.T) {
			data := "---\nname: a\ndescription: Use it. Examples:\n\n<example>\nuser: \"do: it\"\n" + line + "\nassistant: \"yes\"\n</example>\n\ncolor: red\n---\n"
			f, err := readClaude("/a/x.md", []byte(data))
			if err != nil {
				t.Fatal(err)
			}
			if d := f.Agent.Identity.Description; f.Certain && !strings.Contains(d, line+"\nassistant: \"yes\"\n</example>") {
				t.Errorf("description = %q", d)
			}
		})
	}
}

// TestFoundMisread: strict YAML that must be read as it is.
func TestFoundMisread(t *testing.T) {
	f, err := readClaude("/a/x.md", []byte("---\nname: a\ndescription: |+\t# note\n x\n\ntools: Read\n---\n"))
	if err != nil {
		t.Fatal(err)
	}
	if f.Agent.Identity.Description != "x\n\n" || !f.Agent.Access.Tools.Equal(tool.Of("Read")) {
		t.Errorf("description %q, tools %v", f.Agent.Identity.Description, f.Agent.Access.Tools)
	}
	f, err = readClaude("/a/x.md", []byte("---\nname: reviewer\n工具: 全部\ndescription: use: it\n---\n"))
	if err != nil {
		t.Fatal(err)
	}
	if f.Agent.Identity.Name != "reviewer" {
		t.Errorf("name = %q", f.Agent.Identity.Name)
	}
}
