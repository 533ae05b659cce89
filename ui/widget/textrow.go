package widget

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"callboard/ui/theme"
)

// row is one drawn line of a Text.
type row struct {
	parts    []part
	width    float32
	height   float32
	baseline float32 // from the top of the row
	cut      bool
}

// part is a piece of one span in a row.
type part struct {
	span  int
	text  string
	width float32
}

func measure(text string, role theme.Role) float32 {
	return fyne.MeasureText(text, role.TextSize(), role.Style()).Width
}

// wrapper breaks spans into rows.
type wrapper struct {
	spans []Span
	width float32 // 0 for no limit
	rows  []row
	open  row
}

// wrapSpans breaks the spans at line breaks and, when width is above zero,
// between words so that rows are no wider. A word that is wider by itself is
// broken where it must.
func wrapSpans(spans []Span, width float32) []row {
	w := &wrapper{spans: spans, width: width}
	last := 0
	for i, s := range spans {
		last = i
		for n, text := range strings.Split(s.Text, "\n") {
			if n > 0 {
				w.finish(i)
			}
			for _, word := range words(text) {
				w.add(i, word)
			}
		}
	}
	w.finish(last)
	return w.rows
}

// words splits text after each run of spaces.
func words(text string) []string {
	var all []string
	start := 0
	for i := 1; i < len(text); i++ {
		if text[i-1] == ' ' && text[i] != ' ' {
			all = append(all, text[start:i])
			start = i
		}
	}
	if start < len(text) {
		all = append(all, text[start:])
	}
	return all
}

func (w *wrapper) add(span int, word string) {
	role := w.spans[span].Role
	for word != "" {
		bare := measure(strings.TrimRight(word, " "), role)
		if w.width <= 0 || w.open.width+bare <= w.width {
			w.put(span, word)
			return
		}
		if w.open.width > 0 {
			w.finish(span)
			continue
		}
		n := fitting(word, role, w.width)
		w.put(span, word[:n])
		word = word[n:]
	}
}

// put appends to the open row, joining pieces of the same span so that they
// are shaped together.
func (w *wrapper) put(span int, text string) {
	role := w.spans[span].Role
	if n := len(w.open.parts); n > 0 && w.open.parts[n-1].span == span {
		p := &w.open.parts[n-1]
		w.open.width -= p.width
		p.text += text
		p.width = measure(p.text, role)
		w.open.width += p.width
		return
	}
	p := part{span: span, text: text, width: measure(text, role)}
	w.open.parts = append(w.open.parts, p)
	w.open.width += p.width
}

func (w *wrapper) finish(span int) {
	setLine(&w.open, w.spans, w.spans[span].Role)
	w.rows = append(w.rows, w.open)
	w.open = row{}
}

// setLine gives the row the height and baseline of its tallest role, or of
// empty's when it has no parts.
func setLine(r *row, spans []Span, empty theme.Role) {
	tallest := empty
	if len(r.parts) > 0 {
		tallest = spans[r.parts[0].span].Role
	}
	for _, p := range r.parts {
		if role := spans[p.span].Role; role.LineHeight() > tallest.LineHeight() {
			tallest = role
		}
	}
	r.height = tallest.LineHeight()
	letters := fyne.MeasureText("X", tallest.TextSize(), tallest.Style()).Height
	r.baseline = inLine(r.height, letters) + tallest.Ascent()
}

// cutSpans is one row of the spans, no wider than width; what does not fit
// gives way to an ellipsis.
func cutSpans(spans []Span, width float32) row {
	whole := wrapSpans(oneLine(spans), 0)[0]
	if whole.width <= width {
		return whole
	}
	var r row
	for _, p := range whole.parts {
		role := spans[p.span].Role
		dots := measure("…", role)
		if r.width+p.width+dots > width {
			n := fitting(p.text, role, max(0, width-r.width-dots))
			p.text = strings.TrimRight(p.text[:n], " ") + "…"
			p.width = measure(p.text, role)
			r.parts = append(r.parts, p)
			r.width += p.width
			break
		}
		r.parts = append(r.parts, p)
		r.width += p.width
	}
	r.cut = true
	setLine(&r, spans, spans[0].Role)
	return r
}

// oneLine is the spans with line breaks drawn as spaces.
func oneLine(spans []Span) []Span {
	for _, s := range spans {
		if strings.Contains(s.Text, "\n") {
			flat := append([]Span(nil), spans...)
			for i := range flat {
				flat[i].Text = strings.ReplaceAll(flat[i].Text, "\n", " ")
			}
			return flat
		}
	}
	return spans
}

// fitting is how many bytes of text, in whole runes and at least one rune, are
// no wider than width.
func fitting(text string, role theme.Role, width float32) int {
	ends := make([]int, 0, len(text))
	for i := range text {
		if i > 0 {
			ends = append(ends, i)
		}
	}
	ends = append(ends, len(text))
	lo, hi := 0, len(ends)-1 // the answer is among ends[lo:hi+1]
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if measure(text[:ends[mid]], role) <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if lo == 0 && len(ends) > 0 {
		_, n := utf8.DecodeRuneInString(text)
		return n
	}
	return ends[lo]
}
