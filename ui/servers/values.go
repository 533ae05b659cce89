package servers

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"

	"callboard/app/servers"
	"callboard/crypto/secret"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// valueKey names one value.
type valueKey struct {
	field servers.Field
	name  string
}

// valueRow is the box of a value that is to be set. What is stored is never in it.
type valueRow struct {
	box    *widget.Field
	remove *widget.Button
	object fyne.CanvasObject
}

// values is a box for each name of the server that is shown.
type values struct {
	page   *Page
	typed  func()
	rows   map[valueKey]*valueRow
	list   *fyne.Container
	object *widget.Card
}

func newValues(p *Page) *values {
	v := &values{page: p, rows: map[valueKey]*valueRow{}, list: widget.Column(12)}
	v.object = widget.NewCard(widget.Column(12, widget.NewText(theme.Heading, theme.Ink, "Values"),
		widget.NewParagraph(theme.Secondary, theme.Mute, "Kept encrypted and never shown again. A new value needs a new consent."), v.list))
	return v
}

// show has a box for each name, with what was typed where it was there before.
func (v *values) show(s servers.Server, set servers.Names) {
	rows := map[valueKey]*valueRow{}
	v.list.Objects = nil
	v.each(rows, servers.FieldEnv, s.Env, set.Env)
	v.each(rows, servers.FieldHeaders, s.Headers, set.Headers)
	v.rows = rows
	widget.Visible(v.object, len(rows) > 0)
	v.list.Refresh()
}

func (v *values) each(rows map[valueKey]*valueRow, field servers.Field, names, set []string) {
	for _, n := range names {
		key := valueKey{field, n}
		if rows[key] != nil {
			continue // it stands twice, which Save refuses
		}
		r := v.rows[key]
		if r == nil {
			r = v.row(key)
		}
		there := slices.Contains(set, n)
		r.box.SetHelper(map[bool]string{true: "set", false: "not set"}[there])
		r.remove.SetEnabled(there)
		rows[key] = r
		v.list.Add(r.object)
	}
}

func (v *values) row(key valueKey) *valueRow {
	r := &valueRow{box: widget.NewPassword(key.name)}
	r.box.OnChanged = func(string) { v.typed() }
	r.box.OnSubmitted = func(string) { v.page.detail.form.keep() }
	r.remove = widget.NewButton(widget.Secondary, "Remove", func() { v.page.askRemoval(key) })
	r.object = widget.Row(theme.Gap, widget.Grow(1, r.box), widget.Inset(20, 0, 0, 0, r.remove))
	return r
}

// any reports whether a value is typed.
func (v *values) any() bool {
	for _, r := range v.rows {
		if r.box.Text() != "" {
			return true
		}
	}
	return false
}

// take is what was typed. The caller wipes it.
func (v *values) take() servers.Values {
	out := servers.Values{Env: map[string]secret.Bytes{}, Headers: map[string]secret.Bytes{}}
	for key, r := range v.rows {
		switch text := r.box.Text(); {
		case text == "":
		case key.field == servers.FieldEnv:
			out.Env[key.name] = secret.FromString(text)
		default:
			out.Headers[key.name] = secret.FromString(text)
		}
	}
	return out
}

// clear drops the boxes with all that was typed into them: an emptied one would
// still know it, for undoing.
func (v *values) clear() {
	for _, r := range v.rows {
		r.box.SetText("")
	}
	clear(v.rows)
	v.list.Objects = nil
}

func wipe(set servers.Values) {
	for _, m := range []map[string]secret.Bytes{set.Env, set.Headers} {
		for _, b := range m {
			b.Wipe()
		}
	}
}

// askRemoval removes a stored value after asking: it cannot be brought back.
func (p *Page) askRemoval(key valueKey) {
	id := p.detail.form.base.Server.ID
	var sheet *widget.Sheet
	sheet = widget.NewSheet("Remove the value of "+key.name,
		widget.NewParagraph(theme.Body, theme.Ink, "It cannot be brought back. The server cannot be run or contacted until it has a new one."),
		"Cancel", "Remove", func() {
			sheet.Close()
			run(p.cfg.Context, p, func(ctx context.Context) (servers.Entry, error) {
				return p.cfg.Servers.ClearValue(ctx, id, key.field, key.name)
			}, func(_ servers.Entry, err error) {
				if err != nil {
					p.detail.fail("Not removed", err)
					return
				}
				p.cfg.Say("The value of "+key.name+" is removed.", nil)
				p.Reload()
			})
		})
	sheet.SetDanger()
	sheet.Open(p.object)
}
