package ui

import (
	"os"
	"path/filepath"
)

// userDir is the person's own folder, empty when the system names none.
func userDir() string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return dir
}

// startFolder is where agents are likely to be: the .claude/agents of the
// repository that holds dir, else the person's own; empty when there is
// neither.
func startFolder(dir string) string {
	if dir != "" {
		for {
			if agents := filepath.Join(dir, ".claude", "agents"); isDir(agents) {
				return agents
			}
			up := filepath.Dir(dir)
			if up == dir || isDir(filepath.Join(dir, ".git")) {
				break
			}
			dir = up
		}
	}
	if agents := filepath.Join(userDir(), ".claude", "agents"); userDir() != "" && isDir(agents) {
		return agents
	}
	return ""
}

func isDir(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
}
