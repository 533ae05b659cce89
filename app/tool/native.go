package tool

// nativeWords are Callboard's own: the five atoms, and tool servers by name.
var nativeWords = vocabulary{tools: nativeTools, read: readNative, server: atToken}

var nativeTools = []native{
	{string(FSRead), FSRead, true},
	{string(FSList), FSList, true},
	{string(FSWrite), FSWrite, true},
	{string(ExecuteBash), ExecuteBash, true},
	{string(WebFetch), WebFetch, true},
}

// everyServer is the word for all tool servers.
const everyServer = "@*"

func readNative(token string) sense {
	if token == everyServer {
		return sense{server: everyServer}
	}
	if s := atServer(token); s != "" {
		return sense{server: s}
	}
	return sense{names: []string{token}}
}
