package widget

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	fynewidget "fyne.io/fyne/v2/widget"

	"callboard/ui/theme"
)

// Span is a run of text in one role and colour.
type Span struct {
	Text string
	Role theme.Role
	Ink  theme.Token
}

// fit says what a Text does when it is wider than its place.
type fit int

const (
	fitWhole fit = iota // asks for its whole width
	fitCut              // ends in an ellipsis
	fitWrap             // goes on in the next line
)

// Text is text without padding, in lines of the role's height. It can mix
// roles; they share a baseline.
type Text struct {
	fynewidget.BaseWidget
	spans []Span
	fit   fit
	align fyne.TextAlign

	rows    []row
	rowsFor layoutKey
}

// layoutKey is what the rows were made for.
type layoutKey struct {
	width, scale float32
	valid        bool
}

// NewText is one line that asks for its whole width.
func NewText(role theme.Role, ink theme.Token, text string) *Text {
	return newText(fitWhole, Span{text, role, ink})
}

// NewCut is one line that ends in an ellipsis where its place ends. The full
// text shows under the pointer.
func NewCut(role theme.Role, ink theme.Token, text string) *Text {
	return newText(fitCut, Span{text, role, ink})
}

// NewParagraph is text that wraps between words. Line breaks are kept.
func NewParagraph(role theme.Role, ink theme.Token, text string) *Text {
	return newText(fitWrap, Span{text, role, ink})
}

// NewSpans is one line of several spans that asks for its whole width.
func NewSpans(spans ...Span) *Text { return newText(fitWhole, spans...) }

// NewParagraphSpans wraps several spans as one text.
func NewParagraphSpans(spans ...Span) *Text { return newText(fitWrap, spans...) }

func newText(f fit, spans ...Span) *Text {
	t := &Text{spans: spans, fit: f}
	t.ExtendBaseWidget(t)
	return t
}

// SetText replaces the text, keeping the role and colour of the first span.
func (t *Text) SetText(text string) {
	if len(t.spans) == 1 && t.spans[0].Text == text {
		return
	}
	first := t.spans[0]
	first.Text = text
	t.SetSpans(first)
}

// SetSpans replaces everything. At least one span is needed.
func (t *Text) SetSpans(spans ...Span) {
	t.spans = spans
	t.rowsFor.valid = false
	t.Refresh()
}

// SetInk changes the colour of all spans.
func (t *Text) SetInk(ink theme.Token) {
	for i := range t.spans {
		t.spans[i].Ink = ink
	}
	t.Refresh()
}

// SetAlign places the lines at the left, in the middle or at the right.
func (t *Text) SetAlign(align fyne.TextAlign) {
	t.align = align
	t.rowsFor.valid = false
	t.Refresh()
}

// FullText is the whole text, also where only a part of it fits.
func (t *Text) FullText() string {
	if len(t.spans) == 1 {
		return t.spans[0].Text
	}
	var b strings.Builder
	for _, s := range t.spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Cut reports whether less than the full text is drawn.
func (t *Text) Cut() bool {
	if t.fit != fitCut {
		return false
	}
	t.arrange()
	return len(t.rows) == 1 && t.rows[0].cut
}

// MouseIn shows the full text of a cut line.
func (t *Text) MouseIn(e *desktop.MouseEvent) {
	if h := hintsFor(t); h != nil && t.Cut() {
		h.show(t, t.FullText(), e.AbsolutePosition)
	}
}

// MouseMoved does nothing.
func (t *Text) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes the full text away.
func (t *Text) MouseOut() {
	if h := hintsFor(t); h != nil {
		h.hide(t)
	}
}

// arrange makes the rows for the width there is.
func (t *Text) arrange() {
	key := layoutKey{width: t.Size().Width, scale: theme.Scale(), valid: true}
	if t.fit == fitWhole {
		key.width = 0
	}
	if key == t.rowsFor {
		return
	}
	t.rowsFor = key
	switch {
	case t.fit == fitWrap && key.width > 0:
		t.rows = wrapSpans(t.spans, key.width)
	case t.fit == fitCut && key.width > 0:
		t.rows = []row{cutSpans(t.spans, key.width)}
	default:
		t.rows = wrapSpans(t.spans, 0)
	}
}

func (t *Text) minSize() fyne.Size {
	t.arrange()
	var size fyne.Size
	for _, r := range t.rows {
		size.Height += r.height
		size.Width = max(size.Width, r.width)
	}
	if t.fit != fitWhole {
		size.Width = 0
	}
	return size
}

// CreateRenderer is for Fyne.
func (t *Text) CreateRenderer() fyne.WidgetRenderer {
	r := &renderer{min: t.minSize}
	place := func(fyne.Size) {
		t.arrange()
		r.objects = t.place(r.objects)
	}
	r.layout, r.refresh = place, func() { place(t.Size()) }
	return r
}

// place draws the rows into texts, which only it fills, reusing those there
// are.
func (t *Text) place(texts []fyne.CanvasObject) []fyne.CanvasObject {
	n, top := 0, float32(0)
	for _, r := range t.rows {
		x := t.indent(r.width)
		for _, p := range r.parts {
			if n == len(texts) {
				texts = append(texts, &canvas.Text{})
			}
			text := texts[n].(*canvas.Text)
			n++
			text.Text, text.Color = p.text, theme.Color(t.spans[p.span].Ink)
			role := t.spans[p.span].Role
			text.TextSize, text.TextStyle = role.TextSize(), role.Style()
			text.Resize(fyne.NewSize(p.width, text.MinSize().Height))
			text.Move(fyne.NewPos(x, top+r.baseline-role.Ascent()))
			x += p.width
		}
		top += r.height
	}
	clear(texts[n:])
	return texts[:n]
}

func (t *Text) indent(width float32) float32 {
	switch t.align {
	case fyne.TextAlignCenter:
		return middle(t.Size().Width, width)
	case fyne.TextAlignTrailing:
		return t.Size().Width - width
	case fyne.TextAlignLeading:
	}
	return 0
}
