// Package protect is the parts with which a person chooses how a home is
// protected. It promises that what is typed stays in its boxes and goes with
// Forget; it calls no vault.
package protect

import (
	"slices"

	"fyne.io/fyne/v2"

	"callboard/app/vault"
	"callboard/crypto/secret"
	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// NoRecovery is what is said of a keyring without a recovery key.
const NoRecovery = "Without a recovery key, a lost keyring cannot be opened."

var names = map[vault.Protection]string{
	vault.Passphrase: "Passphrase",
	vault.Keyring:    "System keyring",
	vault.File:       "Key file",
}

var leads = map[vault.Protection]string{
	vault.Passphrase: "What you keep here is encrypted on disk and opens with this passphrase. " +
		"Only a recovery key helps when it is forgotten.",
	vault.Keyring: "What you keep here is encrypted on disk; its key lies in the keyring of your desktop, " +
		"so there is no passphrase to type. " + NoRecovery,
	vault.File: "The key lies readable in key.txt. Anyone who can read your files can read your agents. " +
		"Fit for a computer whose disk is encrypted and whose account is only yours.",
}

// Word is a protection in the status line.
func Word(p vault.Protection) string {
	return map[vault.Protection]string{
		vault.Passphrase: "passphrase", vault.Keyring: "system keyring", vault.File: "key.txt, no passphrase",
	}[p]
}

// Choice is the kinds of protection, what the chosen one means and, where one
// is needed, a new passphrase. It belongs to the Fyne thread.
type Choice struct {
	// OnTurned is called when the person chooses another kind.
	OnTurned func()

	kinds  []vault.Protection
	kind   *widget.Filters
	lead   *widget.Text
	pair   *Pair
	object *fyne.Container
}

// NewChoice offers those kinds, the first one chosen. Enter in the last box
// calls submit.
func NewChoice(submit func(), kinds ...vault.Protection) *Choice {
	var words []string
	for _, k := range kinds {
		words = append(words, names[k])
	}
	c := &Choice{
		kinds: kinds, kind: widget.NewFilters(words...),
		lead: widget.NewParagraph(theme.Body, theme.Ink, ""), pair: NewPair("New passphrase", submit),
	}
	c.kind.OnSelected = func(int) {
		c.show()
		if c.OnTurned != nil {
			c.OnTurned()
		}
	}
	c.object = widget.Column(theme.Pad, c.kind, c.lead, c.pair.Object())
	c.show()
	return c
}

func (c *Choice) show() {
	c.lead.SetText(leads[c.Protection()])
	widget.Visible(c.pair.Object(), c.Protection() == vault.Passphrase)
	c.object.Refresh()
}

// Object is what to draw.
func (c *Choice) Object() fyne.CanvasObject { return c.object }

// Protection is what is chosen.
func (c *Choice) Protection() vault.Protection { return c.kinds[c.kind.Current()] }

// Agree reports whether what is chosen is complete, and says what is missing.
func (c *Choice) Agree() bool { return c.Protection() != vault.Passphrase || c.pair.Agree() }

// Secret is the new passphrase, empty where none is needed. The caller wipes
// it.
func (c *Choice) Secret() secret.Bytes {
	if c.Protection() != vault.Passphrase {
		return secret.Bytes{}
	}
	return c.pair.Secret()
}

// Focus gives the keyboard to the first box, or to the kinds where there is
// none.
func (c *Choice) Focus() {
	if c.Protection() == vault.Passphrase {
		c.pair.Focus()
		return
	}
	loop.Focus(c.kind)
}

// Peek shows or hides what is typed.
func (c *Choice) Peek() { c.pair.Peek() }

// SetReadOnly keeps what is typed from being changed.
func (c *Choice) SetReadOnly(readOnly bool) { c.pair.SetReadOnly(readOnly) }

// Forget empties the boxes; the kind stays chosen.
func (c *Choice) Forget() { c.pair.Forget() }

// Others are all kinds but one.
func Others(p vault.Protection) []vault.Protection {
	all := []vault.Protection{vault.Passphrase, vault.Keyring, vault.File}
	return slices.DeleteFunc(all, func(k vault.Protection) bool { return k == p })
}
