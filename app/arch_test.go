package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// root is the repository, seen from this package.
const root = ".."

// leaves import nothing but each other.
var leaves = []string{"app/agent", "app/event", "app/fault", "app/home", "app/ident", "app/model", "app/tool"}

// services import leaves and the store, never each other.
var services = []string{"app/instance", "app/models", "app/profile", "app/roster", "app/servers", "app/settings", "app/vault"}

// rooms is the import table: what each package of the module may import from
// the module. A pattern ending in /... covers the packages below it. A package
// that is not in the table fails the test.
func rooms() map[string][]string {
	t := map[string][]string{
		".":                   {"app", "app/cli", "ui"},
		"assets":              {},
		"crypto":              {"app/fault", "crypto/secret"},
		"crypto/secret":       {},
		"storage":             {"app/event", "app/fault", "crypto"},
		"storage/storagetest": {"app/event", "app/fault", "crypto", "storage"},
		"app":                 slices.Concat(leaves, services, []string{"crypto", "storage"}),
		"app/cli":             slices.Concat(leaves, services, []string{"crypto/secret"}),
		"ui":                  slices.Concat(leaves, services, []string{"assets", "crypto/secret", "ui/..."}),
		"ui/...":              slices.Concat(leaves, services, []string{"assets", "crypto/secret", "ui/..."}),
	}
	for _, l := range leaves {
		t[l] = leaves
	}
	for _, s := range services {
		t[s] = slices.Concat(leaves, []string{"crypto/secret", "storage", s + "/..."})
		t[s+"/..."] = slices.Concat(leaves, []string{s + "/..."})
	}
	t["app/vault"] = append(t["app/vault"], "crypto")
	t["app/llm"] = slices.Concat(leaves, []string{"crypto/secret"}) // no service: only the root hands it out
	t["app/llm/llmtest"] = leaves
	t["app"] = append(t["app"], "app/llm")
	return t
}

// owners are the only packages that may import a module from outside.
var owners = map[string][]string{
	"filippo.io/age":                         {"crypto"},
	"github.com/cockroachdb/pebble/v2":       {"storage", "storage/storagetest"},
	"github.com/gofrs/flock":                 {"storage"},
	"github.com/zalando/go-keyring":          {"app/vault"},
	"fyne.io/fyne/v2":                        {".", "ui", "ui/..."},
	"github.com/alecthomas/kong":             {"app/cli"},
	"github.com/adrg/xdg":                    {"app/home"},
	"github.com/fsnotify/fsnotify":           {"app/profile"},
	"go.yaml.in/yaml/v3":                     {"app/profile", "app/profile/..."},
	"github.com/pelletier/go-toml/v2":        {"app/profile/tomldoc"},
	"github.com/tailscale/hujson":            {"app/profile", "app/profile/jsondoc"},
	"golang.org/x/crypto":                    {"crypto"},
	"github.com/sashabaranov/go-openai":      {"app/llm"},
	"charm.land/catwalk":                     {"app/llm"},
	"github.com/modelcontextprotocol/go-sdk": {"app/servers"},
}

// topLevel is everything the repository's first folder may hold. The last line
// is what building leaves behind and git ignores.
var topLevel = []string{
	"app", "ui", "storage", "crypto", "advert", "assets", "main.go", "FyneApp.toml", "go.mod", "go.sum",
	"README.md", "LICENSE", "Makefile", ".golangci.yml", ".gitignore", ".gitattributes", ".ci", ".github",
	".git", ".cache", "bin", "callboard", "fyne_metadata_init.go",
}

type source struct {
	room string
	name string
	test bool
	tree *ast.File
}

func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "bin") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		tree, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		out = append(out, source{filepath.ToSlash(filepath.Dir(rel)), rel, strings.HasSuffix(name, "_test.go"), tree})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 10 {
		t.Fatalf("only %d sources found", len(out))
	}
	return out
}

