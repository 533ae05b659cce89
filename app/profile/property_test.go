package profile_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/profile"
	"callboard/app/tool"
)

// sameMeaning compares what the file says: not where it is, nor who runs it.
var sameMeaning = cmp.Options{
	cmpopts.IgnoreFields(agent.Agent{}, "ID", "Enabled", "Source"),
	cmpopts.EquateEmpty(),
}

// checkOften checks a few hundred cases.
func checkOften(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	for range 3 {
		rapid.Check(t, property)
	}
}

// drawAny draws a file of any kind: strict, bent, or broken by chance.
func drawAny(t *rapid.T) drawn {
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 5:
		return drawWith(t, bendDenied)
	case 1:
		return drawWith(t, bendTools)
	case 2:
		return drawWith(t, bendDescription)
	case 3:
		return drawWith(t, bendTwice)
	case 4:
		d := drawFile(t)
		d.data = mutate(t, d.data)
		return d
	}
	return drawFile(t)
}

var nastyBytes = []string{
	"\n", "\r", "\r\n", "\t", " ", "  ", "-", "---\n", "\n---\n", ":", ": ", "#", " #", "'", "\"", "\\", "[", "]", "{", "}", ",", "*", "&a ", "*a", "!!str ", "|", ">",
	"|\n", "? ", "%", "@", "`", "\x00", "\x80", "\xff", "\ufeff", "\u2028", "\u0085", "tools: Bash\n", "\ntools:\n", "tools: ", "<<: ", "...\n", "- ", "é", "\u00a0",
}

func mutate(t *rapid.T, data []byte) []byte {
	out := bytes.Clone(data)
	for range rapid.IntRange(1, 3).Draw(t, "mutations") {
		at := rapid.IntRange(0, len(out)).Draw(t, "at")
		to := min(len(out), at+rapid.IntRange(0, 12).Draw(t, "cut"))
		ins := rapid.SampledFrom(nastyBytes).Draw(t, "insert")
		switch rapid.IntRange(0, 3).Draw(t, "how") {
		case 0:
			out = slices.Concat(out[:at], []byte(ins), out[at:])
		case 1:
			out = slices.Concat(out[:at], out[to:])
		case 2:
			out = slices.Concat(out[:at], []byte(ins), out[to:])
		case 3:
			out = slices.Concat(out[:to], out[at:])
		}
	}
	return out
}

func TestPropertyUntouchedIsIdentical(t *testing.T) {
	checkOften(t, func(t *rapid.T) {
		d := drawAny(t)
		f, err := readClaude(drawnPath, d.data)
		if err != nil {
			mustBeFault(t, err)
			return
		}
		c, err := patchClaude(d.data, drawnPath, f.Agent)
		if err != nil || len(c.Spans)+len(c.Fields) > 0 || !bytes.Equal(c.After, d.data) || !bytes.Equal(c.Before, d.data) {
			t.Fatalf("untouched: %v, spans %v, fields %v\n%q", err, c.Spans, c.Fields, d.data)
		}
		if src := f.Agent.Source; src == nil || !bytes.Equal(src.Original, d.data) || src.BOM != bytes.HasPrefix(d.data, []byte("\ufeff")) {
			t.Fatalf("source %+v\n%q", src, d.data)
		}
	})
}

func mustBeFault(t *rapid.T, err error) {
	t.Helper()
	if fault.RuleOf(err) == "internal" {
		t.Fatalf("no fault: %v (%T)", err, err)
	}
}

func TestPropertyReadSaysWhatTheFileMeans(t *testing.T) {
	checkOften(t, func(t *rapid.T) {
		d := drawFile(t)
		f := readDrawn(t, d.data)
		if diff := cmp.Diff(d.want, f.Agent, sameMeaning); diff != "" {
			t.Fatalf("want -, got +\n%s\n%q", diff, d.data)
		}
		broken := len(agent.Check(f.Agent)) > 0 || profile.Reserved(d.want.Identity.Name)
		if f.Certain != d.certain || f.Agent.Enabled != (d.certain && !broken) || !f.IsAgent {
			t.Fatalf("certain %v, want %v; enabled %v, agent %v\n%q", f.Certain, d.certain, f.Agent.Enabled, f.IsAgent, d.data)
		}
		for _, p := range f.Problems {
			if strings.HasPrefix(p.Rule, "repaired") || p.Rule == "front_matter_form" {
				t.Fatalf("strict YAML has problem %s\n%q", p.Rule, d.data)
			}
		}
	})
}

