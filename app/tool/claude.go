package tool

import (
	"fmt"
	"slices"
	"strings"
)

// ClaudeTested is the Claude Code version whose tool names the table holds.
const ClaudeTested = "2.1.332"

// native maps one of Claude Code's tool names to the atom it needs. A primary
// name is one that ticking the atom writes; an atom is on when all its primary
// names are granted whole.
type native struct {
	name    string
	atom    Atom // empty: a tool that touches none of the five
	primary bool
}

// claudeTools is the whole table. Subagents, monitors, schedules and workflows
// run code, so they count as execute_bash.
var claudeTools = []native{
	{"Read", FSRead, true},
	{"Glob", FSList, true},
	{"Grep", FSList, true},
	{"LS", FSList, false},
	{"Edit", FSWrite, true},
	{"Write", FSWrite, true},
	{"MultiEdit", FSWrite, false},
	{"NotebookEdit", FSWrite, false},
	{"NotebookRead", FSRead, false},
	{"Bash", ExecuteBash, true},
	{"BashOutput", ExecuteBash, false},
	{"KillShell", ExecuteBash, false},
	{"Monitor", ExecuteBash, false},
	{"Agent", ExecuteBash, false},
	{"Task", ExecuteBash, false},
	{"Workflow", ExecuteBash, false},
	{"CronCreate", ExecuteBash, false},
	{"EnterWorktree", ExecuteBash, false},
	{"WebFetch", WebFetch, true},
	{"WebSearch", WebFetch, false},
	{"AskUserQuestion", "", false},
	{"CronDelete", "", false},
	{"CronList", "", false},
	{"EnterPlanMode", "", false},
	{"ExitPlanMode", "", false},
	{"ExitWorktree", "", false},
	{"ListAgents", "", false},
	{"ListMcpResourcesTool", "", false},
	{"ReadMcpResourceTool", "", false},
	{"ReadMcpResourceDirTool", "", false},
	{"ReportFindings", "", false},
	{"ScheduleWakeup", "", false},
	{"SendMessage", "", false},
	{"Skill", "", false},
	{"SlashCommand", "", false},
	{"TaskStop", "", false},
	{"TodoWrite", "", false},
	{"ToolSearch", "", false},
}

// runsCode explains the names that people do not expect to be a shell.
var runsCode = map[string]string{
	"Agent":         "starts subagents, which can run commands",
	"Task":          "is the old name of Agent and starts subagents, which can run commands",
	"Monitor":       "runs a command and watches it",
	"Workflow":      "runs scripts",
	"CronCreate":    "schedules prompts that can run commands",
	"EnterWorktree": "runs git",
}

func claudeNames(a Atom, primaryOnly bool) []string {
	var out []string
	for _, n := range claudeTools {
		if n.atom == a && (n.primary || !primaryOnly) {
			out = append(out, n.name)
		}
	}
	return out
}

func claudeNative(name string) (native, bool) {
	i := slices.IndexFunc(claudeTools, func(n native) bool { return n.name == name })
	if i < 0 {
		return native{}, false
	}
	return claudeTools[i], true
}

// reach is what a set of tokens covers: everything, names in whole, names in
// part, and MCP servers by their Claude tokens.
type reach struct {
	all     bool
	allMCP  bool
	whole   map[string]bool
	part    map[string]bool
	mcp     []string
	other   []string
	unknown []string
}

func claudeReach(tokens []string) reach {
	r := reach{whole: map[string]bool{}, part: map[string]bool{}}
	for _, t := range tokens {
		name, pattern := base(t)
		n, known := claudeNative(name)
		switch {
		case t == Wildcard:
			r.all = true
		case t == "mcp__*":
			r.allMCP = true
		case strings.HasPrefix(t, "mcp__") && !pattern && mcpServer(t) != "":
			r.mcp = append(r.mcp, mcpServer(t))
		case !known:
			r.unknown = append(r.unknown, t)
		case n.atom == "":
			r.other = append(r.other, t)
		case pattern:
			r.part[name] = true
		default:
			r.whole[name] = true
		}
	}
	return r
}

// mcpServer turns mcp__srv and mcp__srv__* into "@srv" and mcp__srv__tool into
// "@srv/tool". A token without a server name is empty.
func mcpServer(token string) string {
	server, tool, _ := strings.Cut(strings.TrimPrefix(token, "mcp__"), "__")
	switch {
	case server == "" || strings.Contains(server, Wildcard):
		return ""
	case tool == "" || tool == Wildcard:
		return "@" + server
	default:
		return "@" + server + "/" + tool
	}
}

