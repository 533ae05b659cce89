package tool

import (
	"fmt"
	"slices"
	"strings"
)

// Loss is something an access could not take along into another dialect.
// Token is a token, an atom, or the key it is about; empty is the whole list.
// Widens is true when the copy would grant more than its source.
type Loss struct {
	Token  string `json:"token,omitempty"`
	Text   string `json:"text"`
	Widens bool   `json:"widens,omitempty"`
}

// twins are single tools that do the same under several names. Only they carry
// an atom that is granted in part.
var twins = []map[Dialect]string{
	{ClaudeCode: "Read", Gemini: "read_file", VSCode: "read/readFile"},
	{ClaudeCode: "Glob", Gemini: "glob", VSCode: "search/fileSearch"},
	{ClaudeCode: "Grep", Gemini: "grep_search", VSCode: "search/textSearch"},
	{ClaudeCode: "LS", Gemini: "list_directory", VSCode: "search/listDirectory"},
	{ClaudeCode: "Edit", Gemini: "replace"},
	{ClaudeCode: "Write", Gemini: "write_file"},
	{ClaudeCode: "NotebookEdit", VSCode: "edit/editNotebook"},
	{ClaudeCode: "Agent", Gemini: "invoke_agent", VSCode: "agent", Goose: "summon"},
	{ClaudeCode: "WebFetch", Gemini: "web_fetch", VSCode: "web/fetch"},
	{ClaudeCode: "WebSearch", Gemini: "google_web_search"},
}

func twin(from Dialect, name string, to Dialect) string {
	for _, t := range twins {
		if name != "" && t[from] == name {
			return t[to]
		}
	}
	return ""
}

// Map writes an access in the words of another dialect. The copy never grants
// more than Resolve says from does, unless a Loss says that it widens. Unread
// tools in the copy mean that the other dialect cannot state what is needed.
func Map(from Access, to Dialect) (Access, []Loss) {
	if from.Dialect == to {
		return from.Clone(), nil
	}
	m := mapping{grants: Resolve(from), out: Access{Dialect: to, Tools: List{Stated: Omitted}}}
	k, ok := kindOf(to)
	if !ok {
		m.out.Tools.Stated = Unread
		m.lose("", true, "What a tool list means to this program is not known here.")
		return m.out, m.losses
	}
	m.to = k
	if source, ok := kindOf(from.Dialect); ok {
		m.from, _ = source.reading(from)
	}
	m.everything = m.grants.Certain && m.from.give.all && len(from.Denied) == 0
	switch {
	case k.facts.Omitted == NoList:
		m.bound()
	case k.words == nil:
		m.unlisted()
	default:
		m.list()
	}
	return m.out, m.losses
}

// mapping is one Map under way.
type mapping struct {
	from       reading
	to         kind
	grants     Grants
	everything bool
	out        Access
	losses     []Loss
}

func (m *mapping) lose(token string, widens bool, text string, args ...any) {
	m.losses = append(m.losses, Loss{Token: token, Text: fmt.Sprintf(text, args...), Widens: widens})
}

// bound is Map for programs that have one word and no list.
func (m *mapping) bound() {
	writes, runs := m.grants.Level(FSWrite), m.grants.Level(ExecuteBash)
	m.out.Bound = map[string]string{"sandbox_mode": "read-only", "readonly": "true"}[m.to.facts.Bound]
	switch {
	case m.to.facts.Bound == "readonly" && (writes != Off || runs != Off):
		m.out.Bound = ""
	case m.to.facts.Bound == "sandbox_mode" && (writes == On || runs == On):
		m.out.Bound = "workspace-write"
	}
	is := Resolve(m.out)
	wider := Exceeds(is, m.grants)
	switch {
	case !is.Certain:
		m.lose(m.to.facts.Bound, !m.everything, "%s has no per-tool list, so beyond %s its own default holds, which is not known here.", m.to.label, m.to.facts.Bound)
	case len(wider) > 0:
		m.lose(m.to.facts.Bound, true, "%s has no per-tool list. With %s %s the copy may do more than its source: %s.", m.to.label, m.to.facts.Bound, m.out.Bound, inWords(wider))
	default:
		m.lose(m.to.facts.Bound, false, "%s has no per-tool list. %s %s is the nearest that is not wider.", m.to.label, m.to.facts.Bound, m.out.Bound)
	}
	for _, s := range m.grants.Servers {
		m.lose(s, false, "%s: an agent file of %s has no list of tool servers.", s, m.to.label)
	}
	everywhere := m.grants.Level(WebFetch) == On && slices.Contains(m.grants.Servers, everyServer) && len(m.grants.InPart) == 0
	if is.Certain && !everywhere {
		m.lose("", true, "%s's own config decides about tool servers and the web, and the copy cannot leave them out.", m.to.label)
	}
}

// unlisted is Map for programs whose list nobody knows how to write.
func (m *mapping) unlisted() {
	m.lose("", !m.everything, "How to list tools for %s is not known for certain, so the copy states none and %s's own default holds.", m.to.label, m.to.label)
}

