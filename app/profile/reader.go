package profile

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"callboard/app/agent"
	"callboard/app/profile/document"
	"callboard/app/tool"
)

// reserved is the form of the names that ephemeral agents get.
var reserved = regexp.MustCompile(`^[A-Z][A-Za-z0-9]{1,23}-[a-z][a-z0-9_]{2,31}-[0-9a-f]{4}$`)

// Reserved reports whether name has the form kept for ephemeral agents. A file
// of such a name is imported disabled.
func Reserved(name string) bool { return reserved.MatchString(name) }

// Read reads src.Original as the agent src.Key of a file of src.Format at
// src.Path; the other fields of src are not looked at. The File shares those
// bytes, which must not change afterwards. It fails only where nothing can be
// read, such as a file that is too large, not text, or broken TOML.
func Read(src agent.Source) (File, error) {
	s, sh, err := open(src)
	if err != nil {
		return File{}, err
	}
	return read(src, s, sh), nil
}

// read reads what is parsed already.
func read(src agent.Source, s *spec, sh sheet) File {
	s = s.as(src, sh)
	r := reader{spec: s, sheet: sh, data: src.Original, file: File{Path: src.Path, Format: s.format, IsAgent: sh.present()}}
	r.read(src)
	return r.file
}

// open parses src and finds the format as that file has it.
func open(src agent.Source) (*spec, sheet, error) {
	s := specOf(Format(src.Format))
	sh, err := s.parse(src.Path, src.Key, src.Original)
	if err != nil {
		return s, nil, err
	}
	return s.as(src, sh), sh, nil
}

// as is the format as one file of it has it.
func (s *spec) as(src agent.Source, sh sheet) *spec {
	if s.told == nil {
		return s
	}
	if v := s.variants[s.told(src, sh)]; v != nil {
		return v
	}
	return s
}

// ruleVague is a file whose tool keys nobody has written down the meaning of.
const ruleVague = "tools_not_known"

// reader reads one agent.
type reader struct {
	spec  *spec
	sheet sheet
	data  []byte
	file  File
}

func (r *reader) read(src agent.Source) {
	f := &r.file
	a := &f.Agent
	f.Problems = r.sheet.problems()
	if !f.IsAgent {
		f.add(Notice, 1, "not_an_agent", "The file has no front matter, so it is not an agent.")
	}
	a.Run.Provider = r.spec.provider
	a.Source = &agent.Source{
		Format: src.Format, Path: src.Path, Key: src.Key, ReadOnly: src.ReadOnly, Original: r.data,
		EOL: lineBreaks(r.data), BOM: r.sheet.marked(),
	}
	if j, ok := r.sheet.(jsonSheet); ok && src.Key != "" {
		sum := sha256.Sum256(r.data[j.Span().Start:j.Span().End])
		a.Source.Own = hex.EncodeToString(sum[:])
	}
	for _, field := range fields() {
		if key, ok := r.spec.keys[field.id]; ok && field.id != agent.Bound {
			*field.of(a) = r.scalar(key)
		}
	}
	if r.spec.body {
		a.Identity.Instructions = r.sheet.body()
	}
	f.nameLine = r.line(r.spec.key(agent.Name))
	r.needs()
	if strings.TrimSpace(a.Identity.Name) == "" {
		a.Identity.Name = nameOf(src)
	}
	r.access()
	if r.spec.look != nil && f.IsAgent {
		r.spec.look(r)
	}
	r.text()
	r.limits()
	f.Certain = a.Grants().Certain
	a.Enabled = f.Certain && f.Importable() && !Reserved(a.Identity.Name) && !r.lacks()
	if Reserved(a.Identity.Name) {
		f.add(Warning, f.nameLine, "name_reserved", "The name has the form that is kept for ephemeral agents. The agent is imported off and cannot be launched by this name.")
	}
	f.sort()
}

// field is a field of one text and where an agent keeps it.
type field struct {
	id agent.Field
	of func(*agent.Agent) *string
}

// fields are those of one text, in the order of the form.
func fields() []field {
	return []field{
		{agent.Name, func(a *agent.Agent) *string { return &a.Identity.Name }},
		{agent.Description, func(a *agent.Agent) *string { return &a.Identity.Description }},
		{agent.Model, func(a *agent.Agent) *string { return &a.Run.Model }},
		{agent.Effort, func(a *agent.Agent) *string { return &a.Run.Effort }},
		{agent.Bound, func(a *agent.Agent) *string { return &a.Access.Bound }},
		{agent.Instructions, func(a *agent.Agent) *string { return &a.Identity.Instructions }},
		{agent.Color, func(a *agent.Agent) *string { return &a.Look.Color }},
	}
}

