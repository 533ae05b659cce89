package profile

import (
	"cmp"
	"fmt"
	"slices"

	"callboard/app/agent"

	"golang.org/x/text/unicode/norm"
)

// Standing is what one tool makes of an agent whose name others have too. Wins
// is true where the tool uses this file and Known where anybody has written
// down which one it uses; Other is the file it uses instead, or one of the
// others.
type Standing struct {
	Tool  Format
	Known bool
	Wins  bool
	Other string
}

// Sentence is the standing in words.
func (s Standing) Sentence() string {
	label := s.Tool.Label()
	switch {
	case !s.Known:
		return fmt.Sprintf("%s reads another file with an agent of this name, and which one it uses is not known here: %s.", label, s.Other)
	case s.Wins:
		return fmt.Sprintf("%s uses this file. It shadows %s.", label, s.Other)
	}
	return fmt.Sprintf("%s uses another file instead: %s.", label, s.Other)
}

// readers are the tools that read a file, its own first: VS Code and Cursor
// read a project's .claude/agents too.
func readers(f File) []Format {
	if f.Format == ClaudeCode && f.Origin.Scope == Project {
		return []Format{ClaudeCode, VSCode, Cursor}
	}
	return []Format{f.Format}
}

// rank is the place of an origin in the order in which a tool takes agents of
// one name, the lowest first; ok is false where nobody has written that order
// down. Claude Code: managed, project with the nearest folder first, user,
// plugin. opencode and Codex lay the project's over the user's, nearest last.
func rank(tool Format, o Origin) (n int, ok bool) {
	if !slices.Contains([]Format{ClaudeCode, OpenCode, Codex}, tool) {
		return 0, false
	}
	switch o.Scope {
	case Managed:
		return 0, true
	case Project:
		return 1 + o.Up, true
	case User:
		return 1 << 20, true
	case Plugin:
		return 1 << 21, tool == ClaudeCode
	case Chosen:
	}
	return 0, false
}

// standings works out, for each project and each tool, which of the agents of
// one name it uses. Agents of two projects never meet.
func standings(files []File) {
	for _, group := range sameNamed(files) {
		for _, i := range group {
			for _, tool := range readers(files[i]) {
				if rivals := rivals(files, group, i, tool); len(rivals) > 0 {
					files[i].Standings = append(files[i].Standings, stand(files, i, rivals, tool))
				}
			}
		}
	}
}

// sameNamed are the files whose agents share a name, by their places in files.
func sameNamed(files []File) [][]int {
	by := map[string][]int{}
	for i, f := range files {
		n := agent.Fold(f.Agent.Identity.Name)
		by[n] = append(by[n], i)
	}
	var out [][]int
	for _, group := range by {
		if len(group) > 1 {
			out = append(out, group)
		}
	}
	return out
}

// rivals are the others of a group that tool reads wherever it reads file i.
func rivals(files []File, group []int, i int, tool Format) []int {
	var out []int
	for _, j := range group {
		if j != i && slices.Contains(readers(files[j]), tool) && meets(files[j].Origin, files[i].Origin) {
			out = append(out, j)
		}
	}
	return out
}

// meets reports whether one run of a tool reads both places.
func meets(a, b Origin) bool {
	if a.Scope == Chosen || b.Scope == Chosen {
		return a.Folder == b.Folder
	}
	return a.Root == "" || b.Root == "" || a.Root == b.Root
}

// exact is a name as tools compare it.
func exact(f File) string { return norm.NFC.String(f.Agent.Identity.Name) }

func stand(files []File, i int, rivals []int, tool Format) Standing {
	s := Standing{Tool: tool, Other: files[rivals[0]].Path}
	mine, ok := rank(tool, files[i].Origin)
	if !ok {
		return s
	}
	best := slices.MinFunc(rivals, func(a, b int) int {
		x, _ := rank(tool, files[a].Origin)
		y, _ := rank(tool, files[b].Origin)
		return cmp.Compare(x, y)
	})
	theirs, ok := rank(tool, files[best].Origin)
	s.Other = files[best].Path
	// Callboard takes names that differ in case for one; a tool may not.
	s.Known = ok && mine != theirs && exact(files[i]) == exact(files[best])
	s.Wins = s.Known && mine < theirs
	return s
}
