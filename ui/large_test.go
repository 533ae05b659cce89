package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"callboard/app/settings"
)

// TestLargeTextAndLongNames draws every screen of the roster at 150 % with
// names of other scripts and of the greatest length: what does not fit ends in
// an ellipsis, and nothing lies over anything else.
func TestLargeTextAndLongNames(t *testing.T) {
	for _, look := range []settings.Theme{settings.Light, settings.Dark} {
		t.Run(string(look), func(t *testing.T) {
			s := newStage(t, look)
			long := strings.Repeat("an agent of a long name ", 6)[:128]
			for name, text := range map[string]string{
				"long.md":    "---\nname: " + strings.TrimSpace(long) + "\ndescription: " + strings.Repeat("It says much. ", 20) + "\ntools: Read\n---\nDo.\n",
				"chinese.md": "---\nname: 数据库性能专家\ndescription: 解释慢查询并建议索引\ntools: Read\n---\nDo.\n",
				"arabic.md":  "---\nname: مراجع الشيفرة\ndescription: يقرأ التغيير ويجد ما ينكسر\ntools: Read\n---\nDo.\n",
			} {
				if err := os.WriteFile(filepath.Join(s.agents(), name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.app.Settings.Update(func(v *settings.Settings) { v.Appearance.TextSize = 150 }); err != nil {
				t.Fatal(err)
			}
			s.w.applyTheme()
			s.enter()
			s.bring()
			s.w.toasts.Dismiss()
			s.w.roster.FocusList()
			s.press(fyne.KeyHome)
			s.Golden("large-profile-" + string(look))
			for _, tab := range []string{"Tools", "Access", "History"} {
				s.do(tab)
				s.Golden("large-" + strings.ToLower(tab) + "-" + string(look))
			}
			s.do("Who may call whom")
			s.press(fyne.KeyRight, fyne.KeyRight)
			s.Golden("large-matrix-" + string(look))
			s.do("Back to the roster")
			s.do("Go to…")
			s.Golden("large-palette-" + string(look))
		})
	}
}
