package profile_test

import (
	"maps"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"callboard/app/agent"
	"callboard/app/profile"
	"callboard/app/tool"
)

// page is one generated file of another format than Claude Code's: its bytes,
// and what each of its agents means.
type page struct {
	format profile.Format
	path   string
	data   []byte
	leaves []*leaf
	spots  map[string]extent // every entry, by agent and key
	notes  []string          // comments that stand in no entry
	json   bool
}

// leaf is one agent of a page. keys names the key of each field that is in the
// file, as it stands in the page's spots.
type leaf struct {
	key  string
	want agent.Agent
	keys map[agent.Field]string
	body int // where the front matter ends, in Markdown
}

func (pg *page) source(l *leaf, data []byte) agent.Source {
	return agent.Source{Format: string(pg.format), Path: pg.path, Key: l.key, Original: data}
}

// markdownForm is how one tool writes its agents in Markdown.
type markdownForm struct {
	path   string
	noName string // the name of a file that states none, "" where it must
	keys   map[agent.Field]string
	tokens []string
	bounds []string
	names  []string
	others []entry
}

var anyNames = []string{"reviewer", "Code Reviewer", `say "hi"`, `back\slash`, "数据库专家", "it's a: b #c", "[x] {y}", "🚀", "- dash"}

var markdownForms = map[profile.Format]markdownForm{
	profile.CAO: {
		path: "/home/a/.aws/cli-agent-orchestrator/agent-store/drawn.md", names: []string{"code_reviewer", "reviewer", "data_base"},
		keys:   map[agent.Field]string{agent.Name: "name", agent.Description: "description", agent.Model: "model", agent.Tools: "allowedTools", agent.Bound: "role"},
		tokens: []string{"fs_read", "fs_list", "fs_write", "fs_*", "execute_bash", "@cao-mcp-server", "@builtin", "web_fetch", "@docs", "nope"},
		bounds: []string{"developer", "reviewer", "supervisor", "wizard"},
		others: []entry{
			{key: "provider", text: "provider: claude_code\n"},
			{key: "tags", text: "tags: [a, 'b'] # role: x\n"},
			{key: "mcpServers", text: "mcpServers:\n  docs:\n    type: stdio\n    command: docs-server\n    role: developer\n"},
			{key: "skills", text: "skills: []\n"},
			{key: "claudeConfig", text: "claudeConfig: {effort: high, fallback_model: sonnet}\n"},
			{key: "provider_init_timeout", text: "provider_init_timeout: 0120\n"},
		},
	},
	profile.VSCode: {
		path: "/repo/.github/agents/drawn file.agent.md", noName: "drawn file", names: anyNames,
		keys:   map[agent.Field]string{agent.Name: "name", agent.Description: "description", agent.Model: "model", agent.Tools: "tools"},
		tokens: []string{"read", "search", "edit", "execute", "web", "agent", "github/*", "srv/tool", "nope", "todo", "edit/editFiles", "Read"},
		others: []entry{
			{key: "argument-hint", text: "argument-hint: 'say: what'\n"},
			{key: "handoffs", text: "handoffs:\n  - label: Fix it\n    agent: fixer\n    prompt: \"tools: [execute]\"\n    send: false\n"},
			{key: "agents", text: "agents: [ 'a', b ]\n"},
			{key: "user-invocable", text: "user-invocable:   true\n"},
			{key: "target", text: "target: vscode # not github-copilot\n"},
			{key: "mcp-servers", text: "mcp-servers:\n  docs:\n    tools: ['*']\n    command: x\n"},
		},
	},
	profile.Gemini: {
		path: "/repo/.gemini/agents/drawn.md", names: []string{"reviewer", "code-reviewer", "code_reviewer_2"},
		keys:   map[agent.Field]string{agent.Name: "name", agent.Description: "description", agent.Model: "model", agent.Tools: "tools"},
		tokens: []string{"read_file", "glob", "grep_search", "list_directory", "replace", "write_file", "run_shell_command", "web_fetch", "mcp_docs_*", "mcp_docs_find"},
		others: []entry{
			{key: "kind", text: "kind: local\n"},
			{key: "display_name", text: "display_name: 'A: reviewer'\n"},
			{key: "temperature", text: "temperature: 0.20 # low\n"},
			{key: "max_turns", text: "max_turns:  20\n"},
			{key: "timeout_mins", text: "timeout_mins: 5\n"},
			{key: "mcp_servers", text: "mcp_servers:\n  docs:\n    command: docs-server\n    args: [\"tools: x\"]\n"},
		},
	},
	profile.Cursor: {
		path: "/repo/.cursor/agents/drawn.md", names: []string{"reviewer", "code-reviewer"},
		keys:   map[agent.Field]string{agent.Name: "name", agent.Description: "description", agent.Model: "model", agent.Bound: "readonly"},
		bounds: []string{"true", "false"},
		others: []entry{
			{key: "is_background", text: "is_background:  true\n"},
			{key: "vibe", text: "vibe: |\n  readonly: false\n\n  calm\n", block: true},
			{key: "emoji", text: "emoji: 🚀\n"},
		},
	},
	profile.OpenCode: {
		path: "/repo/.opencode/agents/team/drawn.md",
		keys: map[agent.Field]string{agent.Description: "description", agent.Model: "model", agent.Color: "color"},
		others: []entry{
			{key: "mode", text: "mode: subagent\n"},
			{key: "temperature", text: "temperature: 0.10\n"},
			{key: "steps", text: "steps: 12 # at most\n"},
			{key: "hidden", text: "hidden: false\n"},
			{key: "reasoningEffort", text: "reasoningEffort: \"high\"\n"},
			{key: "options", text: "options:\n  nested: {description: inner, model: x}\n"},
		},
	},
}

