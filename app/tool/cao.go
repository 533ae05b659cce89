package tool

// caoMCP is CAO's own server, by which an agent starts and drives others.
const caoMCP = "@cao-mcp-server"

var caoWords = vocabulary{tools: caoTools, read: readCAO, server: atToken, why: caoWhy, always: []Note{{
	"allowedTools",
	"allowedTools: CAO holds an agent to it only where the program it starts can be told to deny tools; others, Codex among them, are only asked. The profile's tool servers work whether listed or not.",
}}}

// caoTools are CAO's own words, one for each atom.
var caoTools = []native{
	{"fs_read", FSRead, true},
	{"fs_list", FSList, true},
	{"fs_write", FSWrite, true},
	{"execute_bash", ExecuteBash, true},
	{caoMCP, ExecuteBash, false},
	{"web_fetch", WebFetch, true},
	{"@builtin", "", false},
	{"discovery", "", false},
}

var caoWhy = map[string]string{
	caoMCP:     "lets the agent start other agents, which can run commands",
	"@builtin": "is whatever the program that CAO starts has built in, which CAO does not spell out. Callboard counts it as none of the five",
}

// caoRoles are the tools of CAO's built-in roles. A profile that names neither
// tools nor a role is a developer.
var caoRoles = map[string][]string{
	"supervisor": {caoMCP, "fs_read", "fs_list"},
	"developer":  {"@builtin", "fs_*", "execute_bash", "web_fetch", caoMCP},
	"reviewer":   {"@builtin", "fs_read", "fs_list", caoMCP},
}

func readCAO(token string) sense {
	switch token {
	case "fs_*":
		return sense{names: []string{"fs_read", "fs_write", "fs_list"}}
	case caoMCP:
		return sense{names: []string{caoMCP}, server: caoMCP}
	case "@builtin":
		return sense{names: []string{token}}
	}
	if s := atServer(token); s != "" {
		return sense{server: s}
	}
	return sense{names: []string{token}}
}

// byRole reads the default of a role. CAO gives an unknown role everything.
func byRole(r reading, role string) reading {
	name := role
	if name == "" {
		name = "developer"
		r.notes = append(r.notes, Note{"role", "role: the profile names neither tools nor a role, so to CAO it is a developer, which writes files and runs commands."})
	}
	tokens, known := caoRoles[name]
	if !known {
		r.give.all = true
		r.everything = "CAO does not know the role " + name + " and gives it all tools"
		r.notes = append(r.notes, Note{name, name + ": CAO has no role of this name, so it gives the agent everything. Only if CAO's settings define the role is it less."})
		return r
	}
	r.tokens, r.give = tokens, r.kind.words.reach(tokens)
	r.nothing = "the role " + name + " has no tool for it"
	r.by = ", by the role " + name
	return r
}
