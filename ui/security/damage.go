package security

import (
	"context"

	"fyne.io/fyne/v2"

	"callboard/app/vault"
	"callboard/ui/theme"
	"callboard/ui/widget"
	"callboard/ui/words"
)

// damage lists the rows that are bad.
type damage struct {
	page   *Page
	bad    []vault.Damage
	rows   *fyne.Container
	remove *widget.Button
	card   *widget.Card
}

func newDamage(p *Page) *damage {
	d := &damage{page: p, rows: widget.Column(theme.Gap)}
	d.remove = widget.NewButton(widget.Danger, "Remove for good…", d.askDiscard)
	d.card = card("Damage", d.rows, widget.Column(theme.Gap,
		widget.Row(0, widget.NewButton(widget.Secondary, "Check every row…", d.check)), widget.Row(0, d.remove)))
	return d
}

// ruleWords say what a rule of the store means for the row it names.
var ruleWords = map[string]string{
	"row_corrupt": "damaged on disk", "row_moved": "not the row that belongs there",
	"row_missing": "gone", "row_unknown": "put there by another program",
}

func (d *damage) show(bad []vault.Damage) {
	d.bad, d.rows.Objects = bad, nil
	for _, b := range bad {
		word, ok := ruleWords[b.Rule]
		if !ok {
			word = "cannot be read"
		}
		d.rows.Add(widget.NewParagraph(theme.Secondary, theme.Ink, b.Table+" "+b.ID+": "+word))
	}
	widget.Visible(d.rows, len(bad) > 0)
	widget.Visible(d.remove, len(bad) > 0)
	d.card.Refresh()
}

func (d *damage) check() {
	var s *sheet
	s = d.page.open("Cancel", "Check every row", "Check", false, func() {
		do(s, d.page.cfg.Vault.Verify, func(bad []vault.Damage) {
			d.page.changed()
			text := "Every row can be read."
			if len(bad) > 0 {
				text = words.Count(len(bad), "stored row") + " damaged or missing."
			}
			d.page.cfg.Say(text, nil)
		})
	}, nil, body("Every stored row is opened and read. Nothing is changed."))
}

func (d *damage) askDiscard() {
	bad := d.bad
	var s *sheet
	s = d.page.open("Cancel", "Remove for good", "Remove for good", true, func() {
		do(s, func(ctx context.Context) ([]vault.Damage, error) { return d.page.cfg.Vault.Discard(ctx, bad) },
			func([]vault.Damage) { d.page.changed() })
	}, nil, body(words.Count(len(bad), "damaged row")+" and what they held go. This cannot be undone."))
}