func resolveClaude(tools List, denied []string) Grants {
	switch tools.Stated {
	case Empty:
		return doubtful("Claude Code has read a blank tool list as all tools")
	case Unread:
		return doubtful("the tool list cannot be read for certain")
	case Omitted, Listed:
	default:
		return doubtful("the file's tools are not known")
	}
	give, take := claudeReach(tools.Tokens), claudeReach(denied)
	if tools.Stated == Omitted {
		give.all = true
	}
	g := Grants{Certain: true, Unknown: give.unknown, Other: without(give.other, take)}
	for _, a := range Atoms() {
		g.Atoms = append(g.Atoms, claudeGrant(a, tools, give, take))
	}
	g.Servers = claudeServers(give, take)
	g.Notes = claudeNotes(tools.Tokens, give, take)
	return g
}

func claudeGrant(a Atom, tools List, give, take reach) Grant {
	var got, missing, cut []string
	on := true
	for _, name := range claudeNames(a, false) {
		n, _ := claudeNative(name)
		whole := give.all || give.whole[name]
		some := whole || give.part[name]
		gone := take.all || take.whole[name]
		switch {
		case some && gone:
			cut = append(cut, name)
		case some:
			got = append(got, name)
		case n.primary:
			missing = append(missing, name)
		}
		if n.primary && (!whole || gone || take.part[name]) {
			on = false
		}
	}
	switch {
	case len(got) == 0 && len(cut) > 0:
		return Grant{a, Off, "Off: denied, and a denial wins."}
	case len(got) == 0:
		return Grant{a, Off, "Off: the list names no tool for it."}
	case on && tools.Stated == Omitted:
		return Grant{a, On, "On: the file names no tools, which is all of them to Claude Code."}
	case on && give.all:
		return Grant{a, On, "On: the list has *, which is all tools."}
	case on:
		return Grant{a, On, "On: " + Join(claudeNames(a, true)) + "."}
	}
	return Grant{a, Partly, "Partly: " + partlyWhy(got, missing, cut, give, take)}
}

func partlyWhy(got, missing, cut []string, give, take reach) string {
	var limited []string
	for _, n := range got {
		if (!give.all && !give.whole[n]) || take.part[n] {
			limited = append(limited, n)
		}
	}
	var parts []string
	if whole := diff(got, limited); len(whole) > 0 {
		parts = append(parts, Join(whole))
	}
	if len(limited) > 0 {
		parts = append(parts, Join(limited)+" within a pattern")
	}
	if len(missing) > 0 {
		parts = append(parts, "not "+Join(missing))
	}
	if len(cut) > 0 {
		parts = append(parts, "denied "+Join(cut))
	}
	return strings.Join(parts, "; ") + "."
}

func claudeServers(give, take reach) []string {
	if take.all || take.allMCP {
		return nil
	}
	var out []string
	if give.all || give.allMCP {
		out = append(out, "@*")
	}
	for _, s := range give.mcp {
		server, _, _ := strings.Cut(s, "/")
		if !slices.Contains(take.mcp, s) && !slices.Contains(take.mcp, server) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func claudeNotes(tokens []string, give, take reach) []Note {
	var out []Note
	for _, t := range tokens {
		name, _ := base(t)
		if why := runsCode[name]; why != "" && !take.all && !take.whole[name] {
			out = append(out, Note{t, fmt.Sprintf("%s %s. Callboard counts it as execute_bash.", name, why)})
		}
	}
	for _, t := range give.unknown {
		out = append(out, Note{t, t + ": there is no tool of this name in Claude Code " + ClaudeTested + ", the version Callboard knows. It grants nothing."})
	}
	for _, t := range take.unknown {
		out = append(out, Note{t, t + ": this denial names no known tool. It takes nothing away."})
	}
	if give.all || give.allMCP || len(give.mcp) > 0 {
		for _, s := range take.mcp {
			out = append(out, Note{s, s + " is denied, so it is left out of the servers granted."})
		}
	}
	return out
}

func without(names []string, take reach) []string {
	if take.all {
		return nil
	}
	return diff(names, take.other)
}

func diff(a, b []string) []string {
	var out []string
	for _, x := range a {
		if !slices.Contains(b, x) {
			out = append(out, x)
		}
	}
	return out
}
