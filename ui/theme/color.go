package theme

import (
	"image/color"

	"fyne.io/fyne/v2"
)

// Token names a colour by what it is for.
type Token fyne.ThemeColorName

// The tokens of the look.
const (
	Bg         Token = "callboard.bg"         // behind cards
	Panel      Token = "callboard.panel"      // lists, cards, headers
	Raised     Token = "callboard.raised"     // menus and hints, over anything
	RailBg     Token = "callboard.rail"       // rail and status strip
	Line       Token = "callboard.line"       // borders
	Ink        Token = "callboard.ink"        // text
	Mute       Token = "callboard.mute"       // secondary text
	Faint      Token = "callboard.faint"      // placeholders, line numbers
	Accent     Token = "callboard.accent"     // primary button, selection bar, meters, focus
	OnAccent   Token = "callboard.onAccent"   // text on Accent
	AccentSoft Token = "callboard.accentSoft" // selected filter, current rail item
	Selected   Token = "callboard.selected"   // selected row
	Hover      Token = "callboard.hover"      // under the pointer, over any background
	Pressed    Token = "callboard.pressed"    // held down, over any background
	Shade      Token = "callboard.shade"      // over the window, behind a sheet
	Clear      Token = "callboard.clear"      // nothing
)

// Tone is the meaning of a chip or notice.
type Tone int

// The tones. Text always says the same thing as the colour.
const (
	Off  Tone = iota // disabled, facts
	OK               // ready, released, running
	Warn             // stale, advisory, waiting
	Bad              // failed, refused
	Info             // pending, draft
)

// Text is the colour of the tone's words, borders and icons.
func (t Tone) Text() Token { return toneText[t] }

// Back is the colour behind them.
func (t Tone) Back() Token { return toneBack[t] }

var (
	toneText = map[Tone]Token{Off: "callboard.off", OK: "callboard.ok", Warn: "callboard.warn", Bad: "callboard.bad", Info: "callboard.info"}
	toneBack = map[Tone]Token{Off: "callboard.offBack", OK: "callboard.okBack", Warn: "callboard.warnBack", Bad: "callboard.badBack", Info: "callboard.infoBack"}
)

// Color is the token's colour in the current look.
func Color(t Token) color.Color {
	return current().Color(fyne.ThemeColorName(t), variant())
}

// pair is a colour in the light and in the dark variant.
type pair struct{ light, dark color.NRGBA }

func (p pair) in(dark bool) color.NRGBA {
	if dark {
		return p.dark
	}
	return p.light
}

func opaque(light, dark uint32) pair { return pair{rgb(light, 0xff), rgb(dark, 0xff)} }

func rgb(v uint32, alpha uint8) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 16 & 0xff), G: uint8(v >> 8 & 0xff), B: uint8(v & 0xff), A: alpha}
}

var palette = map[Token]pair{
	Bg:         opaque(0xF7F7F5, 0x1A1B1A),
	Panel:      opaque(0xFFFFFF, 0x222322),
	Raised:     opaque(0xFFFFFF, 0x2D2E2C),
	RailBg:     opaque(0xEFEFEC, 0x161716),
	Line:       opaque(0xDEDDD8, 0x383A38),
	Ink:        opaque(0x1D1D1B, 0xECECE8),
	Mute:       opaque(0x5F5E59, 0xA9A9A2),
	Faint:      opaque(0x8A8983, 0x7E7E77),
	Accent:     opaque(0x2F5D50, 0x7FC4AC),
	OnAccent:   opaque(0xFFFFFF, 0x222322),
	AccentSoft: opaque(0xE3EEEA, 0x23352F),
	Selected:   opaque(0xE9EFEC, 0x2A3531),
	Hover:      {rgb(0x1D1D1B, 0x0A), rgb(0xECECE8, 0x0C)},
	Pressed:    {rgb(0x1D1D1B, 0x18), rgb(0xECECE8, 0x1C)},
	Shade:      {rgb(0x1D1D1B, 0x52), rgb(0x000000, 0x8C)},
	Clear:      {},

	"callboard.ok":       opaque(0x1F6B45, 0x7FD0A0),
	"callboard.okBack":   opaque(0xE2F2E8, 0x1E3528),
	"callboard.warn":     opaque(0x8A5A00, 0xE6B95C),
	"callboard.warnBack": opaque(0xFBF0D9, 0x3A2F17),
	"callboard.bad":      opaque(0xA3261D, 0xF2938A),
	"callboard.badBack":  opaque(0xFBE6E3, 0x40211E),
	"callboard.info":     opaque(0x2B5C8A, 0x8BBCE8),
	"callboard.infoBack": opaque(0xE4EEF7, 0x1D2F3F),
	"callboard.off":      opaque(0x5F5E59, 0xA9A9A2),
	"callboard.offBack":  opaque(0xECEBE7, 0x2D2E2C),
}
