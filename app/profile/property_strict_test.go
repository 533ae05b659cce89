package profile_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/tool"
)

// strictAgent is one agent as a strict reader of its language has it. doubt is
// why nobody can say what its tools are.
type strictAgent struct {
	texts  map[agent.Field]string
	access tool.Access
	doubt  string
}

// strictly reads a page the plain way; false where that refuses the file.
func strictly(pg *page, l *leaf, data []byte) (strictAgent, bool) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	s := strictAgent{texts: map[agent.Field]string{}, access: tool.Access{Dialect: tool.Dialect(pg.format), Tools: tool.List{Stated: tool.Omitted}}}
	var root map[string]any
	ok := false
	switch {
	case pg.format == profile.Codex:
		ok = toml.Unmarshal(data, &root) == nil
		s.bound(root, "sandbox_mode")
		s.text(root, codexKeys)
	case pg.json:
		root, ok = strictJSON(data)
		if pg.format == profile.OpenCode {
			s.openCode(root, l.key)
			return s, ok
		}
		s.goose(root)
	case pg.format == profile.Goose:
		root, ok = strictYAML(data)
		s.goose(root)
	default:
		keys, fine := strictKeys(data)
		ok = fine
		s.markdown(pg.format, keys)
	}
	return s, ok
}

func (s *strictAgent) text(m map[string]any, keys map[agent.Field]string) {
	for field, key := range keys {
		if v, ok := m[key].(string); ok {
			s.texts[field] = strings.ReplaceAll(v, "\r\n", "\n")
		}
	}
}

func (s *strictAgent) bound(m map[string]any, key string) {
	v, there := m[key]
	word, ok := v.(string)
	if there && !ok {
		s.doubt = key + " is no text"
	}
	s.access.Bound = word
}

func (s *strictAgent) openCode(root map[string]any, key string) {
	group, name, _ := strings.Cut(key, "/")
	agents, _ := root[group].(map[string]any)
	a, _ := agents[name].(map[string]any)
	s.text(a, map[agent.Field]string{agent.Description: "description", agent.Model: "model", agent.Instructions: map[string]string{"agent": "prompt", "agents": "system"}[group]})
}

// goose reads the extensions: a built-in one by its name, any other as a
// server, each held to its available tools.
func (s *strictAgent) goose(root map[string]any) {
	keys := map[agent.Field]string{agent.Name: "title", agent.Description: "description", agent.Instructions: "instructions"}
	if _, ok := root["instructions"]; !ok {
		keys[agent.Instructions] = "prompt"
	}
	s.text(root, keys)
	v, there := root["extensions"]
	if !there {
		return
	}
	list, ok := v.([]any)
	if !ok {
		s.doubt = "extensions is no list"
		return
	}
	var tokens []string
	for _, x := range list {
		m, _ := x.(map[string]any)
		kind, known := m["type"].(string)
		name, named := m["name"].(string)
		only, bounded := m["available_tools"].([]any)
		if _, has := m["available_tools"]; has != bounded || !known || !named {
			s.doubt = "an extension has no type or name, or no list of its tools"
			return
		}
		own := slices.Contains([]string{"builtin", "platform"}, kind)
		switch {
		case own && len(only) == 0:
			tokens = append(tokens, name)
		case own:
			s.doubt = "some tools of a built-in extension"
		case len(only) == 0:
			tokens = append(tokens, "@"+name)
		default:
			for _, o := range only {
				word, _ := o.(string)
				tokens = append(tokens, "@"+name+"/"+word)
			}
		}
	}
	s.access.Tools = tool.Of(tokens...)
}

var geminiAllowed = []string{
	"kind", "name", "description", "display_name", "tools", "mcp_servers", "model", "temperature", "max_turns", "timeout_mins",
	"agent_card_url", "agent_card_json", "auth",
}