// nameOf is the name an agent has by where it stands: its key, else its file's
// name. opencode counts the folders below its own as part of it.
func nameOf(src agent.Source) string {
	if p := place(src.Key); p != nil {
		return p[len(p)-1]
	}
	path := filepath.ToSlash(src.Path)
	name := path[strings.LastIndexByte(path, '/')+1:]
	stem := strings.TrimSuffix(name, filepath.Ext(name))
	switch {
	case src.Format == string(VSCode):
		return strings.TrimSuffix(strings.TrimSuffix(stem, ".agent"), ".chatmode")
	case src.Format == string(OpenCode):
		at := max(strings.LastIndex(path, "/agents/")+len("/agents/"), strings.LastIndex(path, "/agent/")+len("/agent/"))
		if at >= len("/agents/") {
			stem = strings.TrimSuffix(path[at:], filepath.Ext(name))
		}
	}
	return stem
}

// needs points out what its tool will miss.
func (r *reader) needs() {
	if !r.file.IsAgent {
		return
	}
	for _, n := range r.spec.needed {
		for _, field := range fields() {
			if field.id == n.field && strings.TrimSpace(*field.of(&r.file.Agent)) == "" {
				_, last, _ := strings.Cut(string(n.field), ".")
				r.file.add(Warning, r.line(r.spec.key(n.field)), last+"_missing", n.text)
			}
		}
	}
	if !r.spec.strict {
		return
	}
	for _, e := range r.sheet.Entries() {
		if !slices.Contains(r.spec.known, e.Key) {
			r.file.add(Warning, e.Line, "key_unknown", r.spec.label+" does not know one of the file's keys and refuses the whole file.")
		}
	}
}

// lacks reports whether the tool refuses the file for want of something. What
// the agent would be granted is shown all the same, but it is imported off.
func (r *reader) lacks() bool {
	return r.spec.refuses && slices.ContainsFunc(r.file.Problems, func(p Problem) bool { return strings.HasSuffix(p.Rule, "_missing") })
}

// entries are all that stand under key.
func (r *reader) entries(key string) []document.Entry {
	var out []document.Entry
	for _, e := range r.sheet.Entries() {
		if e.Key == key && key != "" {
			out = append(out, e)
		}
	}
	return out
}

// line is where key stands, the first line of the agent if it does not.
func (r *reader) line(key string) int {
	if all := r.entries(key); len(all) > 0 {
		return all[len(all)-1].Line
	}
	if j, ok := r.sheet.(jsonSheet); ok {
		return j.Line()
	}
	return 1
}

// toolsLine is where the file says what the agent may use.
func (r *reader) toolsLine() int {
	for _, key := range append([]string{r.spec.tools, r.spec.keys[agent.Bound]}, r.spec.states...) {
		if len(r.entries(key)) > 0 {
			return r.line(key)
		}
	}
	return r.line("")
}

// scalar is the text of key, empty if it has none. A key that stands twice has
// its last value. name is the text as written, whatever YAML makes of it; in
// the other keys null and ~ are no text.
func (r *reader) scalar(key string) string {
	all := r.entries(key)
	if len(all) == 0 {
		return ""
	}
	e := all[len(all)-1]
	switch e.Reading.Kind {
	case document.Text:
		return e.Reading.Text
	case document.Null:
		if key == r.spec.keys[agent.Name] {
			return e.Reading.Text
		}
	case document.List, document.Map, document.Unclear:
		if slices.Contains(r.spec.lists, key) && e.Reading.Kind == document.List {
			r.file.add(Notice, e.Line, "value_is_list", fmt.Sprintf("The value of %s is a list. It is kept as it is and shown as empty.", key))
			return ""
		}
		r.file.add(Warning, e.Line, "value_not_text", fmt.Sprintf("The value of %s is no text. It is kept as it is and shown as empty.", key))
	}
	return ""
}

// access reads what the agent may use. Where one part of it is not readable
// for certain the tools are Unread, which grants nothing: a denial that got
// lost would widen them.
func (r *reader) access() {
	a := &r.file.Agent.Access
	a.Dialect = r.spec.dialect
	a.Tools = tool.List{Stated: tool.Unread}
	if !r.file.IsAgent {
		return
	}
	tools, denied, bound, ok := r.list(r.spec.tools), r.list(r.spec.denied), "", true
	if r.spec.readTools != nil {
		tools = r.spec.readTools(r)
	}
	if key := r.spec.keys[agent.Bound]; key != "" {
		bound, ok = r.word(key)
		ok = ok && (r.spec.truth == agent.Bound || !r.truth(key))
	}
	line, doubt := r.doubt()
	switch {
	case line > 0:
		r.file.add(Warning, line, "tools_unread", doubt)
	case denied.Stated == tool.Unread:
		r.file.add(Warning, r.line(r.spec.denied), "denied_unread", "The denied tools cannot be read for certain, so nothing is granted and the agent is imported off.")
	case !ok:
		r.file.add(Warning, r.line(r.spec.keys[agent.Bound]), "bound_unread", fmt.Sprintf("The value of %s cannot be read for certain, so nothing is granted and the agent is imported off.", r.spec.keys[agent.Bound]))
	case tools.Stated == tool.Unread && r.spec.vague && r.sheet.clear():
		r.file.add(Notice, r.toolsLine(), ruleVague, "What "+r.spec.label+" makes of its tool keys is not known here. So nothing is granted here and the agent is imported off.")
	case tools.Stated == tool.Unread || !r.sheet.clear():
		a.Denied, a.Bound = denied.Tokens, bound
		r.file.add(Warning, r.toolsLine(), "tools_unread", "The tools cannot be read for certain, so nothing is granted and the agent is imported off.")
	default:
		a.Tools, a.Denied, a.Bound = tools, denied.Tokens, bound
		r.tools()
	}
}

