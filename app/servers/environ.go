package servers

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// passed are the names of this program's environment that a server gets too.
// All else stays here: what a server needs beyond them is set for it by name.
var passed = []string{
	"HOME", "USER", "LOGNAME", "PATH", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMFILES",
}

// never are parts of names that are not passed on, whatever the list says.
var never = []string{"KEY", "SECRET", "TOKEN", "PASSWORD", "CREDENTIAL", "AUTH"}

// inherited is what a server gets of environ: only names of the list and the
// locale's, none that sounds like a secret, none that is set for the server.
func inherited(environ, own []string) []string {
	var out []string
	for _, e := range environ {
		name, _, _ := strings.Cut(e, "=")
		upper := strings.ToUpper(name)
		switch {
		case !slices.Contains(passed, upper) && !strings.HasPrefix(upper, "LC_"):
		case slices.ContainsFunc(never, func(n string) bool { return strings.Contains(upper, n) }):
		case slices.ContainsFunc(own, func(o string) bool { return sameName(o, name) }):
		default:
			out = append(out, e)
		}
	}
	return out
}

// names is the sorted names of an environment.
func names(environ []string) []string {
	out := make([]string, len(environ))
	for i, e := range environ {
		out[i], _, _ = strings.Cut(e, "=")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// environment is all that a server's process gets. The folder of its command is
// added to the end of PATH, because a script often needs the interpreter that
// stands beside it.
func environment(environ []string, p Plan, v values) []string {
	out := inherited(environ, p.Env)
	for i, e := range out {
		if name, paths, _ := strings.Cut(e, "="); sameName(name, "PATH") && !slices.Contains(filepath.SplitList(paths), filepath.Dir(p.Path)) {
			out[i] = e + string(filepath.ListSeparator) + filepath.Dir(p.Path)
		}
	}
	for _, n := range p.Env {
		out = append(out, n+"="+string(v.Env[n]))
	}
	return out
}

// sameName compares names as the system does: Windows does not mind their case.
func sameName(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

func lookEnv(environ []string, name string) string {
	for _, e := range environ {
		if n, v, _ := strings.Cut(e, "="); sameName(n, name) {
			return v
		}
	}
	return ""
}

func homeDir(environ []string) string {
	if runtime.GOOS == "windows" {
		return lookEnv(environ, "USERPROFILE")
	}
	return lookEnv(environ, "HOME")
}

// startDir is where a command starts. Without a home folder it is the root: the
// folder Callboard was started in is nobody's choice.
func startDir(environ []string, dir string) string {
	switch home := homeDir(environ); {
	case dir != "":
		return filepath.Clean(dir)
	case filepath.IsAbs(home):
		return filepath.Clean(home)
	}
	return filepath.VolumeName(os.TempDir()) + string(filepath.Separator)
}

// lookUp finds the file a command names, in PATH and then in the folders that
// windows started from a desktop miss, and what it is a link to. Only absolute
// folders count. Both are empty where there is none that may be run.
func lookUp(environ []string, command string) (path, target string) {
	candidates := []string{command}
	if !filepath.IsAbs(command) {
		dirs := filepath.SplitList(lookEnv(environ, "PATH"))
		if home := homeDir(environ); home != "" {
			dirs = append(dirs, filepath.Join(home, ".local", "bin"), filepath.Join(home, "bin"))
		}
		dirs = append(dirs, "/usr/local/bin", "/opt/homebrew/bin")
		candidates = nil
		for _, d := range dirs {
			candidates = append(candidates, filepath.Join(d, command))
		}
	}
	for _, c := range candidates {
		if !filepath.IsAbs(c) {
			continue
		}
		found, err := exec.LookPath(c)
		if err != nil {
			continue
		}
		if real, err := filepath.EvalSymlinks(found); err == nil && real != filepath.Clean(found) {
			target = real
		}
		return filepath.Clean(found), target
	}
	return "", ""
}
