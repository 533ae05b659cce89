package widget_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"callboard/ui/loop"
	"callboard/ui/theme"
	"callboard/ui/uitest"
	"callboard/ui/widget"
)

// looks are the looks every picture is drawn in.
var looks = []struct {
	name  string
	mode  theme.Mode
	scale float32
}{
	{"light", theme.Light, 1},
	{"dark", theme.Dark, 1},
	{"large", theme.Light, 1.5},
}

// gallery draws what build makes, in every look. height is that at scale 1.
func gallery(t *testing.T, name string, width, height float32, build func() fyne.CanvasObject) {
	t.Helper()
	for _, look := range looks {
		size := fyne.NewSize(width*look.scale, height*look.scale)
		s := uitest.Blank(t, size, look.mode, look.scale)
		s.SetContent(widget.Inset(16, 16, 16, 16, build()))
		s.Golden(name + "-" + look.name)
	}
}

var tones = []theme.Tone{theme.OK, theme.Warn, theme.Bad, theme.Info, theme.Off}

func TestTextPictures(t *testing.T) {
	const long = "Finds correctness and concurrency faults in a change and proves each with a failing case."
	gallery(t, "text", 480, 420, func() fyne.CanvasObject {
		return widget.Column(8,
			widget.NewText(theme.Title, theme.Ink, "Roster, a title"),
			widget.NewText(theme.Heading, theme.Ink, "Where it came from"),
			widget.NewText(theme.Body, theme.Ink, "Body text"),
			widget.NewText(theme.Strong, theme.Ink, "reviewer"),
			widget.NewText(theme.Action, theme.Mute, "Advertisement"),
			widget.NewText(theme.Secondary, theme.Mute, "Reads a diff and finds what breaks"),
			widget.NewText(theme.Label, theme.Mute, "Good at"),
			widget.NewText(theme.Code, theme.Ink, "9f31c2…e07a"),
			widget.NewCut(theme.Body, theme.Ink, long),
			widget.NewParagraph(theme.Body, theme.Ink, long+"\nA second line."),
			widget.NewParagraphSpans(
				widget.Span{Text: "Go concurrency. ", Role: theme.Strong, Ink: theme.Ink},
				widget.Span{Text: "Races, leaked goroutines, lost cancellation, and a host at ", Role: theme.Body, Ink: theme.Ink},
				widget.Span{Text: "127.0.0.1:11434", Role: theme.Code, Ink: theme.Ink},
				widget.Span{Text: " too.", Role: theme.Body, Ink: theme.Ink}),
			widget.NewRule(),
		)
	})
}

func TestButtonPictures(t *testing.T) {
	gallery(t, "buttons", 560, 250, func() fyne.CanvasObject {
		disabled, disabledPrimary := widget.NewButton(widget.Secondary, "Disabled", nil), widget.NewButton(widget.Primary, "Disabled", nil)
		disabled.Disable()
		disabledPrimary.Disable()
		busy, busyPrimary := widget.NewButton(widget.Secondary, "Regenerating…", nil), widget.NewButton(widget.Primary, "Unlocking…", nil)
		busy.SetBusy(true)
		busyPrimary.SetBusy(true)
		focused, hovered := widget.NewButton(widget.Secondary, "Focused", nil), widget.NewButton(widget.Quiet, "Hovered", nil)
		focused.FocusGained()
		hovered.MouseIn(nil)
		primaryFocus := widget.NewButton(widget.Primary, "Focused", nil)
		primaryFocus.FocusGained()
		return widget.Column(12,
			widget.Row(theme.Gap,
				widget.NewIconButton(widget.Secondary, "file-down", "Export", nil),
				widget.NewButton(widget.Secondary, "Launch", nil),
				widget.NewButton(widget.Primary, "Review and save", nil)),
			widget.Row(theme.Gap,
				widget.NewIconButton(widget.Primary, "plus", "New agent", nil),
				widget.NewButton(widget.Quiet, "Quiet", nil),
				widget.NewButton(widget.Danger, "Delete", nil),
				widget.NewIconButton(widget.Quiet, "x", "", nil)),
			widget.Row(theme.Gap, disabled, disabledPrimary, busy, busyPrimary),
			widget.Row(theme.Gap, focused, primaryFocus, hovered),
		)
	})
}