// word is the one word under key, empty if the key is not there; ok is false
// where it cannot be told for certain.
func (r *reader) word(key string) (text string, ok bool) {
	all := r.entries(key)
	switch {
	case len(all) == 0:
		return "", true
	case len(all) > 1 || all[0].Reading.Repaired || all[0].Reading.Kind != document.Text:
		return "", false
	case all[0].Reading.Tag != "!!str" && all[0].Reading.Tag != "!!bool":
		return "", false
	}
	return all[0].Reading.Text, true
}

// truth reports whether the value of key is true or false, not a text.
func (r *reader) truth(key string) bool {
	all := r.entries(key)
	return len(all) > 0 && all[0].Reading.Tag == "!!bool"
}

// tools notes what the list comes to, what each token means, and which ones
// name no tool.
func (r *reader) tools() {
	g := r.file.Agent.Grants()
	key := r.spec.tools
	if key == "" {
		key = r.spec.keys[agent.Bound]
	}
	switch {
	case g.OwnDefault:
		r.file.add(Notice, r.toolsLine(), "tools_default", upper(g.Doubt)+". So nothing is granted here and the agent is imported off.")
	case !g.Certain && r.file.Agent.Access.Tools.Stated == tool.Empty:
		r.file.add(Warning, r.line(key), "tools_empty", "The tool list is blank: "+g.Doubt+". So nothing is granted and the agent is imported off.")
	case !g.Certain:
		r.file.add(Warning, r.line(key), "tools_uncertain", upper(g.Doubt)+". So nothing is granted and the agent is imported off.")
	}
	for _, n := range g.Notes {
		at, rule := key, "tool_note"
		if r.spec.denied != "" && !slices.Contains(r.file.Agent.Access.Tools.Tokens, n.Token) {
			at = r.spec.denied
		}
		if slices.Contains(g.Unknown, n.Token) || (at == r.spec.denied && at != "" && !strings.HasPrefix(n.Token, "@")) {
			rule = "tool_unknown"
		}
		r.file.add(Notice, r.line(at), rule, n.Text)
	}
}

// upper starts a sentence. A name that its tool writes small stays small.
func upper(text string) string {
	if text == "" || strings.HasPrefix(text, "opencode") || strings.HasPrefix(text, "goose") {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// list reads a tool list: a YAML list, or where the format has that a text with
// commas.
func (r *reader) list(key string) tool.List {
	all := r.entries(key)
	if len(all) == 0 {
		return tool.List{Stated: tool.Omitted}
	}
	v := all[0].Reading
	switch {
	case len(all) > 1 || v.Repaired:
	case v.Kind == document.Null && r.blankIsAll():
	case v.Kind == document.Null:
		return tool.List{Stated: tool.Empty}
	case v.Kind == document.Text && v.Tag == "!!str" && r.spec.comma:
		if tokens, err := tool.Split(v.Text); err == nil {
			return tool.Of(tokens...)
		}
	case v.Kind == document.List:
		if !slices.ContainsFunc(v.Items, func(t string) bool { return !tool.ValidToken(t) }) {
			return tool.Of(v.Items...)
		}
	}
	return tool.List{Stated: tool.Unread}
}

// blankIsAll reports whether an empty list is all tools there. A key without a
// value may then be no list at all, as if the key were not there, which can be
// less.
func (r *reader) blankIsAll() bool {
	f, ok := tool.FactsOf(r.spec.dialect)
	return ok && f.Empty == tool.All
}

// limits adds what agent.Check finds, with the line of its field.
func (r *reader) limits() {
	if !r.file.IsAgent {
		return
	}
	for _, p := range agent.Check(r.file.Agent) {
		line := r.line(r.spec.key(p.Field))
		if p.Field == agent.Instructions && r.spec.body {
			line = r.sheet.bodyLine()
		}
		r.file.add(Error, line, "limit", r.spec.key(p.Field)+": "+p.Text)
	}
}
