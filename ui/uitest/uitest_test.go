package uitest

import (
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/theme"
)

// recorder is a testing.TB that keeps failures instead of failing.
type recorder struct {
	testing.TB
	failed []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.failed = append(r.failed, format)
	for _, a := range args {
		if s, ok := a.(string); ok {
			r.failed = append(r.failed, s)
		}
	}
}

func square(size int, c color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for i := range size * size {
		img.SetNRGBA(i%size, i/size, c)
	}
	return img
}

func TestGoldenNoticesAChangedPixelAndWritesBothPictures(t *testing.T) {
	t.Chdir(t.TempDir())
	img := square(4, color.NRGBA{R: 100, G: 100, B: 100, A: 255})
	if err := writePNG(filepath.Join("testdata", "one.png"), img); err != nil {
		t.Fatal(err)
	}
	rec := &recorder{TB: t}
	img.SetNRGBA(1, 1, color.NRGBA{R: 102, G: 99, B: 100, A: 255})
	Golden(rec, img, "one")
	if len(rec.failed) != 0 {
		t.Errorf("within tolerance, yet failed: %q", rec.failed)
	}
	img.SetNRGBA(1, 1, color.NRGBA{R: 103, G: 100, B: 100, A: 255})
	Golden(rec, img, "one")
	named := 0
	for _, s := range rec.failed {
		if strings.HasSuffix(s, ".got.png") || strings.HasSuffix(s, ".diff.png") {
			named++
			if _, err := readPNG(s); err != nil {
				t.Error(err)
			}
			t.Cleanup(func() { _ = os.RemoveAll(filepath.Dir(s)) })
		}
	}
	if named != 2 {
		t.Errorf("the failure names %d pictures, want 2: %q", named, rec.failed)
	}
}

func TestGoldenFailsWithoutAReferenceOrOfAnotherSize(t *testing.T) {
	t.Chdir(t.TempDir())
	grey := color.NRGBA{R: 9, G: 9, B: 9, A: 255}
	rec := &recorder{TB: t}
	Golden(rec, square(2, grey), "none")
	if len(rec.failed) == 0 {
		t.Error("passed without a reference picture")
	}
	if _, n := compare(square(2, grey), square(3, grey)); n == 0 {
		t.Error("pictures of different sizes compare equal")
	}
}

func TestDriving(t *testing.T) {
	taps := 0
	entry := fynewidget.NewEntry()
	button := fynewidget.NewButton("Save", func() { taps++ })
	s := Window(t, container.NewVBox(entry, button, canvas.NewText("loose", color.Black)), fyne.NewSize(300, 200), theme.Light, 1)
	s.Press(fyne.KeyTab)
	if s.Focused() != entry {
		t.Fatalf("Tab focused %T", s.Focused())
	}
	s.Type("abc")
	s.Press(fyne.KeyBackspace)
	if entry.Text != "ab" {
		t.Errorf("typed %q, want ab", entry.Text)
	}
	s.Press(fyne.KeyTab, fyne.KeySpace)
	s.Tap("Save")
	if taps != 2 {
		t.Errorf("%d taps, want one by key and one by pointer", taps)
	}
	s.ShiftTab()
	if !s.Shows("ab") || s.Shows("abc") {
		t.Errorf("texts %q", s.Texts())
	}
	if n, ok := s.find("loose"); !ok || tappable(n) {
		t.Errorf("loose text: found %v", ok)
	}
}

func TestThemeReachesTheWindow(t *testing.T) {
	s := Window(t, container.NewWithoutLayout(), fyne.NewSize(8, 8), theme.Dark, 1)
	if got := nrgba(s.Picture().At(4, 4)); got != (color.NRGBA{R: 0x1A, G: 0x1B, B: 0x1A, A: 0xff}) {
		t.Errorf("dark background %v", got)
	}
	s.SetTheme(theme.Light, 1)
	if got := nrgba(s.Picture().At(4, 4)); got != (color.NRGBA{R: 0xF7, G: 0xF7, B: 0xF5, A: 0xff}) {
		t.Errorf("light background %v", got)
	}
}
