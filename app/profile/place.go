package profile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"callboard/app/agent"
	"callboard/app/fault"
	"callboard/app/profile/document"
	"callboard/app/profile/jsondoc"
)

// ReadFile reads the agents of one file: one, or in opencode.json several, or
// none in a file that only looks as if it had one. Where the file stands says
// whose it is; in any other place its keys do, and Markdown that shows no sign
// of another tool is Claude Code's. The files share data, which must not change
// afterwards. It fails as Read does.
func ReadFile(path string, data []byte) ([]File, error) { return readAs(path, data, "") }

// readAs is ReadFile where the format is known, if it is.
func readAs(path string, data []byte, given Format) ([]File, error) {
	format, sure := formatAt(path)
	switch {
	case given != "" && !slices.Contains(specOf(given).endings, extension(path)):
		return nil, nil
	case strings.HasSuffix(filepath.ToSlash(filepath.Dir(path)), "/User/prompts") && !agentEnding(path):
		return nil, nil // VS Code keeps prompts and instructions there too
	case given != "":
		format = given
	case !sure:
		format = formatIn(path, data, format)
	}
	if format == "" {
		return nil, nil
	}
	src := agent.Source{Format: string(format), Path: path, Original: data}
	if format == OpenCode && isJSON(path) {
		return readMany(src)
	}
	f, err := Read(src)
	if err != nil {
		return nil, err
	}
	if !sure && format == Goose && !f.recipe() {
		return nil, nil
	}
	return []File{f}, nil
}

// maxMany bounds the agents of one file times its bytes: each of them keeps the
// whole file, to lay edits over it.
const maxMany = 64 << 20

// ErrTooManyAgents refuses such a file.
var ErrTooManyAgents = fault.New(fault.TooLarge, "agents_too_many", "the file holds too many agents for its size").
	Then("Split it into several files.")

// readMany reads every agent of an opencode.json.
func readMany(src agent.Source) ([]File, error) {
	d, err := jsondoc.Parse(src.Original)
	if err != nil {
		return nil, err
	}
	keys := openCodeAgents(d)
	if len(keys)*len(src.Original) > maxMany {
		return nil, fmt.Errorf("%w: %d agents in %d bytes", ErrTooManyAgents, len(keys), len(src.Original))
	}
	var out []File
	for _, key := range keys {
		src.Key = key
		at, err := d.Object(place(key)...)
		if err != nil {
			return nil, err
		}
		out = append(out, read(src, specOf(OpenCode), jsonSheet{Object: at, bom: d.BOM}))
	}
	return out, nil
}

// recipe reports whether a file of goose's kind says enough to be a recipe.
func (f File) recipe() bool {
	i := f.Agent.Identity
	return f.Format == Goose && i.Description != "" && !slices.ContainsFunc(f.Problems, func(p Problem) bool {
		return p.Rule == "name_missing" || p.Rule == "instructions_missing"
	})
}

func isJSON(path string) bool {
	return slices.Contains([]string{".json", ".jsonc"}, extension(path))
}

// candidate reports whether a file of that name can hold agents at all.
func candidate(path string) bool {
	return slices.Contains([]string{".md", ".toml", ".yaml", ".json", ".jsonc"}, extension(path))
}

// homes are the folders whose files belong to one tool, by the ends of their
// paths. Folders below them count too.
var homes = []struct {
	path   string
	format Format
	ext    []string
}{
	{".claude/agents", ClaudeCode, []string{".md"}},
	{".claude/plugins", ClaudeCode, []string{".md"}},
	{".gemini/extensions", Gemini, []string{".md"}},
	{".codex/agents", Codex, []string{".toml"}},
	{".opencode/agent", OpenCode, []string{".md"}},
	{".opencode/agents", OpenCode, []string{".md"}},
	{"opencode/agent", OpenCode, []string{".md"}},
	{"opencode/agents", OpenCode, []string{".md"}},
	{".github/agents", VSCode, []string{".md"}},
	{".github/chatmodes", VSCode, []string{".md"}},
	{".copilot/agents", VSCode, []string{".md"}},
	{".gemini/agents", Gemini, []string{".md"}},
	{".cursor/agents", Cursor, []string{".md"}},
	{"cli-agent-orchestrator/agent-store", CAO, []string{".md"}},
	{"cli_agent_orchestrator/agent_store", CAO, []string{".md"}},
	{"goose/recipes", Goose, []string{".yaml", ".json"}},
	{".goose/recipes", Goose, []string{".yaml", ".json"}},
}

