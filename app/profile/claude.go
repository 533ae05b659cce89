package profile

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"callboard/app/agent"
	"callboard/app/profile/frontmatter"
	"callboard/app/tool"
)

// The keys of a Claude Code subagent that Callboard edits.
const (
	keyName        = "name"
	keyDescription = "description"
	keyTools       = "tools"
	keyDenied      = "disallowedTools"
	keyModel       = "model"
	keyEffort      = "effort"
	keyColor       = "color"
)

// claudeKeys are all keys Claude Code knows; those not above are kept as bytes.
var claudeKeys = []string{
	keyName, keyDescription, keyTools, keyDenied, keyModel, keyEffort, keyColor,
	"permissionMode", "maxTurns", "skills", "mcpServers", "hooks", "memory",
	"background", "isolation", "initialPrompt",
}

// reserved is the form of the names that ephemeral agents get.
var reserved = regexp.MustCompile(`^[A-Z][A-Za-z0-9]{1,23}-[a-z][a-z0-9_]{2,31}-[0-9a-f]{4}$`)

// Reserved reports whether name has the form kept for ephemeral agents. A file
// of such a name is imported disabled.
func Reserved(name string) bool { return reserved.MatchString(name) }

// Read reads the bytes of the file at path as a Claude Code subagent. The File
// shares data, which must not change afterwards. It fails only where nothing
// can be read: too large, not text, or a front matter that is never closed.
func Read(path string, data []byte) (File, error) {
	doc, err := frontmatter.Parse(data, claudeKeys)
	if err != nil {
		return File{}, err
	}
	r := reader{doc: doc, file: File{Path: path, Format: ClaudeCode, IsAgent: doc.Present}}
	r.read(path, data)
	return r.file, nil
}

type reader struct {
	doc  *frontmatter.Document
	file File
}

func (r *reader) read(path string, data []byte) {
	f := &r.file
	a := &f.Agent
	r.notices()
	a.Run.Provider = agent.ClaudeCode
	a.Identity.Name = r.scalar(keyName)
	a.Identity.Description = r.scalar(keyDescription)
	a.Run.Model = r.scalar(keyModel)
	a.Run.Effort = r.scalar(keyEffort)
	a.Look.Color = r.scalar(keyColor)
	a.Identity.Instructions = r.doc.Text()
	a.Source = &agent.Source{
		Format: string(ClaudeCode), Path: path, Original: data,
		EOL: lineBreaks(data), BOM: r.doc.BOM,
	}
	if strings.TrimSpace(a.Identity.Name) == "" {
		a.Identity.Name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		if r.doc.Present {
			f.add(Warning, r.line(keyName), "name_missing", "The file has no name. Its file name is shown; Claude Code ignores the file.")
		}
	}
	if r.doc.Present && strings.TrimSpace(a.Identity.Description) == "" {
		f.add(Warning, r.line(keyDescription), "description_missing", "The file has no description. Claude Code needs one to choose the agent.")
	}
	f.nameLine = r.line(keyName)
	r.access(data)
	r.cuts()
	r.text(data)
	r.limits()
	f.Certain = a.Grants().Certain
	a.Enabled = f.Certain && f.Importable() && !Reserved(a.Identity.Name)
	if Reserved(a.Identity.Name) {
		f.add(Warning, r.line(keyName), "name_reserved", "The name has the form that is kept for ephemeral agents. The agent is imported off and cannot be launched by this name.")
	}
	f.sort()
}

// line is where key stands, the first line of the file if it does not.
func (r *reader) line(key string) int {
	if all := r.doc.All(key); len(all) > 0 {
		return all[len(all)-1].Line
	}
	return 1
}

func (r *reader) notices() {
	for _, n := range r.doc.Notices {
		level := Notice
		switch n.Rule {
		case "front_matter_form", "front_matter_keys", "carriage_return", "front_matter_not_yaml",
			"yaml_merge", "yaml_special", "key_twice", "value_unreadable":
			level = Warning
		}
		r.file.add(level, n.Line, n.Rule, n.Text)
	}
	if !r.doc.Present {
		r.file.add(Notice, 1, "not_an_agent", "The file has no front matter, so it is not an agent.")
	}
}