// TestPropertyTheGeneratorWritesYAML keeps the generator honest: yaml.v3 reads
// the same texts.
func TestPropertyTheGeneratorWritesYAML(t *testing.T) {
	checkOften(t, func(t *rapid.T) {
		d := drawFile(t)
		keys, ok := strictKeys(d.data)
		if !ok {
			t.Fatalf("no strict YAML\n%q", d.data)
		}
		for key, s := range map[string]string{"name": d.want.Identity.Name, "description": d.want.Identity.Description, "model": d.want.Run.Model} {
			if n := keys[key]; n != nil && n.Value != s {
				t.Fatalf("%s is %q, meant %q\n%q", key, n.Value, s, d.data)
			}
		}
		if l, ok := strictTools(keys["tools"]); !ok || !l.Equal(d.want.Access.Tools) {
			t.Fatalf("tools are %v, meant %v\n%q", l, d.want.Access.Tools, d.data)
		}
	})
}

// strictKeys is the front matter as yaml.v3 reads it; false where it does not.
func strictKeys(data []byte) (map[string]*yaml.Node, bool) {
	s := strings.TrimPrefix(string(data), "\ufeff")
	first, rest, ok := strings.Cut(s, "\n")
	if !ok || strings.TrimRight(first, " \t\r") != "---" {
		return nil, false
	}
	var front strings.Builder
	closed := false
	for l := range strings.SplitAfterSeq(rest, "\n") {
		if strings.TrimRight(l, " \t\r\n") == "---" {
			closed = true
			break
		}
		front.WriteString(l)
	}
	var doc yaml.Node
	if !closed || yaml.Unmarshal([]byte(front.String()), &doc) != nil || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, false
	}
	// Decoding finds what parsing does not: keys that stand twice.
	if doc.Decode(new(map[string]any)) != nil {
		return nil, false
	}
	keys := map[string]*yaml.Node{}
	for i := 0; i+1 < len(doc.Content[0].Content); i += 2 {
		keys[doc.Content[0].Content[i].Value] = doc.Content[0].Content[i+1]
	}
	return keys, true
}

// strictTools is what the node of a tool list states; false where that is no
// list of plain tokens.
func strictTools(n *yaml.Node) (tool.List, bool) {
	switch {
	case n == nil:
		return tool.List{Stated: tool.Omitted}, true
	case n.Kind == yaml.ScalarNode && (n.Tag == "!!null" || strings.TrimSpace(n.Value) == ""):
		return tool.List{Stated: tool.Empty}, true
	case n.Kind == yaml.ScalarNode:
		l, err := tool.Split(n.Value)
		return tool.Of(l...), err == nil
	case n.Kind == yaml.SequenceNode:
		var l []string
		for _, c := range n.Content {
			if c.Kind != yaml.ScalarNode {
				return tool.List{}, false
			}
			l = append(l, c.Value)
		}
		return tool.Of(l...), true
	}
	return tool.List{}, false
}

// TestPropertyNeverWiderThanYAML compares with a strict reader on files broken
// by chance: where that one can read the tools, Read grants no more.
func TestPropertyNeverWiderThanYAML(t *testing.T) {
	checkOften(t, func(t *rapid.T) {
		d := drawAny(t)
		f, err := readClaude(drawnPath, d.data)
		keys, ok := strictKeys(d.data)
		if err != nil || !ok {
			return
		}
		tools, ok := strictTools(keys["tools"])
		denied, sure := strictTools(keys["disallowedTools"])
		if _, merge := keys["<<"]; !ok || !sure || merge {
			if f.Certain && f.Agent.Grants().Certain && !merge && !ok && len(f.Agent.Grants().Effective()) > 0 {
				t.Fatalf("certain of %v where the list is none\n%q", f.Agent.Access, d.data)
			}
			return
		}
		notWider(t, f.Agent, grants(tools, denied.Tokens), d.data)
	})
}

// notWider fails where the agent is granted anything that limit is not.
func notWider(t *rapid.T, a agent.Agent, limit tool.Grants, data []byte) {
	t.Helper()
	rank := map[tool.Level]int{tool.Off: 0, tool.Partly: 1, tool.On: 2}
	got := a.Grants()
	for _, atom := range tool.Atoms() {
		if rank[got.Level(atom)] > rank[limit.Level(atom)] {
			t.Fatalf("%s is %s, the file says %s; tools %v, denied %v\n%q", atom, got.Level(atom), limit.Level(atom), a.Access.Tools, a.Access.Denied, data)
		}
	}
	if slices.Contains(limit.Servers, "*") || slices.Contains(limit.Effective(), "@*") {
		return
	}
	for _, s := range got.Servers {
		if !slices.Contains(limit.Servers, s) {
			t.Fatalf("server %s is granted, the file says %v\n%q", s, limit.Servers, data)
		}
	}
}

