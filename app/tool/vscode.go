package tool

import (
	"slices"
	"strings"
)

var vscodeWords = vocabulary{tools: vscodeTools, read: readVSCode, server: vscodeServer, why: vscodeWhy}

// vscodeTools are the sets, then each set's tools, then older names without
// their set, then the names Copilot takes from elsewhere. Tasks, tests and
// notebook cells run code, and so does a command of VS Code or an extension.
var vscodeTools = []native{
	{"read", FSRead, true},
	{"search", FSList, true},
	{"edit", FSWrite, true},
	{"execute", ExecuteBash, true},
	{"web", WebFetch, true},
	{"agent", ExecuteBash, false},
	{"browser", WebFetch, false},
	{"vscode", ExecuteBash, false},
	{"todo", "", false},

	{"read/getNotebookSummary", FSRead, false},
	{"read/problems", FSRead, false},
	{"read/readFile", FSRead, false},
	{"read/readNotebookCellOutput", FSRead, false},
	{"read/terminalLastCommand", FSRead, false},
	{"read/terminalSelection", FSRead, false},
	{"search/changes", FSList, false},
	{"search/codebase", FSList, false},
	{"search/fileSearch", FSList, false},
	{"search/listDirectory", FSList, false},
	{"search/searchResults", FSList, false},
	{"search/textSearch", FSList, false},
	{"search/usages", FSList, false},
	{"edit/createDirectory", FSWrite, false},
	{"edit/createFile", FSWrite, false},
	{"edit/editFiles", FSWrite, false},
	{"edit/editNotebook", FSWrite, false},
	{"execute/createAndRunTask", ExecuteBash, false},
	{"execute/getTerminalOutput", ExecuteBash, false},
	{"execute/runInTerminal", ExecuteBash, false},
	{"execute/runNotebookCell", ExecuteBash, false},
	{"execute/testFailure", ExecuteBash, false},
	{"web/fetch", WebFetch, false},
	{"agent/runSubagent", ExecuteBash, false},
	{"vscode/askQuestions", "", false},
	{"vscode/extensions", "", false},
	{"vscode/getProjectSetupInfo", "", false},
	{"vscode/installExtension", ExecuteBash, false},
	{"vscode/runCommand", ExecuteBash, false},
	{"vscode/VSCodeAPI", "", false},

	{"changes", FSList, false},
	{"codebase", FSList, false},
	{"usages", FSList, false},
	{"searchResults", FSList, false},
	{"findTestFiles", FSList, false},
	{"problems", FSRead, false},
	{"readCellOutput", FSRead, false},
	{"terminalLastCommand", FSRead, false},
	{"terminalSelection", FSRead, false},
	{"editFiles", FSWrite, false},
	{"new", FSWrite, false},
	{"newWorkspace", FSWrite, false},
	{"runCommands", ExecuteBash, false},
	{"runNotebooks", ExecuteBash, false},
	{"runTasks", ExecuteBash, false},
	{"runTests", ExecuteBash, false},
	{"testFailure", ExecuteBash, false},
	{"fetch", WebFetch, false},
	{"githubRepo", WebFetch, false},
	{"githubTextSearch", WebFetch, false},
	{"openSimpleBrowser", WebFetch, false},
	{"extensions", "", false},
	{"selection", "", false},
	{"todos", "", false},
	{"updateUserPreferences", "", false},
	{"vscodeAPI", "", false},

	{"Read", FSRead, false},
	{"NotebookRead", FSRead, false},
	{"Grep", FSList, false},
	{"Glob", FSList, false},
	{"Edit", FSWrite, false},
	{"MultiEdit", FSWrite, false},
	{"Write", FSWrite, false},
	{"NotebookEdit", FSWrite, false},
	{"shell", ExecuteBash, false},
	{"Bash", ExecuteBash, false},
	{"powershell", ExecuteBash, false},
	{"custom-agent", ExecuteBash, false},
	{"Task", ExecuteBash, false},
	{"WebFetch", WebFetch, false},
	{"WebSearch", WebFetch, false},
	{"TodoWrite", "", false},
}

var vscodeWhy = map[string]string{
	"agent":                   "starts subagents, which can run commands",
	"agent/runSubagent":       "starts subagents, which can run commands",
	"custom-agent":            "starts other agents, which can run commands",
	"Task":                    "starts other agents, which can run commands",
	"vscode":                  "runs commands of VS Code and installs extensions",
	"vscode/runCommand":       "runs commands of VS Code, a terminal's too",
	"vscode/installExtension": "installs extensions, which are programs",
	"runTests":                "runs the tests, which are programs",
	"runTasks":                "runs the workspace's tasks, which are commands",
	"runNotebooks":            "runs the code in notebooks",
}

// vscodeSets are the words before a slash that are no tool servers.
var vscodeSets = []string{"agent", "browser", "edit", "execute", "read", "search", "todo", "vscode", "web"}

// readVSCode takes srv/* for a tool server and srv/tool for one of its tools.
// A server's own name may have slashes.
func readVSCode(token string) sense {
	i := strings.LastIndex(token, "/")
	if i < 0 {
		return sense{names: []string{token}}
	}
	server, tool := token[:i], token[i+1:]
	set, _, _ := strings.Cut(token, "/")
	switch {
	case slices.Contains(vscodeSets, set) || !serverName(server) || strings.HasPrefix(server, "@"):
		return sense{names: []string{token}}
	case tool == Wildcard && strings.Contains(server, "/"):
		return sense{server: "@" + token}
	case tool == Wildcard:
		return sense{server: "@" + server}
	case !serverName(tool):
		return sense{names: []string{token}}
	}
	return sense{server: "@" + token}
}

func vscodeServer(name, tool string) string {
	if tool == "" {
		return name + "/*"
	}
	return name + "/" + tool
}
