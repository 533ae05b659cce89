package profile

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"

	"callboard/app/agent"
	"callboard/app/profile/document"
	"callboard/app/tool"
)

// gooseSpec is a goose recipe, YAML or JSON. What it may use are its
// extensions; {{ parameters }} are text like any other.
var gooseSpec = define(spec{
	format: Goose, label: "goose", provider: agent.None, dialect: tool.Goose,
	folder: ".goose/recipes", ending: ".yaml", bare: "version: \"1.0.0\"\n",
	endings: []string{".yaml", ".json"},
	keys: map[agent.Field]string{
		agent.Name: "title", agent.Description: "description", agent.Instructions: "instructions",
	},
	tools:  "extensions",
	states: []string{"extensions", "sub_recipes"},
	known: []string{
		"version", "title", "description", "instructions", "prompt", "activities", "extensions", "parameters",
		"response", "retry", "settings", "sub_recipes", "author", "context",
	},
	needed: []need{
		{agent.Name, "The recipe has no title. goose refuses it."},
		{agent.Description, "The recipe has no description. goose refuses it."},
	},
	others:    []string{"prompt"},
	told:      toldGoose,
	readTools: readGoose,
	look:      lookGoose,
})

// strict is false for YAML that is read here although strict readers refuse it.
func strict(s sheet) bool {
	y, ok := s.(yamlSheet)
	return !ok || y.doc.Strict
}

// toldGoose finds a recipe that has a prompt and no instructions.
func toldGoose(_ agent.Source, s sheet) string {
	if has(s, "prompt") && !has(s, "instructions") {
		return "prompt"
	}
	return ""
}

// gooseExtension is one entry of a recipe's extensions.
type gooseExtension struct {
	Type  string    `yaml:"type"`
	Name  string    `yaml:"name"`
	Tools yaml.Node `yaml:"available_tools"`
}

// readGoose reads the extensions as tokens: a built-in one is its name, any
// other a tool server, and those of its tools that may be used.
func readGoose(r *reader) tool.List {
	all := r.entries("extensions")
	unread := tool.List{Stated: tool.Unread}
	switch {
	case len(all) == 0:
		return tool.List{Stated: tool.Omitted}
	case len(all) > 1 || all[0].Reading.Repaired || !strict(r.sheet):
		return unread
	}
	found, ok := extensions(r.data[all[0].Full.Start:all[0].Full.End])
	if !ok {
		return unread
	}
	var tokens []string
	for _, x := range found {
		words := x.tokens()
		if len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return !tool.ValidToken(w) }) {
			return unread
		}
		tokens = append(tokens, words...)
	}
	return tool.Of(tokens...)
}

// tokens are the words one extension comes to, none where it cannot be told.
func (x gooseExtension) tokens() []string {
	builtin := x.Type == "builtin" || x.Type == "platform"
	only := x.Tools.Content
	switch {
	case x.Name == "" || x.Type == "" || strings.ContainsAny(x.Name, "@/*") || builtin && len(only) > 0:
		return nil
	case !x.Tools.IsZero() && x.Tools.Kind != yaml.SequenceNode:
		return nil
	case builtin:
		return []string{x.Name}
	case x.Tools.IsZero():
		return []string{"@" + x.Name}
	}
	var out []string
	for _, t := range only {
		if t.Kind != yaml.ScalarNode || t.ShortTag() != "!!str" {
			return nil
		}
		out = append(out, "@"+x.Name+"/"+t.Value)
	}
	return out
}

// extensions decodes the value of extensions, with its key before it in YAML.
// Anchors and aliases are not followed.
func extensions(text []byte) ([]*gooseExtension, bool) {
	if t := bytes.TrimSpace(text); bytes.HasPrefix(t, []byte("[")) {
		plain, err := hujson.Standardize(bytes.Clone(t))
		if err != nil {
			return nil, false
		}
		text = append([]byte("extensions: "), plain...)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil || aliased(&root) {
		return nil, false
	}
	var v struct {
		Extensions *[]*gooseExtension `yaml:"extensions"`
	}
	if err := root.Decode(&v); err != nil || v.Extensions == nil || slices.Contains(*v.Extensions, nil) {
		return nil, false
	}
	return *v.Extensions, true
}

func aliased(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return true
	}
	for _, c := range n.Content {
		if aliased(c) {
			return true
		}
	}
	return false
}

func lookGoose(r *reader) {
	if len(r.entries("instructions")) == 0 && len(r.entries("prompt")) == 0 {
		r.file.add(Warning, 1, "instructions_missing", "The recipe has neither instructions nor a prompt. goose refuses it.")
	}
	for _, e := range r.entries("sub_recipes") {
		if e.Reading.Kind != document.Null {
			r.file.add(Notice, e.Line, "sub_recipes", "The recipe starts other recipes. Their files are not read.")
		}
	}
	if len(r.entries("extensions")) > 0 && len(r.entries("sub_recipes")) == 0 {
		r.file.add(Notice, r.line("extensions"), "no_delegation", "A list of extensions takes the recipe's means to start other agents away, unless it names sub_recipes.")
	}
}