func TestPropertyToolsNeverWiden(t *testing.T) {
	for name, draw := range map[string]func(*rapid.T) drawn{
		"strict":      drawFile,
		"tools":       func(t *rapid.T) drawn { return drawWith(t, bendTools) },
		"denied":      func(t *rapid.T) drawn { return drawWith(t, bendDenied) },
		"description": func(t *rapid.T) drawn { return drawWith(t, bendDescription) },
	} {
		t.Run(name, func(t *testing.T) {
			checkOften(t, func(t *rapid.T) {
				d := draw(t)
				f, err := readClaude(drawnPath, d.data)
				if err != nil {
					mustBeFault(t, err)
					return
				}
				uncertainGrantsNothing(t, f)
				if textToYAML(d) {
					return
				}
				notWider(t, f.Agent, grants(d.want.Access.Tools, d.want.Access.Denied), d.data)
				if f.Certain && f.Agent.Access.Tools.Stated != d.want.Access.Tools.Stated {
					t.Fatalf("tools are %v, meant %v\n%q", f.Agent.Access.Tools, d.want.Access.Tools, d.data)
				}
			})
		})
	}
}

// textToYAML reports whether the bent line is text of another key in strict
// YAML: an indented line after the lines of a block scalar.
func textToYAML(d drawn) bool {
	keys, ok := strictKeys(d.data)
	if !ok || keys[d.loose] != nil {
		return false
	}
	for key, n := range keys {
		if (key == "description" || key == "initialPrompt" || key == "x-folded") && strings.Contains(n.Value, d.loose+":") {
			return true
		}
	}
	return false
}

func uncertainGrantsNothing(t *rapid.T, f profile.File) {
	t.Helper()
	if g := f.Agent.Grants(); !f.Certain && (f.Agent.Enabled || g.Certain || len(g.Effective()) > 0) {
		t.Fatalf("not certain, but enabled %v, grants %v\n%q", f.Agent.Enabled, g.Effective(), f.Agent.Source.Original)
	}
}

// TestPropertyLooseDescription: a description as Anthropic's own agents have
// it is read whole, and what follows it is read too or reported uncertain.
func TestPropertyLooseDescription(t *testing.T) {
	checkOften(t, func(t *rapid.T) {
		d := drawWith(t, bendDescription)
		f := readDrawn(t, d.data)
		uncertainGrantsNothing(t, f)
		if !f.Certain {
			return
		}
		for _, l := range d.whole {
			if !strings.Contains(f.Agent.Identity.Description, l) {
				t.Fatalf("description lacks %q: %q\n%q", l, f.Agent.Identity.Description, d.data)
			}
		}
		if f.Agent.Identity.Name != d.want.Identity.Name || f.Agent.Identity.Instructions != d.want.Identity.Instructions {
			t.Fatalf("identity %+v\n%q", f.Agent.Identity, d.data)
		}
		if !f.Agent.Access.Tools.Equal(d.want.Access.Tools) || f.Agent.Run.Model != d.want.Run.Model || !slices.Equal(f.Agent.Access.Denied, d.want.Access.Denied) {
			t.Fatalf("access %+v, model %q; meant %+v, %q\n%q", f.Agent.Access, f.Agent.Run.Model, d.want.Access, d.want.Run.Model, d.data)
		}
	})
}

func TestPropertyReadNeverPanics(t *testing.T) {
	bytesOf := rapid.SliceOfN(rapid.SampledFrom(nastyBytes), 0, 40)
	checkOften(t, func(t *rapid.T) {
		data := []byte("---\n" + strings.Join(bytesOf.Draw(t, "front"), "") + "\n---\n")
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 1:
			data = rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		case 2:
			data = mutate(t, drawAny(t).data)
		}
		start := time.Now()
		f, err := readClaude(drawnPath, data)
		if took := time.Since(start); tooLong(took, 2*time.Second) {
			t.Fatalf("took %v\n%q", took, data)
		}
		if err != nil {
			mustBeFault(t, err)
			return
		}
		uncertainGrantsNothing(t, f)
	})
}
