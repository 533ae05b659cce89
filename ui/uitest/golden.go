package uitest

import (
	"errors"
	"flag"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the reference pictures in testdata")

// tolerance is how far a channel of a pixel may be off.
const tolerance = 2

// Golden compares img with testdata/name.png of the package under test. When
// they differ it writes what was drawn and a picture of the differences to a
// temporary folder that the failure names. With -update it writes the
// reference picture instead.
func Golden(t testing.TB, img image.Image, name string) {
	t.Helper()
	path := filepath.Join("testdata", name+".png")
	if *update {
		if err := writePNG(path, img); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := readPNG(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s does not exist: run the test with -update and look at it", path)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	diff, n := compare(want, img)
	if n == 0 {
		return
	}
	dir, err := os.MkdirTemp("", "callboard-pictures-") //nolint:usetesting // the pictures must outlive the test
	if err != nil {
		t.Fatal(err)
	}
	got := filepath.Join(dir, filepath.Base(name)+".got.png")
	off := filepath.Join(dir, filepath.Base(name)+".diff.png")
	if err := errors.Join(writePNG(got, img), writePNG(off, diff)); err != nil {
		t.Fatal(err)
	}
	t.Errorf("%d pixels differ from %s\ndrawn:       %s\ndifferences: %s", n, path, got, off)
}

// compare returns a picture with the pixels that differ in red over a pale
// copy, and how many they are. A different size makes every pixel differ.
func compare(want, got image.Image) (image.Image, int) {
	b := got.Bounds()
	diff := image.NewNRGBA(b)
	if b != want.Bounds() {
		return diff, max(b.Dx()*b.Dy(), want.Bounds().Dx()*want.Bounds().Dy())
	}
	n := 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			g := nrgba(got.At(x, y))
			if near(nrgba(want.At(x, y)), g) {
				g.A = 0x40
				diff.SetNRGBA(x, y, g)
				continue
			}
			n++
			diff.SetNRGBA(x, y, color.NRGBA{R: 0xff, A: 0xff})
		}
	}
	return diff, n
}

func near(a, b color.NRGBA) bool {
	return off(a.R, b.R) && off(a.G, b.G) && off(a.B, b.B) && off(a.A, b.A)
}

func off(a, b uint8) bool { return max(a, b)-min(a, b) <= tolerance }

func nrgba(c color.Color) color.NRGBA {
	return color.NRGBAModel.Convert(c).(color.NRGBA)
}

func readPNG(path string) (image.Image, error) {
	f, err := os.Open(path) //nolint:gosec // a picture of the test, named by the test
	if err != nil {
		return nil, err
	}
	img, err := png.Decode(f)
	return img, errors.Join(err, f.Close())
}

func writePNG(path string, img image.Image) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	f, err := os.Create(path) //nolint:gosec // as above
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, img), f.Close())
}