func (s *strictAgent) markdown(f profile.Format, keys map[string]*yaml.Node) {
	form := markdownForms[f]
	for field, key := range form.keys {
		n := keys[key]
		if n != nil && n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		switch {
		case n == nil:
		case field == agent.Tools:
			s.tools(f, n)
		case field == agent.Bound:
			s.access.Bound = n.Value
			if n.Kind != yaml.ScalarNode || f == profile.Cursor && n.ShortTag() != "!!bool" || f == profile.CAO && n.ShortTag() != "!!str" {
				s.doubt = key + " is of another type"
			}
		case n.ShortTag() == "!!str":
			s.texts[field] = n.Value
		}
	}
	if f == profile.Gemini {
		for key := range keys {
			if !slices.Contains(geminiAllowed, key) {
				s.doubt = "Gemini CLI refuses the key " + key
			}
		}
		if n := keys["name"]; n != nil && (n.ShortTag() != "!!str" || strings.Trim(n.Value, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "") {
			s.doubt = "Gemini CLI refuses the name"
		}
	}
	if keys["<<"] != nil {
		s.doubt = "merged keys"
	}
}

// tools reads a list. A text is one to VS Code and CAO by its commas at most.
func (s *strictAgent) tools(f profile.Format, n *yaml.Node) {
	switch {
	case n.Kind == yaml.SequenceNode:
		var l []string
		for _, c := range n.Content {
			if c.Kind == yaml.AliasNode {
				c = c.Alias
			}
			if c.Kind != yaml.ScalarNode || c.ShortTag() != "!!str" && f == profile.Gemini {
				s.doubt = "a list of other things"
				return
			}
			l = append(l, c.Value)
		}
		s.access.Tools = tool.Of(l...)
	case n.ShortTag() == "!!str" && f != profile.Gemini:
		l, err := tool.Split(n.Value)
		s.access.Tools = tool.Of(l...)
		if err != nil || len(l) == 0 {
			s.doubt = "a text that is no list"
		}
	default:
		s.doubt = "tools of another type"
	}
}

// strictJSON decodes an object without keys that stand twice.
func strictJSON(data []byte) (map[string]any, bool) {
	data, err := hujson.Standardize(bytes.Clone(data))
	if err != nil {
		return nil, false
	}
	var root map[string]any
	if json.Unmarshal(data, &root) != nil || root == nil {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(data))
	return root, onceEach(d, true)
}

// strictYAML decodes a mapping. Of another key than the one that states tools
// the last counts, and what is wrong inside it does not.
func strictYAML(data []byte) (map[string]any, bool) {
	var doc yaml.Node
	if yaml.Unmarshal(data, &doc) != nil || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, false
	}
	root := map[string]any{}
	for i := 0; i+1 < len(doc.Content[0].Content); i += 2 {
		var key string
		var v any
		err := errors.Join(doc.Content[0].Content[i].Decode(&key), doc.Content[0].Content[i+1].Decode(&v))
		if err != nil && (key == "extensions" || key == "") {
			return nil, false
		}
		if _, twice := root[key]; twice && key == "extensions" {
			return nil, false
		}
		root[key] = v
	}
	return root, true
}

// onceEach reports whether no object of the value has a key twice; at the top
// only the key that states tools counts.
func onceEach(d *json.Decoder, top bool) bool {
	tok, err := d.Token()
	open, nested := tok.(json.Delim)
	if err != nil || !nested {
		return err == nil
	}
	seen := map[string]bool{}
	for d.More() {
		if open == '{' {
			key, _ := d.Token()
			name, _ := key.(string)
			if seen[name] && (!top || name == "extensions") {
				return false
			}
			seen[name] = true
		}
		if !onceEach(d, false) {
			return false
		}
	}
	_, err = d.Token()
	return err == nil
}

