package theme

import (
	"bytes"
	"fmt"
	"image/color"

	"fyne.io/fyne/v2"

	"callboard/assets"
)

// iconKey is one icon in one colour.
type iconKey struct {
	name string
	ink  color.NRGBA
}

// icons keeps each coloured icon once; only the UI thread touches it. The
// colours are the tokens', so it stays small.
var icons = map[iconKey]fyne.Resource{}

// Icon is the icon of that name with its strokes in the token's colour as it
// is now: ask again at every Refresh. It panics on a name assets does not have.
func Icon(name string, t Token) fyne.Resource {
	r, g, b, _ := Color(t).RGBA()
	key := iconKey{name, color.NRGBA{R: uint8(r >> 8 & 0xff), G: uint8(g >> 8 & 0xff), B: uint8(b >> 8 & 0xff), A: 0xff}}
	if res, ok := icons[key]; ok {
		return res
	}
	hex := fmt.Sprintf("%02X%02X%02X", key.ink.R, key.ink.G, key.ink.B)
	svg := bytes.ReplaceAll(assets.Icon(name), []byte("currentColor"), []byte("#"+hex))
	svg = bytes.Replace(svg, []byte(`stroke-width="2"`), []byte(`stroke-width="1.75"`), 1) // 2 is heavy at 14 to 20 pixels
	// Fyne caches drawn icons by name, so the colour is part of the name.
	res := fyne.NewStaticResource(name+"-"+hex+".svg", svg)
	icons[key] = res
	return res
}
