package tool

import "strings"

// ClaudeTested is the Claude Code version whose tool names the table holds.
const ClaudeTested = "2.1.332"

var claudeWords = vocabulary{tools: claudeTools, read: readClaude, server: claudeServer, why: claudeWhy, same: [][2]string{{"Agent", "Task"}}}

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

// claudeWhy explains the names that people do not expect to be a shell.
var claudeWhy = map[string]string{
	"Agent":         "starts subagents, which can run commands",
	"Task":          "is the old name of Agent and starts subagents, which can run commands",
	"Monitor":       "runs a command and watches it",
	"Workflow":      "runs scripts",
	"CronCreate":    "schedules prompts that can run commands",
	"EnterWorktree": "runs git",
}

func readClaude(token string) sense {
	name, pattern := base(token)
	if strings.HasPrefix(token, "mcp__") && !pattern {
		if s := mcpServer(token); s != "" {
			return sense{server: s}
		}
	}
	return sense{names: []string{name}, part: pattern}
}

// mcpServer turns mcp__srv and mcp__srv__* into "@srv", mcp__srv__tool into
// "@srv/tool" and mcp__* into "@*". A token without a server name is empty.
func mcpServer(token string) string {
	server, tool, _ := strings.Cut(strings.TrimPrefix(token, "mcp__"), "__")
	switch {
	case token == "mcp__*":
		return everyServer
	case server == "" || strings.Contains(server, Wildcard):
		return ""
	case tool == "" || tool == Wildcard:
		return "@" + server
	default:
		return "@" + server + "/" + tool
	}
}

func claudeServer(name, tool string) string {
	if tool == "" {
		return "mcp__" + name
	}
	return "mcp__" + name + "__" + tool
}