func (m *mapping) list() {
	if m.everything && m.to.facts.Omitted == All {
		return
	}
	if m.everything && m.to.facts.Wildcard == All {
		m.out.Tools = Of(Wildcard)
		return
	}
	if !m.grants.Certain {
		m.lose("", false, "What the source grants is not known for certain: %s. So the copy is to grant nothing.", m.grants.Doubt)
	}
	var tokens []string
	for _, g := range m.grants.Atoms {
		tokens = appendMissing(tokens, m.atom(g))
	}
	for _, s := range m.grants.Servers {
		tokens = appendMissing(tokens, m.server(s))
	}
	if m.from.give.all && !m.from.take.all {
		m.lose("", false, "The source has all tools of %s. Those that touch neither files, commands nor the web are left out.", m.from.kind.label)
	}
	for _, t := range m.grants.Other {
		m.lose(t, false, "%s: no equal of it is known in %s, so it is left out.", t, m.to.label)
	}
	for _, t := range m.grants.Unknown {
		m.lose(t, false, "%s grants nothing in %s and is left out.", t, m.from.kind.label)
	}
	if len(tokens) == 0 {
		m.none()
		return
	}
	m.out.Tools = Of(tokens...)
	if m.to.dialect == CAO {
		m.lose("", true, "CAO holds an agent to its list only where the program it starts can be told to deny tools; others are only asked.")
	}
	if m.to.dialect == Goose && slices.Contains(tokens, gooseDeveloper) && m.grants.Level(WebFetch) != On {
		m.lose(gooseDeveloper, true, "developer fetches web pages too, in newer versions of goose.")
	}
}

// atom is the tokens for what is granted of one atom.
func (m *mapping) atom(g Grant) []string {
	switch g.Level {
	case Off:
		return nil
	case On:
		names := m.to.words.names(g.Atom, true)
		if len(names) > 0 && !slices.ContainsFunc(names, m.tooMuch) {
			return m.besides(g.Atom, names)
		}
		m.lose(string(g.Atom), false, "%s: %s has no word for it that does not grant more, so it is left out.", g.Atom, m.to.label)
		return nil
	case Partly:
	}
	names, whole := m.twins(g.Atom)
	if !whole {
		why := strings.TrimSuffix(strings.TrimPrefix(g.Why, "Partly: "), ".")
		m.lose(string(g.Atom), false, "%s is granted in part (%s). What %s has no exact word for is left out.", g.Atom, why, m.to.label)
	}
	return names
}

// besides adds what the source names for a whole atom beyond its primary tools,
// as far as the target has an exact word for it, and says what it has none for.
func (m *mapping) besides(a Atom, names []string) []string {
	if m.from.kind.words == nil {
		return names
	}
	names = slices.Clone(names)
	for _, n := range m.from.tally(a).got {
		word := twin(m.from.kind.dialect, n, m.to.dialect)
		switch {
		case slices.Contains(m.from.kind.words.names(a, true), n): // the atom itself
		case word != "" && m.from.whole(n) && !m.tooMuch(word):
			names = appendMissing(names, []string{word})
		case slices.Contains(m.from.tokens, n):
			m.lose(n, false, "%s: no equal of it is known in %s, so it is left out.", n, m.to.label)
		}
	}
	return names
}

// tooMuch reports whether a name of the target touches an atom that is not on.
func (m *mapping) tooMuch(name string) bool {
	return slices.ContainsFunc(m.to.words.rows(name), func(n native) bool { return m.grants.Level(n.atom) != On })
}

// twins is the target's names for the single tools granted of an atom, and
// whether that is all of what is granted. Together they never make it whole.
func (m *mapping) twins(a Atom) (names []string, whole bool) {
	if m.from.kind.words == nil {
		return nil, false
	}
	whole = true
	for _, n := range m.from.tally(a).got {
		name := twin(m.from.kind.dialect, n, m.to.dialect)
		if name == "" || !m.from.whole(n) {
			whole = false
			continue
		}
		names = appendMissing(names, []string{name})
	}
	primary := m.to.words.names(a, true)
	if len(primary) > 0 && len(diff(primary, names)) == 0 {
		return diff(names, primary[len(primary)-1:]), false
	}
	return names, whole
}

// server is the token for a tool server. One that is denied in part is left
// out, because the copy cannot deny.
func (m *mapping) server(s string) []string {
	for _, d := range m.from.take.mcp {
		if s == everyServer || strings.HasPrefix(d, s+"/") {
			m.lose(s, false, "%s: %s is denied and the copy cannot say so, so the server is left out.", s, d)
			return nil
		}
	}
	if token := m.to.words.write(s); token != "" {
		return []string{token}
	}
	m.lose(s, false, "%s: %s has no word for this tool server, so it is left out.", s, m.to.label)
	return nil
}

// none states that nothing is granted, as far as the target can.
func (m *mapping) none() {
	switch {
	case m.to.facts.Empty == Nothing:
		m.out.Tools = Of()
	case m.to.facts.Denies:
		token := m.to.words.tools[0].name
		m.out.Tools, m.out.Denied = Of(token), []string{token}
	default:
		m.out.Tools = List{Stated: Unread}
		m.lose("", true, "%s cannot state that nothing is granted. A file without tools would get %s's own default.", m.to.label, m.to.label)
	}
}

// inWords is a list as Effective writes it, for people.
func inWords(effective []string) string {
	out := make([]string, len(effective))
	for i, e := range effective {
		atom, part := strings.CutPrefix(e, "~")
		out[i] = atom
		if part {
			out[i] += " (in part)"
		}
	}
	return Join(out)
}

// Exceeds lists what a grants beyond b, as Effective writes it. Part of an atom
// or of a server may be another part, so only a whole one covers it.
func Exceeds(a, b Grants) []string {
	return slices.DeleteFunc(a.Effective(), func(s string) bool {
		name := strings.TrimPrefix(s, "~")
		if !strings.HasPrefix(name, "@") {
			return b.Level(Atom(name)) == On
		}
		server, _, _ := strings.Cut(name, "/")
		return slices.ContainsFunc([]string{everyServer, server, name}, func(c string) bool {
			return slices.Contains(b.Servers, c) && !slices.Contains(b.InPart, c)
		})
	})
}
