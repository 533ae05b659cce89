package tool

var gooseWords = vocabulary{tools: gooseTools, read: readGoose, server: atToken, why: gooseWhy}

// gooseDeveloper is goose's built-in extension for files and commands.
const gooseDeveloper = "developer"

// gooseTools are goose's built-in extensions, as far as goose describes them.
var gooseTools = []native{
	{gooseDeveloper, FSRead, true},
	{gooseDeveloper, FSList, true},
	{gooseDeveloper, FSWrite, true},
	{gooseDeveloper, ExecuteBash, true},
	{"summon", ExecuteBash, false},
	{"memory", "", false},
	{"tutorial", "", false},
}

var gooseWhy = map[string]string{
	gooseDeveloper: "reads and edits files and runs commands, and in newer versions of goose it fetches web pages too",
	"summon":       "starts subagents, which can run commands",
}

func readGoose(token string) sense {
	if s := atServer(token); s != "" {
		return sense{server: s}
	}
	return sense{names: []string{token}}
}
