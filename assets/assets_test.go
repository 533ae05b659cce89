package assets

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io/fs"
	"strings"
	"testing"
)

func TestFontsAreFonts(t *testing.T) {
	magic := map[string]string{".otf": "OTTO", ".ttf": "\x00\x01\x00\x00"}
	for _, name := range []string{InterRegular, InterMedium, InterSemiBold, MonoRegular, MonoMedium, MonoSemiBold} {
		want := magic[name[len(name)-4:]]
		if got := string(Font(name)[:4]); got != want {
			t.Errorf("%s starts with %q, want %q", name, got, want)
		}
	}
}

func TestIconsTakeAColour(t *testing.T) {
	list, err := fs.Glob(files, "icons/*.svg")
	if err != nil || len(list) == 0 {
		t.Fatalf("icons: %v, %v", list, err)
	}
	for _, path := range list {
		name := strings.TrimSuffix(strings.TrimPrefix(path, "icons/"), ".svg")
		svg := Icon(name)
		if !bytes.Contains(svg, []byte(`stroke="currentColor"`)) {
			t.Errorf("%s has no stroke in currentColor", name)
		}
		var any struct {
			ViewBox string `xml:"viewBox,attr"`
		}
		if err := xml.Unmarshal(svg, &any); err != nil || any.ViewBox != "0 0 24 24" {
			t.Errorf("%s: view box %q, %v", name, any.ViewBox, err)
		}
	}
}

func TestLicencesTravelWithTheFiles(t *testing.T) {
	for path, want := range map[string]string{
		"fonts/LICENSE-Inter":         "SIL OPEN FONT LICENSE Version 1.1",
		"fonts/LICENSE-JetBrainsMono": "SIL OPEN FONT LICENSE Version 1.1",
		"icons/LICENSE":               "ISC License",
		"prices/LICENSE-catwalk":      "MIT License",
	} {
		if !bytes.Contains(mustRead(path), []byte(want)) {
			t.Errorf("%s does not hold %q", path, want)
		}
	}
}

func TestAppIconIsASquarePicture(t *testing.T) {
	img, err := png.Decode(bytes.NewReader(AppPNG()))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() != 256 || b.Dy() != 256 {
		t.Errorf("size %v, want 256 by 256", b)
	}
}

func TestUnknownNamePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Icon of an unknown name returned")
		}
	}()
	Icon("no-such-icon")
}