func TestChipAndAvatarPictures(t *testing.T) {
	gallery(t, "chips", 520, 170, func() fyne.CanvasObject {
		chips, avatars := widget.Row(theme.Gap), widget.Row(theme.Gap)
		for _, tone := range tones {
			chips.Add(widget.NewChip(tone, map[theme.Tone]string{
				theme.OK: "ready", theme.Warn: "stale", theme.Bad: "failed", theme.Info: "draft saved 14:05", theme.Off: "disabled",
			}[tone]))
		}
		for _, name := range []string{"reviewer", "sql-tuner", "test-doctor", "docs-writer", "security-scout", "x", "", "release-engineer"} {
			avatars.Add(widget.NewAvatar(name, 28))
		}
		avatars.Add(widget.NewAvatar("reviewer", 36))
		return widget.Column(16, chips, avatars)
	})
}

func TestCardPictures(t *testing.T) {
	gallery(t, "cards", 460, 470, func() fyne.CanvasObject {
		return widget.Column(16,
			widget.NewCard(widget.Column(12,
				widget.NewText(theme.Heading, theme.Ink, "This hour"),
				widget.NewText(theme.Secondary, theme.Mute, "4 of 10 calls used. Next slot frees at 14:41."))),
			widget.NewNotice(theme.Warn, "line 5", "Bash also grants subagents and monitors",
				"Claude Code starts them through the same permission. Untick execute_bash in Tools to take all three away."),
			widget.NewNotice(theme.Bad, "name", "Not saved: another agent has this name", "Choose another name."),
			widget.NewNotice(theme.Info, "3 files", "Found in ~/.claude/agents", ""),
		)
	})
}

func TestFieldPictures(t *testing.T) {
	gallery(t, "fields", 460, 640, func() fyne.CanvasObject {
		name := widget.NewField("Name")
		name.SetText("reviewer")
		name.SetHelper("ID survives renames")
		hint := widget.NewField("Description")
		hint.SetPlaceholder("What it is for, in one sentence")
		wrong := widget.NewField("Model")
		wrong.SetText("sonett")
		wrong.SetError("Claude Code has no model of this name. Choose one from the list or write its full id.")
		fixed := widget.NewField("Time limit")
		fixed.SetText("30 seconds, fixed")
		fixed.SetReadOnly(true)
		secret := widget.NewPassword("Passphrase")
		secret.SetText("correct horse")
		focused := widget.NewField("Focused")
		focused.SetText("typed")
		focused.Input().FocusGained()
		area := widget.NewCodeArea("Instructions", 4)
		area.SetText("# Role\nYou review one change at a time. You look for faults that lose data or hang, not for style.")
		area.SetHelper("2,118 characters · 29% of Codex cap")
		return widget.Column(14, name, hint, wrong,
			widget.Panes(12, widget.Grow(1, fixed), widget.Grow(1, secret)), focused, area)
	})
}

func TestCodePictures(t *testing.T) {
	gallery(t, "code", 480, 470, func() fyne.CanvasObject {
		diff := widget.NewCode()
		diff.SetLines([]widget.CodeLine{
			{Text: "---"},
			{Text: "name: reviewer"},
			{Text: "model: opus   # pinned by hand", Change: widget.Removed},
			{Text: "model: sonnet # pinned by hand", Change: widget.Added},
			{Text: "tools: Read, Grep, Glob, Bash"},
			{Text: ""},
			{Text: "\tYou review one change at a time. You look for faults that lose data or hang, not for style."},
		})
		wrapped := widget.NewCode()
		wrapped.SetText("# Role\nYou review one change at a time. You look for faults that lose data or hang, not for style.\n\n# How\n- Read the diff, then the callers.")
		wrapped.SetNumbers(true)
		wrapped.SetWrap(true)
		return widget.Column(16, widget.Fixed(0, 190, diff), widget.Fixed(0, 190, wrapped))
	})
}

