// Package words puts counts, paths and times into the window's words.
package words

import (
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Count is "1 agent" or "1,200 agents".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Number(n) + " " + noun + "s"
}

// Number writes n, which is not negative, with a comma between thousands.
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Path writes a path below the person's own folder with a ~.
func Path(path, userDir string) string {
	rest, ok := strings.CutPrefix(path, userDir+string(filepath.Separator))
	if !ok || userDir == "" {
		return path
	}
	return "~" + string(filepath.Separator) + rest
}

// Whole is the path that Path shortened, or any path a person typed with a ~.
func Whole(path, userDir string) string {
	if path == "~" && userDir != "" {
		return userDir
	}
	rest, ok := strings.CutPrefix(path, "~"+string(filepath.Separator))
	if !ok || userDir == "" {
		return path
	}
	return filepath.Join(userDir, rest)
}

// When writes a moment in the person's own time, to the minute.
func When(t time.Time) string { return t.Local().Format("2 January 2006, 15:04") }

// Day writes the day of a moment in the person's own time.
func Day(t time.Time) string { return t.Local().Format("2 January 2006") }
