package profile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"callboard/app/profile"
)

const twoAgents = `{
  // ours
  "agent": {
    "one": { "description": "first", "prompt": "a" }, // keep
    "two": { "description": "second", "prompt": "b" },
  },
}
`

// TestTwoAgentsOfOneFileAreWrittenOneAfterTheOther: writing one of them is no
// change of the other, and neither edit is lost.
func TestTwoAgentsOfOneFileAreWrittenOneAfterTheOther(t *testing.T) {
	dir := realDir(t)
	path := put(t, filepath.Join(dir, "opencode.jsonc"), twoAgents)
	s := profile.New(profile.Config{Backups: filepath.Join(dir, "backups"), Now: time.Now})
	files := scan(t, path).Files
	if len(files) != 2 {
		t.Fatalf("%d agents", len(files))
	}
	for i, f := range files {
		a := f.Agent
		a.Identity.Description += ", edited"
		p, err := s.Preview(t.Context(), a)
		if err != nil || p.State != profile.Same {
			t.Fatalf("%d: %v %v", i, p.State, err)
		}
		src, err := s.Write(t.Context(), p, profile.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if src.Key != f.Agent.Source.Key {
			t.Errorf("the source is %q now", src.Key)
		}
	}
	got, err := os.ReadFile(path)
	want := strings.NewReplacer(`"first"`, `"first, edited"`, `"second"`, `"second, edited"`).Replace(twoAgents)
	if err != nil || string(got) != want {
		t.Errorf("got\n%s\n%v", got, err)
	}
}

// TestAChangeOfTheAgentItselfIsAConflict: what others did to this very agent is
// never written over.
func TestAChangeOfTheAgentItselfIsAConflict(t *testing.T) {
	dir := realDir(t)
	path := put(t, filepath.Join(dir, "opencode.jsonc"), twoAgents)
	s := profile.New(profile.Config{Backups: filepath.Join(dir, "backups"), Now: time.Now})
	a := scan(t, path).Files[0].Agent
	a.Identity.Description = "mine"
	put(t, path, strings.Replace(twoAgents, `"a"`, `"theirs"`, 1))
	p, err := s.Preview(t.Context(), a)
	if err != nil || p.State != profile.Changed {
		t.Errorf("%v %v", p.State, err)
	}
}
