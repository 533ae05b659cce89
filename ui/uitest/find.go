package uitest

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetest "fyne.io/fyne/v2/test"
)

// whole is a widget that knows its full text though it draws only a part of it
// or draws it in pieces.
type whole interface{ FullText() string }

// node is one drawn object with those it is in, outermost first.
type node struct {
	obj  fyne.CanvasObject
	over []fyne.CanvasObject
}

// Texts are all texts on the screen in drawing order, those of the overlays
// last. A widget that knows its full text is listed once, with that.
func (s *Screen) Texts() []string {
	var all []string
	for _, root := range s.roots() {
		walk(root, nil, func(n node) bool {
			text, ok := textOf(n.obj)
			if ok && text != "" {
				all = append(all, text)
			}
			return !ok
		})
	}
	return all
}

// Shows reports whether a text on the screen holds part.
func (s *Screen) Shows(part string) bool {
	for _, text := range s.Texts() {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// find returns the object that shows exactly text on the top overlay, or on
// the content when there is none. The last one drawn wins.
func (s *Screen) find(text string) (found node, ok bool) {
	roots := s.roots()
	if len(roots) == 0 {
		return node{}, false
	}
	walk(roots[len(roots)-1], nil, func(n node) bool {
		got, is := textOf(n.obj)
		if is && got == text {
			found, ok = node{n.obj, append([]fyne.CanvasObject(nil), n.over...)}, true
		}
		return !is
	})
	return found, ok
}

func textOf(o fyne.CanvasObject) (string, bool) {
	switch o := o.(type) {
	case whole:
		return o.FullText(), true
	case *canvas.Text:
		return o.Text, true
	}
	return "", false
}

// walk visits what is visible; visit returns false to stay out of an object.
func walk(o fyne.CanvasObject, over []fyne.CanvasObject, visit func(node) bool) {
	if o == nil || !o.Visible() || !visit(node{o, over}) {
		return
	}
	over = append(over, o)
	switch o := o.(type) {
	case *fyne.Container:
		for _, child := range o.Objects {
			walk(child, over, visit)
		}
	case fyne.Widget:
		for _, child := range fynetest.WidgetRenderer(o).Objects() {
			walk(child, over, visit)
		}
	}
}
