package profile_test

import (
	"bytes"
	"testing"

	"callboard/app/agent"
	"callboard/app/profile/frontmatter"
	"callboard/app/tool"
)

// FuzzPatch reads any bytes as an agent, writes it back untouched and with one
// field changed: untouched is identical, and a change reads back as wanted or
// is refused.
func FuzzPatch(f *testing.F) {
	for name := range fixtures {
		f.Add(fixture(f, name), byte(1), "a: 'b' # c\n  d")
		f.Add(fixture(f, name), byte(5), "Read, Bash(git *)")
	}
	f.Fuzz(func(t *testing.T, data []byte, field byte, text string) {
		file, err := readClaude("/a/some name.md", data)
		if err != nil {
			return
		}
		if !file.Certain && len(file.Agent.Grants().Effective()) > 0 {
			t.Fatal("grants without being certain")
		}
		c, err := patchClaude(data, file.Path, file.Agent.Clone())
		if err != nil || len(c.Spans) > 0 || !bytes.Equal(c.After, data) {
			t.Fatalf("untouched: %v, spans %v", err, c.Spans)
		}
		next, name := edited(file.Agent, field, text)
		c, err = patchClaude(data, file.Path, next)
		if err != nil {
			return
		}
		if len(c.Spans) > 1 || len(c.Fields) > 1 || (len(c.Fields) == 1 && c.Fields[0] != name) {
			t.Fatalf("%d spans, fields %v", len(c.Spans), c.Fields)
		}
		got, err := readClaude(file.Path, c.After)
		if err != nil {
			t.Fatal(err)
		}
		if got.Agent.Identity != next.Identity || got.Agent.Run != next.Run || got.Agent.Look != next.Look {
			t.Fatalf("reads back as %+v, want %+v\n%q", got.Agent.Identity, next.Identity, c.After)
		}
		for _, s := range c.Spans {
			rest := len(c.After) - s.Start - len(s.New)
			if !bytes.Equal(c.After[:s.Start], data[:s.Start]) || !bytes.Equal(c.After[len(c.After)-rest:], data[s.End:]) {
				t.Fatal("bytes outside the span changed")
			}
		}
	})
}

func edited(a agent.Agent, field byte, text string) (agent.Agent, agent.Field) {
	a = a.Clone()
	switch field % 8 {
	case 0:
		a.Identity.Name = text
		return a, agent.Name
	case 1:
		a.Identity.Description = text
		return a, agent.Description
	case 2:
		a.Run.Model = text
		return a, agent.Model
	case 3:
		a.Look.Color = text
		return a, agent.Color
	case 4:
		a.Identity.Instructions = frontmatter.Normal(text)
		return a, agent.Instructions
	case 5:
		tokens, _ := tool.Split(text)
		a.Access.Tools = tool.Of(tokens...)
		return a, agent.Tools
	case 6:
		a.Access.Tools = tool.List{Stated: tool.Omitted}
		return a, agent.Tools
	}
	a.Access.Denied, _ = tool.Split(text)
	return a, agent.Denied
}
