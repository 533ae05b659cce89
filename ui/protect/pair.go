package protect

import (
	"fmt"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"callboard/app/vault"
	"callboard/crypto/secret"
	"callboard/ui/theme"
	"callboard/ui/widget"
)

// Pair is a new passphrase, typed twice. It belongs to the Fyne thread.
type Pair struct {
	first  *widget.Field
	again  *widget.Field
	object *fyne.Container
}

// NewPair makes two empty boxes; Enter in the second one calls submit.
func NewPair(label string, submit func()) *Pair {
	p := &Pair{first: widget.NewPassword(label), again: widget.NewPassword("The same again")}
	p.first.SetHelper(fmt.Sprintf("%d characters or more", vault.MinPassphrase))
	p.first.OnSubmitted = func(string) { p.again.Focus() }
	p.again.OnSubmitted = func(string) { submit() }
	p.first.OnChanged = func(string) { p.first.SetError("") }
	p.again.OnChanged = func(string) { p.again.SetError("") }
	p.object = widget.Column(theme.Pad, p.first, p.again)
	return p
}

// Object is what to draw.
func (p *Pair) Object() fyne.CanvasObject { return p.object }

// Agree reports whether both hold the same passphrase and it is long enough,
// and says beside the box what is missing.
func (p *Pair) Agree() bool {
	n := utf8.RuneCountInString(p.first.Text())
	switch {
	case n < vault.MinPassphrase:
		p.first.SetError(fmt.Sprintf("Too short: %d characters, at least %d.", n, vault.MinPassphrase))
		p.first.Focus()
		return false
	case p.first.Text() != p.again.Text():
		p.again.SetError("The two are not the same.")
		p.again.Focus()
		return false
	}
	return true
}

// Secret is the passphrase, which the caller wipes.
func (p *Pair) Secret() secret.Bytes { return secret.FromString(p.first.Text()) }

// Focus gives the first box the keyboard.
func (p *Pair) Focus() { p.first.Focus() }

// Peek shows or hides what is typed.
func (p *Pair) Peek() {
	p.first.Peek()
	p.again.Peek()
}

// SetReadOnly keeps both from being changed.
func (p *Pair) SetReadOnly(readOnly bool) {
	p.first.SetReadOnly(readOnly)
	p.again.SetReadOnly(readOnly)
}

// Forget empties both.
func (p *Pair) Forget() {
	Empty(p.first)
	Empty(p.again)
}

// Empty takes out what was typed into a box for a secret, hides what will be,
// and drops what was said about it.
func Empty(f *widget.Field) {
	f.SetText("")
	f.SetError("")
	f.Conceal()
}