// said draws an entry that says s and is text to every reader of YAML.
func (p *pen) said(key, s string) entry {
	var v any
	if yaml.Unmarshal([]byte("k: "+s), &v) == nil {
		if m, ok := v.(map[string]any); ok && m["k"] == s {
			return p.scalar(key, s)
		}
	}
	return p.scalar(key, s, "single", "double", "literal", "single lines", "double lines")
}

// anyText is a text for a key, with a carriage return at times.
func (p *pen) anyText(multi bool) string {
	s := p.text(multi)
	if p.chance(8) {
		s += choose(p, "\r\nWindows", "\rold", "\r")
	}
	return s
}

func (p *pen) tokensOf(from []string) []string {
	return rapid.SliceOfNDistinct(rapid.SampledFrom(from), 1, min(4, len(from)), rapid.ID).Draw(p.t, "tokens")
}

func (p *pen) seq(key string, tokens []string) entry {
	if p.chance(2) {
		return p.flowList(key, tokens)
	}
	return p.blockList(key, tokens)
}

// markdownMeaning draws what the file says and an entry for each key.
func (p *pen) markdownMeaning(f profile.Format, l *leaf) []entry {
	form, a := markdownForms[f], &l.want
	a.Run.Provider, a.Access = agent.None, tool.Access{Dialect: tool.Dialect(f), Tools: tool.List{Stated: tool.Omitted}}
	var es []entry
	add := func(field agent.Field, e entry) {
		l.keys[field] = e.key
		es = append(es, e)
	}
	a.Identity.Name = form.noName
	if f == profile.OpenCode {
		a.Identity.Name = "team/drawn"
	} else if form.noName == "" || p.chance(2) {
		a.Identity.Name = choose(p, form.names...)
		add(agent.Name, p.said("name", a.Identity.Name))
	}
	a.Identity.Description = p.text(true)
	add(agent.Description, p.said("description", a.Identity.Description))
	if p.chance(2) {
		a.Run.Model = choose(p, models...)
		add(agent.Model, p.said("model", a.Run.Model))
	}
	if form.keys[agent.Color] != "" && p.chance(2) {
		a.Look.Color = choose(p, "#ff8800", "accent")
		add(agent.Color, p.said("color", a.Look.Color))
	}
	if len(form.tokens) > 0 && p.chance(2) {
		tokens := p.tokensOf(form.tokens)
		a.Access.Tools = tool.Of(tokens...)
		add(agent.Tools, p.seq(form.keys[agent.Tools], tokens))
	}
	if len(form.bounds) > 0 && p.chance(2) {
		a.Access.Bound = choose(p, form.bounds...)
		if f == profile.Cursor {
			add(agent.Bound, entry{key: "readonly", text: p.key("readonly") + ":" + p.space() + a.Access.Bound + choose(p, "", " ", "  # sic") + "\n"})
		} else {
			add(agent.Bound, p.said(form.keys[agent.Bound], a.Access.Bound))
		}
	}
	for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(form.others)-1), 0, 3, rapid.ID).Draw(p.t, "others") {
		es = append(es, form.others[i])
	}
	return es
}

var models = []string{"sonnet", "openai/gpt-5.4", "GPT-5.4 (copilot)", "us.anthropic.claude-3:0", "a b", "opus[1m]"}

func drawMarkdown(f profile.Format) func(*rapid.T) *page {
	return func(t *rapid.T) *page {
		p := &pen{t: t}
		l := &leaf{keys: map[agent.Field]string{}}
		pg := &page{format: f, path: markdownForms[f].path, leaves: []*leaf{l}, spots: map[string]extent{}}
		es := rapid.Permutation(p.markdownMeaning(f, l)).Draw(t, "order")
		w := &paper{p: p, eol: choose(p, "\n", "\r\n", "")}
		if p.chance(5) {
			w.b.WriteString("\ufeff")
		}
		w.write("---" + choose(p, "", "", "", " ") + "\n")
		p.notes = nil
		w.write(p.gap(entry{}))
		for _, e := range es {
			pg.spots[e.key] = w.write(e.text)
			w.write(p.gap(e))
		}
		pg.notes, p.notes = p.notes, nil
		l.body = w.b.Len()
		l.want.Identity.Instructions = p.body(w)
		pg.data = []byte(w.b.String())
		return pg
	}
}

// drawers draw a valid file of each format.
var drawers = map[string]func(*rapid.T) *page{
	"cao":           drawMarkdown(profile.CAO),
	"vscode":        drawMarkdown(profile.VSCode),
	"gemini":        drawMarkdown(profile.Gemini),
	"cursor":        drawMarkdown(profile.Cursor),
	"opencode":      drawMarkdown(profile.OpenCode),
	"codex":         drawCodex,
	"goose":         drawGoose,
	"goose json":    drawGooseJSON,
	"opencode json": drawOpenCodeJSON,
}

// eachFormat runs a property over every format's files.
func eachFormat(t *testing.T, property func(*testing.T, func(*rapid.T) *page)) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(drawers)) {
		t.Run(name, func(t *testing.T) { property(t, drawers[name]) })
	}
}

// holds reports whether all of o is in x.
func (x extent) holds(o extent) bool { return x.start <= o.start && o.end <= x.end }

// apart reports whether no byte is in both.
func (x extent) apart(o extent) bool { return x.end <= o.start || o.end <= x.start }
