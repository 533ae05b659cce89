// Package assets holds the bytes that are part of the program: fonts, icons
// and the picture of the application. It knows no toolkit type, so everything
// may import it.
//
// What it hands out is shared and must not be changed. The licence of each
// font, of the icons and of the price data lies here and is embedded too.
package assets

import (
	"embed"
	"fmt"
)

// The names that Font knows.
const (
	InterRegular  = "Inter-Regular.otf"
	InterMedium   = "Inter-Medium.otf"
	InterSemiBold = "Inter-SemiBold.otf"
	MonoRegular   = "JetBrainsMono-Regular.ttf"
	MonoMedium    = "JetBrainsMono-Medium.ttf"
	MonoSemiBold  = "JetBrainsMono-SemiBold.ttf"
)

//go:embed fonts icons prices
var files embed.FS

//go:embed Icon.png
var appPNG []byte

// Font returns the font file of that name, one of the constants above. It
// panics on another name: a missing font is a mistake in the program.
func Font(name string) []byte { return mustRead("fonts/" + name) }

// Icon returns the SVG of the icon ("folder-open"), whose strokes are
// "currentColor". It panics on a name that is not embedded.
func Icon(name string) []byte { return mustRead("icons/" + name + ".svg") }

// AppPNG is the application's icon, 256 pixels square, drawn from icon.svg.
func AppPNG() []byte { return appPNG }

func mustRead(name string) []byte {
	b, err := files.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("assets: %s is not embedded", name))
	}
	return b
}
