package theme_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/software"
	fynetheme "fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/assets"
	"callboard/ui/theme"
	"callboard/ui/uitest"
)

var modes = []theme.Mode{theme.Light, theme.Dark}

func hex(c color.Color) string {
	r, g, b, a := c.RGBA()
	return fmt.Sprintf("%02X%02X%02X/%02X", r>>8, g>>8, b>>8, a>>8)
}

func TestModeDecidesTheVariant(t *testing.T) {
	for _, c := range []struct {
		mode   theme.Mode
		system fyne.ThemeVariant
		want   string
	}{
		{theme.Light, fynetheme.VariantDark, "1D1D1B/FF"},
		{theme.Dark, fynetheme.VariantLight, "ECECE8/FF"},
		{theme.System, fynetheme.VariantLight, "1D1D1B/FF"},
		{theme.System, fynetheme.VariantDark, "ECECE8/FF"},
	} {
		look := theme.New(c.mode, 1)
		for _, name := range []fyne.ThemeColorName{fynetheme.ColorNameForeground, fyne.ThemeColorName(theme.Ink)} {
			if got := hex(look.Color(name, c.system)); got != c.want {
				t.Errorf("%s on system %d: %s is %s, want %s", c.mode, c.system, name, got, c.want)
			}
		}
	}
}

func TestScaleGrowsTextNotPadding(t *testing.T) {
	uitest.Blank(t, fyne.NewSize(10, 10), theme.Light, 1.5)
	if got := theme.Body.TextSize(); got != 21 {
		t.Errorf("body %v, want 21", got)
	}
	if got := theme.Body.LineHeight(); got != 30 {
		t.Errorf("line %v, want 30", got)
	}
	look := theme.New(theme.Light, 1.5)
	if text, pad := look.Size(fynetheme.SizeNameText), look.Size(fynetheme.SizeNamePadding); text != 21 || pad != 4 {
		t.Errorf("text %v and padding %v, want 21 and 4", text, pad)
	}
}

func TestIconFollowsTheVariant(t *testing.T) {
	s := uitest.Blank(t, fyne.NewSize(10, 10), theme.Light, 1)
	light := theme.Icon("users", theme.Ink)
	s.SetTheme(theme.Dark, 1)
	dark := theme.Icon("users", theme.Ink)
	if light.Name() == dark.Name() || !bytes.Contains(dark.Content(), []byte("#ECECE8")) {
		t.Errorf("light %s, dark %s", light.Name(), dark.Name())
	}
	if dark != theme.Icon("users", theme.Ink) {
		t.Error("the same icon was made twice")
	}
}

func TestVariationFollowsTheApp(t *testing.T) {
	s := uitest.Blank(t, fyne.NewSize(10, 10), theme.Light, 1)
	v := &theme.Variation{
		Sizes:  map[fyne.ThemeSizeName]float32{fynetheme.SizeNameText: 12, fynetheme.SizeNameInnerPadding: 6},
		Colors: map[fyne.ThemeColorName]theme.Token{fynetheme.ColorNameInputBackground: theme.Panel},
	}
	s.SetTheme(theme.Dark, 2)
	if text, pad, line := v.Size(fynetheme.SizeNameText), v.Size(fynetheme.SizeNameInnerPadding), v.Size(fynetheme.SizeNameInputRadius); text != 24 || pad != 6 || line != 6 {
		t.Errorf("text %v, inner padding %v, radius %v; want 24, 6, 6", text, pad, line)
	}
	if got := hex(v.Color(fynetheme.ColorNameInputBackground, 0)); got != "222322/FF" {
		t.Errorf("input background %s, want the dark panel", got)
	}
}

// TestIconPictures draws every embedded icon at 20 and at 14 pixels.
func TestIconPictures(t *testing.T) {
	list, err := fs.Glob(os.DirFS("../../assets/icons"), "*.svg")
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	for _, mode := range modes {
		s := uitest.Blank(t, fyne.NewSize(400, 180), mode, 1)
		board := container.NewWithoutLayout()
		for i, file := range list {
			name := strings.TrimSuffix(path.Base(file), ".svg")
			at := fyne.NewPos(float32(i%9)*44+6, float32(i/9)*44+6)
			for _, size := range []float32{20, 14} {
				img := canvas.NewImageFromResource(theme.Icon(name, theme.Ink))
				img.FillMode = canvas.ImageFillContain
				img.Resize(fyne.NewSquareSize(size))
				img.Move(at)
				board.Add(img)
				at = at.AddXY(23, 3)
			}
		}
		s.SetContent(board)
		s.Golden("icons-" + string(mode))
	}
}

// TestFyneWidgetPictures draws Fyne's own widgets, so that a change of the
// toolkit or of a colour shows.
func TestFyneWidgetPictures(t *testing.T) {
	for _, mode := range modes {
		s := uitest.Blank(t, fyne.NewSize(360, 330), mode, 1)
		entry, hint, off := fynewidget.NewEntry(), fynewidget.NewEntry(), fynewidget.NewEntry()
		entry.SetText("reviewer")
		hint.SetPlaceHolder("A name")
		off.SetText("disabled")
		off.Disable()
		check := fynewidget.NewCheck("Enabled", nil)
		check.SetChecked(true)
		s.SetContent(container.NewPadded(container.NewVBox(
			entry, hint, off, check, fynewidget.NewCheck("Not ticked", nil),
			fynewidget.NewSelect([]string{"sonnet"}, nil), fynewidget.NewButton("Button", nil),
			fynewidget.NewLabelWithStyle("A label", fyne.TextAlignLeading, theme.Medium),
		)))
		s.Focus(entry)
		s.Golden("fyne-" + string(mode))
	}
}

// TestAppIcon draws the icon of the application from its source and compares
// it with the picture that is packaged.
func TestAppIcon(t *testing.T) {
	uitest.Blank(t, fyne.NewSize(1, 1), theme.Light, 1)
	svg, err := os.ReadFile("../../assets/icon.svg")
	if err != nil {
		t.Fatal(err)
	}
	img := canvas.NewImageFromResource(fyne.NewStaticResource("icon.svg", svg))
	c := software.NewTransparentCanvas()
	c.SetPadded(false)
	c.SetContent(img)
	c.Resize(fyne.NewSize(256, 256))
	drawn := c.Capture()
	uitest.Golden(t, drawn, "../../../assets/Icon")
	packed, err := png.Decode(bytes.NewReader(assets.AppPNG()))
	if err != nil {
		t.Fatal(err)
	}
	if packed.Bounds() != image.Rect(0, 0, 256, 256) {
		t.Errorf("packaged icon is %v", packed.Bounds())
	}
}
