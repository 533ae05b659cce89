package profile_test

import (
	"bytes"
	"strings"
	"testing"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/profile"
)

// fuzzed reads any bytes as an agent of one format, writes it back untouched
// and with another description.
func fuzzed(t *testing.T, src agent.Source, text string) {
	t.Helper()
	f, err := profile.Read(src)
	if err != nil {
		faultless(t, err)
		return
	}
	if g := f.Agent.Grants(); !f.Certain && (f.Agent.Enabled || g.Certain || len(g.Effective()) > 0) {
		t.Fatalf("not certain, but enabled %v, grants %v", f.Agent.Enabled, g.Effective())
	}
	c, err := profile.Patch(src, f.Agent.Clone())
	if err != nil || len(c.Spans) > 0 || !bytes.Equal(c.After, src.Original) {
		t.Fatalf("untouched: %v, spans %v", err, c.Spans)
	}
	next := f.Agent.Clone()
	next.Identity.Description = text
	c, err = profile.Patch(src, next)
	if err != nil {
		faultless(t, err)
		return
	}
	if overlay(string(src.Original), c.Spans) != string(c.After) || len(c.Spans) > 1 {
		t.Fatalf("After is not the file with its span replaced: %v\n%q", c.Spans, c.After)
	}
	src.Original = c.After
	got, err := profile.Read(src)
	if err != nil {
		t.Fatalf("reads back: %v\n%q", err, c.After)
	}
	if got.Agent.Identity != next.Identity || got.Agent.Run != next.Run || got.Agent.Look != next.Look || !got.Agent.Access.Equal(next.Access) {
		t.Fatalf("reads back as %+v, want %+v\n%q", got.Agent, next, c.After)
	}
	if got.Certain && !f.Certain {
		t.Fatalf("the description made the tools certain\n%q", c.After)
	}
}

func faultless(t *testing.T, err error) {
	t.Helper()
	if fault.RuleOf(err) == "internal" {
		t.Fatalf("no fault: %v (%T)", err, err)
	}
}

func seeds(f *testing.F, format profile.Format, add func(text string)) {
	f.Helper()
	for _, o := range oddities {
		if files, err := profile.ReadFile(o.path, []byte(o.text)); (err != nil || files[0].Format == format) && len(o.text) < 4096 {
			add(o.text)
		}
	}
}

func FuzzReadCodex(f *testing.F) {
	seeds(f, profile.Codex, func(text string) { f.Add([]byte(text), "another") })
	f.Add([]byte("\ufeff# c\r\nname = \"\"\"\r\na\\\r\n  b\"\"\"\r\n'description'='x' # y\r\n[a.b]\r\nname='z'\r\n"), "a \"b\" \\ '''\nc")
	f.Add([]byte("description = \"a\\r\\nb\"\r\ndeveloper_instructions = \"\"\"\r\nc\\r\r\nd\"\"\""), "e\rf")
	f.Add([]byte("a.description = 1\ndescription = '''\n'x''''\nx = {description = 'y'}\n[[z]]"), "")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		fuzzed(t, agent.Source{Format: string(profile.Codex), Path: codexPath, Original: data}, text)
	})
}

func FuzzReadJSON(f *testing.F) {
	f.Add([]byte(places["opencode json"].good), "good", "another")
	f.Add([]byte("\ufeff{ // c\r\n\"agent\": {\"a/b\": {}, \"a\": {\"descr\\u0069ption\": \"\\ud83d\\ude00\", /* x */ },},}\r\n"), "a", "a\"\\\n")
	f.Add([]byte(`{"agent":{"a":{"description":"1","description":"2"}},"agents":{"a":{"tools":["x"]}}}`), "a", "é\u2028")
	f.Add([]byte(`{"agent":{"a":{"mode":"x"/**/}}}`), "a", "new")
	f.Add([]byte(`{"agents":{"a":{"system":"One\r\nTwo","description":"a\rb"}}}`), "a", "c\r\nd")
	f.Fuzz(func(t *testing.T, data []byte, name, text string) {
		for _, group := range []string{"agent/", "agents/"} {
			fuzzed(t, agent.Source{Format: string(profile.OpenCode), Path: "/r/opencode.jsonc", Key: group + name, Original: data}, text)
		}
		files, err := profile.ReadFile("/r/opencode.json", data)
		if err != nil {
			faultless(t, err)
		}
		for _, x := range files[:min(len(files), 20)] {
			fuzzed(t, *x.Agent.Source, text)
		}
	})
}

func FuzzReadGoose(f *testing.F) {
	seeds(f, profile.Goose, func(text string) { f.Add([]byte(text), false, "another") })
	f.Add([]byte(places["goose json"].good), true, "a: b # c")
	f.Add([]byte(`{"title":"t","extensions":[{"type":"builtin","name":"developer","available_tools":[]}]}`), true, "x")
	f.Add([]byte("title: &a t\nextensions: [*a, {type: stdio, name: *a}]\nprompt: |2+\n   x\n\n"), false, "{{ x }}")
	f.Fuzz(func(t *testing.T, data []byte, js bool, text string) {
		path := goosePath
		if js {
			path = strings.TrimSuffix(path, ".yaml") + ".json"
		}
		fuzzed(t, agent.Source{Format: string(profile.Goose), Path: path, Original: data}, text)
	})
}

func FuzzReadMarkdown(f *testing.F) {
	forms := []struct {
		format profile.Format
		path   string
	}{{profile.CAO, caoPath}, {profile.VSCode, vscodePath}, {profile.Gemini, geminiPath}, {profile.Cursor, cursorPath}, {profile.OpenCode, openPath}}
	for i, form := range forms {
		seeds(f, form.format, func(text string) { f.Add([]byte(text), byte(i), "another: one") })
		f.Add([]byte("\ufeff---\r\nname: 'a'\r\n\"tools\": # c\r\n- read\r\ndescription: >-\r\n  x\r\n\r\n  y\r\nrole: &r x\r\n---\r\nbody"), byte(i), "- a\n- b")
	}
	f.Fuzz(func(t *testing.T, data []byte, which byte, text string) {
		form := forms[int(which)%len(forms)]
		fuzzed(t, agent.Source{Format: string(form.format), Path: form.path, Original: data}, text)
	})
}