func imports(f *ast.File) []string {
	var out []string
	for _, i := range f.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			panic(err)
		}
		out = append(out, p)
	}
	return out
}

// covers reports whether pattern names room: itself, or a folder above it.
func covers(pattern, room string) bool {
	if above, ok := strings.CutSuffix(pattern, "/..."); ok {
		return strings.HasPrefix(room, above+"/")
	}
	return pattern == room
}

func allowed(room string) ([]string, bool) {
	table := rooms()
	if a, ok := table[room]; ok {
		return a, true
	}
	for pattern, a := range table {
		if covers(pattern, room) {
			return a, true
		}
	}
	return nil, false
}

func coveredByAny(patterns []string, room string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return covers(p, room) })
}

func TestImportsPointOneWay(t *testing.T) {
	for _, s := range sources(t) {
		may, known := allowed(s.room)
		if !known {
			t.Errorf("%s: room %s is not in the table", s.name, s.room)
			continue
		}
		if s.test {
			continue // a test may stand outside its room; owners still hold
		}
		for _, imp := range imports(s.tree) {
			inside, ours := strings.CutPrefix(imp, "callboard/")
			if ours && !coveredByAny(may, inside) {
				t.Errorf("%s must not import %s", s.name, imp)
			}
			if imp == "callboard" {
				t.Errorf("%s must not import the program", s.name)
			}
		}
	}
}

func TestOutsideModulesHaveOneDoor(t *testing.T) {
	for _, s := range sources(t) {
		for _, imp := range imports(s.tree) {
			for module, may := range owners {
				if (imp == module || strings.HasPrefix(imp, module+"/")) && !coveredByAny(may, s.room) {
					if s.test && module != "fyne.io/fyne/v2" {
						continue
					}
					t.Errorf("%s must not import %s", s.name, imp)
				}
			}
			if imp == "fyne.io/fyne/v2/app" && s.room != "." {
				t.Errorf("%s must not make a Fyne app: only main.go does", s.name)
			}
		}
	}
}

func TestTopLevelIsFixed(t *testing.T) {
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(topLevel, e.Name()) {
			t.Errorf("%s does not belong at the top level", e.Name())
		}
	}
}

// TestNoFynePreferences: preferences are written in place, world-readable and
// outside the home, so nothing may use them.
func TestNoFynePreferences(t *testing.T) {
	for _, s := range sources(t) {
		ast.Inspect(s.tree, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Preferences" {
				t.Errorf("%s uses Fyne preferences", s.name)
			}
			return true
		})
	}
}

func TestMainStaysSmall(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), "\n"); n >= 60 {
		t.Errorf("main.go has %d lines, it stays under 60", n)
	}
}

// TestTheTableCatches shows that each rule can fail.
func TestTheTableCatches(t *testing.T) {
	for _, tc := range []struct {
		room, imp string
		want      bool
	}{
		{"app/roster", "storage", true},
		{"app/roster", "app/vault", false},
		{"app/servers", "app/roster", false},
		{"app/roster", "app", false},
		{"app/agent", "app/roster", false},
		{"storage", "app/roster", false},
		{"ui/roster", "storage", false},
		{"ui/roster", "crypto/secret", true},
		{"ui/roster", "app", false},
		{"ui/roster", "app/roster", true},
		{"app/profile/frontmatter", "app/profile", false},
		{"app/profile", "app/profile/frontmatter", true},
		{"app", "app/llm", true},
		{"app/models", "app/llm", false},
		{"app/llm", "app/models", false},
		{"app/llm", "app/model", true},
		{"ui", "app/llm", false},
	} {
		may, _ := allowed(tc.room)
		if got := coveredByAny(may, tc.imp); got != tc.want {
			t.Errorf("%s -> %s: allowed %v, want %v", tc.room, tc.imp, got, tc.want)
		}
	}
	if _, known := allowed("app/util"); known {
		t.Error("a room outside the table is known")
	}
}
