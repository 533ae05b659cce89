package settings

import (
	"context"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"

	"callboard/app/fault"
	"callboard/app/settings"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// File is the settings file.
type File interface {
	Get() settings.Settings
	Update(func(*settings.Settings)) error
}

// Config is what the pages of this package need.
type Config struct {
	Context context.Context //nolint:containedctx // events have no context of their own
	Loop    *loop.Loop
	File    File
	Changed func() // the settings hold something else now
	Say     func(text string, undo func())
}

// update writes settings off the drawing thread and says what went wrong.
func (c Config) update(change func(*settings.Settings), then func()) {
	loop.Go(c.Loop, c.Context, func(context.Context) (struct{}, error) {
		return struct{}{}, c.File.Update(change)
	}, func(_ struct{}, err error) {
		if err != nil {
			c.Say(fault.Sentence(err), nil)
		}
		c.Changed()
		then()
	})
}

var (
	themes     = []settings.Theme{settings.System, settings.Light, settings.Dark}
	themeWords = []string{"Like the desktop", "Light", "Dark"}
	textSizes  = []int{80, 90, 100, 110, 125, 150, 175, 200}
)

// Appearance is the page of colours and text size.
type Appearance struct {
	cfg    Config
	theme  *widget.Filters
	size   *widget.Filters
	object fyne.CanvasObject
}

// NewAppearance makes the page.
func NewAppearance(cfg Config) *Appearance {
	p := &Appearance{cfg: cfg, theme: widget.NewFilters(themeWords...), size: widget.NewFilters(sizeWords()...)}
	p.theme.OnSelected = func(i int) {
		cfg.update(func(s *settings.Settings) { s.Appearance.Theme = themes[i] }, p.Show)
	}
	p.size.OnSelected = func(i int) {
		cfg.update(func(s *settings.Settings) { s.Appearance.TextSize = textSizes[i] }, p.Show)
	}
	card := widget.NewCard(widget.Column(theme.Pad,
		widget.Column(theme.Gap, widget.NewText(theme.Heading, theme.Ink, "Colours"), p.theme),
		widget.Column(theme.Gap, widget.NewText(theme.Heading, theme.Ink, "Text size"), p.size,
			widget.NewParagraph(theme.Secondary, theme.Mute, "Everything that holds text grows with it."))))
	p.object = widget.Column(0, widget.NewHead(p.Title(), "How the window looks. Kept in settings.json, which is not encrypted.").Object(),
		widget.Grow(1, widget.Inset(theme.PadDetail, theme.PadDetail, theme.PadDetail, theme.PadDetail, widget.Column(0, card))))
	return p
}

func sizeWords() []string {
	var out []string
	for _, n := range textSizes {
		out = append(out, fmt.Sprintf("%d %%", n))
	}
	return out
}

// Title is for the list of pages.
func (p *Appearance) Title() string { return "Appearance" }

// Object is what to draw.
func (p *Appearance) Object() fyne.CanvasObject { return p.object }

// Show shows what holds now.
func (p *Appearance) Show() {
	look := p.cfg.File.Get().Appearance
	p.theme.Select(max(0, slices.Index(themes, look.Theme)))
	nearest := 0
	for i, n := range textSizes {
		if n <= look.TextSize {
			nearest = i
		}
	}
	p.size.Select(nearest)
	p.object.Refresh()
}

// Forget has nothing private to drop.
func (p *Appearance) Forget() {}