// files are single files in a repository that may hold agents.
var files = []string{"opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"}

// placesIn are the tools' folders and files in a repository at dir, relative to
// it, or in one tool's own folder. name is how the person named it.
func placesIn(dir, name string) []string {
	var out []string
	add := func(rel string) {
		if _, err := os.Stat(filepath.Join(dir, rel)); err == nil && !slices.Contains(out, rel) {
			out = append(out, rel)
		}
	}
	for _, h := range homes {
		if !strings.HasPrefix(h.path, ".") && h.format != CAO { // a person's own, below .config
			continue
		}
		owner, sub, _ := strings.Cut(h.path, "/")
		if owner == name || owner == filepath.Base(dir) {
			add(filepath.FromSlash(sub))
		}
		add(filepath.FromSlash(h.path))
	}
	for _, f := range files {
		add(filepath.FromSlash(f))
	}
	return out
}

// agentEnding reports whether a file's name says that it is an agent of VS Code.
func agentEnding(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	return strings.HasSuffix(name, ".agent.md") || strings.HasSuffix(name, ".chatmode.md")
}

// formatAt is the format a path stands for: that of the tool whose folder it is
// in, the outermost if it is in several, whatever else a file there is called.
// sure says that the path shows it.
func formatAt(path string) (f Format, sure bool) {
	p := filepath.ToSlash(path)
	ext := extension(path)
	name := strings.ToLower(filepath.Base(path))
	if name == "opencode.json" || name == "opencode.jsonc" {
		return OpenCode, true
	}
	first := len(p)
	for _, h := range homes {
		if at := strings.Index(p, "/"+h.path+"/"); at >= 0 && at < first && slices.Contains(h.ext, ext) {
			first, f = at, h.format
		}
	}
	if f == "" && agentEnding(path) {
		f = VSCode
	}
	return f, f != ""
}

// signs are keys that only one tool's Markdown has, or has with these values.
var signs = []struct {
	format Format
	keys   []string
	values []string
}{
	{ClaudeCode, []string{"disallowedTools", "permissionMode", "maxTurns", "initialPrompt", "isolation"}, nil},
	{CAO, []string{"allowedTools", "role", "toolsSettings", "toolAliases", "provider_init_timeout", "useLegacyMcpJson", "codexProfile", "hermesProfile"}, nil},
	{VSCode, []string{"argument-hint", "handoffs", "user-invocable", "disable-model-invocation", "infer", "mcp-servers"}, nil},
	{Gemini, []string{"kind", "max_turns", "timeout_mins", "display_name", "mcp_servers", "agent_card_url", "agent_card_json"}, nil},
	{Cursor, []string{"readonly", "is_background"}, nil},
	{OpenCode, []string{"permission", "permissions", "maxSteps", "steps", "top_p"}, nil},
	{OpenCode, []string{"mode"}, []string{"primary", "subagent", "all"}},
}

// formatIn is the format the keys of a file show.
func formatIn(path string, data []byte, otherwise Format) Format {
	switch extension(path) {
	case ".toml":
		src := agent.Source{Format: string(Codex), Path: path, Original: data}
		_, sh, err := open(src)
		if bytes.Contains(data, []byte("developer_instructions")) && (err != nil || has(sh, "developer_instructions")) {
			return Codex
		}
		return otherwise
	case ".yaml", ".json", ".jsonc":
		text := bytes.Contains(data, []byte("instructions")) || bytes.Contains(data, []byte("prompt"))
		if text && bytes.Contains(data, []byte("title")) && bytes.Contains(data, []byte("description")) {
			return Goose
		}
		return otherwise
	}
	return formatOf(path, data)
}

// formatOf is the format the keys of Markdown show.
func formatOf(path string, data []byte) Format {
	_, sh, err := open(agent.Source{Format: string(ClaudeCode), Path: path, Original: data})
	if err != nil {
		return ClaudeCode
	}
	for _, s := range signs {
		if slices.ContainsFunc(sh.Entries(), func(e document.Entry) bool {
			return slices.Contains(s.keys, e.Key) && (len(s.values) == 0 || slices.Contains(s.values, e.Reading.Text))
		}) {
			return s.format
		}
	}
	return ClaudeCode
}