// scalar is the text of key, empty if it has none. A key that stands twice has
// its last value. name is the text as written, whatever YAML makes of it; in
// the other keys null and ~ are no text.
func (r *reader) scalar(key string) string {
	all := r.doc.All(key)
	if len(all) == 0 {
		return ""
	}
	e := all[len(all)-1]
	switch e.Reading.Kind {
	case frontmatter.Text:
		return e.Reading.Text
	case frontmatter.Null:
		if key == keyName {
			return e.Reading.Text
		}
	case frontmatter.List, frontmatter.Map, frontmatter.Unclear:
		r.file.add(Warning, e.Line, "value_not_text", fmt.Sprintf("The value of %s is no text. It is kept as it is and shown as empty.", key))
	}
	return ""
}

// access reads what the agent may use. Where one of its two lists is not
// readable for certain the tools are Unread, which grants nothing: a denial
// that got lost would widen them.
func (r *reader) access(data []byte) {
	a := &r.file.Agent.Access
	var denied tool.List
	a.Tools, denied = r.list(keyTools), r.list(keyDenied)
	a.Denied = denied.Tokens
	line, doubt := r.doubt(data)
	switch {
	case !r.doc.Present:
		a.Tools = tool.List{Stated: tool.Unread}
		return
	case line > 0:
		a.Tools, a.Denied = tool.List{Stated: tool.Unread}, nil
		r.file.add(Warning, line, "tools_unread", doubt)
	case denied.Stated == tool.Unread:
		a.Tools, a.Denied = tool.List{Stated: tool.Unread}, nil
		r.file.add(Warning, r.line(keyDenied), "denied_unread", "The denied tools cannot be read for certain, so nothing is granted and the agent is imported off.")
	case a.Tools.Stated == tool.Unread || !r.doc.Clear:
		a.Tools = tool.List{Stated: tool.Unread}
		r.file.add(Warning, r.line(keyTools), "tools_unread", "The tools cannot be read for certain, so nothing is granted and the agent is imported off.")
	case a.Tools.Stated == tool.Empty:
		r.file.add(Warning, r.line(keyTools), "tools_empty", "The tool list is blank. Claude Code has read that as all tools, so nothing is granted and the agent is imported off.")
	}
	r.tools()
}

// tools notes what each token means, and which ones name no tool.
func (r *reader) tools() {
	g := r.file.Agent.Grants()
	for _, n := range g.Notes {
		key, rule := keyTools, "tool_note"
		if !slices.Contains(r.file.Agent.Access.Tools.Tokens, n.Token) {
			key = keyDenied
		}
		if slices.Contains(g.Unknown, n.Token) || (key == keyDenied && !strings.HasPrefix(n.Token, "@")) {
			rule = "tool_unknown"
		}
		r.file.add(Notice, r.line(key), rule, n.Text)
	}
}

// list reads a tool list: a comma-separated text or a YAML list.
func (r *reader) list(key string) tool.List {
	all := r.doc.All(key)
	if len(all) == 0 {
		return tool.List{Stated: tool.Omitted}
	}
	v := all[0].Reading
	switch {
	case len(all) > 1 || v.Repaired:
	case v.Kind == frontmatter.Null:
		return tool.List{Stated: tool.Empty}
	case v.Kind == frontmatter.Text && v.Tag == "!!str":
		if tokens, err := tool.Split(v.Text); err == nil {
			return tool.Of(tokens...)
		}
	case v.Kind == frontmatter.List:
		if !slices.ContainsFunc(v.Items, func(t string) bool { return !tool.ValidToken(t) }) {
			return tool.Of(v.Items...)
		}
	}
	return tool.List{Stated: tool.Unread}
}

// limits adds what agent.Check finds, with the line of its field.
func (r *reader) limits() {
	if !r.doc.Present {
		return
	}
	keys := map[agent.Field]string{
		agent.Name: keyName, agent.Description: keyDescription, agent.Model: keyModel, agent.Effort: keyEffort,
		agent.Tools: keyTools, agent.Denied: keyDenied, agent.Color: keyColor,
	}
	for _, p := range agent.Check(r.file.Agent) {
		line := r.doc.BodyLine()
		name := "instructions"
		if key, ok := keys[p.Field]; ok {
			line, name = r.line(key), key
		}
		r.file.add(Error, line, "limit", name+": "+p.Text)
	}
}
