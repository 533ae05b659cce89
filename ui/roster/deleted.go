package roster

import (
	"context"

	"callboard/app/fault"
	"callboard/app/roster"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

const (
	deletedWidth  float32 = 560
	deletedHeight float32 = 320
)

// ShowDeleted lists the deleted agents that can be brought back.
func (s *Screen) ShowDeleted() {
	loop.Go(s.cfg.Loop, s.cfg.Context, s.cfg.Roster.Deleted, func(gone []roster.Gone, err error) {
		if err != nil {
			s.cfg.Say(fault.Sentence(err), nil)
			return
		}
		s.openDeleted(gone)
	})
}

func (s *Screen) openDeleted(gone []roster.Gone) {
	if len(gone) == 0 {
		s.cfg.Say("No agent was deleted in the last 30 days.", nil)
		return
	}
	list := widget.NewList()
	items := make([]widget.Item, len(gone))
	for i, g := range gone {
		items[i] = widget.Item{ID: g.ID, Name: g.Name, Detail: "Deleted " + words.Day(g.Deleted) + ", for good after " + words.Day(g.Until)}
	}
	list.SetItems(items)
	list.Select(items[0].ID)
	chosen := func() []string {
		if marked := list.Marked(); len(marked) > 0 {
			return marked
		}
		return []string{list.Selected()}
	}
	list.OnMarked = func() {}
	var sheet *widget.Sheet
	purge := widget.NewButton(widget.Danger, "Remove for good…", func() {
		sheet.Close()
		s.askPurge(chosen())
	})
	body := widget.Column(theme.Pad,
		widget.NewParagraph(theme.Body, theme.Mute, "They come back with their history, their rights and what was not saved. Space marks several."),
		widget.Sized(0, deletedHeight, widget.NewFrame(list)),
		widget.Row(theme.Gap, purge, widget.Space()))
	sheet = widget.NewSheet("Deleted agents", body, "Close", "Bring back", func() {
		sheet.Close()
		s.bringBack(chosen())
	})
	sheet.SetWidth(deletedWidth)
	sheet.Open(s.object)
}

func (s *Screen) askPurge(ids []string) {
	var sheet *widget.Sheet
	sheet = widget.NewSheet("Remove for good",
		widget.NewParagraph(theme.Body, theme.Ink, words.Count(len(ids), "agent")+" and all history go. This cannot be undone; their files stay."),
		"Cancel", "Remove for good", func() {
			sheet.Close()
			s.then(func(ctx context.Context) error {
				_, err := s.cfg.Roster.Purge(ctx, ids...)
				return err
			}, words.Count(len(ids), "agent")+" removed for good.", nil)
		})
	sheet.SetDanger()
	sheet.Open(s.object)
}