// damage breaks a file the way editors, merges and people do.
func damage(t *rapid.T, data []byte) []byte {
	out := bytes.Clone(data)
	for range rapid.IntRange(1, 2).Draw(t, "damages") {
		lines := bytes.SplitAfter(out, []byte("\n"))
		at := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
		spot := rapid.IntRange(0, max(0, len(out)-1)).Draw(t, "spot")
		switch rapid.IntRange(0, 7).Draw(t, "damage") {
		case 0:
			out = out[:spot]
		case 1:
			out = bytes.Join(slices.Delete(lines, at, at+1), nil)
		case 2:
			if len(out) > 0 {
				out[spot] ^= 1 << rapid.IntRange(0, 6).Draw(t, "bit")
			}
		case 3:
			lines[at] = append([]byte(rapid.SampledFrom([]string{" ", "  ", "\t"}).Draw(t, "indent")), lines[at]...)
			out = bytes.Join(lines, nil)
		case 4:
			lines[at] = bytes.TrimLeft(lines[at], " \t-")
			out = bytes.Join(lines, nil)
		case 5:
			to := rapid.IntRange(0, len(lines)-1).Draw(t, "to")
			out = bytes.Join(slices.Insert(slices.Clone(lines), to, bytes.Clone(lines[at])), nil)
		case 6:
			out = misspelt(t, out)
		case 7:
			out = mutate(t, out)
		}
	}
	return out
}

func misspelt(t *rapid.T, data []byte) []byte {
	key := rapid.SampledFrom([]string{"tools", "allowedTools", "extensions", "sandbox_mode", "readonly", "role", "available_tools", "name", "type"}).Draw(t, "key")
	other := rapid.SampledFrom([]string{strings.ToUpper(key), strings.ToUpper(key[:1]) + key[1:], strings.ToLower(key), strings.ReplaceAll(key, "_", "-"), key + "s", key[1:]}).Draw(t, "as")
	return bytes.Replace(data, []byte(key), []byte(other), 1)
}

// TestPropertyFormatsNeverWider: whatever is read of a damaged file is not
// certain, or grants no more than a strict reader of the file does.
func TestPropertyFormatsNeverWider(t *testing.T) {
	eachFormat(t, func(t *testing.T, draw func(*rapid.T) *page) {
		checkOften(t, func(t *rapid.T) {
			pg := draw(t)
			l := pg.leaf(t)
			data := damage(t, pg.data)
			f, err := profile.Read(pg.source(l, data))
			if err != nil {
				mustBeFault(t, err)
				return
			}
			uncertainGrantsNothing(t, f)
			if len(f.Agent.Grants().Effective()) > 0 {
				asStrict(t, pg, l, f, data)
			}
			c, err := profile.Patch(pg.source(l, data), f.Agent.Clone())
			if err != nil || len(c.Spans) > 0 || !bytes.Equal(c.After, data) {
				t.Fatalf("untouched: %v, spans %v\n%q", err, c.Spans, data)
			}
			oddEdit(t, pg, l, f, data)
		})
	})
}

func asStrict(t *rapid.T, pg *page, l *leaf, f profile.File, data []byte) {
	t.Helper()
	s, ok := strictly(pg, l, data)
	_, loose := markdownForms[pg.format]
	switch {
	case ok && s.doubt == "":
		notWider(t, f.Agent, tool.Resolve(s.access), data)
	case ok && s.doubt == "merged keys", !ok && loose && !pg.json:
	default:
		t.Fatalf("certain of %+v; a strict reader: %v, %s\n%s", f.Agent.Access, ok, s.doubt, data)
	}
}

// oddEdit edits the description of a damaged file: as wanted, or refused, and
// the tools grow no wider.
func oddEdit(t *rapid.T, pg *page, l *leaf, f profile.File, data []byte) {
	t.Helper()
	next := f.Agent.Clone()
	next.Identity.Description = "Another: one # here"
	c, err := profile.Patch(pg.source(l, data), next)
	if err != nil {
		mustBeFault(t, err)
		return
	}
	got := pg.read(t, l, c.After)
	uncertainGrantsNothing(t, got)
	if got.Agent.Identity != next.Identity || got.Agent.Run != next.Run || !got.Agent.Access.Equal(next.Access) {
		t.Fatalf("want %+v, read back %+v\n%q\n%q", next.Identity, got.Agent.Identity, data, c.After)
	}
	if got.Certain && !f.Certain {
		t.Fatalf("the edit made the tools certain\n%q\n%q", data, c.After)
	}
	notWider(t, got.Agent, f.Agent.Grants(), c.After)
}
