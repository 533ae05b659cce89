package tool

import "strings"

var geminiWords = vocabulary{tools: geminiTools, read: readGemini, server: geminiServer, why: geminiWhy}

// geminiFound stands for every tool that a project's own discovery command
// offers; each of them runs a command.
const geminiFound = "discovered_tool_"

// geminiTools is the whole table of built-in names.
var geminiTools = []native{
	{"read_file", FSRead, true},
	{"read_many_files", FSRead, false},
	{"glob", FSList, true},
	{"grep_search", FSList, true},
	{"list_directory", FSList, true},
	{"search_file_content", FSList, false},
	{"replace", FSWrite, true},
	{"write_file", FSWrite, true},
	{"run_shell_command", ExecuteBash, true},
	{"invoke_agent", ExecuteBash, false},
	{geminiFound, ExecuteBash, false},
	{"web_fetch", WebFetch, true},
	{"google_web_search", WebFetch, false},
	{"activate_skill", "", false},
	{"ask_user", "", false},
	{"complete_task", "", false},
	{"enter_plan_mode", "", false},
	{"exit_plan_mode", "", false},
	{"get_internal_docs", "", false},
	{"list_mcp_resources", "", false},
	{"read_mcp_resource", "", false},
	{"tracker_add_dependency", "", false},
	{"tracker_create_task", "", false},
	{"tracker_get_task", "", false},
	{"tracker_list_tasks", "", false},
	{"tracker_update_task", "", false},
	{"tracker_visualize", "", false},
	{"update_topic", "", false},
	{"write_todos", "", false},
}

var geminiWhy = map[string]string{
	"invoke_agent": "starts subagents, which can run commands",
	geminiFound:    "is the beginning of tools that the project's own command offers, and each runs a command",
}

// readGemini takes mcp_srv_* for a tool server and mcp_srv_tool for one of its
// tools. The name of a server ends at the first underscore, as it does to
// Gemini CLI.
func readGemini(token string) sense {
	if token == "mcp_*" {
		return sense{server: everyServer}
	}
	if strings.HasPrefix(token, geminiFound) {
		return sense{names: []string{geminiFound}, part: true}
	}
	rest, is := strings.CutPrefix(token, "mcp_")
	server, tool, whole := strings.Cut(rest, "_")
	switch {
	case !is || !whole || !geminiSlug(server):
		return sense{names: []string{token}}
	case tool == Wildcard:
		return sense{server: "@" + server}
	case strings.Trim(tool, "_") == "" || !geminiSlug(tool):
		return sense{names: []string{token}}
	}
	return sense{server: "@" + server + "/" + tool}
}

// geminiSlug reports whether Gemini CLI takes s as the name of a server or tool.
func geminiSlug(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_.:-", r)
	}) < 0
}

func geminiServer(name, tool string) string {
	switch {
	case name == Wildcard:
		return "mcp_*"
	case tool == "":
		return "mcp_" + name + "_*"
	}
	return "mcp_" + name + "_" + tool
}
