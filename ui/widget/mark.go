package widget

import (
	"fyne.io/fyne/v2"
)

// marks are the rows of a List that are marked, by ID.
type marks struct {
	ids  map[string]bool
	from int // the row that was marked last, where a click with Shift begins
}

// Marked are the IDs of the marked rows, in their order.
func (l *List) Marked() []string {
	var out []string
	for _, item := range l.items {
		if !item.head() && l.marks.ids[item.ID] {
			out = append(out, item.ID)
		}
	}
	return out
}

// Unmark takes all marks away, without calling OnMarked.
func (l *List) Unmark() {
	l.marks.ids = nil
	l.Refresh()
}

// TypedShortcut marks all rows on "select all".
func (l *List) TypedShortcut(s fyne.Shortcut) {
	if _, all := s.(*fyne.ShortcutSelectAll); all && l.OnMarked != nil {
		l.marks.span(l, 0, len(l.items)-1)
	}
}

func (m *marks) toggle(l *List, i int) {
	m.from = i
	m.set(l.items[i], !m.ids[l.items[i].ID])
	l.marked()
}

// extend marks all rows from the last marked one, or the selected one, to i.
func (m *marks) extend(l *List, i int) {
	from := m.from
	if len(m.ids) == 0 {
		from = max(0, l.index)
	}
	m.span(l, min(from, i), max(from, i))
}

func (m *marks) span(l *List, first, last int) {
	for i := first; i <= last && i < len(l.items); i++ {
		m.set(l.items[i], true)
	}
	l.marked()
}

func (m *marks) set(item Item, on bool) {
	switch {
	case item.head():
	case on && m.ids == nil:
		m.ids = map[string]bool{item.ID: true}
	case on:
		m.ids[item.ID] = true
	default:
		delete(m.ids, item.ID)
	}
}

// clear takes all marks away and reports whether there were any.
func (m *marks) clear(l *List) bool {
	if len(m.ids) == 0 {
		return false
	}
	m.ids = nil
	l.marked()
	return true
}

func (l *List) marked() {
	l.Refresh()
	l.OnMarked()
}
