package widget

import "testing"

func TestInitials(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"reviewer", "RE"},
		{"docs-writer", "DW"},
		{"the third one", "TT"},
		{"x", "X"},
		{"7zip", "7Z"},
		{"élan vital", "ÉV"},
		{"Ωmega", "ΩM"},
		{"", "·"},
		{"  ", "·"},
		{"---", "-"},
		{"設計者", "設"},
		{"مساعد", "م"},
		{"👩‍🔬 lab", "👩‍🔬"},
		{"👍🏽ok", "👍🏽"},
		{"🇸🇪🇫🇷", "🇸🇪"},
		{"a設", "A"},
	} {
		if got := initials(c.name); got != c.want {
			t.Errorf("initials of %q are %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTintIsTheNamesOwn(t *testing.T) {
	seen := map[any]bool{}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		seen[tintOf(name)] = true
	}
	if len(seen) < 3 {
		t.Errorf("ten names have %d tints", len(seen))
	}
}