func TestPickerPictures(t *testing.T) {
	gallery(t, "pickers", 560, 330, func() fyne.CanvasObject {
		focusedRail, focusedTabs := rail(), widget.NewTabs("Profile", "Tools", "Access")
		focusedRail.Select(1)
		focusedRail.FocusGained()
		focusedTabs.Select(1)
		focusedTabs.FocusGained()
		focusedFilters := widget.NewFilters("All 128", "Native 41", "Codex 24")
		focusedFilters.Select(1)
		focusedFilters.FocusGained()
		return widget.Panes(16, rail(), focusedRail, widget.Grow(1, widget.Column(16,
			widget.NewTabs("Profile", "Tools", "Access", "Advertisement"), focusedTabs,
			widget.NewFilters("All 128", "Native 41", "Claude Code 63", "Codex 24", "Needs attention 3"), focusedFilters)))
	})
}

func TestListPictures(t *testing.T) {
	gallery(t, "lists", 640, 480, func() fyne.CanvasObject {
		list := widget.NewList()
		list.SetItems(agents)
		list.Select("3")
		list.FocusGained()
		found := widget.NewSearch("Search 128 agents", "Ctrl F")
		found.Input().FocusGained()
		return widget.Panes(16, widget.Grow(1, widget.Fill(theme.Panel, list)), widget.Grow(1, widget.Column(16,
			widget.NewSearch("Search 128 agents", "Ctrl F"), found,
			widget.Fixed(0, 150, widget.Fill(theme.Panel, widget.NewEmpty("No agents yet. Import the ones other tools have, or write one.", "Import agents", nil))))))
	})
}

func TestCheckPictures(t *testing.T) {
	gallery(t, "checks", 460, 330, func() fyne.CanvasObject {
		on, partly, off, locked, focused := widget.NewCheck("Read files", "fs_read"), widget.NewCheck("Run commands", "Claude Code has Bash without Monitor: partly granted."),
			widget.NewCheck("Write files", ""), widget.NewCheck("Fetch pages", "The profile does not name the tool."), widget.NewCheck("Focused", "")
		on.SetState(widget.Ticked)
		partly.SetState(widget.Partly)
		locked.SetState(widget.Ticked)
		locked.Disable()
		focused.FocusGained()
		return widget.Column(12, on, partly, off, locked, focused, strip())
	})
}

func TestSheetPictures(t *testing.T) {
	for _, look := range looks {
		size := fyne.NewSize(700*look.scale, 420*look.scale)
		s := uitest.Blank(t, size, look.mode, look.scale)
		l := loop.NewTest()
		toasts := widget.NewToasts(l)
		under := widget.Fill(theme.Bg, widget.NewText(theme.Body, theme.Ink, "Under the sheet"))
		s.SetContent(container.NewStack(under, toasts))
		toasts.Say(t.Context(), "Deleted 3 agents.", "Undo", func() {})
		s.Golden("toast-" + look.name)
		name := widget.NewField("New name")
		name.SetText("reviewer 2")
		sheet := widget.NewSheet("Duplicate reviewer", widget.Column(12, widget.NewParagraph(theme.Body, theme.Mute,
			"The copy gets its own ID. Nobody may see or call it until you say so."), name), "Cancel", "Duplicate", nil)
		sheet.Open(under)
		s.Golden("sheet-" + look.name)
		l.Close()
	}
}

func TestChoicePictures(t *testing.T) {
	for _, look := range looks {
		s := uitest.Blank(t, fyne.NewSize(440*look.scale, 260*look.scale), look.mode, look.scale)
		runs, model, effort := widget.NewChoice("Runs on", "Claude Code", "Codex"), widget.NewChoice("Model", "sonnet"), widget.NewChoice("Effort", "low", "medium", "high")
		runs.SetValue("Claude Code")
		model.SetValue("claude-sonnet-of-a-long-name")
		model.Disable()
		effort.SetValue("high")
		s.SetContent(widget.Inset(16, 16, 16, 16, widget.Panes(12, widget.Grow(1, runs), widget.Grow(1, model), widget.Grow(1, effort))))
		s.Focus(effort)
		s.Press(fyne.KeySpace)
		s.Golden("choice-" + look.name)
	}
}
