package access

import (
	"context"

	"fyne.io/fyne/v2"

	"callboard/app/fault"
	"callboard/app/roster"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// whyCard spells out why the current caller may or may not call the current
// target.
type whyCard struct {
	title  *widget.Text
	chip   *widget.Chip
	lines  *fyne.Container
	object fyne.CanvasObject
}

func newWhyCard() *whyCard {
	c := &whyCard{
		title: widget.NewParagraph(theme.Heading, theme.Ink, ""),
		chip:  widget.NewChip(theme.Off, ""), lines: widget.Column(theme.Gap),
	}
	c.object = widget.NewCard(widget.Column(12, c.title, widget.Row(theme.Gap, c.chip, widget.Space()), c.lines))
	return c
}

// explain asks why, for the current cell.
func (s *Screen) explain() {
	s.asked++
	asked := s.asked
	row, col := s.grid.Current()
	if row >= len(s.shown) || col > len(s.all) {
		s.why.show("", theme.Off, "", nil)
		return
	}
	from := s.shown[row]
	if col == 0 {
		s.why.everyone(from, s.level(row, col))
		return
	}
	to := s.all[col-1]
	loop.Go(s.cfg.Loop, s.cfg.Context, func(ctx context.Context) ([]roster.Reason, error) {
		return s.cfg.Roster.Why(ctx, from.ID, to.ID)
	}, func(why []roster.Reason, err error) {
		if s.asked != asked {
			return
		}
		if err != nil {
			s.why.show("", theme.Bad, fault.Sentence(err), nil)
			return
		}
		s.why.show(from.Name+" → "+to.Name, theme.Off, "", why)
	})
}

func (c *whyCard) everyone(from roster.Summary, level widget.Level) {
	text := map[widget.Level]string{
		widget.Blank: "It may see and call only the agents ticked in its row.",
		widget.Half:  "It may see every agent, also those that come later.",
		widget.Full:  "It may see and call every agent, also those that come later.",
	}[level]
	c.show(from.Name+" → everyone", theme.Off, text, nil)
}

// show shows the reasons, and above them what they come to; or a text.
func (c *whyCard) show(title string, tone theme.Tone, text string, why []roster.Reason) {
	c.title.SetText(title)
	c.lines.Objects = nil
	if text != "" {
		ink := theme.Ink
		if tone == theme.Bad {
			ink = theme.Bad.Text()
		}
		c.lines.Add(widget.NewParagraph(theme.Body, ink, text))
	}
	sees, calls := len(why) > 0, len(why) > 0
	for _, r := range why {
		icon, ink := "check", theme.OK.Text()
		if r.Err != nil {
			icon, ink = "x", theme.Bad.Text()
			calls = false
			sees = sees && !r.Seeing
		}
		c.lines.Add(widget.Row(theme.Gap, widget.NewIcon(icon, ink), widget.Grow(1, widget.NewParagraph(theme.Body, theme.Ink, r.Text))))
	}
	switch {
	case calls:
		c.chip.Set(theme.OK, "may call")
	case sees:
		c.chip.Set(theme.Info, "may see, not call")
	default:
		c.chip.Set(theme.Off, "may neither see nor call")
	}
	widget.Visible(c.chip, len(why) > 0)
	c.lines.Refresh()
	c.object.Refresh()
}
