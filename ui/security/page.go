// Package security is the settings page of the vault: how the home is
// protected, its recovery key, backups, when it locks by itself, what stays
// readable on disk, and damage. What is typed into its sheets goes when they
// close.
package security

import (
	"context"

	"fyne.io/fyne/v2"

	"callboard/app/settings"
	"callboard/app/vault"
	"callboard/ui/loop"
	"callboard/ui/protect"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// File is the settings file.
type File interface {
	Get() settings.Settings
	Update(func(*settings.Settings)) error
}

// Config is what the page needs. Changed is called when the vault or the
// settings hold something else; Lost when the vault has locked itself.
type Config struct {
	Context context.Context //nolint:containedctx // events have no context of their own
	Loop    *loop.Loop
	Vault   *vault.Service
	File    File
	UserDir string // shown as ~
	Changed func()
	Lost    func()
	Say     func(text string, undo func())
}

// Page belongs to the Fyne thread.
type Page struct {
	cfg      Config
	warning  *widget.Notice
	holds    *widget.Text
	change   *widget.Button
	recovery *widget.Text
	renew    *widget.Button
	auto     *autoLock
	damage   *damage
	object   fyne.CanvasObject
}

// New makes the page.
func New(cfg Config) *Page {
	p := &Page{cfg: cfg, holds: body(""), recovery: body("")}
	p.warning = widget.NewNotice(theme.Warn, "Keyring", protect.NoRecovery, "Make a recovery key below and keep it on paper.")
	p.change = widget.NewButton(widget.Secondary, "Change passphrase…", p.askPassphrase)
	p.renew = widget.NewButton(widget.Secondary, "", p.askRecovery)
	p.auto = newAutoLock(p)
	p.damage = newDamage(p)
	left := widget.Column(theme.Pad, p.warning,
		card("Protection", p.holds, widget.Column(theme.Gap, widget.Row(0, p.change),
			widget.Row(0, widget.NewButton(widget.Secondary, "Change protection…", p.askProtection)))),
		card("Recovery key", p.recovery, widget.Row(theme.Gap, p.renew)),
		card("Backup", body("A copy of the home that opens with a passphrase of its own."),
			widget.Row(theme.Gap, widget.NewButton(widget.Secondary, "Back up…", p.askBackup)),
			mute("To restore one, close this window and run:"),
			widget.NewParagraph(theme.CodeSmall, theme.Ink, "callboard restore DIR --passphrase-file FILE")))
	right := widget.Column(theme.Pad, p.auto.card,
		card("What stays readable on disk", mute("settings.json: what is set on these pages"),
			mute("agent files of your tools, also those you linked or exported"),
			mute("backups/: agent files as they were before a write replaced them"),
			mute("key.txt, where you chose a key file")),
		p.damage.card)
	scroll := widget.NewScroller(widget.Panes(theme.Pad, widget.Grow(1, left), widget.Grow(1, right)))
	p.object = widget.Column(0, widget.NewHead(p.Title(), "How the home is protected, copied and locked.").Object(),
		widget.Grow(1, widget.Inset(theme.PadDetail, theme.PadDetail, theme.PadDetail, theme.PadDetail, scroll.Object())))
	return p
}

func body(text string) *widget.Text { return widget.NewParagraph(theme.Body, theme.Ink, text) }
func mute(text string) *widget.Text { return widget.NewParagraph(theme.Secondary, theme.Mute, text) }

func card(title string, parts ...fyne.CanvasObject) *widget.Card {
	all := append([]fyne.CanvasObject{widget.NewText(theme.Heading, theme.Ink, title)}, parts...)
	return widget.NewCard(widget.Column(theme.Pad, all...))
}

// Title is for the list of pages.
func (p *Page) Title() string { return "Security" }

// Object is what to draw.
func (p *Page) Object() fyne.CanvasObject { return p.object }

var holds = map[vault.Protection]string{
	vault.Passphrase: "The home opens with a passphrase.",
	vault.Keyring:    "The system keyring holds the key of the home.",
	vault.File:       "The key of the home lies readable in key.txt.",
}

// Show shows what holds now.
func (p *Page) Show() {
	st := p.cfg.Vault.Status(p.cfg.Context)
	p.holds.SetText(holds[st.Protection])
	widget.Visible(p.change, st.Protection == vault.Passphrase)
	widget.Visible(p.warning, st.Protection == vault.Keyring && !st.Recovery)
	p.recovery.SetText("There is none. It opens the home when the passphrase, the keyring or the key file is lost.")
	p.renew.SetText("Make a recovery key…")
	if st.Recovery {
		p.recovery.SetText("There is one. It opens the home when the passphrase, the keyring or the key file is lost.")
		p.renew.SetText("Make a new one…")
	}
	p.auto.show()
	p.damage.show(st.Damage)
	p.object.Refresh()
}

// changed shows what holds now, here and elsewhere.
func (p *Page) changed() {
	p.cfg.Changed()
	p.Show()
}

// Forget drops the list of damaged rows. The sheets are closed by the window.
func (p *Page) Forget() { p.damage.show(nil) }
