package assets

import (
	"io/fs"
	"strings"
	"testing"
)

func TestEveryStarterIsListed(t *testing.T) {
	files, err := fs.Glob(starters, "starters/*")
	if err != nil || len(files) != len(Starters()) {
		t.Errorf("%q, but %d starters: %v", files, len(Starters()), err)
	}
	for _, s := range Starters() {
		if !strings.HasPrefix(s.Text, "---\nname: "+s.Name+"\ndescription: ") || !strings.HasSuffix(s.Text, "\n") {
			t.Errorf("%s begins or ends in another way", s.Name)
		}
	}
}
