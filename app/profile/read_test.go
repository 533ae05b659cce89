package profile_test

import (
	"strconv"
	"strings"
	"testing"

	"callboard/app/fault"
)

func itoa(n int) string { return strconv.Itoa(n) }

func TestReadRefuses(t *testing.T) {
	for name, tc := range map[string]struct {
		data []byte
		rule string
	}{
		"open":       {fixture(t, "open"), "front_matter_open"},
		"only open":  {[]byte("---"), "front_matter_open"},
		"binary":     {[]byte("---\nname: a\x00b\n---\n"), "file_is_binary"},
		"too large":  {make([]byte, 4<<20+1), "file_too_large"},
		"long line":  {[]byte("---\nname: " + strings.Repeat("x", 64<<10) + "\n---\n"), "front_matter_too_large"},
		"long block": {[]byte("---\n" + strings.Repeat("# "+strings.Repeat("x", 1000)+"\n", 300) + "---\n"), "front_matter_too_large"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := readClaude("/a/x.md", tc.data); fault.RuleOf(err) != tc.rule {
				t.Errorf("Read = %v", err)
			}
		})
	}
}

func TestManyKeysAreNotEdited(t *testing.T) {
	var b strings.Builder
	b.WriteString("---\nname: a\ndescription: d\n")
	for i := range 300 {
		b.WriteString("k" + itoa(i) + ": 1\n")
	}
	b.WriteString("---\nx\n")
	f, err := readClaude("/a/x.md", []byte(b.String()))
	if err != nil || f.Certain {
		t.Fatalf("certain %v, %v", f.Certain, err)
	}
	a := f.Agent
	a.Identity.Name = "b"
	if _, err := patchClaude(f.Agent.Source.Original, f.Path, a); fault.RuleOf(err) != "form_not_edited" {
		t.Errorf("Patch = %v", err)
	}
}
